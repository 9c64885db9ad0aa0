"""A cell as what an answer stands on: its row as the sentence, its own characters as the words that decide."""

from __future__ import annotations

from provgraph.derivation.evidence import ReadPassage, Support
from provgraph.derivation.tables.grid import Grid, GridCell
from provgraph.derivation.tables.rows import Place
from provgraph.reading.propositions import Span, TextReading


def support_of(grid: Grid, place: Place) -> Support:
    """The support of a cell, on the page on which its row stands."""
    page = grid.page_of(place[0])
    passage = ReadPassage(page.key, grid.document, grid.title, page.text, TextReading((), ()))
    cell = grid.cell(*place)
    row = [grid_cell for grid_cell in grid.rows[place[0]] if grid_cell.end > grid_cell.start] or [cell]
    start, end = min(grid_cell.start for grid_cell in row), max(grid_cell.end for grid_cell in row)
    if "\n" in page.text[start:end]:
        start, end = _line(page.text, cell)
    return Support(passage, Span(start, end, page.text[start:end]), Span(cell.start, cell.end, cell.text))


def _line(text: str, cell: GridCell) -> tuple[int, int]:
    """The line in which a cell stands, without the bars around it."""
    start = text.rfind("\n", 0, cell.start) + 1
    end = text.find("\n", cell.end)
    line = text[start : end if end >= 0 else len(text)]
    bare = line.strip("| ")
    begin = start + line.index(bare)
    return min(begin, cell.start), max(begin + len(bare), cell.end)
