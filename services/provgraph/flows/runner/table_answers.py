"""Answers from the tables of pages on which passages were found: tables as documents have them → grids → a derivation
whose cells stand in chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import anyio.to_thread

from provgraph.catalogue.sources import Words
from provgraph.derivation.evidence import ReadPassage, Support
from provgraph.derivation.result import Derived, Step
from provgraph.derivation.tables.answering import (
    ABOUT,
    NAMED,
    THRESHOLD,
    answer_from_tables,
    asked_line_items,
    statement_answer,
)
from provgraph.derivation.tables.grid import Grid, joined
from provgraph.derivation.tables.item_names import names_in
from provgraph.derivation.tables.short_names import short_names_asked
from provgraph.documents.tables import has_rows
from provgraph.flows.runner.document_tables import (
    DocumentTables,
    TitledDocument,
    asked_documents,
    documents_having,
    grid_of_table,
    is_titled,
    named_alone,
)
from provgraph.flows.runner.page_chunks import PageChunks
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.reading_passages import PassageFinder
from provgraph.flows.runner.run import Run
from provgraph.rdf.ontology_files import ontology_text
from provgraph.rdf.serialization import RdfFormat, parse
from provgraph.rdf.terms import Literal, NamedNode
from provgraph.reading.propositions import Span, TextReading

MOST_PAGES: Final = 8
MOST_CITED: Final = 12
"""The most rows that an answer cites, but for one of each step."""
_LINE_ITEMS: Final = "line-items.ttl"
_LABELS: Final = frozenset(
    NamedNode(f"http://www.w3.org/2004/02/skos/core#{name}")
    for name in ("prefLabel", "altLabel", "hiddenLabel")
)


class TableFinder:
    """Answers from tables for one run, of the pages that the run's finder came upon."""

    def __init__(self, run: Run, finder: PassageFinder) -> None:
        self._run, self._finder = run, finder

    async def line_item(self, text: str) -> Derived | None:
        """The answer to a question about line items, from all tables of the documents that it is to; None where it is
        none, or no table has what it asks for."""
        if not asked_line_items(text, line_items(), ""):
            return None
        names = " ".join(names_in(text))
        if names and not is_titled(text, self._finder.passages_by_key.values()):
            await self._finder.passages(names)
        documents = [
            TitledDocument(passage.hit.document, passage.hit.title)
            for passage in asked_documents(text, self._finder.passages_by_key.values())
        ]
        titles = " ".join(document.title for document in documents)
        tables, by_page = DocumentTables(self._run), dict[NamedNode, TitledDocument]()
        grids: list[Grid] = []
        items: list[Sequence[str]] = list(line_items())
        for document in documents:
            pages = await tables.pages(document.iri)
            items += short_names_asked(text, (page_text for _, page_text in pages))
            wanted = asked_line_items(text, items, titles)
            for page, own in (await tables.grids(pages, document.title, wanted)).items():
                by_page[page] = document
                grids += own
        answer = await anyio.to_thread.run_sync(statement_answer, text, joined(grids), items)
        return None if answer is None else await self._in_chunks(answer.derived, by_page)

    async def answer(self, text: str) -> Derived | None:
        """The answer, its supports in chunks that the finder knows from then on; None where no table gives one."""
        tables = DocumentTables(self._run)
        asked = await tables.documents_asked()
        if not asked and (alone := named_alone(text, self._finder.passages_by_key.values())) is not None:
            asked = [alone]
        named = await tables.pages_with_rows(asked, MOST_PAGES)
        by_page = named or self._found_pages(text)
        grids: list[Grid] = []
        for page, document in list(by_page.items())[:MOST_PAGES]:
            if own := await self._run.tables.of([page]):
                page_text = await self._run.services.library.text(self._run.question.collection, page)
                grids += [grid_of_table(table, page, page_text, document.title) for table in own]
        if not grids:
            return None
        least = NAMED if named else (THRESHOLD, ABOUT)
        whole = joined(grids)
        answer = await anyio.to_thread.run_sync(answer_from_tables, text, whole, line_items(), *least)
        return None if answer is None else await self._in_chunks(answer.derived, by_page)

    def _found_pages(self, text: str) -> dict[NamedNode, TitledDocument]:
        """The pages on which rows were found, of the documents that have a name of the question."""
        passages = list(self._finder.passages_by_key.values())
        asked = {passage.hit.document for passage, _ in documents_having(text, passages)}
        return {
            passage.at.place.page: TitledDocument(passage.hit.document, passage.hit.title)
            for passage in passages
            if passage.hit.document in asked and has_rows(passage.hit.text)
        }

    async def _in_chunks(self, derived: Derived, by_page: dict[NamedNode, TitledDocument]) -> Derived | None:
        left_out = await self._run.left_out_words()
        if any(_is_said(support, left_out) for step in derived.steps for support in step.supports):
            return None
        chunks = {}
        for page in {support.passage.key for step in derived.steps for support in step.supports}:
            node = NamedNode(page)
            text = await self._run.services.library.text(self._run.question.collection, node)
            document = by_page[node]
            chunks[page] = await PageChunks.of(self._run, node, document.iri, document.title, text)
        cited = set[int]()
        steps = [self._moved(step, chunks, cited) for step in reversed(derived.steps)]
        proved = all(step.supports or step.uses for step in steps)
        return replace(derived, steps=tuple(reversed(steps))) if proved else None

    def _moved(self, step: Step, chunks: dict[str, PageChunks], cited: set[int]) -> Step:
        supports: list[Support] = []
        for support in step.supports:
            passage = chunks[support.passage.key].passage_at(support.sentence.start, support.sentence.end)
            start = support.sentence.start
            is_too_many = bool(supports) and start not in cited and len(cited) >= MOST_CITED
            if passage is None or is_too_many:
                continue
            cited.add(start)
            key = passage.hit.chunk.value
            self._finder.passages_by_key.setdefault(key, passage)
            self._finder.led_by.setdefault(key, self._run.question.text)
            supports.append(_of_chunk(support, self._finder.passages_by_key[key]))
        return replace(step, supports=tuple(supports))


def _is_said(support: Support, left_out: Sequence[Words]) -> bool:
    """Whether the row, which is one of its page, is among words that are left out."""
    row = support.sentence
    return any(
        words.page.value == support.passage.key and words.start < row.end and row.start < words.end
        for words in left_out
    )


def _of_chunk(support: Support, passage: RetrievedPassage) -> Support:
    offset = passage.at.offset
    read = ReadPassage(
        passage.hit.chunk.value,
        passage.hit.document.value,
        passage.hit.title,
        passage.hit.text,
        TextReading((), ()),
    )
    sentence, words = (
        Span(span.start - offset, span.end - offset, span.text) for span in (support.sentence, support.words)
    )
    return Support(read, sentence, words)


@cache
def line_items() -> tuple[tuple[str, ...], ...]:
    """For each line item of statements its names, from ontology/line-items.ttl."""
    labels: dict[object, list[str]] = {}
    for quad in parse(ontology_text(_LINE_ITEMS).encode(), format=RdfFormat.TURTLE):
        if quad.predicate in _LABELS and isinstance(quad.object, Literal):
            labels.setdefault(quad.subject, []).append(quad.object.value)
    return tuple(tuple(names) for names in labels.values())
