"""What the markup of a text said of it, carried over to its pages: headings and tables, found again by their words."""

from __future__ import annotations

import re
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
    written = list(markup.tables or ())
    headings = list(markup.headings)
    open_headings: tuple[tuple[int, str], ...] = ()
    for text in pages:
        found = _headings(text, headings) if markup.headings else tuple(_marked(text))
        drawn = tables.recognised(text) if markup.tables is None else _located(text, written)
        layout = PageLayout(found, drawn, open_headings=open_headings)
        layout = replace(
            layout,
            tables=tuple(replace(each, captions=_captions(text, layout, each.start)) for each in drawn),
        )
        open_headings = layout.open_at(len(text))
        yield layout


def _located(text: str, written: list[tables.WrittenTable]) -> tuple[TableLayout, ...]:
    """The tables that stand in a page, which are taken off the list."""
    found, at = [], 0
    while written and written[0].lines and (start := text.find("\n".join(written[0].lines), at)) >= 0:
        table = written.pop(0)
        found += [layout.moved(start) for layout in tables.located(text[start:], [table])]
        at = start + 1
    return tuple(found)


def _headings(text: str, headings: list[tuple[int, str]]) -> tuple[Heading, ...]:
    found, at = [], 0
    while headings:
        level, words = headings[0]
        start = _line_of(text, words, at)
        if start < 0:
            break
        headings.pop(0)
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


def _captions(text: str, layout: PageLayout, start: int) -> tuple[tuple[int, int], ...]:
    """The line directly above a table, where it is short and no heading: its title, or its unit."""
    before = text.rfind("\n", 0, max(text.rfind("|", 0, start), 0))
    above = text[: max(before, 0)].rstrip()
    begin = above.rfind("\n") + 1
    line = above[begin:]
    if (
        not line.strip()
        or len(line) > 160
        or line.lstrip().startswith("|")
        or line.rstrip().endswith((".", ";"))
    ):
        return ()
    if any(heading.start <= begin + len(line) and begin <= heading.end for heading in layout.headings):
        return ()
    return ((begin, len(above)),)
