"""What the markup of a text said of it, carried over to its pages: headings and tables, found again by their words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.documents import tables
from provgraph.documents.page_layout import Heading, PageLayout, TableLayout

_MARKDOWN_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})[ \t]+(\S[^\n]{0,300})$", re.MULTILINE)


@dataclass(frozen=True)
class Markup:
    """Headings as (level, words) and tables as they were written, both in the order of the text.

    With `tables` None the text itself shows them, as Markdown does.
    """

    headings: Sequence[tuple[int, str]] = ()
    tables: Sequence[tables.WrittenTable] | None = None


UNMARKED: Final = Markup()


def layouts(pages: Sequence[str], markup: Markup) -> Iterator[PageLayout]:
    """The layout of each page; each heading and table is looked for behind the one before it."""
    written = deque(markup.tables or ())
    headings = deque(markup.headings)
    open_headings: tuple[tuple[int, str], ...] = ()
    for text in pages:
        found = _headings(text, headings) if markup.headings else tuple(_marked(text))
        drawn = tables.recognised(text) if markup.tables is None else _located(text, written)
        layout = PageLayout(found, drawn, open_headings=open_headings)
        layout = replace(
            layout,
            tables=tuple(
                replace(table_layout, captions=_captions(text, found, table_layout.start))
                for table_layout in drawn
            ),
        )
        open_headings = layout.open_at(len(text))
        yield layout


def _located(text: str, written: deque[tables.WrittenTable]) -> tuple[TableLayout, ...]:
    """The tables that stand in a page, which are taken off the list."""
    table_layouts: list[TableLayout] = []
    at = 0
    while written and written[0].lines and (start := text.find("\n".join(written[0].lines), at)) >= 0:
        table_layouts += tables.located(text, [written.popleft()], start)
        at = start + 1
    return tuple(table_layouts)


def _headings(text: str, headings: deque[tuple[int, str]]) -> tuple[Heading, ...]:
    found, at = [], 0
    while headings:
        level, words = headings[0]
        start = _line_of(text, words, at)
        if start < 0:
            break
        headings.popleft()
        found.append(Heading(start, start + len(words), level, words))
        at = start + len(words)
    return tuple(found)


def _line_of(text: str, words: str, at: int) -> int:
    """Where `words` stand as a line of their own."""
    while (start := text.find(words, at)) >= 0:
        end = start + len(words)
        if (start == 0 or text[start - 1] == "\n") and (end == len(text) or text[end] == "\n"):
            return start
        at = start + 1
    return -1


def _marked(text: str) -> Iterator[Heading]:
    """Headings with the marks of Markdown."""
    for line in _MARKDOWN_HEADING.finditer(text):
        words = line[2].rstrip("# \t")
        yield Heading(line.start(2), line.start(2) + len(words), len(line[1]), words)


def _captions(text: str, headings: Sequence[Heading], start: int) -> tuple[tuple[int, int], ...]:
    """The line directly above a table, where it is short and no heading: its title, or its unit. Headings are in the
    order of the text; nothing of what stands above is copied, as a page may have thousands of tables."""
    end = max(text.rfind("\n", 0, max(text.rfind("|", 0, start), 0)), 0)
    while end and text[end - 1].isspace():
        end -= 1
    begin = text.rfind("\n", 0, end) + 1
    line = text[begin:end]
    if not line or len(line) > 160 or line.lstrip().startswith("|") or line.endswith((".", ";")):
        return ()
    above = bisect_right(headings, end, key=lambda heading: heading.start)
    if above and begin <= headings[above - 1].end:
        return ()
    return ((begin, end),)
