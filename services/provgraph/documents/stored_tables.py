"""Tables, read from the layouts in the library when they are asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from anyio import to_thread

from provgraph.documents.library import Library
from provgraph.documents.stored_layouts import page_layout
from provgraph.documents.table_model import Table
from provgraph.documents.table_reading import tables_of_page
from provgraph.documents.table_rows import TableRow, header_rows, rows_of
from provgraph.errors import NotFound
from provgraph.rdf.terms import NamedNode


def _rows(tables: Sequence[Table]) -> dict[int, TableRow]:
    return {row.start: row for table in tables for row in (*header_rows(table), *rows_of(table))}


@dataclass(frozen=True)
class StoredTables:
    """The tables of one collection, read from what the library keeps of pages; for one question, as those of a page
    are read once."""

    library: Library
    collection: str
    _rows_of_pages: dict[NamedNode, dict[int, TableRow]] = field(
        default_factory=dict, compare=False, repr=False
    )
    _tables_of_pages: dict[NamedNode, Sequence[Table]] = field(
        default_factory=dict, compare=False, repr=False
    )

    async def of(self, pages: Sequence[NamedNode]) -> list[Table]:
        """The tables of these pages, in their order; none of a page that the library has lost."""
        found = await asyncio.gather(*(self._tables(page) for page in pages))
        return [table for tables in found for table in tables]

    async def rows(self, pages: Sequence[NamedNode]) -> dict[NamedNode, dict[int, TableRow]]:
        """By page, the rows of its tables, each by where it begins; headers have no cells."""
        new = [page for page in pages if page not in self._rows_of_pages]
        found = await asyncio.gather(*(self._tables(page) for page in new))
        for page, tables in zip(new, found, strict=True):
            self._rows_of_pages[page] = await to_thread.run_sync(_rows, tables) if tables else {}
        return {page: self._rows_of_pages[page] for page in pages}

    async def _tables(self, page: NamedNode) -> Sequence[Table]:
        if page not in self._tables_of_pages:
            self._tables_of_pages[page] = await self._read(page)
        return self._tables_of_pages[page]

    async def _read(self, page: NamedNode) -> Sequence[Table]:
        layout = await page_layout(self.library, self.collection, page)
        if not layout.tables:
            return ()
        try:
            text = await self.library.text(self.collection, page)
        except NotFound:
            return ()
        number = page.value.rpartition("/")[2]
        return await to_thread.run_sync(
            tables_of_page, int(number) if number.isdecimal() else 1, text, layout
        )
