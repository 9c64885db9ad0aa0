"""From rows to an answer: select, count, sum, average, difference, choose, the most frequent, yes or no."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from provgraph.derivation.tables.candidate import (
    Account,
    Candidate,
    candidate,
    number_text,
    spread,
)
from provgraph.derivation.tables.column_selection import ColumnSelection
from provgraph.derivation.tables.count_programs import CountPrograms
from provgraph.derivation.tables.grid import Column, Grid
from provgraph.derivation.tables.linking import Links
from provgraph.derivation.tables.pair_programs import PairPrograms
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.derivation.tables.row_programs import RowPrograms
from provgraph.derivation.tables.rows import Features, Rows, TableStep, added, header_text, key_of, rows_text
from provgraph.reading.values import Day


class ValuePrograms:
    """All answers that programs of bounded size give to a question."""

    def __init__(self, question: TableQuestion, grid: Grid) -> None:
        self.question, self.grid = question, grid
        self.links = Links(question, grid)
        self.row_programs = RowPrograms(question, grid, self.links)
        self.operators = question.operators
        self.selection = ColumnSelection(self.row_programs)
        self.counts = CountPrograms(self.row_programs, self.selection)

    def candidates(self) -> Iterator[Candidate]:
        for rows in self.row_programs.sets():
            if not rows.numbers:
                continue
            yield from self.selection.candidates(rows)
            yield from self.counts.counted(rows)
            yield from self._aggregated(rows)
            yield from self.counts.frequent(rows)
            yield from self.counts.repeated(rows)
        yield from PairPrograms(self.row_programs).candidates()
        if self.question.is_yes_no:
            yield from self._decided()

    def _aggregated(self, rows: Rows) -> Iterator[Candidate]:
        names = [name for name in ("sum", "average", "difference") if name in self.operators]
        if self.question.asks in ("how many", "how much") and "sum" not in names:
            names.append("sum")
        if len(rows.numbers) < 2:
            return
        for column in self.grid.columns:
            if column.kind == "text" or column.is_mixed:
                continue
            keys = {n: key_of(column.cells[n].value, column) for n in rows.numbers}
            known = {n: key for n, key in keys.items() if key is not None}
            if len(known) < 2:
                continue
            unread = (*rows.unread, (column.index, len(keys) - len(known)))
            for name in names:
                if name == "difference" or column.kind == "number":
                    yield self._aggregate(name, column, known, replace(rows, unread=unread))

    def _aggregate(self, name: str, column: Column, known: dict[int, Decimal | Day], rows: Rows) -> Candidate:
        header = self.links.headers.get(column.index)
        text = number_text(_aggregate(name, list(known.values())), [column.cells[n].text for n in known])
        step = TableStep(
            name,
            f"The {name} of {header_text(column)} over {rows_text(len(known))} is {text}.",
            text,
            tuple((n, column.index) for n in known),
        )
        features: Features = {
            name: 1.0,
            "aggregate header": header.score if header else 0.0,
            "aggregate no header": float(header is None),
            "aggregate without words": float(name not in self.operators),
            "aggregate all rows": float(not rows.steps),
            "aggregate serial": float(column.is_serial or column.is_rank),
            "difference of two": float(name == "difference" and len(known) == 2),
        }
        covered = self.operators.get(name, frozenset()) | (header.positions if header else frozenset())
        return candidate(rows, step, "number", Account(covered, frozenset({name}), features))

    def _decided(self) -> Iterator[Candidate]:
        """Yes where rows with all that is said exist; no where each part exists but not together."""
        filters = self.row_programs.filtered[1:]
        for rows in filters:
            step = TableStep(
                "exists", f"{rows_text(len(rows.numbers))} have all of this.", "yes", rows.steps[-1].cells
            )
            yield candidate(rows, step, "yes-no", Account(features={"yes": 1.0}))
        for one in filters:
            for other in filters:
                if one.columns <= other.columns or one.covered & other.covered:
                    continue
                if not set(one.numbers) & set(other.numbers):
                    yield _denied(one, other)


def _denied(one: Rows, other: Rows) -> Candidate:
    """No row is in both."""
    cells = (*one.steps[-1].cells, *other.steps[-1].cells)
    step = TableStep("exists", "No row has both.", "no", cells)
    return Candidate(
        ("no",),
        "yes-no",
        cells,
        (*one.steps, *other.steps, step),
        one.covered | other.covered,
        frozenset(),
        added(added(one.features, other.features), {"no": 1.0}),
        one,
    )


def _aggregate(name: str, keys: list[Decimal | Day]) -> Decimal:
    numbers = [Decimal(key[0]) if isinstance(key, tuple) else key for key in keys]
    if name == "sum":
        return sum(numbers, Decimal(0))
    if name == "average":
        return sum(numbers, Decimal(0)) / len(numbers)
    return spread(keys)
