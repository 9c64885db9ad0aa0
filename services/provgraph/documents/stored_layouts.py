"""Layouts in the library, each beside the page that it is of, and tables read from them when they are asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from anyio import to_thread

from provgraph.documents.library import Library
from provgraph.documents.page_layout import WARNING_KEY, PageLayout
from provgraph.documents.table_model import Table
from provgraph.documents.table_reading import tables_of_page
from provgraph.documents.table_rows import TableRow, header_rows, rows_of
from provgraph.errors import NotFound
from provgraph.rdf.terms import NamedNode


async def page_layout(library: Library, collection: str, page: NamedNode) -> PageLayout:
    """What was recorded of a page; nothing of one that was read before layouts were."""
    with suppress(NotFound):
        recorded = await library.companion(collection, page)
        return await to_thread.run_sync(PageLayout.of_json, recorded)
    return PageLayout()


async def page_warnings(
    library: Library, collection: str, pages: Sequence[NamedNode]
) -> dict[NamedNode, str]:
    """What is to be known of pages before one relies on them ("page 12 has a table as a picture"), by page."""
    warnings = await asyncio.gather(*(_warning(library, collection, page) for page in pages))
    return {page: warning for page, warning in zip(pages, warnings, strict=True) if warning}


async def _warning(library: Library, collection: str, page: NamedNode) -> str:
    """Most pages have none, and their layouts are not parsed for it."""
    with suppress(NotFound):
        recorded = await library.companion(collection, page)
        return PageLayout.of_json(recorded).warning if WARNING_KEY in recorded else ""
    return ""


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
            self._rows_of_pages[page] = {
                row.start: row for table in tables for row in (*header_rows(table), *rows_of(table))
            }
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
