"""Numbers of lines in the margin of a page, as transcripts, pleadings and bills have them: no part of the sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from provgraph.documents.readers.pdf_lines import PdfLine

_FEWEST: Final = 10
_FEWEST_GOING_ON: Final = 3
"""Numbered lines that begin in the middle of a sentence: a numbered list has none."""
_SAME_EDGE: Final = 0.5
_SAME_BASE: Final = 0.3
_MOST_DIGITS: Final = 3


def line_numbers(lines: Sequence[PdfLine]) -> frozenset[int]:
    """The identities of the lines that only number others: a column of consecutive numbers left of all text, beside
    lines of prose."""
    numbers = [
        line
        for line in lines
        if line.upright
        and not line.table
        and line.text.strip().isdecimal()
        and len(line.text.strip()) <= _MOST_DIGITS
    ]
    if len(numbers) < _FEWEST:
        return frozenset()
    edge = min(numbers, key=lambda line: line.x0)
    column = sorted(
        (line for line in numbers if abs(line.x1 - edge.x1) < _SAME_EDGE * line.size),
        key=lambda line: line.base,
    )
    counted = [int(line.text) for line in column]
    if len(column) < _FEWEST or any(after - before != 1 for before, after in pairwise(counted)):
        return frozenset()
    own = frozenset(map(id, column))
    others = [line for line in lines if id(line) not in own and line.upright]
    first, last = column[0].base - column[0].size, column[-1].base + column[-1].size
    is_margin = all(line.x0 > edge.x1 for line in others if first < line.base < last)
    return own if is_margin and _are_prose(column, others) else frozenset()


def _are_prose(column: Sequence[PdfLine], others: Sequence[PdfLine]) -> bool:
    """Whether the numbered lines are one piece each, and some go on with what stands above them."""
    beside = [
        [line for line in others if abs(line.base - number.base) < _SAME_BASE * number.size]
        for number in column
    ]
    going_on = sum(bool(own) and own[0].text.lstrip()[:1].islower() for own in beside)
    single = sum(len(own) <= 1 for own in beside)
    return going_on >= _FEWEST_GOING_ON and 2 * single > len(beside)
