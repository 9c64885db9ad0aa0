"""What a reader records of a page beside its text: headings, tables and regions, as spans of that text.

It is kept in the library next to the page, as JSON with the number of its form, and read back without the file. All
that can be told from text and layout together is not in it: see documents/table_reading.py.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, Literal

from provgraph.documents.table_model import Box

FORM: Final = 1
"""The form of the JSON; another form needs another number, and `PageLayout.of_json` reads all that there were."""

READING: Final = b"\0regions 3"
"""Tells this way of reading pages in regions from others, in the names of what is read so; by the second, numbers of
lines in a margin come last; by the third, a gutter between columns of text parts no table."""

WARNING_KEY: Final = b'"warning":'
"""Stands in the JSON of a page with a warning, and hardly in another."""

_ITEMS_TOGETHER: Final = 5_000

Span = tuple[int, int]
RegionKind = Literal[
    "heading", "paragraph", "item", "table", "caption", "note", "aside", "header", "footer", "page-number"
]


@dataclass(frozen=True)
class Heading:
    """`text[start:end]` is a heading; 1 is the outermost level."""

    start: int
    end: int
    level: int
    text: str


@dataclass(frozen=True)
class Region:
    """`text[start:end]` stands on the page in `box`, and is of one kind."""

    kind: RegionKind
    start: int
    end: int
    box: Box | None = None


@dataclass(frozen=True)
class CellLayout:
    """`text[start:end]` is the cell that begins in this row and column and covers so many of them."""

    row: int
    column: int
    start: int
    end: int
    box: Box | None = None
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True)
class TableLayout:
    """A table of a page: its cells (empty ones left out), and how many of its rows and columns head the others.

    `captions` are the lines above it that belong to it, from the top; `depths` tell how far the first cell of each row
    is indented, from 0. `inherited` are the column headers of the page before, by column, where the table goes on from
    there: `continues` is the number of the page on which it begins.
    """

    cells: tuple[CellLayout, ...]
    row_count: int
    column_count: int
    header_rows: int = 0
    header_columns: int = 1
    captions: tuple[Span, ...] = ()
    depths: tuple[int, ...] = ()
    continues: int = 0
    inherited: tuple[tuple[str, ...], ...] = ()
    inherited_captions: tuple[str, ...] = ()

    @property
    def start(self) -> int:
        return min(cell.start for cell in self.cells)

    @property
    def end(self) -> int:
        return max(cell.end for cell in self.cells)

    def moved(self, by: int) -> TableLayout:
        """The same table in a text in which so many characters stand before it."""
        return replace(
            self,
            cells=tuple(replace(cell, start=cell.start + by, end=cell.end + by) for cell in self.cells),
            captions=tuple((start + by, end + by) for start, end in self.captions),
        )


@dataclass(frozen=True)
class PageLayout:
    """`open_headings` are the headings, outermost first, in which the page begins: (level, words).

    `warning` is what somebody who relies on the page should know, in words; empty where there is nothing. `turned` is
    by how many degrees the page was turned to be read, and is when it is drawn.
    """

    headings: tuple[Heading, ...] = ()
    tables: tuple[TableLayout, ...] = ()
    regions: tuple[Region, ...] = ()
    open_headings: tuple[tuple[int, str], ...] = ()
    warning: str = ""
    turned: int = 0

    def __bool__(self) -> bool:
        return bool(self.headings or self.tables or self.regions or self.open_headings or self.warning)

    def path_at(self, place: int) -> tuple[str, ...]:
        """The headings in which a place of the page's text stands, outermost first."""
        return tuple(words for _, words in self.open_at(place))

    def open_at(self, place: int) -> tuple[tuple[int, str], ...]:
        starts, paths = self._paths
        return paths[bisect_right(starts, place)]

    @cached_property
    def _paths(self) -> tuple[list[int], list[tuple[tuple[int, str], ...]]]:
        """From where each heading is open, and which are then: a page of thousands is asked once for each chunk."""
        paths = [self.open_headings]
        for heading in self.headings:
            above = (each for each in paths[-1] if each[0] < heading.level)
            paths.append((*above, (heading.level, heading.text)))
        return list(accumulate((heading.start for heading in self.headings), max)), paths

    def to_json(self) -> bytes:
        return _in_pieces(_written(self)).encode()

    @classmethod
    def of_json(cls, content: bytes) -> PageLayout:
        """What `to_json` wrote; nothing is recorded in a form that is not known here."""
        loads = json.loads(content)
        return _read(loads) if loads.get("form") == FORM else PageLayout()


def _in_pieces(value: Any) -> str:
    """JSON of so many items at a time: until `json.dumps` is done, no other thread goes on."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{_dumped(key)}:{_in_pieces(each)}" for key, each in value.items()) + "}"
    if not isinstance(value, list):
        return _dumped(value)
    if value and isinstance(value[0], dict):
        return "[" + ",".join(map(_in_pieces, value)) + "]"
    starts = range(0, len(value), _ITEMS_TOGETHER)
    return "[" + ",".join(_dumped(value[at : at + _ITEMS_TOGETHER])[1:-1] for at in starts) + "]"


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _written(layout: PageLayout) -> dict[str, Any]:
    return {
        "form": FORM,
        "open": [list(each) for each in layout.open_headings],
        "headings": [
            [heading.start, heading.end, heading.level, heading.text] for heading in layout.headings
        ],
        "regions": [
            [region.kind, region.start, region.end, _rounded(region.box)] for region in layout.regions
        ],
        "tables": [_written_table(table) for table in layout.tables],
        **({"warning": layout.warning} if layout.warning else {}),
        **({"turned": layout.turned} if layout.turned else {}),
    }


def _written_table(table: TableLayout) -> dict[str, Any]:
    return {
        "size": [table.row_count, table.column_count, table.header_rows, table.header_columns],
        "captions": [list(caption) for caption in table.captions],
        "depths": list(table.depths),
        "continues": [
            table.continues,
            [list(each) for each in table.inherited],
            list(table.inherited_captions),
        ],
        "cells": [
            [cell.row, cell.column, cell.start, cell.end, cell.rows, cell.columns, _rounded(cell.box)]
            for cell in table.cells
        ],
    }


def _rounded(box: Box | None) -> list[float] | None:
    return [round(each, 1) for each in box] if box else None


def _read(said: dict[str, Any]) -> PageLayout:
    return PageLayout(
        headings=tuple(Heading(*each) for each in said["headings"]),
        tables=tuple(map(_read_table, said["tables"])),
        regions=tuple(Region(kind, start, end, _box(box)) for kind, start, end, box in said["regions"]),
        open_headings=tuple((level, words) for level, words in said["open"]),
        warning=said.get("warning", ""),
        turned=said.get("turned", 0),
    )


def _read_table(said: dict[str, Any]) -> TableLayout:
    rows, columns, header_rows, header_columns = said["size"]
    continues, inherited, captions = said["continues"]
    return TableLayout(
        cells=tuple(
            CellLayout(row, column, start, end, _box(box), high, wide)
            for row, column, start, end, high, wide, box in said["cells"]
        ),
        row_count=rows,
        column_count=columns,
        header_rows=header_rows,
        header_columns=header_columns,
        captions=tuple((start, end) for start, end in said["captions"]),
        depths=tuple(said["depths"]),
        continues=continues,
        inherited=tuple(tuple(each) for each in inherited),
        inherited_captions=tuple(captions),
    )


def _box(said: Sequence[float] | None) -> Box | None:
    return (said[0], said[1], said[2], said[3]) if said else None
