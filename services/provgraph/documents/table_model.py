"""Tables as data: cells with the headers that they stand below and beside, their unit, scale and period.

A table is the same whatever it was read from: PDF, CSV, HTML, DOCX or Markdown. Its words are those of the page: each
cell is a span of the page's text, `page.text[cell.start : cell.end] == cell.text`. What a reader records of a table is
a `TableLayout` (documents/page_layout.py); documents/table_reading.py makes tables of layout and text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from provgraph.documents.amounts import amount_of

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in points from the page's top left corner."""


@dataclass(frozen=True)
class Cell:
    """One printed cell; `row` and `column` count from 0 over the whole table, its header rows included.

    `row_header` and `column_header` are paths from the outermost header in: ("Assets", "Current assets", "Cash") and
    ("Year ended December 31,", "2022"). `unit` is "USD", "%", "shares" or another word, and empty where none is
    known; what is printed times `scale` is the amount in that unit. `period` is "2022" for a year, "2022-12-31" for a
    day, "P3M/2022-09-30" for a span that ends on a day (ISO 8601), and empty where none is known.
    """

    row: int
    column: int
    start: int
    end: int
    text: str
    box: Box | None = None
    rows: int = 1
    columns: int = 1
    row_header: tuple[str, ...] = ()
    column_header: tuple[str, ...] = ()
    unit: str = ""
    scale: int = 1
    period: str = ""
    is_total: bool = False
    is_header: bool = False

    @cached_property
    def number(self) -> Decimal | None:
        """The number as it is printed, parentheses read as minus; None where the cell is no number."""
        return amount_of(self.text)

    @property
    def amount(self) -> Decimal | None:
        """The number in whole units: what is printed times the scale."""
        return None if self.number is None else self.number * self.scale

    @property
    def label(self) -> str:
        """What the row is of."""
        return self.row_header[-1] if self.row_header else ""


@dataclass(frozen=True)
class Table:
    """A table of page `page`, which stands in its text from `start` to `end`.

    `caption` is what is printed above it as its title, `title_path` the headings in which it stands, outermost first.
    `notes` are the lines that tell units and scales ("In millions, except per share amounts"). `scale` and `unit` are
    those of the table as a whole; a cell's own are with the cell. `continues` is the number of the page on which it
    begins, where it is the continuation of a table of an earlier page; 0 otherwise.
    """

    page: int
    start: int
    end: int
    cells: tuple[Cell, ...]
    row_count: int
    column_count: int
    header_rows: int
    header_columns: int
    caption: str = ""
    title_path: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unit: str = ""
    scale: int = 1
    continues: int = 0

    @cached_property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells row by row, each row from its first column on; empty cells are left out."""
        made: list[list[Cell]] = [[] for _ in range(self.row_count)]
        for cell in self.cells:
            made[cell.row].append(cell)
        return tuple(tuple(sorted(row, key=lambda cell: cell.column)) for row in made)

    @property
    def values(self) -> Sequence[Cell]:
        """The cells that are no headers."""
        return [cell for cell in self.cells if not cell.is_header]

    def column(self, number: int) -> tuple[Cell, ...]:
        """The cells of a column that are no headers, from top to bottom."""
        return tuple(
            cell
            for cell in self.cells
            if not cell.is_header and cell.column <= number < cell.column + cell.columns
        )

    def at(self, row: int, column: int) -> Cell | None:
        """The cell that covers this place; None where it is empty."""
        for cell in self.cells:
            if cell.row <= row < cell.row + cell.rows and cell.column <= column < cell.column + cell.columns:
                return cell
        return None

    def row_span(self, row: int) -> tuple[int, int]:
        """Where the words of a row stand in the page's text; (start, start) of the table for an empty row."""
        cells = self.rows[row]
        return (
            (min(cell.start for cell in cells), max(cell.end for cell in cells))
            if cells
            else (self.start, self.start)
        )
