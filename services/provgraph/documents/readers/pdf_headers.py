"""Headers of the columns of a table without lines: which columns each covers, in how many levels.

A header covers the columns above which the rule below it reaches; without one those that it overlaps, or, where it
stands above other headers, those that it is centred over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.documents.readers.pdf_lines import PdfLine
from provgraph.documents.readers.pdf_table_parts import FoundCell, Rule, Strip
from provgraph.documents.readers.pdf_tokens import CellToken, Row, touches

_Header = tuple[CellToken, tuple[int, int]]
"""A header's token, and the first and last column that it heads."""

_LEFT_OVER: Final = 3.0
"""What a piece of a rule without a header costs, in sizes of type."""
_OFF_CENTRE: Final = 4.0
_TIGHT: Final = 1.3
_LOOSE: Final = 1.6
"""How far apart, in sizes of type, two lines of one header may be between which lines of others stand."""
_ALIGNED: Final = 0.35


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
        tokens: list[CellToken] = []
        for token in row.tokens:
            pieces = [CellToken([piece]) for line in token.lines for piece in line.pieces]
            pieces = _with_marks(pieces)
            columns = {self.column_of(piece) for piece in pieces if self._touches(piece)}
            tokens += pieces if len(columns) == len(pieces) > 1 else [token]
        return tokens

    def _touches(self, token: CellToken) -> bool:
        return any(strip.overlap(token.x0, token.x1) > 0 for strip in self.strips)

    def levels(self, rows: Sequence[Row]) -> list[list[FoundCell]]:
        """The header rows by level: a header of several lines is one cell."""
        groups: list[_Group] = []
        stubs: list[CellToken] = []
        headers = self._headers(rows)
        for number, row in enumerate(rows):
            stubs += [token for token in self._split(row) if self._is_stub(token, row)]
            for token, covered in headers[number]:
                group = _last_over(groups, covered)
                is_next = group and (group.row == number - 1 or row.base - group.end <= _LOOSE * row.size)
                if group and group.covered == covered and is_next and not self._rule_between(group, row):
                    group.lines += token.lines
                    group.row = number
                else:
                    groups.append(_Group(covered, list(token.lines), number, row.base))
        return self._by_level(groups, stubs)

    def _headers(self, rows: Sequence[Row]) -> list[list[_Header]]:
        """The tokens of each header row with the columns that they head, found from the lowest row upwards."""
        found: list[list[_Header]] = []
        below: list[_Header] = []
        for row in reversed(rows):
            tokens = self.over_columns(row)
            own = list(zip(tokens, self._ranges(row, tokens, below), strict=True))
            found.append(own)
            below = [*own, *below]
        return found[::-1]

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
        self, row: Row, tokens: Sequence[CellToken], below: Sequence[_Header]
    ) -> list[tuple[int, int]]:
        """The columns that each token of a header row heads; `below` are the headers of the rows below it."""
        if len(tokens) == len(self.strips):
            return [(at, at) for at in range(len(tokens))]
        shared = self._sharing(row, tokens)
        repeated = self._repeated(tokens, below)
        ranges = []
        for token, of_pieces, of_periods in zip(tokens, shared, repeated, strict=True):
            ruled = of_pieces or self._ruled(token, row, tokens) or of_periods
            ranges.append(
                ruled or self._line_above(token, row, below) or self._covered(token, tokens, bool(below))
            )
        return ranges

    def _repeated(
        self, tokens: Sequence[CellToken], below: Sequence[_Header]
    ) -> Sequence[tuple[int, int] | None]:
        """The columns of each token where the periods below are as many times the same as there are tokens: "Group"
        and "Company" above 2024, 2023, 2024, 2023, wherever over its own each stands. None where they are not."""
        periods: dict[int, str] = {}
        for token, (first, last) in below:
            if first == last and token.is_period:
                periods[first] = f"{periods.get(first, '')} {token.text}"
        nothing = [None] * len(tokens)
        columns = sorted(periods)
        size, over = divmod(len(columns), max(len(tokens), 1))
        if len(tokens) < 2 or over or size < 2 or columns[-1] - columns[0] >= len(columns):
            return nothing
        parts = [columns[at : at + size] for at in range(0, len(columns), size)]
        texts = {tuple(periods[column] for column in part) for part in parts}
        if len(texts) > 1 or len(set(texts.pop())) < size:
            return nothing
        ranges = [(part[0], part[-1]) for part in parts]
        is_over = all(
            self.strips[first].x0 - self.size <= token.middle <= self.strips[last].x1 + self.size
            for token, (first, last) in zip(tokens, ranges, strict=True)
        )
        return ranges if is_over else nothing

    def _sharing(self, row: Row, tokens: Sequence[CellToken]) -> list[tuple[int, int] | None]:
        """The columns of each token where the rule below the row is drawn in pieces, one for each column: how the
        headers share the pieces out, each in the middle of its own. None for what has no piece below it."""
        pieces = self._pieces_below(row)
        nothing: list[tuple[int, int] | None] = [None] * len(tokens)
        above = [at for at, token in enumerate(tokens) if self._is_over(token, pieces)]
        if not above or len(above) >= len(pieces):
            return nothing
        found = nothing
        shares = shared_out([tokens[at] for at in above], [piece for _, piece in pieces], self.size)
        for at, share in zip(above, shares, strict=True):
            if share:
                found[at] = (pieces[share[0]][0], pieces[share[1]][0])
        return found

    def _pieces_below(self, row: Row) -> list[tuple[int, Rule]]:
        """The pieces of the rule below a row that reach over one column each, with their columns."""
        pieces: list[tuple[int, Rule]] = []
        for rule in sorted(self.rules):
            if not 0 < rule[2] - row.base < 0.75 * row.size:
                continue
            inside = [
                at
                for at, s in enumerate(self.strips)
                if rule[0] - self.size <= s.middle <= rule[1] + self.size
            ]
            if len(inside) == 1 and (not pieces or pieces[-1][0] < inside[0]):
                pieces.append((inside[0], rule))
        return pieces

    def _is_over(self, token: CellToken, pieces: Sequence[tuple[int, Rule]]) -> bool:
        return bool(pieces) and pieces[0][1][0] <= token.middle <= pieces[-1][1][1]

    def _line_above(self, token: CellToken, row: Row, below: Sequence[_Header]) -> tuple[int, int] | None:
        """The columns of a token that is a line of a header of several: the next stands right below it, in its middle
        or at its edge."""
        over = [at for at, strip in enumerate(self.strips) if strip.overlap(token.x0, token.x1) > 0]
        for other, covered in below:
            gap = other.lines[0].base - row.base
            edges = (other.middle - token.middle, other.x1 - token.x1, other.x0 - token.x0)
            is_inside = all(covered[0] <= at <= covered[1] for at in over)
            if is_inside and 0 < gap <= _TIGHT * row.size and min(map(abs, edges)) <= _ALIGNED * self.size:
                return covered
        return None

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

    def _covered(self, token: CellToken, tokens: Sequence[CellToken], has_below: bool) -> tuple[int, int]:
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
        if not has_below:
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


