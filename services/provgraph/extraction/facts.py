"""What every extractor reads and gives back, whether by rules or by a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from provgraph.documents.outline import Outline
from provgraph.documents.table_rows import TableRow, rows_in_text
from provgraph.provenance.source import Pair
from provgraph.rdf.terms import NamedNode

ValueKind = Literal["date", "number", "quantity", "text"]


@dataclass(frozen=True)
class Passage:
    """The text that an extractor reads, and which of its sentences are its own.

    `text` is the chunk; where the page ends inside its last sentence, the words that end the sentence on the
    next page follow after one space, and `seam` is the index of the first of them. Only sentences that start
    in `text[own_start:own_end]` are read for facts, to its end where none is given; the others are context.
    `title` is the document's title, `outline` the clauses that are open at `own_start`, and `rows` the table rows that
    are its own; with None the text itself shows them.
    """

    text: str
    title: str = ""
    own_start: int = 0
    own_end: int = -1
    seam: int = -1
    outline: Outline = Outline()
    rows: tuple[TableRow, ...] | None = None

    def __post_init__(self) -> None:
        if self.own_end < 0:
            object.__setattr__(self, "own_end", len(self.text))

    @property
    def letters(self) -> int:
        """How many letters there are where its own sentences start."""
        return sum(map(str.isalpha, self.text[self.own_start : self.own_end]))

    @property
    def table_rows(self) -> tuple[TableRow, ...]:
        """The table rows that are its own."""
        rows = rows_in_text(self.text) if self.rows is None else self.rows
        return tuple(row for row in rows if self.owns(row.start))

    def owns(self, start: int) -> bool:
        """Whether a sentence that starts there is its own."""
        return self.own_start <= start < self.own_end


@dataclass(frozen=True)
class Entity:
    """A thing with a name: `label` as cleaned for display; `type` one of `rdf.vocabulary` by its
    name, or a class of an ontology by its IRI, or empty. `local` is one that only its document means by its name, as
    clause 3.1(a)."""

    label: str
    type: str = ""
    local: bool = False


@dataclass(frozen=True)
class Value:
    """A date, a number, a quantity or words: `lexical` in the form `rdf.literals` reads, `label` as the source
    spells it.

    date: ISO 8601 ("1903", "1903-12", "1903-12-10") · number: "42", "4.5", "-3" · quantity: number, space,
    unit ("4.5 %", "12000000 USD", "37 °C", "350 km") · text: any words, such as a definition. Where an ontology asks
    for another `datatype`, `lexical` is of that.
    """

    kind: ValueKind
    lexical: str
    label: str
    datatype: NamedNode | None = None


@dataclass(frozen=True)
class Fact:
    """One statement of a sentence. `start` and `end` are the sentence's span in `Passage.text`.

    `confidence` is in (0, 1], in steps of 0.05: how sure the extractor is that a reader of that one sentence
    would call the statement true. `relation` is the relation's label; `relation_iri` is its IRI where a vocabulary
    has one. `pair` is the question and answer that it was drawn from, where it was.
    """

    subject: Entity
    relation: str
    object: Entity | Value
    confidence: float
    start: int
    end: int
    relation_iri: NamedNode | None = None
    pair: Pair | None = None


@dataclass(frozen=True)
class ExtractorProfile:
    """All that decides what an extractor makes of a passage; every part is in the name of the subgraph.

    `prompt` is the prompt's hash; `ontology` is the ontology's IRI and `ontology_hash` that of its text.
    `reads_outline` is of one for which it matters in which clause a passage begins, `reads_rows` of one for which it
    matters what heads the table rows in it.
    """

    name: str
    version: str
    model: str = ""
    prompt: str = ""
    ontology: NamedNode | None = None
    ontology_hash: str = ""
    settings: str = ""
    reads_outline: bool = False
    reads_rows: bool = False


@runtime_checkable
class BatchExtractor(Protocol):
    """What an extractor by rules may have beside: the facts of many passages at once, which takes less time."""

    def extract_all(self, passages: Sequence[Passage]) -> Sequence[Sequence[Fact]]: ...


class FactExtractor(Protocol):
    """Port of the extractors that work by rules."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def extract(self, passage: Passage) -> Sequence[Fact]: ...
