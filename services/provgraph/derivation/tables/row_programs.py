"""From rows to other rows: beside them, with the same value or more than theirs, with the most or least of a column.

Each set of rows carries its steps, and features by which `scoring` chooses among programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Final

from provgraph.derivation.tables.grid import Column, Grid
from provgraph.derivation.tables.linking import Links
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.derivation.tables.row_filters import RowFilters
from provgraph.derivation.tables.rows import Rows, TableStep, added, header_text, key_of

_ORDERS: Final = {"most": "max", "least": "min", "first": "min", "last": "max"}
_ATTRIBUTES: Final = frozenset(("first", "last"))

_AGE_WORDS: Final = frozenset("oldest older youngest younger".split())


class RowPrograms:
    """The sets of rows that a question may mean."""

    def __init__(self, question: TableQuestion, grid: Grid, links: Links) -> None:
        self.question, self.grid, self.links = question, grid, links
        self.operators = question.operators
        self._filters = RowFilters(question, grid, links)

    @cached_property
    def filtered(self) -> list[Rows]:
        """Every row, and the rows that linked words tell."""
        return self._filters.filtered()

    def sets(self) -> list[Rows]:
        """All sets of rows: filtered, and what follows from them."""
        filtered = self.filtered
        derived: list[Rows] = []
        for rows in filtered:
            derived += self.moved(rows)
            derived += self.extreme(rows)
        return [*filtered, *derived]

    def moved(self, rows: Rows) -> Iterator[Rows]:
        """The rows next to these, those behind them, and those that share a value or exceed theirs."""
        if not rows.steps or len(rows.numbers) > 3:
            return
        for name in ("next", "previous"):
            if self._calls(name, rows):
                yield from self._beside(rows, name)
        if len(rows.numbers) == 1:
            if self._calls("same", rows):
                yield from self._same(rows)
            yield from self._exceeding(rows)

    def _calls(self, name: str, rows: Rows) -> bool:
        """Whether words call for the operation that nothing else has taken."""
        return bool(self.operators.get(name, frozenset()) - rows.covered)

    def _beside(self, rows: Rows, name: str) -> Iterator[Rows]:
        start = rows.numbers[-1] if name == "next" else rows.numbers[0]
        behind = (name == "next") != self._is_descending
        live = self._filters.all_rows().numbers
        others = tuple(n for n in live if (n > start if behind else n < start))
        if not others:
            return
        nearest = others[0] if behind else others[-1]
        covered, used = rows.covered | self.operators[name], rows.used | {name}
        step = TableStep("neighbour", f"The {name} row is row {nearest + 1}.", str(nearest + 1), ())
        yield replace(
            rows,
            numbers=(nearest,),
            steps=(*rows.steps, step),
            covered=covered,
            used=used,
            features=added(
                rows.features, {"neighbour": 1.0, "neighbour of several": float(len(rows.numbers) > 1)}
            ),
        )
        step = TableStep(
            "rows beyond",
            f"{len(others)} rows are {'after' if name == 'next' else 'before'} it.",
            str(len(others)),
            (),
        )
        yield replace(
            rows,
            numbers=others,
            steps=(*rows.steps, step),
            covered=covered,
            used=used,
            features=added(rows.features, {"beyond": 1.0}),
        )

    @property
    def _is_descending(self) -> bool:
        """Whether the rows go back in time."""
        for column in self.grid.columns:
            if column.kind == "date":
                dates = [cell.value.date for cell in column.cells if cell.value.date]
                return len(dates) > 2 and dates == sorted(dates, reverse=True) and dates[0] != dates[-1]
        return False

    def _same(self, rows: Rows) -> Iterator[Rows]:
        own = rows.numbers[0]
        for column in self.grid.columns:
            words = column.cells[own].value.words
            others = tuple(
                n
                for n in self._filters.all_rows().numbers
                if n != own and column.cells[n].value.words == words
            )
            if words and others:
                header = self.links.headers.get(column.index)
                text = f"{len(others)} other rows have the same {header_text(column)}, “{column.cells[own].words}”."
                step = TableStep(
                    "same value",
                    text,
                    str(len(others)),
                    ((own, column.index), *((n, column.index) for n in others)),
                )
                features = {"same": 1.0, "same header": header.score if header else 0.0}
                covered = (
                    rows.covered | self.operators["same"] | (header.positions if header else frozenset())
                )
                yield replace(
                    rows,
                    numbers=others,
                    steps=(*rows.steps, step),
                    covered=covered,
                    used=rows.used | {"same"},
                    columns=rows.columns | {column.index},
                    features=added(rows.features, features),
                )

    def _exceeding(self, rows: Rows) -> Iterator[Rows]:
        if "than" not in {word.text.casefold() for word in self.question.words}:
            return
        own = rows.numbers[0]
        for name in ("most", "least", "first", "last"):
            if name not in self.operators:
                continue
            for column in self._ordered():
                value = key_of(column.cells[own].value, column)
                if value is None or self._misreads_age(column, name):
                    continue
                up = (_ORDERS[name] == "max") != (column.is_rank and name in ("most", "least"))
                others = []
                for number in self._filters.all_rows().numbers:
                    key = key_of(column.cells[number].value, column)
                    if key is not None and number != own and (key > value if up else key < value):  # type: ignore[operator]
                        others.append(number)
                if not others:
                    continue
                sign = "more" if up else "less"
                text = f"{len(others)} rows have {sign} than “{column.cells[own].words}” in {header_text(column)}."
                cells = ((own, column.index), *((n, column.index) for n in others))
                step = TableStep("compare rows", text, str(len(others)), cells)
                features = added(self._extreme_features(column, name), {"exceeding": 1.0})
                yield replace(
                    rows,
                    numbers=tuple(others),
                    steps=(*rows.steps, step),
                    used=rows.used | {name},
                    covered=rows.covered | self.operators[name] | self._header_positions(column),
                    columns=rows.columns | {column.index},
                    features=added(rows.features, features),
                )

    def extreme(self, rows: Rows) -> Iterator[Rows]:
        """Of several rows those with the most or least of a column, and the first and last of them."""
        if len(rows.numbers) < 2:
            return
        for name, order in _ORDERS.items():
            if not self._calls(name, rows):
                continue
            for column in self._ordered():
                if self._misreads_age(column, name):
                    continue
                by_size = column.kind == "date" and name not in _ATTRIBUTES
                found = None if by_size else self._extreme(rows, column, name, order)
                if found is not None:
                    yield found
            if name in _ATTRIBUTES and not self._words_of_time & self.operators[name]:
                at = rows.numbers[0 if name == "first" else -1]
                cells = ((at, self.grid.name_column or 0),)
                step = TableStep(
                    f"{name} row", f"The {name} of these rows is row {at + 1}.", str(at + 1), cells
                )
                yield replace(
                    rows,
                    numbers=(at,),
                    steps=(*rows.steps, step),
                    covered=rows.covered | self.operators[name],
                    used=rows.used | {name},
                    features=added(rows.features, {"row order": 1.0}),
                )

    @cached_property
    def _age_words(self) -> frozenset[int]:
        return frozenset(
            n for n, word in enumerate(self.question.words) if word.text.casefold() in _AGE_WORDS
        )

    @cached_property
    def _words_of_time(self) -> frozenset[int]:
        """Words by which rows are ordered by a date and not by where they stand: "oldest", "longest-serving"."""
        long = (n for n, word in enumerate(self.question.words) if word.text.casefold() == "longest")
        return self._age_words | frozenset(long)

    def _misreads_age(self, column: Column, name: str) -> bool:
        """Whether "oldest" would be the highest of years of birth, or the lowest of ages."""
        if not self._age_words & self.operators[name]:
            return False
        is_age = "age" in column.header_terms
        return is_age == (name in _ATTRIBUTES)

    def _extreme(self, rows: Rows, column: Column, name: str, order: str) -> Rows | None:
        keys = {n: key_of(column.cells[n].value, column) for n in rows.numbers}
        known = {n: key for n, key in keys.items() if key is not None}
        if len(known) < 2:
            return None
        wants_max = (order == "max") != (column.is_rank and name in ("most", "least"))
        place, ordinal = self.question.ordinal
        distinct = sorted(set(known.values()), reverse=wants_max)
        if len(distinct) < place:
            return None
        best = distinct[place - 1]
        numbers = tuple(n for n, key in known.items() if key == best)
        if len(numbers) == len(known):
            return None
        words = (
            f"{'highest' if wants_max else 'lowest'}"
            if column.kind == "number"
            else f"{'latest' if wants_max else 'earliest'}"
        )
        text = (
            f"“{column.cells[numbers[0]].words}” is the {self._ordinal_word}{words} {header_text(column)} of "
            f"{len(known)} rows."
        )
        step = TableStep(
            "maximum" if wants_max else "minimum",
            text,
            column.cells[numbers[0]].words,
            tuple((n, column.index) for n in numbers),
        )
        features = self._extreme_features(column, name)
        features["extreme tie"] = float(len(numbers) > 1)
        return replace(
            rows,
            numbers=numbers,
            steps=(*rows.steps, step),
            used=rows.used | {name},
            covered=rows.covered | self.operators[name] | self._header_positions(column) | ordinal,
            columns=rows.columns | {column.index},
            features=added(rows.features, features),
            unread=(*rows.unread, (column.index, len(keys) - len(known))),
        )

    @property
    def _ordinal_word(self) -> str:
        place, _ = self.question.ordinal
        return ("", "", "second ", "third ", "fourth ", "fifth ")[place]

    def _extreme_features(self, column: Column, name: str) -> dict[str, float]:
        header = self.links.headers.get(column.index)
        is_time = name in _ATTRIBUTES
        return {
            "extreme": 1.0,
            "extreme header": header.score if header else 0.0,
            "extreme no header": float(header is None),
            "extreme date by time": float(is_time and column.kind == "date"),
            "extreme number by time": float(is_time and column.kind == "number"),
            "extreme date by size": float(not is_time and column.kind == "date"),
            "extreme serial": float(column.is_serial),
            "extreme rank": float(column.is_rank),
        }

    def _header_positions(self, column: Column) -> frozenset[int]:
        header = self.links.headers.get(column.index)
        return header.positions if header else frozenset()

    def _ordered(self) -> Iterable[Column]:
        return (c for c in self.grid.columns if c.kind != "text" and not c.is_mixed)
