"""Tables that are told by how their words stand: amounts one below the other, with headers above them.

Most tables of filings have no lines between their cells. Rows in which amounts stand beside a label are their body; the
columns are the strips in which the amounts of several rows overlap; what stands above is a header of the columns that
it is centred over, or that a rule below it reaches over. The ideas are those of pdfplumber's text strategy and of
T-Recs (Kieninger & Dengel 1998): overlap on the other rows decides, not the width of gaps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from provgraph.documents.amounts import measure_of
from provgraph.documents.readers.pdf_lines import Line
from provgraph.documents.readers.pdf_tokens import Row, Token, joined_words

Rule = tuple[float, float, float]
"""A horizontal line on the page: from x, to x, at y, in tenths of a point."""

MOST_COLUMNS: Final = 60
_MOST_HEADERS: Final = 7
_LONGEST_HEADER: Final = 90
_LEAST_CONTENTS: Final = 5
_MOST_BETWEEN: Final = 4
"""Rows without amounts between two that have some."""

_FULL_STOP: Final = re.compile(r"[.!?;]\s*\Z")
_GOES_ON: Final = re.compile(
    r"(?:,|\b(?:and|or|of|the|to|for|in|on|from|by|with|a|an|net|less|at)|[-–—/(&])\Z", re.IGNORECASE
)


@dataclass(eq=False)
class FoundCell:
    """The lines of a cell, in their order, and the columns that it covers from `column` on."""

    column: int
    lines: list[Line]
    columns: int = 1
    rows: int = 1

    @property
    def text(self) -> str:
        return joined_words(self.lines)


@dataclass(eq=False)
class FoundTable:
    """Rows of cells, the headers first; `depths` tells how far each row is indented."""

    rows: list[list[FoundCell]]
    column_count: int
    header_rows: int
    header_columns: int
    depths: list[int] = field(default_factory=list)

    @property
    def lines(self) -> Iterator[Line]:
        return (line for row in self.rows for cell in row for line in cell.lines)


@dataclass(frozen=True)
class TableRows:
    """`rows[start:end]` are a table."""

    start: int
    end: int
    table: FoundTable


def tables_in(rows: Sequence[Row], rules: Sequence[Rule]) -> list[TableRows]:
    """The tables of a column of the page, whose rows stand from top to bottom."""
    found: list[TableRows] = []
    at = 0
    before: _Body | None = None
    for start, end in _bodies(rows):
        if start < at:
            continue
        body = _Body(rows, start, end, rules, at)
        run = body.run()
        if run and before and not run.table.header_rows and before.goes_on(body):
            body = _Body(rows, before.start, end, rules, found[-2].end if len(found) > 1 else 0)
            run = body.run()
            if run:
                found.pop()
        if run:
            found.append(run)
            at, before = run.end, body
    return found


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
    return len(row.tokens) == 1 and row.x1 > values_from + row.size


def _heads(row: Row) -> bool:
    """Whether a row between others begins another table: it names columns anew."""
    others = row.tokens[1:]
    if len(row.tokens) > 1 and all(token.is_period for token in others):
        return True
    return len(others) > 1 and not any(token.is_amount for token in row.tokens)


@dataclass(eq=False)
class _Strip:
    """A column: from x to x."""

    x0: float
    x1: float

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2

    def overlap(self, x0: float, x1: float) -> float:
        return min(self.x1, x1) - max(self.x0, x0)


class _Body:
    """Rows of amounts, and the table that they make with what stands above them."""

    def __init__(self, rows: Sequence[Row], start: int, end: int, rules: Sequence[Rule], least: int) -> None:
        self._rows = rows
        self._start, self._end, self._least = start, end, least
        self.start = start
        self._rules = rules
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

    def run(self) -> TableRows | None:
        if not self._is_table():
            return None
        first = self._first_header()
        headers = self._rows[first : self._start]
        named = [at for at, row in enumerate(headers) if any(self._over_columns(row))]
        body_from = first + named[-1] + 1 if named else self._start
        begin = first + named[0] if named else self._start
        begin = self._with_stub_above(begin, named)
        header = self._header(self._rows[begin:body_from])
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

    def _columns(self) -> list[_Strip]:
        strips = _merged([_Strip(t.digits_from, t.x1) for row in self._data for t in self._amounts(row)])
        strips = self._joined_apart(strips)
        words = [
            token
            for row in self._data
            for token in row.tokens[1:]
            if not token.is_amount and not any(strip.overlap(token.x0, token.x1) > 0 for strip in strips)
        ]
        return sorted([*strips, *_merged([_Strip(t.x0, t.x1) for t in words])], key=lambda strip: strip.x0)

    @staticmethod
    def _amounts(row: Row) -> list[Token]:
        """The amounts of a row, but for a number that is its label."""
        amounts = [token for token in row.tokens if token.is_amount]
        return amounts if len(row.tokens) == 1 or not row.tokens[0].is_amount else amounts[1:] or amounts

    def _joined_apart(self, strips: list[_Strip]) -> list[_Strip]:
        """Strips close to each other of which no row has both are one, as where dashes stand apart from numbers."""
        at = 0
        while at + 1 < len(strips):
            left, right = strips[at], strips[at + 1]
            near = right.x0 - left.x1 < 2.5 * self._size
            if near and not any(_has(row, left) and _has(row, right) for row in self._data):
                strips[at : at + 2] = [_Strip(left.x0, right.x1)]
            else:
                at += 1
        return strips

    def _label(self, row: Row) -> Token | None:
        """What a row is of: what stands before its columns."""
        token = row.tokens[0]
        if token.x0 >= self._labels_to - 0.3 * self._size:
            return None
        return token if not token.is_amount or token.x1 < self._labels_to else None

    def _column_of(self, token: Token) -> int:
        """The column whose strip a token overlaps most, else the nearest."""
        strips = self._strips
        return max(range(len(strips)), key=lambda at: strips[at].overlap(token.digits_from, token.x1))

    # headers

    def _first_header(self) -> int:
        """The first row that may be a header: those above belong to no table."""
        first = self._start
        while first > self._least and self._start - first < _MOST_HEADERS:
            row, below = self._rows[first - 1], self._rows[first]
            if below.base - row.base > 2.8 * max(row.size, below.size) or not self._may_head(row):
                break
            first -= 1
        return first

    def _may_head(self, row: Row) -> bool:
        if row.lines[0].table or not row.is_upright or row.has_data:
            return False
        if any(len(token.text) > _LONGEST_HEADER for token in row.tokens):
            return False
        first = row.tokens[0]
        if len(row.tokens) == 1:
            crosses = first.x0 < self._labels_to - self._size and first.x1 > self._labels_to + 2 * self._size
            if crosses:
                return False
            if first.x0 >= self._labels_to - self._size:
                return self._is_over_values(first, row)
            return not _FULL_STOP.search(first.text)
        return True

    def _is_over_values(self, token: Token, row: Row) -> bool:
        """Whether a line by itself is a header of columns, and no title in the middle of the page."""
        if self._rule_below(token, row) or len(self._strips) == 1:
            return True
        over = [strip for strip in self._strips if strip.overlap(token.x0, token.x1) > 0]
        if token.x1 - token.x0 < 1.6 * max((strip.x1 - strip.x0 for strip in over), default=0):
            return True
        values = (self._strips[0].x0 + self._strips[-1].x1) / 2
        page = (row.left + row.right) / 2
        return abs(token.middle - values) < abs(token.middle - page)

    def _over_columns(self, row: Row) -> list[Token]:
        return [token for token in self._split(row) if not self._is_stub(token, row)]

    def _is_stub(self, token: Token, row: Row) -> bool:
        """Whether it stands above the labels."""
        if not self._has_labels or (token is not row.tokens[0] and token.x0 > self._labels_to):
            return False
        middle_left = token.middle < self._labels_to - self._size
        return middle_left and token.x0 < min(self._labels_to - self._size, self._labels_end)

    def _split(self, row: Row) -> list[Token]:
        """The tokens of a header row; one that was joined of pieces over several columns is taken apart."""
        made: list[Token] = []
        for token in row.tokens:
            pieces = [Token([piece]) for line in token.lines for piece in line.pieces]
            columns = {self._column_of(piece) for piece in pieces if self._touches(piece)}
            made += pieces if len(columns) == len(pieces) > 1 else [token]
        return made

    def _touches(self, token: Token) -> bool:
        return any(strip.overlap(token.x0, token.x1) > 0 for strip in self._strips)

    def _with_stub_above(self, begin: int, named: Sequence[int]) -> int:
        """The header with a line above it that tells the unit: "(in millions)"."""
        if not named:
            above = begin - 1
            if above >= self._least and self._may_head(self._rows[above]):
                row = self._rows[above]
                if len(row.tokens) == 1 and row.x1 < self._labels_to and measure_of(row.tokens[0].text).scale:
                    return above
            return begin
        while begin - 1 >= self._least and self._may_head(self._rows[begin - 1]):
            row, below = self._rows[begin - 1], self._rows[begin]
            near = below.base - row.base < 1.6 * row.size
            if not (
                near
                and len(row.tokens) == 1
                and row.x1 < self._labels_to
                and measure_of(row.tokens[0].text).scale
            ):
                break
            begin -= 1
        return begin

    def _header(self, rows: Sequence[Row]) -> list[list[FoundCell]]:
        """The header rows by level: a header of several lines is one cell."""
        groups: list[_Group] = []
        stubs: list[Token] = []
        tokens_of = [self._over_columns(row) for row in rows]
        for number, row in enumerate(rows):
            stubs += [token for token in self._split(row) if self._is_stub(token, row)]
            tokens = tokens_of[number]
            ranges = self._ranges(row, tokens, below=[t for later in tokens_of[number + 1 :] for t in later])
            for token, covered in zip(tokens, ranges, strict=True):
                group = next((g for g in groups if g.covered == covered and g.row == number - 1), None)
                if group and not self._rule_between(group, row):
                    group.lines += token.lines
                    group.row = number
                else:
                    groups.append(_Group(covered, list(token.lines), number, row.base))
        return self._levels(groups, stubs)

    def _levels(self, groups: Sequence[_Group], stubs: Sequence[Token]) -> list[list[FoundCell]]:
        levels: list[list[FoundCell]] = []
        offset = int(self._has_labels)
        placed: list[tuple[tuple[int, int], int]] = []
        for group in groups:
            first, last = group.covered
            above = [level for (a, b), level in placed if a <= last and first <= b]
            level = max(above, default=-1) + 1
            placed.append((group.covered, level))
            while len(levels) <= level:
                levels.append([])
            levels[level].append(FoundCell(first + offset, group.lines, last - first + 1))
        for number, stub in enumerate(stubs):
            if not levels:
                levels.append([])
            level = min(number, len(levels) - 1)
            own = next((cell for cell in levels[level] if cell.column == 0 and offset), None)
            if own:
                own.lines += stub.lines
            else:
                levels[level].append(FoundCell(0, list(stub.lines)))
        return [sorted(cells, key=lambda cell: cell.column) for cells in levels]

    def _ranges(self, row: Row, tokens: Sequence[Token], below: Sequence[Token]) -> list[tuple[int, int]]:
        """The columns that each token of a header row heads."""
        if len(tokens) == len(self._strips):
            return [(at, at) for at in range(len(tokens))]
        ranges = []
        for token in tokens:
            ruled = self._ruled(token, row, tokens)
            ranges.append(ruled or self._covered(token, tokens, below))
        return ranges

    def _ruled(self, token: Token, row: Row, tokens: Sequence[Token]) -> tuple[int, int] | None:
        """The columns above which the rule below a header reaches, where it is no rule below the whole row."""
        rule = self._rule_below(token, row)
        if not rule or sum(rule[0] <= other.middle <= rule[1] for other in tokens) > 1:
            return None
        inside = [
            at
            for at, strip in enumerate(self._strips)
            if rule[0] - self._size <= strip.middle <= rule[1] + self._size
        ]
        return (inside[0], inside[-1]) if inside else None

    def _rule_below(self, token: Token, row: Row) -> Rule | None:
        return next(
            (
                r
                for r in self._rules
                if 0 < r[2] - row.base < 0.75 * row.size and r[0] <= token.middle <= r[1]
            ),
            None,
        )

    def _rule_between(self, group: _Group, row: Row) -> bool:
        first, last = self._strips[group.covered[0]], self._strips[group.covered[1]]
        middle = (first.x0 + last.x1) / 2
        return any(
            group.base < r[2] < row.base - 0.5 * row.size and r[0] <= middle <= r[1] for r in self._rules
        )

    def _covered(self, token: Token, tokens: Sequence[Token], below: Sequence[Token]) -> tuple[int, int]:
        """The columns that a token overlaps, or the nearest; and where it stands above several headers, those it is
        centred over."""
        strips = self._strips
        over = [at for at, strip in enumerate(strips) if strip.overlap(token.x0, token.x1) > 0]
        own = [
            at
            for at in over
            if not any(
                o is not token and strips[at].overlap(o.x0, o.x1) > strips[at].overlap(token.x0, token.x1)
                for o in tokens
            )
        ]
        over = own or over or [min(range(len(strips)), key=lambda at: abs(strips[at].middle - token.middle))]
        first, last = over[0], over[-1]
        if not below:
            return first, last
        taken = [
            at for at, s in enumerate(strips) for o in tokens if o is not token and s.overlap(o.x0, o.x1) > 0
        ]
        low = max((at for at in taken if at < first), default=-1) + 1
        high = min((at for at in taken if at > last), default=len(strips)) - 1
        ranges = ((a, b) for a in range(low, first + 1) for b in range(last, high + 1))
        return min(ranges, key=lambda covered: self._distance(token, covered))

    def _distance(self, token: Token, covered: tuple[int, int]) -> tuple[bool, int, float]:
        """How badly a header fits over columns: whether it stands off their middle, how many they are, how far off."""
        middle = (self._strips[covered[0]].x0 + self._strips[covered[1]].x1) / 2
        off = abs(middle - token.middle)
        return off > self._size, covered[1] - covered[0], off

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
        waiting: list[Line] = []
        for row in rows:
            label = self._label(row) if self._has_labels else None
            values = [token for token in row.tokens if token is not label]
            if label and not values and self._continues(made, label, row):
                made[-1][0].lines += label.lines
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
            sections.append(not values and label is not None and label.lines[0].is_bold)
        ranks = _ranks(lefts, 0.4 * self._size)
        return made, [2 * rank + (not bold) for rank, bold in zip(ranks, sections, strict=True)]

    def _continues(self, made: Sequence[Sequence[FoundCell]], label: Token, row: Row) -> bool:
        """Whether a label by itself is the second line of the one above."""
        if not made or not made[-1] or made[-1][0].column or len(made[-1]) < 2:
            return False
        above = made[-1][0].lines[-1]
        near = row.base - above.base < 1.45 * row.size
        return near and (label.text[0].islower() or _GOES_ON.search(made[-1][0].text) is not None)

    def _is_begun(self, label: Token, row: Row, rows: Sequence[Row]) -> bool:
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

    def _placed(self, values: Sequence[Token]) -> list[FoundCell]:
        """The tokens of a row, each in its column; two of one column are one cell."""
        offset = int(self._has_labels)
        cells: dict[int, FoundCell] = {}
        for token in values:
            column = self._column_of(token)
            if column in cells:
                cells[column].lines += token.lines
            else:
                cells[column] = FoundCell(column + offset, list(token.lines))
        return [cells[column] for column in sorted(cells)]


@dataclass(eq=False)
class _Group:
    """A header of one or several lines; `row` is the last of the rows that it stands in."""

    covered: tuple[int, int]
    lines: list[Line]
    row: int
    base: float


def _has(row: Row, strip: _Strip) -> bool:
    return any(strip.overlap(token.digits_from, token.x1) > 0 for token in row.tokens if token.is_amount)


def _merged(strips: Sequence[_Strip]) -> list[_Strip]:
    """Strips that overlap as one, from the left."""
    made: list[_Strip] = []
    for strip in sorted(strips, key=lambda strip: strip.x0):
        if made and strip.x0 < made[-1].x1:
            made[-1].x1 = max(made[-1].x1, strip.x1)
        else:
            made.append(_Strip(strip.x0, strip.x1))
    return made


def _ranks(places: Sequence[float], tolerance: float) -> list[int]:
    """How many places stand further left than each; those nearly at one place are at one."""
    levels: list[float] = []
    for place in sorted(places):
        if not levels or place - levels[-1] > tolerance:
            levels.append(place)
    return [max((at for at, level in enumerate(levels) if level <= place), default=0) for place in places]


def rules_of(drawings: Sequence[dict[str, Any]], scale: float) -> list[Rule]:
    """The horizontal lines among a page's drawings, those that touch each other as one."""
    found: list[Rule] = []
    for drawing in drawings:
        x0, y0, x1, y1 = drawing["rect"]
        if y1 - y0 < 2.5 and x1 - x0 > 4:
            found.append((x0 * scale, x1 * scale, y0 * scale))
    found.sort(key=lambda rule: (round(rule[2] / scale), rule[0]))
    made: list[Rule] = []
    for rule in found:
        if made and abs(made[-1][2] - rule[2]) < scale and rule[0] - made[-1][1] < 0.8 * scale:
            made[-1] = (made[-1][0], max(made[-1][1], rule[1]), made[-1][2])
        else:
            made.append(rule)
    return made
