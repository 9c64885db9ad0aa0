"""What every extractor reads and gives back, whether by rules or by a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

ValueKind = Literal["date", "number", "quantity"]


@dataclass(frozen=True)
class Passage:
    """The text that an extractor reads, and which of its sentences are its own.

    `text` is the chunk; where the page ends inside its last sentence, the words that end the sentence on the
    next page follow after one space, and `seam` is the index of the first of them. Only sentences that start
    in `text[own_start:own_end]` are read for facts; the others are context. `title` is the document's title.
    """

    text: str
    title: str = ""
    own_start: int = 0
    own_end: int = -1
    seam: int = -1


@dataclass(frozen=True)
class Entity:
    """A thing with a name: `label` as cleaned for display, `type` one of the extractor's classes or empty."""

    label: str
    type: str = ""


@dataclass(frozen=True)
class Value:
    """A date, a number or a quantity: `lexical` in the form `rdf.literals` reads, `label` as the source spells it.

    date: ISO 8601 ("1903", "1903-12", "1903-12-10") · number: "42", "4.5", "-3" · quantity: number, space,
    unit ("4.5 %", "12000000 USD", "37 °C", "350 km").
    """

    kind: ValueKind
    lexical: str
    label: str


@dataclass(frozen=True)
class Fact:
    """One statement of a sentence. `start` and `end` are the sentence's span in `Passage.text`.

    `confidence` is in (0, 1], in steps of 0.05: how sure the extractor is that a reader of that one sentence
    would call the statement true.
    """

    subject: Entity
    relation: str
    object: Entity | Value
    confidence: float
    start: int
    end: int


class FactExtractor(Protocol):
    """Port of all extractors. `name` and `version` and `settings` become part of the subgraph's IRI."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def extract(self, passage: Passage) -> Sequence[Fact]: ...
