"""Heads that are meant for more columns, and labels of more lines, than they are printed over or in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from provgraph.documents.page_layout import CellLayout, TableLayout
from provgraph.documents.periods import is_period

_LINE_STEP: Final = 0.85
"""Lines of one label are closer than rows: the share of the usual step from row to row that they stay below."""
_YEAR_FIRST: Final = re.compile(
    r"(?P<year>(?:(?:FY|Fiscal|Year)\s?)?(?:19|20)\d\d)\s+(?P<head>[A-Z][^\d]{2,30})"
)
_OF_ONE: Final = re.compile(r"restated|adjusted|revised|audited|note", re.IGNORECASE)
"""What a head says of one column alone."""


def under_shared_heads(paths: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The heads of the columns, a head that is printed over some of several columns standing over all that it is meant
    for: "Approved FTE" over 2024 and, with nothing above it, 2025; "Fiscal 2023" over one of two runs of the same
    heads."""
    found = [_apart(path) for path in paths]
    for run, head in _runs(found):
        for number in run:
            found[number] = (head, *found[number][-1:])
    for before, number in pairwise(range(len(found))):
        if _is_of_years(found[before], found[number]):
            found[number] = (found[before][0], *found[number])
    return found


def _apart(path: tuple[str, ...]) -> tuple[str, ...]:
    """A year and a head below it that are printed as one: "2023 Winter"."""
    match = _YEAR_FIRST.fullmatch(path[0]) if len(path) == 1 else None
    return (match["year"], match["head"]) if match else path


def _is_of_years(before: tuple[str, ...], own: tuple[str, ...]) -> bool:
    """Whether a column is a year under nothing, beside another year that has a head for both."""
    if len(own) != 1 or len(before) != 2 or own[0] == before[1] or _OF_ONE.search(before[0]):
        return False
    return is_period(own[0]) and is_period(before[1]) and not is_period(before[0])


def _runs(paths: Sequence[tuple[str, ...]]) -> Iterator[tuple[range, str]]:
    """The columns of each run, where all heads repeat in the same order and one head stands over a part of each run."""
    labels = [path[-1] if path else "" for path in paths]
    for first in (1, 0):
        rest = labels[first:]
        for count in range(2, 1 + len(rest) // 2):
            size, left = divmod(len(rest), count)
            if left or not all(rest) or len(set(rest[:size])) < size or rest != rest[:size] * count:
                continue
            runs = [range(first + at * size, first + (at + 1) * size) for at in range(count)]
            above = [{paths[number][0] for number in run if len(paths[number]) == 2} for run in runs]
            if all(len(heads) == 1 for heads in above) and len(set.union(*above)) == count:
                yield from ((run, min(heads)) for run, heads in zip(runs, above, strict=True))
                return


def further_lines(layout: TableLayout) -> dict[int, list[int]]:
    """By row with values, the rows below it that are further lines of its label, where there are any: they stand closer
    to it than rows stand to each other."""
    rows: dict[int, list[CellLayout]] = {}
    for cell in layout.cells:
        if cell.row >= layout.header_rows:
            rows.setdefault(cell.row, []).append(cell)
    tops = {row: cells[0].box[1] for row, cells in rows.items() if cells[0].box}
    body = sorted(tops)
    steps = sorted(tops[low] - tops[high] for high, low in pairwise(body))
    usual = steps[len(steps) // 2] if steps else 0.0
    found: dict[int, list[int]] = {row: [] for row in body if len(rows[row]) > 1}
    start = -1
    for before, row in pairwise(body):
        start = before if before in found else start
        is_close = tops[row] - tops[before] < _LINE_STEP * usual
        if row not in found and start >= 0 and is_close and before in (start, *found[start]):
            found[start].append(row)
    return {row: lines for row, lines in found.items() if lines}
