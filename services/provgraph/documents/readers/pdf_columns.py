"""Lines of a page → columns in reading order.

A column gutter is an upright strip with running text on both sides. Lines that cross it (titles, wide
figures' captions) part the page into bands; in each band the left side is read before the right one, each
side divided again in the same way. This is the recursive X-Y cut of Nagy and Seth (1984) with cuts that
other lines may cross. Tables are not divided: their cells are no running text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median_low

from provgraph.documents.amounts import is_sign
from provgraph.documents.readers.pdf_lines import PdfLine
from provgraph.documents.readers.pdf_tokens import CellToken

_RUNNING = 9  # ems: a line this wide is running text rather than a cell
_ENOUGH = 4  # lines of running text on each side of a gutter
_STEP = 40  # tenths of a point between the places that are tried
_MARGIN = 20  # tenths of a point that a line may hang over the gutter
_DEPTH = 6
_SAME_ROW = 0.45  # ems
_FEWEST_ROWS = 3
_MOST_BETWEEN = 6  # rows
_FAR = 2.8  # ems


def columns(lines: Sequence[PdfLine], depth: int = 0) -> Iterator[list[PdfLine]]:
    """Groups of lines, each of one column or band, in reading order; those of a group from top to bottom."""
    ordered = sorted(lines, key=lambda line: (line.base, line.x0))
    gutter = _gutter(ordered) if depth < _DEPTH else None
    if gutter is None:
        if ordered:
            yield ordered
        return
    of_tables = _table_lines(ordered, gutter)
    for (in_table, crosses), band in groupby(
        ordered, key=lambda line: (id(line) in of_tables, _crosses(line, gutter) or id(line) in of_tables)
    ):
        part = list(band)
        if in_table:
            yield part
        elif crosses:
            yield from columns(part, depth + 1)
        else:
            yield from columns([line for line in part if line.x1 <= gutter + _MARGIN], depth + 1)
            yield from columns([line for line in part if line.x1 > gutter + _MARGIN], depth + 1)


def _crosses(line: PdfLine, x: float) -> bool:
    return line.x0 < x - _MARGIN and line.x1 > x + _MARGIN


def _gutter(lines: Sequence[PdfLine]) -> float | None:
    """The x with most running text on both of its sides and least across it; None where no columns are."""
    running = list(filter(_is_running, lines))
    if len(running) < 2 * _ENOUGH:
        return None
    places = list(_places(running))
    best = max((score for score, _ in places), default=0)
    gutter = median_low([x for score, x in places if score == best] or [0])
    fits = places and _side_by_side(running, gutter) and _mostly_running(lines, running, gutter)
    return gutter if fits else None


def _table_lines(lines: Sequence[PdfLine], x: float) -> set[int]:
    """The lines, by identity, of tables that a gutter would part: runs of rows with words on the left of which several
    begin with an amount on the right, and the heads above them."""
    rows: list[list[PdfLine]] = []
    for line in lines:
        if rows and line.base - rows[-1][0].base < _SAME_ROW * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    runs: list[list[int]] = []
    for at, row in enumerate(rows):
        if not _is_parted(row, x):
            continue
        if runs and at - runs[-1][-1] <= _MOST_BETWEEN:
            runs[-1].append(at)
        else:
            runs.append([at])
    inside: set[int] = set()
    for run in runs:
        if len(run) >= _FEWEST_ROWS:
            first = _with_heads(rows, run[0], x)
            inside |= {id(line) for row in rows[first : run[-1] + 1] for line in row}
    return inside


def _is_parted(row: Sequence[PdfLine], x: float) -> bool:
    left, right = _sides(row, x)
    if not left or not right:
        return False
    first = min(right, key=lambda line: line.x0).pieces[0]
    return CellToken([first]).is_amount or is_sign(first.words)


def _with_heads(rows: Sequence[Sequence[PdfLine]], first: int, x: float) -> int:
    """The first of the rows right above a row that have no running text on the left of x."""
    for _ in range(_MOST_BETWEEN):
        above = rows[first - 1] if first else ()
        apart = rows[first][0].base - above[0].base if above else 0
        if not above or apart > _FAR * above[0].size or any(map(_is_running, _sides(above, x)[0])):
            break
        first -= 1
    return first


def _is_running(line: PdfLine) -> bool:
    return line.x1 - line.x0 >= _RUNNING * line.size


def _places(running: Sequence[PdfLine]) -> Iterator[tuple[int, float]]:
    """(lines on the poorer side less the lines across, x) for each x with enough text on both sides."""
    starts = sorted(line.x0 for line in running)
    ends = sorted(line.x1 for line in running)
    before = begun = 0
    x = ends[_ENOUGH - 1]
    while x <= starts[-_ENOUGH]:
        while before < len(ends) and ends[before] <= x:
            before += 1
        while begun < len(starts) and starts[begun] < x:
            begun += 1
        yield min(before, len(starts) - begun) - (begun - before), x
        x += _STEP


def _sides(lines: Sequence[PdfLine], x: float) -> tuple[list[PdfLine], list[PdfLine]]:
    return [line for line in lines if line.x1 <= x + _MARGIN], [
        line for line in lines if line.x0 >= x - _MARGIN
    ]


def _side_by_side(running: Sequence[PdfLine], x: float) -> bool:
    """Whether the two sides share at least half of the lesser one's height."""
    (top, end), (other_top, other_end) = (
        (min(line.y0 for line in side), max(line.y1 for line in side)) for side in _sides(running, x)
    )
    shared = min(end, other_end) - max(top, other_top)
    return 2 * shared >= min(end - top, other_end - other_top)


def _mostly_running(lines: Sequence[PdfLine], running: Sequence[PdfLine], x: float) -> bool:
    """Whether running text makes up at least half of the words on each side: else it is a table."""
    return all(
        2 * sum(len(line.text) for line in run) >= sum(len(line.text) for line in side)
        for run, side in zip(_sides(running, x), _sides(lines, x), strict=True)
    )
