"""Forms: lines that name a field and give its value, "Contact person: Ida Berg", and tables of such pairs.

Each is read as a row of a table of the document, in which the name is the head of the column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from provgraph.documents.table_model import Cell, Table
from provgraph.documents.table_rows import TableRow
from provgraph.language.sentences import FIELD

_FEWEST = 3
"""Fields one below the other that make a form: two are a heading, or an aside."""


def field_rows(text: str, title: str) -> Iterator[TableRow]:
    """The fields of the forms of a text, as rows about the document of this title."""
    at, lines = 0, list[tuple[int, re.Match[str] | None]]()
    for line in text.split("\n"):
        if line.strip():
            lines.append((at, FIELD.fullmatch(line)))
        at += len(line) + 1
    for is_form, run in groupby(lines, key=lambda line: line[1] is not None):
        fields = [(start, match) for start, match in run if match is not None]
        names = {match["name"].casefold() for _, match in fields}
        if is_form and len(fields) >= _FEWEST and len(names) == len(fields):
            yield from (_row(start, match, title) for start, match in fields)


def label_rows(table: Table, title: str) -> Iterator[TableRow]:
    """The rows of a table of labels with their values, which nothing heads, as fields of the document."""
    cells = [[cell for cell in row if cell.text.strip()] for row in table.rows]
    pairs = [(row[0], row[1]) for row in cells if len(row) == 2 and row[0].is_header and not row[1].is_header]
    labels = {label.text.casefold() for label, _ in pairs}
    is_form = table.column_count == 2 and not table.header_rows and not table.continues
    if not is_form or not _FEWEST <= len(pairs) == len(labels) or len(pairs) < len(list(filter(None, cells))):
        return
    if all(value.number is not None for _, value in pairs):
        return
    for label, value in pairs:
        name = " ".join(label.text.split()).rstrip(" :")
        field = replace(value, row_header=(title,), column_header=(name,))
        yield TableRow(label.start, value.end, title, True, (field,))


def _row(start: int, match: re.Match[str], title: str) -> TableRow:
    begin, end = start + match.start("name"), start + match.end("value")
    value = Cell(
        0,
        1,
        start + match.start("value"),
        end,
        match["value"],
        row_header=(title,),
        column_header=(match["name"],),
    )
    return TableRow(begin, end, title, True, (value,))
