"""Tables laid out for the eye → one column for each column of values, and the rows that head them.

In the markup of reports a sign of currency, a bracket or a per cent sign has a cell of its own, and empty cells keep
columns apart: what is read as one amount then stands in one cell. Only white space is added to the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

from provgraph.documents import tables
from provgraph.documents.amounts import amount_of, is_empty, unit_of
from provgraph.documents.periods import is_period

_OPENING: Final = frozenset(("$", "€", "£", "¥", "(", "$(", "US$", "C$", "A$", "-", "−", "–"))
_CLOSING: Final = frozenset((")", "%", ")%", "%)", ") %", "pts", "pp", "bps", "x"))
_MOST_HEADS: Final = 6
_LONGEST_HEAD: Final = 120
_LONGEST_NAME: Final = 40
_FEWEST_ROWS: Final = 3
_LOOKED_AT: Final = 100
"""Rows below a head that show what it heads."""


@dataclass(frozen=True)
class _Cell:
    """What stands in the columns from `first` to before `end`, and so many rows."""

    text: str
    first: int
    end: int
    high: int = 1

    @cached_property
    def is_value(self) -> bool:
        """Whether it is an amount, and no year or day as heads are; an amount of a currency is none of these."""
        return amount_of(self.text) is not None and bool(unit_of(self.text) or not is_period(self.text))


_Rows = Sequence[Sequence[_Cell]]


def composed(table: tables.WrittenTable) -> tables.WrittenTable:
    """The table with amounts whole and its head told, where it has none that is marked; as it is where its rows do not
    show what belongs together."""
    if any(map(tables.is_rule, table.lines)):
        return table
    rows: _Rows = [list(_read(table, number)) for number in range(len(table.lines))]
    if _is_apart(rows):
        table, rows = _joined_columns(table, [list(_joined(row)) for row in rows])
    marked = table.header_rows
    if marked and not any(cell.end - cell.first > 1 for row in rows[:marked] for cell in row):
        return table
    return replace(table, header_rows=max(marked, _heads(rows)))


def _read(table: tables.WrittenTable, number: int) -> Iterator[_Cell]:
    for column, text in enumerate(tables.cells(table.lines[number])):
        if text:
            high, wide = table.merged.get((number, column), (1, 1))
            yield _Cell(text, column, column + wide, high)


def _is_apart(rows: _Rows) -> bool:
    """Whether signs stand in cells of their own, or columns hold nothing."""
    held = {column for row in rows for cell in row for column in range(cell.first, cell.end)}
    begun = {cell.first for row in rows for cell in row}
    has_gaps = bool(held) and bool(set(range(max(held))) - begun)
    return has_gaps or any(cell.text in _OPENING | _CLOSING for row in rows for cell in row)


def _joined(row: Sequence[_Cell]) -> Iterator[_Cell]:
    """The cells of a row, those of one amount as one."""
    at = 0
    while at < len(row):
        end = at + 1
        opens = row[at].text in _OPENING and end < len(row) and not row[at].is_value
        if opens and (_is_amount(row[end].text) or _is_amount(f"{row[end].text})")):
            end += 1
        text = " ".join(cell.text for cell in row[at:end])
        if end < len(row) and row[end].text in _CLOSING and _is_amount(f"{text} {row[end].text}"):
            end += 1
        yield _Cell(" ".join(c.text for c in row[at:end]), row[at].first, row[end - 1].end, row[at].high)
        at = end


def _is_amount(text: str) -> bool:
    return amount_of(text) is not None or is_empty(text)


def _joined_columns(table: tables.WrittenTable, rows: _Rows) -> tuple[tables.WrittenTable, _Rows]:
    """The table with a column for each strip of cells in its rows of values; unchanged where two cells of such a row
    would be one."""
    strips = _strips(rows)
    of_column = {column: at for at, (first, end) in enumerate(strips) for column in range(first, end)}
    made = [[_in_strips(cell, of_column) for cell in row] for row in rows]
    clash = any(a.first == b.first for row in made for a, b in pairwise(row))
    if len(strips) < 2 or clash:
        return table, [list(_read(table, number)) for number in range(len(table.lines))]
    lines, merged = [], {}
    for number, row in enumerate(made):
        texts = [""] * len(strips)
        for cell in row:
            texts[cell.first] = cell.text
            if (span := (cell.high, cell.end - cell.first)) != (1, 1):
                merged[number, cell.first] = span
        lines.append(tables.row(texts))
    return replace(table, lines=lines, merged=merged), made


def _strips(rows: _Rows) -> list[tuple[int, int]]:
    """The columns that cells of rows of values cover together, from left to right; and those in which only other rows
    have something."""
    values = [row for row in rows if any(cell.is_value for cell in row[1:])]
    strips = _merged([(cell.first, cell.end) for row in values for cell in row])
    covered = {column for first, end in strips for column in range(first, end)}
    others = [
        (cell.first, cell.end)
        for row in rows
        for cell in row
        if not any(column in covered for column in range(cell.first, cell.end))
    ]
    return sorted([*strips, *_merged(others)])


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    made: list[tuple[int, int]] = []
    for first, end in sorted(spans):
        if made and first < made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((first, end))
    return made


def _in_strips(cell: _Cell, of_column: Mapping[int, int]) -> _Cell:
    over = [of_column[column] for column in range(cell.first, cell.end) if column in of_column]
    return replace(cell, first=over[0], end=over[-1] + 1)


def _heads(rows: _Rows) -> int:
    """How many rows head a table that does not mark them: those above its first values that name columns, where most
    cells below are values. 0 where that is not to be seen."""
    first = next((at for at, row in enumerate(rows) if any(cell.is_value for cell in row[1:])), 0)
    named = [at for at, row in enumerate(rows[:first]) if any(cell.first for cell in row)]
    heads = named[-1] + 1 if named else 0
    below = [cell for row in rows[heads : heads + _LOOKED_AT] for cell in row if cell.first]
    is_long = any(len(cell.text) > _LONGEST_HEAD for row in rows[:heads] for cell in row)
    mostly = 2 * sum(cell.is_value or is_empty(cell.text) for cell in below) > len(below)
    if heads <= _MOST_HEADS and mostly and not is_long:
        return heads
    return int(_names_kinds(rows))


def _names_kinds(rows: _Rows) -> bool:
    """Whether the first row names the columns of a table of words: each by a name of its own, above figures in one."""
    head = {cell.first: cell.text for cell in rows[0]} if rows else {}
    texts = list(head.values())
    if len(rows) < _FEWEST_ROWS or len(head) < 2 or len(set(texts)) < len(texts):
        return False
    if any(any(map(str.isdigit, text)) or len(text) > _LONGEST_NAME for text in texts):
        return False
    below = {
        column: [c.text for row in rows[1:_LOOKED_AT] for c in row if c.first == column] for column in head
    }
    wide = {cell.first for row in rows[1:_LOOKED_AT] for cell in row}
    of_figures = [all(any(map(str.isdigit, text)) for text in own) for own in below.values() if len(own) > 1]
    return wide <= set(head) and any(of_figures)
