"""Cells of a table that stretch over columns and rows → rows in which every column has its cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from provgraph.documents.tables import MOST_COLUMNS


@dataclass(frozen=True)
class MergedCell:
    """A cell, and over how many columns and rows it stretches."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass
class MergedCellGrid:
    """One table, row by row; `hanging` are the cells of rows above that reach further down, by column."""

    hanging: dict[int, MergedCell] = field(default_factory=dict)

    def row(self, cells: Sequence[MergedCell]) -> list[str]:
        """The texts of the next row, column by column, those of a merged cell in each of its columns."""
        texts: list[str] = []
        for cell in cells:
            self._fill(texts)
            for _ in range(max(min(cell.columns, MOST_COLUMNS - len(texts)), 1)):
                if cell.rows > 1:
                    self.hanging[len(texts)] = MergedCell(cell.text, rows=cell.rows - 1)
                texts.append(cell.text)
        self._fill(texts)
        return texts

    def _fill(self, texts: list[str]) -> None:
        while (above := self.hanging.pop(len(texts), None)) is not None:
            if above.rows > 1:
                self.hanging[len(texts)] = MergedCell(above.text, rows=above.rows - 1)
            texts.append(above.text)
