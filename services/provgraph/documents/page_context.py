"""Where a part of a page stands: its section's headings, its table's caption, and what heads the columns that it cuts.

A chunk from the middle of a table says nothing of years or units; a question that asks for them leads to it by these
words, which are printed elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    tables = [(table, tuple(_of_table(table))) for table in tables_of_page(1, text, layout)]
    return [_context(text, layout, tables, span) for span in spans]


def _context(
    text: str, layout: PageLayout, tables: Sequence[tuple[Table, Sequence[str]]], span: tuple[int, int]
) -> str:
    start, end = span
    own = " ".join(text[start:end].split())
    lines: list[str] = []
    path = [words for words in layout.path_at(start)[-MOST_HEADINGS:] if words not in own]
    if path:
        lines.append(" › ".join(path))
    for table, about in tables:
        if table.start < end and start < table.end:
            lines += [words for words in about if words not in own]
    return "\n".join(dict.fromkeys(lines))[:LONGEST]


def _of_table(table: Table) -> Iterator[str]:
    if table.caption:
        yield table.caption
    yield from table.notes
    headers = dict.fromkeys(" ".join(cell.column_header) for cell in table.values)
    if words := " | ".join(header for header in headers if header):
        yield words
