"""Rows of tables as they come to lie in a part of a page: what each row is of, and its cells, with exact places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.documents.amounts import is_empty
from provgraph.documents.page_layout import PageLayout
from provgraph.documents.periods import is_period
from provgraph.documents.table_model import Cell, Table
from provgraph.documents.table_reading import tables_of_page
from provgraph.documents.tables import recognised

SECTION_MARK: Final = " › "


@dataclass(frozen=True)
class TableRow:
    """`text[start:end]` is the row without the bars around it; `cells` are those that are no headers.

    `subject` is what it is of, with its section where the table has several rows of that label. `is_line_item` where
    its columns are periods: "Net income" is then that of this document, and of no other.
    """

    start: int
    end: int
    subject: str
    is_line_item: bool
    cells: tuple[Cell, ...]

    def moved(self, by: int) -> TableRow:
        """The row in a text that begins so many characters later."""
        cells = tuple(replace(cell, start=cell.start - by, end=cell.end - by) for cell in self.cells)
        return replace(self, start=self.start - by, end=self.end - by, cells=cells)


def rows_of(table: Table) -> Iterator[TableRow]:
    """The rows with values, from the top; none of a table that does not say what its cells are."""
    if not _is_worth_facts(table):
        return
    labels = Counter(path[-1] for path in {_path(cells) for cells in table.rows} if path)
    is_periodic = any(map(is_period, {header for cell in table.values for header in cell.column_header}))
    for number, cells in enumerate(table.rows):
        values = tuple(cell for cell in cells if not cell.is_header)
        path = _path(cells)
        if values and path:
            subject = path[-1] if labels[path[-1]] < 2 else SECTION_MARK.join(path[-2:])
            yield TableRow(*table.row_span(number), subject, is_periodic, values)


def header_rows(table: Table) -> Iterator[TableRow]:
    """The rows that head the columns, without cells of their own."""
    for number in range(table.header_rows):
        if table.rows[number]:
            yield TableRow(*table.row_span(number), "", False, ())


def rows_between(rows: Sequence[TableRow], start: int, end: int) -> tuple[TableRow, ...]:
    """The rows that begin in `text[start:end]`."""
    return tuple(row for row in rows if start <= row.start < end)


def rows_in_text(text: str) -> tuple[TableRow, ...]:
    """The rows of a text of which nothing was recorded."""
    layout = PageLayout(tables=recognised(text)) if "|" in text else PageLayout()
    return tuple(row for table in tables_of_page(1, text, layout) for row in rows_of(table))


def _path(cells: Sequence[Cell]) -> tuple[str, ...]:
    return next((cell.row_header for cell in cells if not cell.is_header), ())


def _is_worth_facts(table: Table) -> bool:
    """Whether a table's cells are facts: it has headers on both sides, and its values say something."""
    values = [cell for cell in table.values if not is_empty(cell.text)]
    return (
        bool(values)
        and any(cell.row_header for cell in values)
        and any(cell.column_header for cell in values)
    )
