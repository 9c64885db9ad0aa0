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


def columns(lines: Sequence[PdfLine], depth: int = 0) -> Iterator[list[PdfLine]]:
    """Groups of lines, each of one column or band, in reading order; those of a group from top to bottom."""
    ordered = sorted(lines, key=lambda line: (line.base, line.x0))
    gutter = _gutter(ordered) if depth < _DEPTH else None
    if gutter is None:
        if ordered:
            yield ordered
        return
    for crosses, band in groupby(ordered, key=lambda line: _crosses(line, gutter)):
        part = list(band)
        if crosses:
            yield from columns(part, depth + 1)
        else:
            yield from columns([line for line in part if line.x1 <= gutter + _MARGIN], depth + 1)
            yield from columns([line for line in part if line.x1 > gutter + _MARGIN], depth + 1)


def _crosses(line: PdfLine, x: float) -> bool:
    return line.x0 < x - _MARGIN and line.x1 > x + _MARGIN


def _gutter(lines: Sequence[PdfLine]) -> float | None:
    """The x with most running text on both of its sides and least across it; None where no columns are."""
    running = [line for line in lines if line.x1 - line.x0 >= _RUNNING * line.size]
    if len(running) < 2 * _ENOUGH:
        return None
    places = list(_places(running))
    best = max((score for score, _ in places), default=0)
    gutter = median_low([x for score, x in places if score == best] or [0])
    fits = places and _side_by_side(running, gutter) and _mostly_running(lines, running, gutter)
    return gutter if fits and not _parts_rows(lines, gutter) else None


def _parts_rows(lines: Sequence[PdfLine], x: float) -> bool:
    """Whether the right side begins with an amount in several rows that have words on the left: a table's labels."""
    left, right = _sides(lines, x)
    bases = [line.base for line in left]
    begun = 0
    for _, row in groupby(right, key=lambda line: line.base):
        first = min(row, key=lambda line: line.x0)
        if CellToken([first.pieces[0]]).is_amount or is_sign(first.pieces[0].words):
            begun += any(abs(first.base - base) < _SAME_ROW * first.size for base in bases)
    return begun >= _FEWEST_ROWS


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
