"""Retrieved chunks as passages: sentences with exact places, and how much of the question each of them meets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Final

from provgraph.catalogue.sources import ChunkOnPage, SourceReader, Words
from provgraph.documents.stored_tables import StoredTables
from provgraph.documents.table_rows import TableRow
from provgraph.documents.tables import has_rows, quotable_spans
from provgraph.flows.runner.coverage import Coverage, as_shares
from provgraph.language.terms import terms
from provgraph.ports.retriever import ChunkHit, QuestionTerm

IN_CHUNK: Final = 0.6
IN_TITLE: Final = 0.5
"""A word of the question counts whole where a sentence has it, and less where only its chunk or its title does."""


@dataclass(frozen=True)
class RetrievedPassage:
    """A retrieved chunk, its text and where that stands; `rank` counts from 1.

    `rows` are the table rows of its page, by where they begin."""

    hit: ChunkHit
    at: ChunkOnPage
    rank: int = 1
    rows: Mapping[int, TableRow] = field(default_factory=dict)

    def words(self, start: int, end: int) -> Words:
        """A span of the chunk's text as a span of its page."""
        place = self.at.place
        return Words(
            place=place,
            page=place.page,
            page_number=place.page_number,
            start=self.at.offset + start,
            end=self.at.offset + end,
            text=self.hit.text[start:end],
        )

    def meaning(self, words: Words) -> str:
        """What a sentence says: its words, and of a table row those that head it and its columns, printed elsewhere."""
        row = self.rows.get(words.start)
        if row is None or words.page != self.at.place.page:
            return words.text
        headers = dict.fromkeys(" ".join((*cell.row_header[:-1], *cell.column_header)) for cell in row.cells)
        return "\n".join((words.text, *headers))

    @cached_property
    def sentences(self) -> tuple[Words, ...]:
        """The chunk's sentences and table rows, each with its span in the text of the page; no headers of tables."""
        spans = _spans(self.hit.text)
        return tuple(
            self.words(start, end) for start, end in spans if not self._is_header(self.at.offset + start)
        )

    def _is_header(self, start: int) -> bool:
        row = self.rows.get(start)
        return row is not None and not row.cells


@lru_cache(512)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """The same chunk is found again and again in the steps of a question."""
    return tuple(quotable_spans(text))


async def passages(
    reader: SourceReader, hits: Sequence[ChunkHit], tables: StoredTables | None = None
) -> list[RetrievedPassage]:
    """The chunks that the store has, in the order of the hits; with `tables` those of tables know their headers."""
    places = await reader.chunk_places([hit.chunk for hit in hits], {hit.document for hit in hits})
    present = [hit for hit in hits if hit.chunk in places]
    pages = {places[hit.chunk].place.page for hit in present if has_rows(hit.text)} if tables else set()
    rows = await tables.rows(sorted(pages, key=lambda page: page.value)) if tables and pages else {}
    return [
        RetrievedPassage(hit, places[hit.chunk], rank, rows.get(places[hit.chunk].place.page, {}))
        for rank, hit in enumerate(present, 1)
    ]


def unsaid(passage: RetrievedPassage, left_out: Sequence[Words]) -> RetrievedPassage:
    """The passage with blanks where it says words that are left out: all others keep their places."""
    spans = [
        (max(0, words.start - passage.at.offset), words.end - passage.at.offset)
        for words in left_out
        if words.page == passage.at.place.page and words.end > passage.at.offset
    ]
    if not spans:
        return passage
    text = passage.hit.text
    for start, end in spans:
        text = text[:start] + " " * len(text[start:end]) + text[end:]
    senses = tuple(
        sense
        for sense in passage.hit.senses
        if not any(start < sense.end and sense.start < end for start, end in spans)
    )
    return replace(passage, hit=replace(passage.hit, text=text, senses=senses))


class QuestionWeights:
    """The question's words, each with its share of the question's weight (together 1)."""

    def __init__(self, question_terms: Sequence[QuestionTerm]) -> None:
        self.terms = question_terms
        self.shares_of_terms = as_shares({term.text: term.weight for term in question_terms})
        self._of_form: dict[str, list[str]] = defaultdict(list)
        for term in question_terms:
            for form in frozenset(terms(term.text)):
                self._of_form[form].append(term.text)
        self._met: dict[str, frozenset[str]] = {}

    def met(self, text: str) -> frozenset[str]:
        """The words of the question that a text has. Each sentence of a chunk asks for the whole chunk's too, so what
        was found is kept."""
        if text not in self._met:
            words = frozenset(terms(text))
            self._met[text] = frozenset(
                term for word in words if word in self._of_form for term in self._of_form[word]
            )
        return self._met[text]

    def shares(self, sentence: str, passage: RetrievedPassage) -> dict[str, float]:
        """How much of each word (0…1) a sentence meets, by itself and by where it stands."""
        shares = dict.fromkeys(self.met(passage.hit.title), IN_TITLE)
        shares |= dict.fromkeys(self.met(f"{passage.hit.context}\n{passage.hit.text}"), IN_CHUNK)
        return shares | dict.fromkeys(self.met(sentence), 1.0)

    def coverage(self, shares: Mapping[str, float]) -> float:
        """The share of the question's weight that is met."""
        return Coverage(self.shares_of_terms).gain(shares)

    def known(self, retrieved: Sequence[RetrievedPassage]) -> float:
        """The share of the question that the collection, or one of the passages, knows."""
        met = frozenset().union(
            *(
                self.met(f"{passage.hit.title} {passage.hit.context} {passage.hit.text}")
                for passage in retrieved
            )
        )
        return sum(
            self.shares_of_terms.get(term.text, 0.0) for term in self.terms if term.known or term.text in met
        )
