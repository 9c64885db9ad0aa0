"""Retrieved chunks as passages: sentences with exact places, and how much of the question each of them meets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from provgraph.catalogue.sources import ChunkPlace, SourceReader, Words
from provgraph.documents.stored_layouts import StoredTables
from provgraph.documents.table_rows import TableRow
from provgraph.documents.tables import has_rows, row_spans
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import terms
from provgraph.ports.retriever import ChunkHit, QuestionTerm

IN_CHUNK: Final = 0.6
IN_TITLE: Final = 0.5
"""A word of the question counts whole where a sentence has it, and less where only its chunk or its title does."""


@dataclass(frozen=True)
class Passage:
    """A retrieved chunk, its text and where that stands; `rows` are the table rows of its page, by where they begin."""

    hit: ChunkHit
    at: ChunkPlace
    rows: Mapping[int, TableRow] = field(default_factory=dict)

    def said(self, words: Words) -> str:
        """What a sentence says: its words, and of a table row those that head it and its columns, printed elsewhere."""
        row = self.rows.get(words.start)
        if row is None or words.page != self.at.place.page:
            return words.text
        headers = dict.fromkeys(" ".join((*cell.row_header[:-1], *cell.column_header)) for cell in row.cells)
        return "\n".join((words.text, *headers))

    @cached_property
    def sentences(self) -> tuple[Words, ...]:
        """The chunk's sentences and table rows, each with its span in the text of the page; no headers of tables."""
        text, place = self.hit.text, self.at.place
        return tuple(
            Words(
                place=place,
                page=place.page,
                page_number=place.page_number,
                start=self.at.offset + start,
                end=self.at.offset + end,
                text=text[start:end],
            )
            for start, end in _spans(text)
            if not self._is_header(self.at.offset + start)
        )

    def _is_header(self, start: int) -> bool:
        row = self.rows.get(start)
        return row is not None and not row.cells


def _spans(text: str) -> list[tuple[int, int]]:
    """Sentences, and rows of tables, whole whatever stops stand in them."""
    if "|" not in text:
        return sentence_spans(text)
    whole = list(row_spans(text))
    apart = (span for span in sentence_spans(text) if not any(s < span[1] and span[0] < e for s, e in whole))
    return sorted([*whole, *apart])


async def passages(
    reader: SourceReader, hits: Sequence[ChunkHit], tables: StoredTables | None = None
) -> list[Passage]:
    """The chunks that the store has, in the order of the hits; with `tables` those of tables know their headers."""
    places = await reader.chunk_places([hit.chunk for hit in hits])
    known = [hit for hit in hits if hit.chunk in places]
    pages = {places[hit.chunk].place.page for hit in known if has_rows(hit.text)} if tables else set()
    rows = await tables.rows(sorted(pages, key=lambda page: page.value)) if tables and pages else {}
    return [Passage(hit, places[hit.chunk], rows.get(places[hit.chunk].place.page, {})) for hit in known]


class QuestionWeights:
    """The question's words, each with its share of the question's weight (together 1)."""

    def __init__(self, asked: Sequence[QuestionTerm]) -> None:
        self.terms = asked
        whole = sum(term.weight for term in asked)
        self._weights = {term.text: term.weight / whole for term in asked} if whole else {}
        self._forms = {term.text: frozenset(terms(term.text)) for term in asked}

    def met(self, text: str) -> frozenset[str]:
        """The words of the question that a text has."""
        words = frozenset(terms(text))
        return frozenset(term for term, forms in self._forms.items() if not forms.isdisjoint(words))

    def shares(self, sentence: str, passage: Passage) -> dict[str, float]:
        """How much of each word (0…1) a sentence meets, by itself and by where it stands."""
        said = dict.fromkeys(self.met(passage.hit.title), IN_TITLE)
        said |= dict.fromkeys(self.met(f"{passage.hit.context}\n{passage.hit.text}"), IN_CHUNK)
        return said | dict.fromkeys(self.met(sentence), 1.0)

    def coverage(self, shares: Mapping[str, float], beside: Mapping[str, float] | None = None) -> float:
        """The share of the question's weight that is met, or what that adds to what stands `beside` it."""
        other = beside or {}
        return sum(
            self._weights.get(term, 0.0) * max(0.0, share - other.get(term, 0.0))
            for term, share in shares.items()
        )

    def known(self, found: Sequence[Passage]) -> float:
        """The share of the question that the collection, or one of the passages, knows."""
        met = frozenset().union(
            *(self.met(f"{each.hit.title} {each.hit.context} {each.hit.text}") for each in found)
        )
        return sum(self._weights.get(term.text, 0.0) for term in self.terms if term.known or term.text in met)
