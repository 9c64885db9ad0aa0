"""What tables without lines are made of: cells of lines, columns as strips of the page, and the rules drawn on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from provgraph.documents.readers.pdf_lines import PdfLine
from provgraph.documents.readers.pdf_tokens import joined_words

Rule = tuple[float, float, float]
"""A horizontal line on the page: from x, to x, at y, in tenths of a point."""


@dataclass(eq=False)
class FoundCell:
    """The lines of a cell, in their order, and the columns that it covers from `column` on."""

    column: int
    lines: list[PdfLine]
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
    def lines(self) -> Iterator[PdfLine]:
        return (line for row in self.rows for cell in row for line in cell.lines)


@dataclass(eq=False)
class Strip:
    """A column: from x to x."""

    x0: float
    x1: float

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2

    def overlap(self, x0: float, x1: float) -> float:
        return min(self.x1, x1) - max(self.x0, x0)


def merged(strips: Sequence[Strip]) -> list[Strip]:
    """Strips that overlap as one, from the left."""
    made: list[Strip] = []
    for strip in sorted(strips, key=lambda strip: strip.x0):
        if made and strip.x0 < made[-1].x1:
            made[-1].x1 = max(made[-1].x1, strip.x1)
        else:
            made.append(Strip(strip.x0, strip.x1))
    return made


def is_nearer_below(row: Sequence[FoundCell], base: float, below: float | None) -> bool:
    """Whether a line on this baseline is nearer to the row below than to the last line of a row."""
    above = max(line.base for cell in row for line in cell.lines)
    return below is not None and below - base < base - above


def add_lines(row: list[FoundCell], cell: FoundCell, *, before: bool = False) -> None:
    """Adds lines to the cell of their column in a row, at its end or `before` it; as a cell where there is none."""
    own = next((each for each in row if each.column == cell.column), None)
    if own:
        own.lines = [*cell.lines, *own.lines] if before else [*own.lines, *cell.lines]
    else:
        row.append(cell)
        row.sort(key=lambda each: each.column)


def ranks(places: Sequence[float], tolerance: float) -> list[int]:
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
    rules: list[Rule] = []
    for rule in found:
        if rules and abs(rules[-1][2] - rule[2]) < scale and rule[0] - rules[-1][1] < 0.8 * scale:
            rules[-1] = (rules[-1][0], max(rules[-1][1], rule[1]), rules[-1][2])
        else:
            rules.append(rule)
    return rules
