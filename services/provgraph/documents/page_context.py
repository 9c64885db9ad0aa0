"""Where a part of a page stands: its section's headings, its table's caption, and what heads the columns that it cuts.

A chunk from the middle of a table says nothing of years or units; a question that asks for them leads to it by these
words, which are printed elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from provgraph.documents.page_layout import PageLayout
from provgraph.documents.table_model import Table
from provgraph.documents.table_reading import tables_of_page

LONGEST: Final = 500
"""Characters: the words of a chunk's place must not outweigh its own."""

MOST_HEADINGS: Final = 4


def contexts_of(text: str, layout: PageLayout, spans: Iterable[tuple[int, int]]) -> list[str]:
    """For each span of the text the words that say where it stands, outermost first, one kind to a line; none of its
    own. The page's tables are read once."""
    tables = _TablesInOrder.of(tables_of_page(1, text, layout))
    return [_context(text, layout, tables, span) for span in spans]


@dataclass(frozen=True)
class _TablesInOrder:
    """The tables of a page by where they begin, what is said of each, and up to where all before it reach: found by
    halving, as a page may have thousands of them and of spans."""

    tables: list[Table]
    about: list[tuple[str, ...]]
    starts: list[int]
    reach: list[int]

    @classmethod
    def of(cls, tables: Iterable[Table]) -> _TablesInOrder:
        ordered = sorted(tables, key=lambda table: table.start)
        return cls(
            ordered,
            [tuple(_of_table(table)) for table in ordered],
            [table.start for table in ordered],
            list(accumulate((table.end for table in ordered), max)),
        )

    def about_those_in(self, start: int, end: int) -> Iterator[str]:
        """What is said of each table that shares characters with the span."""
        for at in range(bisect_right(self.reach, start), bisect_left(self.starts, end)):
            if start < self.tables[at].end:
                yield from self.about[at]


def _context(text: str, layout: PageLayout, tables: _TablesInOrder, span: tuple[int, int]) -> str:
    start, end = span
    own = " ".join(text[start:end].split())
    lines: list[str] = []
    path = [words for words in layout.path_at(start)[-MOST_HEADINGS:] if words not in own]
    if path:
        lines.append(" › ".join(path))
    lines += [words for words in tables.about_those_in(start, end) if words not in own]
    return "\n".join(dict.fromkeys(lines))[:LONGEST]


def _of_table(table: Table) -> Iterator[str]:
    if table.caption:
        yield table.caption
    yield from table.notes
    headers = dict.fromkeys(" ".join(cell.column_header) for cell in table.values)
    if words := " | ".join(header for header in headers if header):
        yield words
