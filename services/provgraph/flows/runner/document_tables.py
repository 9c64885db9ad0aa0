"""The tables of a whole document that may have a line item: every page with its words is looked at, whether or not a
passage of it was retrieved.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.tables.grid import Grid, GridCell
from provgraph.derivation.tables.item_names import names_in
from provgraph.documents.table_model import Cell, Table
from provgraph.documents.tables import has_rows
from provgraph.errors import NotFound
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.run import Run
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.terms import Literal, NamedNode
from provgraph.rdf.vocabulary import DC, PROV, RDF, TG


def grid_of_table(table: Table, page: NamedNode, page_text: str, title: str) -> Grid:
    """A table of a document as a grid: header rows joined to one, merged cells repeated."""
    heads: list[list[Cell]] = [[] for _ in range(table.column_count)]
    rows: dict[int, list[GridCell]] = {
        number: [GridCell("")] * table.column_count for number in range(table.header_rows, table.row_count)
    }
    labels = {value.row: value.row_header[-1] for value in table.values if value.row_header}
    for cell in table.cells:
        columns = range(cell.column, min(cell.column + cell.columns, table.column_count))
        if cell.row < table.header_rows:
            for column in columns:
                heads[column].append(cell)
            continue
        grid_cell = GridCell(_whole(cell, labels), cell.start, cell.end, cell.unit, cell.scale, cell.period)
        for row in range(cell.row, min(cell.row + cell.rows, table.row_count)):
            for column in columns:
                rows[row][column] = grid_cell
    paths = {cell.column: cell.column_header for cell in table.values}
    headers = tuple(_head(cells, paths.get(column, ())) for column, cells in enumerate(heads))
    if not table.header_rows:
        headers = tuple(_inherited(table, column) for column in range(table.column_count))
    filled = {number: row for number, row in rows.items() if any(cell.text for cell in row)}
    body = tuple(tuple(row) for row in filled.values())
    sections = {cell.row: cell.row_header[:-1] for cell in table.values if cell.row_header}
    caption = " › ".join(filter(None, (*table.title_path, table.caption)))
    headed = tuple(sections.get(number, ()) for number in filled)
    return Grid(headers, body, title, caption, title, page.value, page_text, headed)


def _whole(cell: Cell, labels: Mapping[int, str]) -> str:
    """A label with the lines below it that are of it too."""
    label = labels.get(cell.row, "")
    return (
        label
        if not cell.column and cell.is_header and label.startswith(f"{cell.text.strip()} ")
        else cell.text
    )


def _head(cells: Sequence[Cell], path: Sequence[str]) -> GridCell:
    """The cells above a column as one; a head that stands over the columns before it too is told by their path."""
    words = dict.fromkeys(" ".join(cell.text.split()) for cell in cells)
    words = dict.fromkeys(path) if len(path) > len(words) else words
    return GridCell(" ".join(words), cells[-1].start, cells[-1].end) if cells else GridCell("")


def _inherited(table: Table, column: int) -> GridCell:
    """The head of a column of a table that continues another page's."""
    words = next(
        (cell.column_header for cell in table.cells if cell.column == column and cell.column_header), ()
    )
    return GridCell(" ".join(words))


MOST_DOCUMENTS: Final = 2
"""How many documents are looked through where the question names none of them."""
MOST_LOOKED_THROUGH: Final = 20
"""The most pages of documents that are looked through for tables whatever the question asks of them."""
MOST_PAGES: Final = 150
"""The most pages of a document whose tables are read for one question."""
_IN_TITLE: Final = 4
"""A name in a title tells so much more than one in a passage."""
_LAST_NUMBER: Final = re.compile(r"(?<!\d)\d+\Z")
_STEM: Final = 5
"""So many first letters tell whether a page may have a word, in whatever form."""


@dataclass(frozen=True)
class TitledDocument:
    iri: NamedNode
    title: str


