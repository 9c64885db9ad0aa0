"""Tables as documents have them → grids, which derivations read."""

from __future__ import annotations

from collections.abc import Sequence

from provgraph.derivation.tables.grid import Grid, GridCell
from provgraph.documents.table_model import Cell, Table
from provgraph.rdf.terms import NamedNode


def grid_of_table(table: Table, page: NamedNode, page_text: str, title: str) -> Grid:
    """A table of a document as a grid: header rows joined to one, merged cells repeated."""
    heads: list[list[Cell]] = [[] for _ in range(table.column_count)]
    rows: dict[int, list[GridCell]] = {
        number: [GridCell("")] * table.column_count for number in range(table.header_rows, table.row_count)
    }
    for cell in table.cells:
        columns = range(cell.column, min(cell.column + cell.columns, table.column_count))
        if cell.row < table.header_rows:
            for column in columns:
                heads[column].append(cell)
            continue
        made = GridCell(cell.text, cell.start, cell.end, cell.unit, cell.scale)
        for row in range(cell.row, min(cell.row + cell.rows, table.row_count)):
            for column in columns:
                rows[row][column] = made
    headers = tuple(_head(cells) for cells in heads)
    if not table.header_rows:
        headers = tuple(_inherited(table, column) for column in range(table.column_count))
    filled = {number: row for number, row in rows.items() if any(cell.text for cell in row)}
    body = tuple(tuple(row) for row in filled.values())
    sections = {cell.row: cell.row_header[:-1] for cell in table.values if cell.row_header}
    caption = " › ".join(filter(None, (*table.title_path, table.caption)))
    headed = tuple(sections.get(number, ()) for number in filled)
    return Grid(headers, body, title, caption, title, page.value, page_text, headed)


def _head(cells: Sequence[Cell]) -> GridCell:
    words = dict.fromkeys(" ".join(cell.text.split()) for cell in cells)
    return GridCell(" ".join(words), cells[-1].start, cells[-1].end) if cells else GridCell("")


def _inherited(table: Table, column: int) -> GridCell:
    """The head of a column of a table that continues another page's."""
    words = next(
        (cell.column_header for cell in table.cells if cell.column == column and cell.column_header), ()
    )
    return GridCell(" ".join(words))
