"""Tables that are told by how their words stand: amounts one below the other, with headers above them.

Most tables of filings have no lines between their cells. Rows in which amounts stand beside a label are their body; the
columns are the strips in which the amounts of several rows overlap; what stands above is a header of the columns that
it is centred over, or that a rule below it reaches over. The ideas are those of pdfplumber's text strategy and of
T-Recs (Kieninger & Dengel 1998): overlap on the other rows decides, not the width of gaps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from provgraph.documents.amounts import measure_of
from provgraph.documents.readers.pdf_headers import ColumnHeaders
from provgraph.documents.readers.pdf_lines import PdfLine
from provgraph.documents.readers.pdf_table_parts import (
    FoundCell,
    FoundTable,
    Rule,
    Strip,
    add_lines,
    is_nearer_below,
    merged,
    ranks,
)
from provgraph.documents.readers.pdf_tokens import CellToken, Row

MOST_COLUMNS: Final = 60
_MOST_HEADERS: Final = 7
_LONGEST_HEADER: Final = 90
_LEAST_CONTENTS: Final = 5
_MOST_BETWEEN: Final = 4
"""Rows without amounts between two that have some."""

_CENTRED: Final = 3.0
"""How far the middle of a title may be from that of the page, in sizes of type."""

_FULL_STOP: Final = re.compile(r"(?<!\b[A-Z])(?<!\bInc)(?<!\bCorp)(?<!\bLtd)(?<!\bCo)[.!?;]\s*\Z")
"""Ends a sentence, and no "U.S." or "Example Inc."."""
_GOES_ON: Final = re.compile(
    r"(?:,|\b(?:and|or|of|the|to|for|in|on|from|by|with|a|an|net|less|at)|[-–—/(&])\Z", re.IGNORECASE
)


@dataclass(frozen=True)
class TableRows:
    """`rows[start:end]` are a table."""

    start: int
    end: int
    table: FoundTable


def tables_in(rows: Sequence[Row], rules: Sequence[Rule]) -> list[TableRows]:
    """The tables of a column of the page, whose rows stand from top to bottom."""
    tables: list[TableRows] = []
    at = 0
    before: _Body | None = None
    for start, end in _bodies(rows):
        if start < at:
            continue
        body = _Body(rows, start, end, rules, at)
        run = body.run()
        if run and before and not run.table.header_rows and before.goes_on(body):
            body = _Body(rows, before.start, end, rules, tables[-2].end if len(tables) > 1 else 0)
            run = body.run()
            if run:
                tables.pop()
        if run:
            tables.append(run)
            at, before = run.end, body
    return tables


def _bodies(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Runs of rows with amounts, other rows between them included."""
    at = 0
    while at < len(rows):
        if not rows[at].has_data or rows[at].lines[0].table:
            at += 1
            continue
        end = _body_end(rows, at)
        yield at, end
        at = end


def _body_end(rows: Sequence[Row], start: int) -> int:
    end = start + 1
    values_from = _values_from(rows[start])
    between = 0
    for at in range(start + 1, len(rows)):
        row = rows[at]
        apart = row.base - rows[at - 1].base
        if apart > 3.6 * max(row.size, rows[at - 1].size) or row.lines[0].table or not row.is_upright:
            break
        if row.has_data or _sums_up(row, values_from):
            end, between = at + 1, 0
            values_from = min(values_from, _values_from(row))
            continue
        between += 1
        if between > _MOST_BETWEEN or _is_prose(row, values_from) or _heads(row):
            break
    return end


def _values_from(row: Row) -> float:
    return min((token.digits_from for token in row.tokens[1:] if token.is_amount), default=row.x1)


def _sums_up(row: Row, values_from: float) -> bool:
    """Whether a row is one amount only, below the others."""
    return len(row.tokens) == 1 and row.tokens[0].is_amount and row.x0 > values_from - 2 * row.size


