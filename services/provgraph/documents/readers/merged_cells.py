"""Cells of a table that stretch over columns and rows → rows in which every column has its place.

The words of a merged cell stand in the first of its places, once, as they are printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from provgraph.documents.tables import MOST_COLUMNS


@dataclass(frozen=True)
class MergedCell:
    """A cell, and over how many columns and rows it stretches."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True)
class GridRow:
    """The texts of a row, column by column; `merged` has by column the (rows, columns) of cells that have several."""

    texts: Sequence[str]
    merged: Mapping[int, tuple[int, int]]


@dataclass
class MergedCellGrid:
    """One table, row by row; `hanging` are how many more rows a cell above reaches down, by column."""

    hanging: dict[int, int] = field(default_factory=dict)

    def row(self, cells: Sequence[MergedCell]) -> GridRow:
        """The next row."""
        texts: list[str] = []
        merged: dict[int, tuple[int, int]] = {}
        for cell in cells:
            self._fill(texts)
            column = len(texts)
            wide = max(min(cell.columns, MOST_COLUMNS - column), 1)
            if (cell.rows, wide) != (1, 1):
                merged[column] = (cell.rows, wide)
            if (
                cell.rows > 1 and column < MOST_COLUMNS
            ):  # else each row of such cells would be wider than the last
                self.hanging |= dict.fromkeys(range(column, column + wide), cell.rows - 1)
            texts += [cell.text, *[""] * (wide - 1)]
        self._fill(texts)
        return GridRow(texts, merged)

    def _fill(self, texts: list[str]) -> None:
        while (left := self.hanging.pop(len(texts), 0)) > 0:
            if left > 1:
                self.hanging[len(texts)] = left - 1
            texts.append("")