@dataclass(frozen=True)
class DocumentTables:
    """Looks through the documents of one run's collection."""

    run: Run

    async def grids(
        self, pages: Iterable[tuple[NamedNode, str]], title: str, wanted: Sequence[Sequence[str]]
    ) -> dict[NamedNode, list[Grid]]:
        """By page, the tables of those pages of a document that have all words of one of the `wanted` names."""
        named = [(page, text) for page, text in pages if has_rows(text) and _may_have(text, wanted)]
        tables = await asyncio.gather(*(self.run.tables.of([page]) for page, _ in named[:MOST_PAGES]))
        return {
            page: [grid_of_table(table, page, text, title) for table in own]
            for (page, text), own in zip(named, tables, strict=False)
            if own
        }

    async def documents_asked(self) -> list[TitledDocument]:
        """The documents to which the question is narrowed, or the only one of the collection; else none."""
        question, source = self.run.question, self.run.graphs.source
        iris = [NamedNode(iri) for iri in question.circumstances.fields.get("documents", ())]
        if not iris:
            pattern = QuadPattern(predicate=RDF.type, object=TG.Document, graph=source)
            (quads,) = await self.run.store.match([pattern], limit=2)
            iris = [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]
            if len(iris) != 1:
                return []
        patterns = [QuadPattern(iri, DC.title, graph=source) for iri in iris]
        titles = [
            quads[0].object.value if quads and isinstance(quads[0].object, Literal) else ""
            for quads in await self.run.store.match(patterns, limit=1)
        ]
        return [TitledDocument(iri, title) for iri, title in zip(iris, titles, strict=True)]

    async def pages_with_rows(
        self, documents: Sequence[TitledDocument], most: int
    ) -> dict[NamedNode, TitledDocument]:
        """By page, the document of which it is, for pages with rows of tables: at most `most`, those with most words of
        the question, in the order in which they stand.

        None where the documents have more than `MOST_LOOKED_THROUGH` pages, or lack a name that the question has.
        """
        patterns = [
            QuadPattern(predicate=PROV.was_derived_from, object=document.iri, graph=self.run.graphs.source)
            for document in documents
        ]
        counts = [len(quads) for quads in await self.run.store.match(patterns, limit=MOST_LOOKED_THROUGH + 1)]
        if sum(counts) > MOST_LOOKED_THROUGH:
            return {}
        pages = [(*page, document) for document in documents for page in await self.pages(document.iri)]
        held = {term for _, text, document in pages for term in terms(f"{document.title} {text}")}
        if not names_in(self.run.question.text) <= held:
            return {}
        asked = set(terms(self.run.question.text)) - FUNCTION_WORDS
        having = [
            (len(asked & set(terms(text))), page, document)
            for page, text, document in pages
            if has_rows(text)
        ]
        shared = sorted((count for count, *_ in having), reverse=True)
        least = shared[most - 1] if len(shared) > most else 0
        kept = [(page, document) for count, page, document in having if count >= least]
        return dict(kept[:most])

    async def pages(self, document: NamedNode) -> list[tuple[NamedNode, str]]:
        """The pages of a document with their texts."""
        pattern = QuadPattern(predicate=PROV.was_derived_from, object=document, graph=self.run.graphs.source)
        (quads,) = await self.run.services.store.match([pattern])
        pages = sorted((q.subject for q in quads if isinstance(q.subject, NamedNode)), key=_number_of)
        texts = await asyncio.gather(*(self._text(page) for page in pages))
        return list(zip(pages, texts, strict=True))

    async def _text(self, page: NamedNode) -> str:
        try:
            return await self.run.services.library.text(self.run.question.collection, page)
        except NotFound:
            return ""


def _number_of(page: NamedNode) -> int:
    """The page's number, with which its IRI ends."""
    match = _LAST_NUMBER.search(page.value)
    return int(match[0]) if match else 0


def _may_have(text: str, wanted: Iterable[Sequence[str]]) -> bool:
    folded = text.casefold()
    return any(all(word[:_STEM] in folded for word in words) for words in wanted)


def asked_documents(question: str, passages: Iterable[RetrievedPassage]) -> list[RetrievedPassage]:
    """A passage of each document that a question is to: those that have most of its names, in title or passages; of
    these the ones whose titles have most of its words. None where no document has a name that is asked about."""
    having = documents_having(question, passages)
    most = max((count for _, count in having), default=0)
    asked = set(terms(question)) - FUNCTION_WORDS
    fitting = [each for each, count in having if count == most]
    titled = [len(asked & set(terms(passage.hit.title))) for passage in fitting]
    best = [each for each, count in zip(fitting, titled, strict=True) if count and count == max(titled)]
    return (best or fitting)[:MOST_DOCUMENTS]


def documents_having(
    question: str, passages: Iterable[RetrievedPassage]
) -> list[tuple[RetrievedPassage, int]]:
    """The first passage of each document with a name of the question, and how much it has of these names; of all
    documents where the question has no names."""
    of_document: dict[NamedNode, list[RetrievedPassage]] = {}
    for passage in passages:
        of_document.setdefault(passage.hit.document, []).append(passage)
    names = names_in(question)
    counts = [
        _IN_TITLE * len(names & set(terms(own[0].hit.title)))
        + len(names & {term for passage in own for term in terms(passage.hit.text)})
        for own in of_document.values()
    ]
    firsts = [own[0] for own in of_document.values()]
    return [(each, count) for each, count in zip(firsts, counts, strict=True) if count or not names]


def named_alone(question: str, passages: Iterable[RetrievedPassage]) -> TitledDocument | None:
    """The document that has names of the question which no other has, and all that others have; None where there is no
    such one."""
    names, found = names_in(question), dict[NamedNode, set[str]]()
    titles = dict[NamedNode, str]()
    for passage in passages:
        own = found.setdefault(passage.hit.document, set())
        own |= names & {*terms(passage.hit.text), *terms(passage.hit.title)}
        titles[passage.hit.document] = passage.hit.title
    best = max(found, key=lambda document: len(found[document]), default=None)
    if best is None or any(own >= found[best] for document, own in found.items() if document != best):
        return None
    others = set[str]().union(*(own for document, own in found.items() if document != best))
    return TitledDocument(best, titles[best]) if others <= found[best] else None


def is_titled(question: str, passages: Iterable[RetrievedPassage]) -> bool:
    """Whether a passage is of a document whose title has a name of the question."""
    names = names_in(question)
    return any(names & set(terms(passage.hit.title)) for passage in passages)