def _last_over(groups: Sequence[_Group], covered: tuple[int, int]) -> _Group | None:
    """The lowest of the headers so far that stand over some of these columns."""
    first, last = covered
    return next((g for g in reversed(groups) if g.covered[0] <= last and first <= g.covered[1]), None)


def _with_marks(pieces: Sequence[CellToken]) -> list[CellToken]:
    """The pieces of a header, a raised mark of a footnote with the one before it."""
    made: list[CellToken] = []
    for piece in pieces:
        if made and touches(made[-1].lines[-1], piece.lines[0]):
            made[-1] = CellToken([*made[-1].lines, *piece.lines])
        else:
            made.append(piece)
    return made


def shared_out(
    tokens: Sequence[CellToken], pieces: Sequence[Rule], size: float
) -> list[tuple[int, int] | None]:
    """Which of the pieces of a rule, from left to right, each header has above it: the way of sharing them out that
    leaves the headers nearest to the middle of theirs and no piece over. By dynamic programming over the two."""
    best: dict[tuple[int, int], tuple[float, list[tuple[int, int] | None]]] = {(0, 0): (0.0, [])}
    for done in range(len(tokens) + 1):
        for used in range(len(pieces) + 1):
            if (done, used) not in best:
                continue
            cost, shares = best[done, used]
            if used < len(pieces):
                _keep(best, (done, used + 1), (cost + _LEFT_OVER * size, shares))
            if done == len(tokens):
                continue
            for last in range(used, len(pieces)):
                off = _off(tokens[done], pieces[used : last + 1])
                _keep(best, (done + 1, last + 1), (cost + off, [*shares, (used, last)]))
    return best.get((len(tokens), len(pieces)), (0.0, [None] * len(tokens)))[1]


_Share = tuple[float, list[tuple[int, int] | None]]


def _keep(best: dict[tuple[int, int], _Share], at: tuple[int, int], found: _Share) -> None:
    if at not in best or found[0] < best[at][0]:
        best[at] = found


def _off(token: CellToken, pieces: Sequence[Rule]) -> float:
    """How far a header is from the middle of its pieces; one over a single column may also stand at its edge."""
    left, right = pieces[0][0], pieces[-1][1]
    off = abs((left + right) / 2 - token.middle)
    if len(pieces) == 1:
        return min(off, abs(right - token.x1), abs(left - token.x0))
    return off if off <= _ALIGNED * token.lines[0].size else _OFF_CENTRE * off


@dataclass(eq=False)
class _Group:
    """A header of one or several lines; `row` is the last of the rows that it stands in."""

    covered: tuple[int, int]
    lines: list[PdfLine]
    row: int
    base: float

    @property
    def end(self) -> float:
        return max(line.base for line in self.lines)