def _is_prose(row: Row, values_from: float) -> bool:
    """Whether a row by itself runs over the values; what begins right of the first is a line of a cell."""
    return len(row.tokens) == 1 and row.x0 <= values_from < row.x1 - row.size


def _heads(row: Row) -> bool:
    """Whether a row between others begins another table: it names columns anew."""
    others = row.tokens[1:]
    if len(row.tokens) > 1 and all(token.is_period for token in others):
        return True
    return len(others) > 1 and not any(token.is_amount for token in row.tokens)


class _Body:
    """Rows of amounts, and the table that they make with what stands above them."""

    def __init__(self, rows: Sequence[Row], start: int, end: int, rules: Sequence[Rule], least: int) -> None:
        self._rows = rows
        self._start, self._end, self._least = start, end, least
        self.start = start
        self._size = rows[start].size
        self._data = [
            row
            for row in rows[start:end]
            if row.has_data or (len(row.tokens) == 1 and row.tokens[0].is_amount)
        ]
        self._strips = self._columns()
        self._labels_to = self._strips[0].x0 if self._strips else 0.0
        self._labels_end = max((label.x1 for row in self._data if (label := self._label(row))), default=0.0)
        labelled = sum(self._label(row) is not None for row in self._data)
        self._has_labels = 2 * labelled >= len(self._data)
        self._headers = ColumnHeaders(
            self._strips, rules, self._size, self._has_labels, self._labels_to, self._labels_end
        )

    def run(self) -> TableRows | None:
        if not self._is_table():
            return None
        first = self._first_header()
        headers = self._rows[first : self._start]
        named = [at for at, row in enumerate(headers) if any(self._headers.over_columns(row))]
        body_from = first + named[-1] + 1 if named else self._start
        begin = first + named[0] if named else self._start
        begin = self._with_stub_above(begin, named)
        header = self._headers.levels(self._rows[begin:body_from])
        if not header and len(self._data) < 2:
            return None
        end = self._with_last_label()
        body, depths = self._body_rows(self._rows[body_from:end])
        offset = int(self._has_labels)
        table = FoundTable(
            [*header, *body], len(self._strips) + offset, len(header), 1, [*[0] * len(header), *depths]
        )
        return TableRows(begin, end, table)

    def goes_on(self, following: _Body) -> bool:
        """Whether another body is the rest of this one, below labels of several lines: its columns are the same."""
        between = self._rows[self._end : following.start]
        near = all(
            b.base - a.base < 2.2 * max(a.size, b.size)
            for a, b in pairwise(self._rows[self._end - 1 : following.start + 1])
        )
        same = len(self._strips) == len(following._strips) and all(
            a.overlap(b.x0, b.x1) > 0 for a, b in zip(self._strips, following._strips, strict=True)
        )
        return (
            near and same and len(between) <= _MOST_BETWEEN and all(len(row.tokens) == 1 for row in between)
        )

    def _is_table(self) -> bool:
        if not self._strips or len(self._strips) > MOST_COLUMNS:
            return False
        values = sum(token.is_amount for row in self._data for token in row.tokens)
        if len(self._data) < 2:
            return values > 1
        if self._is_contents():
            return False
        return len(self._strips) + self._has_labels > 1

    def _is_contents(self) -> bool:
        """Whether the amounts are page numbers, as in a table of contents: one to a row, whole, and never falling."""
        amounts = [
            token.text
            for row in self._data
            for token in row.tokens
            if token.is_amount and token is not row.tokens[0]
        ]
        if len(self._data) < _LEAST_CONTENTS or len(amounts) != len(self._data):
            return False
        if not all(text.isdecimal() and len(text) < 4 for text in amounts):
            return False
        return all(int(a) <= int(b) for a, b in pairwise(amounts))

    # columns

    def _columns(self) -> list[Strip]:
        strips = merged([Strip(t.digits_from, t.x1) for row in self._data for t in self._amounts(row)])
        strips = self._joined_apart(strips)
        words = [
            token
            for row in self._data
            for token in row.tokens[1:]
            if not token.is_amount and not any(strip.overlap(token.x0, token.x1) > 0 for strip in strips)
        ]
        return sorted([*strips, *merged([Strip(t.x0, t.x1) for t in words])], key=lambda strip: strip.x0)

    @staticmethod
    def _amounts(row: Row) -> list[CellToken]:
        """The amounts of a row, but for a number that is its label."""
        amounts = [token for token in row.tokens if token.is_amount]
        return amounts if len(row.tokens) == 1 or not row.tokens[0].is_amount else amounts[1:] or amounts

    def _joined_apart(self, strips: list[Strip]) -> list[Strip]:
        """Strips close to each other of which no row has both are one, as where dashes stand apart from numbers."""
        at = 0
        while at + 1 < len(strips):
            left, right = strips[at], strips[at + 1]
            near = right.x0 - left.x1 < 2.5 * self._size
            if near and not any(_has(row, left) and _has(row, right) for row in self._data):
                strips[at : at + 2] = [Strip(left.x0, right.x1)]
            else:
                at += 1
        return strips

    def _label(self, row: Row) -> CellToken | None:
        """What a row is of: what stands before its columns."""
        token = row.tokens[0]
        if token.x0 >= self._labels_to - 0.3 * self._size:
            return None
        return token if not token.is_amount or token.x1 < self._labels_to else None

    # headers

    def _first_header(self) -> int:
        """The first row that may be a header: those above belong to no table."""
        first, counted = self._start, 0
        while first > self._least and counted < _MOST_HEADERS:
            row, below = self._rows[first - 1], self._rows[first]
            counted += not self._is_section(row)
            if below.base - row.base > 2.8 * max(row.size, below.size) or not self._may_head(row):
                break
            first -= 1
        return first

    def _is_section(self, row: Row) -> bool:
        """Whether a row without amounts stands above the labels alone: the first rows of a body may be sections."""
        return len(row.tokens) == 1 and row.tokens[0].x1 < self._labels_to

    def _may_head(self, row: Row) -> bool:
        if row.lines[0].table or not row.is_upright or row.has_data:
            return False
        if any(len(token.text) > _LONGEST_HEADER for token in row.tokens):
            return False
        first = row.tokens[0]
        if len(row.tokens) == 1:
            values_from = self._labels_to - self._size
            if self._labels_end:  # amounts may be narrower than what heads them
                values_from = min(values_from, self._labels_end + self._size)
            if first.x0 >= values_from:
                return self._is_over_values(first, row)
            if first.x1 > self._labels_to + 2 * self._size:
                return False
            return not _FULL_STOP.search(first.text)
        return True

    def _is_over_values(self, token: CellToken, row: Row) -> bool:
        """Whether a line by itself is a header of columns, and no title in the middle of the page."""
        if self._headers.rule_below(token, row) or len(self._strips) == 1:
            return True
        over = [strip for strip in self._strips if strip.overlap(token.x0, token.x1) > 0]
        if token.x1 - token.x0 < 1.6 * max((strip.x1 - strip.x0 for strip in over), default=0):
            return True
        values = (self._strips[0].x0 + self._strips[-1].x1) / 2
        page = (row.left + row.right) / 2
        off_page = abs(token.middle - page)
        return off_page > _CENTRED * row.size or abs(token.middle - values) < off_page

    def _with_stub_above(self, begin: int, named: Sequence[int]) -> int:
        """The header with a line above it that tells the unit: "(in millions)"."""
        if not named:
            above = begin - 1
            if above >= self._least and self._may_head(self._rows[above]):
                row = self._rows[above]
                if self._is_section(row) and measure_of(row.tokens[0].text).scale:
                    return above
            return begin
        while begin - 1 >= self._least and self._may_head(self._rows[begin - 1]):
            row, below = self._rows[begin - 1], self._rows[begin]
            near = below.base - row.base < 1.6 * row.size
            if not (near and self._is_section(row) and measure_of(row.tokens[0].text).scale):
                break
            begin -= 1
        return begin

    # body

    def _with_last_label(self) -> int:
        """The end of the table, with the second line of its last label."""
        end = self._end
        if end < len(self._rows):
            row, last = self._rows[end], self._rows[end - 1]
            near = row.base - last.base < 1.4 * row.size
            if near and len(row.tokens) == 1 and row.x1 < self._labels_to and row.tokens[0].text[0].islower():
                return end + 1
        return end

    def _body_rows(self, rows: Sequence[Row]) -> tuple[list[list[FoundCell]], list[int]]:
        made: list[list[FoundCell]] = []
        lefts: list[float] = []
        sections: list[bool] = []
        waiting: list[PdfLine] = []
        hanging: list[FoundCell] = []
        for at, row in enumerate(rows):
            label = self._label(row) if self._has_labels else None
            values = [token for token in row.tokens if token is not label]
            if label and not values and self._continues(made, label, row):
                made[-1][0].lines += label.lines
                continue
            if not label and made and not any(token.is_amount for token in values):
                for cell in self._placed(values):
                    below = next((other.base for other in rows[at:] if other.has_data), None)
                    if is_nearer_below(made[-1], row.base, below):
                        hanging.append(cell)
                    else:
                        add_lines(made[-1], cell)
                continue
            cells = [FoundCell(0, [*waiting, *label.lines])] if label else []
            if label and waiting:
                lefts.append(min(waiting[0].x0, label.x0))
            else:
                lefts.append(label.x0 if label else self._labels_to)
            waiting = []
            if label and not values and self._is_begun(label, row, rows):
                waiting = list(cells[0].lines)
                lefts.pop()
                continue
            made.append(cells + self._placed(values))
            for cell in reversed(hanging):
                add_lines(made[-1], cell, before=True)
            hanging.clear()
            sections.append(not values and label is not None and label.lines[0].is_bold)
        levels = ranks(lefts, 0.4 * self._size)
        return made, [2 * rank + (not bold) for rank, bold in zip(levels, sections, strict=True)]

    def _continues(self, made: Sequence[Sequence[FoundCell]], label: CellToken, row: Row) -> bool:
        """Whether a label by itself is the second line of the one above."""
        if not made or not made[-1] or made[-1][0].column or len(made[-1]) < 2:
            return False
        above = made[-1][0].lines[-1]
        near = row.base - above.base < 1.45 * row.size
        return near and (label.text[0].islower() or _GOES_ON.search(made[-1][0].text) is not None)

    def _is_begun(self, label: CellToken, row: Row, rows: Sequence[Row]) -> bool:
        """Whether a label by itself is the first line of the next row's."""
        at = next(at for at, each in enumerate(rows) if each is row)
        if at + 1 == len(rows) or label.text.endswith(":"):
            return False
        following = rows[at + 1]
        second = self._label(following)
        if (
            second is None
            or following.base - row.base > 1.45 * row.size
            or label.lines[0].is_bold != second.lines[0].is_bold
        ):
            return False
        return second.text[0].islower() or _GOES_ON.search(label.text) is not None

    def _placed(self, values: Sequence[CellToken]) -> list[FoundCell]:
        """The tokens of a row, each in its column; two of one column are one cell."""
        offset = int(self._has_labels)
        cells: dict[int, FoundCell] = {}
        for token in values:
            column = self._headers.column_of(token)
            if column in cells:
                cells[column].lines += token.lines
            else:
                cells[column] = FoundCell(column + offset, list(token.lines))
        return [cells[column] for column in sorted(cells)]


def _has(row: Row, strip: Strip) -> bool:
    return any(strip.overlap(token.digits_from, token.x1) > 0 for token in row.tokens if token.is_amount)
