"""What tables have from pages before theirs: the headers of the part of a table that stands on the page before, and the
unit and scale that a section tells once for all of its tables ("unless otherwise noted, dollars are in millions").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from provgraph.documents.amounts import Measure
from provgraph.documents.page_layout import PageLayout, TableLayout
from provgraph.documents.readers.pdf_text import Block, PageText
from provgraph.documents.table_model import Table
from provgraph.documents.table_notes import measure_led_to
from provgraph.documents.table_reading import tables_of_page

_EDGE: Final = 3
"""Regions of a page before its first table, or behind its last one: running heads, page numbers, a title again."""

_GENERAL: Final = re.compile(
    r"\b(?:tabular|unless otherwise|except as otherwise)\b[^.()|]*\b(?:thousands|millions|billions)\b[^.()|]*",
    re.IGNORECASE,
)
"""From its first word on, as a search for what stands before it would begin anew at each character."""

_ALL_AMOUNTS: Final = re.compile(
    r"\ball (?:\w{1,12} ){0,2}(?:amounts|figures|values|sums)\b[^.|]{0,160}", re.IGNORECASE
)
"""Begins a sentence of all amounts of a document: "All amounts in this report are in thousands of euros"."""

_CLAUSE_ENDS: Final = ".()|"

_IN_BRACKETS: Final = re.compile(r"\([^()]*\b(?:thousands|millions|billions)\b[^()]*\)", re.IGNORECASE)


class Continued:
    """Joins the last table of a page with the first of the next, and knows what is told of all tables of a section."""

    def __init__(self) -> None:
        self._last: TableLayout | None = None
        self._page = 0
        self._headers: tuple[tuple[str, ...], ...] = ()
        self._captions: tuple[str, ...] = ()
        self._general: tuple[str, str] = ("", "")
        self._of_document = ""

    def of_page(self, number: int, page: PageText, sections: tuple[str, str]) -> tuple[TableLayout, ...]:
        """The tables of the next page; the first with the headers of the page before, where it goes on from there.

        `sections` are the outermost headings in which the page begins and ends.
        """
        tables = self._with_general(page, *sections)
        if tables and self._goes_on(number, page, tables[0]):
            begun = self._last.continues if self._last and self._last.continues else number - 1
            tables = (_with(tables[0], begun, self._headers, self._captions), *tables[1:])
        self._note(number, page, tables)
        return tables

    def _with_general(self, page: PageText, begins: str, ends: str) -> tuple[TableLayout, ...]:
        """The page's tables, each with what was told before it of all tables of its section."""
        told = list(_told(page))
        self._of_document = self._of_document or next(filter(None, map(_of_all_amounts, page.blocks)), "")
        layouts = []
        for table in page.tables:
            before = [words for start, words in told if start < table.start]
            general = before[-1] if before else self._general[0] if self._general[1] == begins else ""
            general = general or self._of_document
            layouts.append(replace(table, inherited_captions=(f"({general})",)) if general else table)
        if told:
            self._general = told[-1][1], ends
        return tuple(layouts)

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


def _told(page: PageText) -> Iterator[tuple[int, str]]:
    """Where units and scales are told of all tables that follow: by a sentence, or by a line in brackets below a
    heading, which is no caption of one table."""
    for block, following in zip(page.blocks, [*page.blocks[1:], None], strict=True):
        if match := _GENERAL.search(block.words):
            begin = max(block.words.rfind(mark, 0, match.start()) for mark in _CLAUSE_ENDS) + 1
            yield block.start, block.words[begin : match.end()].strip()
        elif _IN_BRACKETS.fullmatch(block.words) and following and following.kind != "table":
            yield block.start, block.words.strip("() ")


def _of_all_amounts(block: Block) -> str:
    """What a block says of all amounts of a document, where it tells a currency and a scale; else nothing."""
    match = _ALL_AMOUNTS.search(block.words) if block.kind != "table" else None
    measure = measure_led_to(match[0]) if match else Measure()
    return match[0].strip() if match and measure.unit and measure.scale else ""


def _headers(table: Table) -> tuple[tuple[str, ...], ...]:
    """What heads each column."""
    found: dict[int, tuple[str, ...]] = {}
    for cell in table.values:
        found.setdefault(cell.column, cell.column_header)
    return tuple(found.get(column, ()) for column in range(table.column_count))


def _with(
    table: TableLayout, page: int, headers: tuple[tuple[str, ...], ...], captions: tuple[str, ...]
) -> TableLayout:
    told = (*table.inherited_captions, *captions)
    return replace(table, continues=page, inherited=headers, inherited_captions=told)
