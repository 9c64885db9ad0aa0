"""Where a long document that a question names comes closest to what nothing in it answers: the rows of the line items
that the question names, and the sections whose headings have its words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import anyio.to_thread

from provgraph.catalogue.sources import Words
from provgraph.derivation.evidence import Support
from provgraph.derivation.tables.closest_items import closest_lines, named_items
from provgraph.documents.page_layout import PageLayout
from provgraph.documents.stored_layouts import page_layout
from provgraph.flows.runner.closest_sections import (
    Section,
    closest_sections,
    content,
    followed,
    sections,
    telling_spans,
)
from provgraph.flows.runner.document_tables import DocumentTables
from provgraph.flows.runner.page_chunks import PageChunks
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.run import Run
from provgraph.flows.runner.table_answers import line_items
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.rdf.terms import NamedNode

MOST_ROWS: Final = 2
MOST_OF_SECTIONS: Final = 2


@dataclass(frozen=True)
class ClosestPlace:
    """A sentence or row that is told as near to a question, and why."""

    passage: RetrievedPassage
    words: Words
    explanation: str


@dataclass(frozen=True)
class ClosestPlaces:
    """Looks through one document of a run's collection."""

    run: Run
    document: NamedNode
    title: str

    async def rows(self, text: str) -> list[ClosestPlace]:
        """The rows of the line items that a question names, of the statements that have them."""
        names = line_items()
        wanted = named_items(text, names)
        if not wanted:
            return []
        tables = DocumentTables(self.run)
        by_page = await tables.grids(await tables.pages(self.document), self.title, wanted)
        grids = [grid for own in by_page.values() for grid in own]
        lines: list[Support] = await anyio.to_thread.run_sync(closest_lines, text, grids, names)
        places: list[ClosestPlace] = []
        for line in lines[:MOST_ROWS]:
            row = line.sentence
            why = "A row of a line item that the question names."
            places += await self._place(
                NamedNode(line.passage.key), line.passage.text, row.start, row.end, why
            )
        return places

    async def of_sections(self, text: str) -> list[ClosestPlace]:
        """Sentences of the section whose heading has most of a question's words, or of another name of what it is
        about; one of each of its first pages."""
        read = await self._pages()
        pages = [(text, layout) for _, text, layout in read]
        known = frozenset(terms(self.title))
        asked = content(text) - known
        found = await anyio.to_thread.run_sync(_found, asked, pages)
        places: list[ClosestPlace] = []
        for section in found:
            why = f"It stands under the heading “{section.heading}”, which is closest to the question."
            for page, start, end in telling_spans(asked, section, pages):
                node, page_text, _ = read[page]
                places += await self._place(node, page_text, start, end, why)
            if len(places) >= MOST_OF_SECTIONS:
                break
        return places[:MOST_OF_SECTIONS]

    async def _pages(self) -> list[tuple[NamedNode, str, PageLayout]]:
        """The pages in their order."""
        pages = [page for page in await DocumentTables(self.run).pages(self.document) if _number(page[0])]
        pages.sort(key=lambda each: _number(each[0]))
        collection, library = self.run.question.collection, self.run.services.library
        layouts = await asyncio.gather(*(page_layout(library, collection, page) for page, _ in pages))
        return [(page, text, layout) for (page, text), layout in zip(pages, layouts, strict=True)]

    async def _place(
        self, page: NamedNode, text: str, start: int, end: int, why: str
    ) -> Sequence[ClosestPlace]:
        """The place, none where its words are left out or no chunk has them."""
        left_out = await self.run.left_out_words()
        if any(words.page == page and words.start < end and start < words.end for words in left_out):
            return ()
        chunks = await PageChunks.of(self.run, page, self.document, self.title, text)
        passage = chunks.passage_at(start, end)
        if passage is None:
            return ()
        offset = passage.at.offset
        return (ClosestPlace(passage, passage.words(start - offset, end - offset), why),)


def _number(page: NamedNode) -> int:
    """The number that a page's name ends with; 0 where it has none."""
    number = page.value.rpartition("/")[2]
    return int(number) if number.isdecimal() else 0


def _found(asked: frozenset[str], pages: Sequence[tuple[str, PageLayout]]) -> list[Section]:
    """The sections closest to what is asked, and to other names of it and of the section that is the closest."""
    every = sections(pages)
    found = closest_sections([asked, *_other_names(asked)], every)
    if found:
        found = [*found[:1], *closest_sections(_other_names(content(found[0].heading)), every), *found[1:]]
    return [followed(section, every, pages) for section in dict.fromkeys(found)]


def _other_names(held: frozenset[str]) -> list[frozenset[str]]:
    """The names of whatever some words have a name of, as words."""
    groups = [[frozenset(terms(name)) - FUNCTION_WORDS for name in group] for group in line_items()]
    having = [group for group in groups if any(words and words <= held for words in group)]
    return [words for group in having for words in group if words]
