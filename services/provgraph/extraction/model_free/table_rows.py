"""Facts of table rows: what the row is of, the label of a column, and the cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from provgraph.documents.tables import Cell, Row, rows
from provgraph.extraction.facts import Entity, Fact, Value
from provgraph.extraction.model_free.values import read_value

CONFIDENCE: Final = 0.9
LONGEST_NAME: Final = 80
"""A longer first cell is no name, and a longer cell is prose, which is read as such."""

_EMPTY: Final = frozenset(("", "-", "–", "—", "n/a", "na", "none", "nil", ".", "…", "?", "¦"))


def row_facts(text: str) -> Iterator[Fact]:
    """A fact for each cell with a label, with the span of its whole row; none for a cell that is empty."""
    for row in rows(text):
        if len(row.subject) <= LONGEST_NAME and any(map(str.isalnum, row.subject)):
            for cell in row.cells:
                if cell.value.casefold() not in _EMPTY and len(cell.value) <= LONGEST_NAME:
                    yield _fact(row, cell)


def _fact(row: Row, cell: Cell) -> Fact:
    found: Entity | Value | None = read_value(cell.value)
    if found is None:
        named = cell.value[0].isupper() and len(cell.value.split()) <= 6
        found = Entity(cell.value) if named else Value("text", cell.value, cell.value)
    return Fact(Entity(row.subject), cell.label, found, CONFIDENCE, row.start, row.end)
