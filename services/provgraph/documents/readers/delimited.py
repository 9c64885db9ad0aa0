"""CSV and its like → one table: its head if it has one, and its rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import islice
from typing import Final

from provgraph.documents import tables
from provgraph.documents.document import Header
from provgraph.documents.readers.structure import Markup
from provgraph.documents.readers.text import (
    TextDocument,
    decode,
    open_text,
    split_pages,
    title_from_name,
)
from provgraph.documents.readers.writable import writable

CSV_MEDIA_TYPE: Final = "text/csv"
TSV_MEDIA_TYPE: Final = "text/tab-separated-values"
ROWS_OF_A_PAGE: Final = 1_000
_LOOKED_AT: Final = 50
_MOST_ABOVE: Final = 8
_DELIMITERS: Final = ",;\t|"


def open_delimited(content: bytes, name: str, charset: str = "") -> TextDocument:
    """The table in `content`, a page for each thousand rows; what is no table is read as the text that it is."""
    source = writable(decode(content, name, charset))
    rows = _rows(source)
    if len(rows) < 2 or len(rows[0]) < 2:
        return open_text(content, name, charset)
    heads = _heads(rows)
    head, body = rows[:heads], rows[heads:]
    written = [
        tables.WrittenTable(_lines([*head, *body[start : start + ROWS_OF_A_PAGE]]), len(head))
        for start in range(0, len(body), ROWS_OF_A_PAGE)
    ]
    text = "\f".join("\n".join(table.lines) for table in written)
    header = Header(title_from_name(name), CSV_MEDIA_TYPE, len(split_pages(text)))
    return TextDocument(header, content, text, Markup(tables=written))


def _heads(rows: Sequence[Sequence[str]]) -> int:
    """How many rows are above the values: titles of one cell, and units, above the row that names the columns."""
    above = next(
        (
            at
            for at, row in enumerate(rows[:_MOST_ABOVE])
            if not _is_title(row) and not tables.holds_units(row)
        ),
        0,
    )
    return above + 1 if tables.names_columns(rows[above]) and len(rows) > above + 1 else 0


def _is_title(row: Sequence[str]) -> bool:
    return len(row) > 2 and sum(bool(cell.strip()) for cell in row) == 1 and bool(row[0].strip())


def _rows(source: str) -> list[list[str]]:
    """The rows that hold something; none where the source is no such file: a field of more than 128 kB, or a quote that
    is never closed. Quotes within a field are doubled (RFC 4180), or have a backslash before them."""
    delimiter = _delimiter(source)
    for escape in (None, "\\"):
        reader = csv.reader(
            io.StringIO(source), delimiter=delimiter, strict=True, escapechar=escape, doublequote=not escape
        )
        try:
            return [row for row in reader if any(row)]
        except csv.Error:
            continue
    return []


def _lines(rows: Sequence[Sequence[str]]) -> list[str]:
    return [tables.row([cell.replace("\f", " ") for cell in row]) for row in rows]


def _delimiter(source: str) -> str:
    """The character that parts most lines into equally many cells, of several the one that makes more."""
    lines = list(islice(io.StringIO(source), _LOOKED_AT))

    def parts(delimiter: str) -> tuple[int, int]:
        counts = [line.count(delimiter) for line in lines if line.strip()]
        usual = max(set(counts), key=counts.count, default=0)
        return (counts.count(usual) if usual else 0, usual)

    return max(_DELIMITERS, key=parts)
