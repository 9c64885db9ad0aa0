"""Headers of the columns of a table without lines: which columns each covers, in how many levels.

A header covers the columns above which the rule below it reaches; without one those that it overlaps, or, where it
stands above other headers, those that it is centred over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provgraph.documents.readers.pdf_lines import PdfLine
from provgraph.documents.readers.pdf_table_parts import FoundCell, Rule, Strip
from provgraph.documents.readers.pdf_tokens import CellToken, Row


@dataclass(frozen=True, eq=False)
class ColumnHeaders:
    """What a table's columns are: `labels_to` is where the first begins, `labels_end` where the labels of rows end."""

    strips: Sequence[Strip]
    rules: Sequence[Rule]
    size: float
    has_labels: bool
    labels_to: float
    labels_end: float

    def over_columns(self, row: Row) -> list[CellToken]:
        return [token for token in self._split(row) if not self._is_stub(token, row)]

    def _is_stub(self, token: CellToken, row: Row) -> bool:
        """Whether it stands above the labels."""
        if not self.has_labels or (token is not row.tokens[0] and token.x0 > self.labels_to):
            return False
        middle_left = token.middle < self.labels_to - self.size
        return middle_left and token.x0 < min(self.labels_to - self.size, self.labels_end)

    def _split(self, row: Row) -> list[CellToken]:
        """The tokens of a header row; one that was joined of pieces over several columns is taken apart."""
        made: list[CellToken] = []
        for token in row.tokens:
            pieces = [CellToken([piece]) for line in token.lines for piece in line.pieces]
            columns = {self.column_of(piece) for piece in pieces if self._touches(piece)}
            made += pieces if len(columns) == len(pieces) > 1 else [token]
        return made

    def _touches(self, token: CellToken) -> bool:
        return any(strip.overlap(token.x0, token.x1) > 0 for strip in self.strips)

    def levels(self, rows: Sequence[Row]) -> list[list[FoundCell]]:
        """The header rows by level: a header of several lines is one cell."""
        groups: list[_Group] = []
        stubs: list[CellToken] = []
        tokens_of = [self.over_columns(row) for row in rows]
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
        return self._by_level(groups, stubs)

    def _by_level(self, groups: Sequence[_Group], stubs: Sequence[CellToken]) -> list[list[FoundCell]]:
        levels: list[list[FoundCell]] = []
        offset = int(self.has_labels)
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

    def _ranges(
        self, row: Row, tokens: Sequence[CellToken], below: Sequence[CellToken]
    ) -> list[tuple[int, int]]:
        """The columns that each token of a header row heads."""
        if len(tokens) == len(self.strips):
            return [(at, at) for at in range(len(tokens))]
        ranges = []
        for token in tokens:
            ruled = self._ruled(token, row, tokens)
            ranges.append(ruled or self._covered(token, tokens, below))
        return ranges

    def _ruled(self, token: CellToken, row: Row, tokens: Sequence[CellToken]) -> tuple[int, int] | None:
        """The columns above which the rule below a header reaches, where it is no rule below the whole row."""
        rule = self.rule_below(token, row)
        if not rule or sum(rule[0] <= other.middle <= rule[1] for other in tokens) > 1:
            return None
        inside = [
            at
            for at, strip in enumerate(self.strips)
            if rule[0] - self.size <= strip.middle <= rule[1] + self.size
        ]
        return (inside[0], inside[-1]) if inside else None

    def rule_below(self, token: CellToken, row: Row) -> Rule | None:
        return next(
            (r for r in self.rules if 0 < r[2] - row.base < 0.75 * row.size and r[0] <= token.middle <= r[1]),
            None,
        )

    def _rule_between(self, group: _Group, row: Row) -> bool:
        first, last = self.strips[group.covered[0]], self.strips[group.covered[1]]
        middle = (first.x0 + last.x1) / 2
        return any(
            group.base < r[2] < row.base - 0.5 * row.size and r[0] <= middle <= r[1] for r in self.rules
        )

    def _covered(
        self, token: CellToken, tokens: Sequence[CellToken], below: Sequence[CellToken]
    ) -> tuple[int, int]:
        """The columns that a token overlaps, or the nearest; and where it stands above several headers, those it is
        centred over."""
        strips = self.strips
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

    def _distance(self, token: CellToken, covered: tuple[int, int]) -> tuple[bool, int, float]:
        """How badly a header fits over columns: whether it stands off their middle, how many they are, how far off."""
        middle = (self.strips[covered[0]].x0 + self.strips[covered[1]].x1) / 2
        off = abs(middle - token.middle)
        return off > self.size, covered[1] - covered[0], off

    def column_of(self, token: CellToken) -> int:
        """The column whose strip a token overlaps most, else the nearest."""
        strips = self.strips
        return max(range(len(strips)), key=lambda at: strips[at].overlap(token.digits_from, token.x1))


@dataclass(eq=False)
class _Group:
    """A header of one or several lines; `row` is the last of the rows that it stands in."""

    covered: tuple[int, int]
    lines: list[PdfLine]
    row: int
    base: float
