"""Tables that go on over several pages: the part on a later page has the headers of the part before it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from provgraph.documents.page_layout import PageLayout, TableLayout
from provgraph.documents.readers.pdf_text import PageText
from provgraph.documents.table_model import Table
from provgraph.documents.table_reading import tables_of_page

_EDGE: Final = 3
"""Regions of a page before its first table, or behind its last one: running heads, page numbers, a title again."""


class Continued:
    """Joins the last table of a page with the first of the next."""

    def __init__(self) -> None:
        self._last: TableLayout | None = None
        self._page = 0
        self._headers: tuple[tuple[str, ...], ...] = ()
        self._captions: tuple[str, ...] = ()

    def of_page(self, number: int, page: PageText) -> tuple[TableLayout, ...]:
        """The tables of the next page; the first with the headers of the page before, where it goes on from there."""
        tables = page.tables
        if tables and self._goes_on(number, page, tables[0]):
            begun = self._last.continues if self._last and self._last.continues else number - 1
            tables = (_with(tables[0], begun, self._headers, self._captions), *tables[1:])
        self._note(number, page, tables)
        return tables

    def _goes_on(self, number: int, page: PageText, table: TableLayout) -> bool:
        if self._last is None or self._page != number - 1 or table.header_rows:
            return False
        before = [block for block in page.blocks if block.end <= table.start and block.kind != "table"]
        return len(before) <= _EDGE and self._last.column_count == table.column_count

    def _note(self, number: int, page: PageText, tables: tuple[TableLayout, ...]) -> None:
        self._last, self._page = None, number
        if not tables:
            return
        last = max(tables, key=lambda table: table.end)
        behind = [
            block
            for block in page.blocks
            if block.start > last.end and block.kind in ("paragraph", "item", "table")
        ]
        if len(behind) > _EDGE - 2:
            return
        self._last = last
        read = tables_of_page(number, page.text, PageLayout(tables=(last,)))[0]
        self._headers = _headers(read) if last.header_rows else last.inherited
        self._captions = tuple(
            words for words in (read.caption, *read.notes, *last.inherited_captions) if words
        )


def _headers(table: Table) -> tuple[tuple[str, ...], ...]:
    """What heads each column."""
    found: dict[int, tuple[str, ...]] = {}
    for cell in table.values:
        found.setdefault(cell.column, cell.column_header)
    return tuple(found.get(column, ()) for column in range(table.column_count))


def _with(
    table: TableLayout, page: int, headers: tuple[tuple[str, ...], ...], captions: tuple[str, ...]
) -> TableLayout:
    return replace(table, continues=page, inherited=headers, inherited_captions=captions)
