"""Rows of a grid that a question may mean, with how they were made and what of the question they account for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from provgraph.derivation.tables.cell_values import CellValue
from provgraph.derivation.tables.grid import Column
from provgraph.reading.values import Day

Place = tuple[int, int]
"""Row and column of a cell."""
Features = Mapping[str, float]


@dataclass(frozen=True)
class TableStep:
    """One operation, what it gave, and the cells that it read its value from."""

    operation: str
    explanation: str
    value: str
    cells: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Rows:
    """Rows by number, in their order; `covered` are the positions of the question's words that led to them."""

    numbers: tuple[int, ...]
    steps: tuple[TableStep, ...] = ()
    covered: frozenset[int] = frozenset()
    used: frozenset[str] = frozenset()
    columns: frozenset[int] = frozenset()
    features: Features = field(default_factory=dict)
    unread: tuple[tuple[int, int], ...] = ()
    """By column, how many rows had nothing there that could be compared."""


def added(one: Features, other: Features) -> dict[str, float]:
    return {name: one.get(name, 0.0) + other.get(name, 0.0) for name in {**one, **other}}


def key_of(value: CellValue, column: Column) -> Decimal | Day | None:
    """What cells of the column are ordered by."""
    if column.kind == "date":
        return value.date
    return -value.number if column.is_of_outflows and value.number is not None else value.number


def header_text(column: Column) -> str:
    return f"“{column.header}”" if column.header else f"column {column.index + 1}"


def rows_text(number: int) -> str:
    return f"{number} row" if number == 1 else f"{number} rows"
