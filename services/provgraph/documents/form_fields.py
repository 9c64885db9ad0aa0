"""Forms: lines that name a field and give its value, "Contact person: Ida Berg".

Each is read as a row of a table of the document, in which the name is the head of the column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from provgraph.documents.table_model import Cell
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
