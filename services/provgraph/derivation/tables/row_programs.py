"""Which rows a question is about: filters by linked words, and operations that go from rows to other rows.

Each set of rows carries how it was made, as steps, and what of the question it accounts for, as features by which
programs/scoring choose among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import combinations
from typing import Any, Final

from provgraph.derivation.tables.cell_values import CellValue
from provgraph.derivation.tables.grid import Column, Grid
from provgraph.derivation.tables.linking import Links, ValueLink
from provgraph.derivation.tables.question_words import Bound, Leading, TableQuestion
from provgraph.reading.values import Day

Place = tuple[int, int]
"""Row and column of a cell; row -1 is the header."""
Features = Mapping[str, float]

_MOST_ATOMS: Final = 14
_MOST_FILTERS: Final = 60
_ORDERS: Final = {"most": "max", "least": "min", "first": "min", "last": "max"}
_ATTRIBUTES: Final = frozenset(("first", "last"))


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


def key_of(value: CellValue, column: Column) -> Decimal | tuple[int, int, int] | None:
    """What cells of the column are ordered by."""
    return value.date if column.kind == "date" else value.number


class RowPrograms:
    """The sets of rows that a question may mean."""

    def __init__(self, question: TableQuestion, grid: Grid, links: Links) -> None:
        self.question, self.grid, self.links = question, grid, links
        self.operators = question.operators

    def all_rows(self) -> Rows:
        """Every row but totals."""
        numbers = tuple(n for n in range(len(self.grid.rows)) if n not in self.grid.total_rows)
        return Rows(numbers or tuple(range(len(self.grid.rows))))

    def sets(self) -> list[Rows]:
        """All sets of rows: filtered, and what follows from them."""
        filtered = self.filtered()
        derived: list[Rows] = []
        for rows in filtered:
            derived += self.moved(rows)
            derived += self.extreme(rows)
        return [*filtered, *derived]

    # filters

    def filtered(self) -> list[Rows]:
        atoms = sorted(self._atoms(), key=_weight, reverse=True)[:_MOST_ATOMS]
        found = [self.all_rows(), *atoms]
        for size in (2, 3):
            for chosen in combinations(atoms, size):
                joined = self._joined(chosen)
                if joined is not None:
                    found.append(joined)
        found += self._united(atoms)
        found[1:] = sorted(found[1:], key=_weight, reverse=True)[:_MOST_FILTERS]
        return found

    def _united(self, atoms: Sequence[Rows]) -> Iterator[Rows]:
        """Rows of either of two values of one column: "Ada and Bo together"."""
        texts = {word.text.casefold() for word in self.question.words}
        if not texts & {"and", "or", "both", "combined", "together"}:
            return
        values = [rows for rows in atoms if "filter value share" in rows.features and not rows.used]
        for one, other in combinations(values, 2):
            own = [rows.covered - self._header_words for rows in (one, other)]
            if (
                one.columns != other.columns
                or own[0] & own[1]
                or not all(own)
                or set(one.numbers) & set(other.numbers)
            ):
                continue
            numbers = tuple(sorted({*one.numbers, *other.numbers}))
            step = TableStep("unite rows", f"{len(numbers)} rows have one or the other.", str(len(numbers)))
            halved = {name: value / 2 for name, value in added(one.features, other.features).items()}
            yield Rows(
                numbers,
                (*one.steps, *other.steps, step),
                one.covered | other.covered,
                frozenset({"or"}),
                one.columns,
                {**halved, "union": 1.0},
            )

    @property
    def _header_words(self) -> frozenset[int]:
        return frozenset(n for link in self.links.headers.values() for n in link.positions)

    def _atoms(self) -> Iterator[Rows]:
        for link in self.links.values:
            yield self._valued(link)
            if "not" in self.operators:
                yield self._without(link)
        for bound in self.question.bounds:
            for column in self.grid.columns:
                rows = self._bounded(bound, column)
                if rows is not None:
                    yield rows
                    if "not" in self.operators:
                        yield self._outside(rows, column)
        for leading in self.question.leading:
            yield self._leading(leading)
            yield from self._ranked(leading)

    def _valued(self, link: ValueLink) -> Rows:
        column = self.grid.columns[link.column]
        header = self.links.headers.get(link.column)
        is_near = header is not None and not header.positions <= link.positions
        numbers = tuple(sorted(link.rows - self.grid.total_rows)) or tuple(sorted(link.rows))
        text = f"{len(numbers)} of {len(self.grid.rows)} rows have “{link.text}” in {_named(column)}."
        step = TableStep("filter rows", text, str(len(numbers)), tuple((n, column.index) for n in numbers))
        features = {
            "filter": 1.0,
            "filter value share": link.score,
            "filter value whole": float(link.score == 1),
            "filter header": float(is_near),
            "filter within bound": float(
                any(
                    link.positions & b.positions
                    for b in self.question.bounds
                    if b.sign != "=" or (b.date and b.date[1])
                )
            ),
        }
        covered = link.positions | (header.positions if header is not None and is_near else frozenset())
        return Rows(numbers, (step,), covered, frozenset(), frozenset({column.index}), features)

    def _without(self, link: ValueLink) -> Rows:
        with_it = self._valued(link)
        left = tuple(n for n in self.all_rows().numbers if n not in link.rows)
        head = _named(self.grid.columns[link.column])
        text = f"{len(left)} of {len(self.grid.rows)} rows do not have “{link.text}” in {head}."
        step = TableStep("filter rows", text, str(len(left)), tuple((n, link.column) for n in left))
        covered = with_it.covered | self.operators["not"]
        return replace(with_it, numbers=left, steps=(step,), covered=covered, used=frozenset({"not"}))

    def _outside(self, rows: Rows, column: Column) -> Rows:
        left = tuple(n for n in self.all_rows().numbers if n not in rows.numbers)
        step = TableStep(
            "filter rows",
            f"Not so: {rows.steps[0].explanation}",
            str(len(left)),
            tuple((n, column.index) for n in left),
        )
        return replace(
            rows,
            numbers=left,
            steps=(step,),
            covered=rows.covered | self.operators["not"],
            used=frozenset({"not"}),
        )

    def _leading(self, leading: Leading) -> Rows:
        live = self.all_rows().numbers
        numbers = live[-leading.count :] if leading.from_end else live[: leading.count]
        step = TableStep("filter rows", f"The {leading.text} of {len(live)} rows.", str(len(numbers)))
        return Rows(numbers, (step,), leading.positions, features={"filter": 1.0, "leading": 1.0})

    def _ranked(self, leading: Leading) -> Iterator[Rows]:
        """The rows whose place is among the first so many."""
        for column in self.grid.columns:
            if not column.is_rank or leading.from_end:
                continue
            places = {n: column.cells[n].value.number for n in self.all_rows().numbers}
            numbers = tuple(n for n, place in places.items() if place is not None and place <= leading.count)
            if numbers and len(numbers) < len(places):
                text = (
                    f"{len(numbers)} of {len(places)} rows are within the {leading.text} by {_named(column)}."
                )
                step = TableStep(
                    "filter rows", text, str(len(numbers)), tuple((n, column.index) for n in numbers)
                )
                rows = Rows(
                    numbers,
                    (step,),
                    leading.positions,
                    columns=frozenset({column.index}),
                    features={"filter": 1.0, "leading rank": 1.0},
                )
                yield rows
                if "not" in self.operators:
                    yield self._outside(rows, column)

    def _bounded(self, bound: Bound, column: Column) -> Rows | None:
        is_date = column.kind == "date" and bound.date is not None
        if column.kind == "text" and not (bound.is_rank and column.is_rank):
            return None
        if column.kind == "date" and bound.date is None:
            return None
        if column.kind == "number" and (
            bound.number is None
            or column.is_mixed
            or (bound.date and not column.is_rank and column.is_serial)
        ):
            return None
        numbers, unread = [], 0
        for number in self.all_rows().numbers:
            value = column.cells[number].value
            key = value.date if is_date else value.number
            if key is None:
                unread += 1
            elif _within(key, bound, is_date):
                numbers.append(number)
        if not numbers:
            return None
        header = self.links.headers.get(column.index)
        unit = bound.unit and bound.unit.casefold() in f"{column.header} {column.cells[0].text}".casefold()
        said = f"{_SIGNS[bound.sign]} {bound.text} in {_named(column)}"
        text = f"{len(numbers)} of {len(self.grid.rows)} rows have {said}."
        step = TableStep("filter rows", text, str(len(numbers)), tuple((n, column.index) for n in numbers))
        features = {
            "filter": 1.0,
            "bound": 1.0,
            "bound equal": float(bound.sign == "="),
            "bound header": header.score if header else 0.0,
            "bound date": float(is_date),
            "bound date on number": float(bound.date is not None and not is_date),
            "bound unit": float(bool(unit)),
            "bound rank": float(bound.is_rank and column.is_rank),
            "bound rank elsewhere": float(bound.is_rank and not column.is_rank),
            "bound serial": float(column.is_serial),
            "bound keeps all": float(len(numbers) == len(self.grid.rows)),
        }
        covered = bound.positions | (header.positions if header else frozenset())
        return Rows(
            tuple(numbers),
            (step,),
            covered,
            frozenset(),
            frozenset({column.index}),
            features,
            ((column.index, unread),),
        )

    def _joined(self, parts: Sequence[Rows]) -> Rows | None:
        if any(
            one.covered & other.covered and one.columns == other.columns
            for one, other in combinations(parts, 2)
        ):
            return None
        if any(
            len(one.covered & other.covered) >= min(len(one.covered), len(other.covered))
            for one, other in combinations(parts, 2)
        ):
            return None
        common = set(parts[0].numbers).intersection(*(part.numbers for part in parts[1:]))
        if not common or any(
            len(common) == len(part.numbers) and len(part.numbers) == len(self.grid.rows) for part in parts
        ):
            return None
        numbers = tuple(sorted(common))
        features: dict[str, float] = {}
        for part in parts:
            features = added(features, part.features)
        steps = [step for part in parts for step in part.steps]
        steps.append(TableStep("intersect rows", f"{len(numbers)} rows have all of this.", str(len(numbers))))
        return Rows(
            numbers,
            tuple(steps),
            frozenset().union(*(p.covered for p in parts)),
            frozenset().union(*(p.used for p in parts)),
            frozenset().union(*(p.columns for p in parts)),
            features,
            tuple(each for part in parts for each in part.unread),
        )

    # from rows to others

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
        live = self.all_rows().numbers
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
                n for n in self.all_rows().numbers if n != own and column.cells[n].value.words == words
            )
            if words and others:
                header = self.links.headers.get(column.index)
                text = (
                    f"{len(others)} other rows have the same {_named(column)}, “{column.cells[own].words}”."
                )
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
                if value is None:
                    continue
                up = (_ORDERS[name] == "max") != (column.is_rank and name in ("most", "least"))
                others = []
                for number in self.all_rows().numbers:
                    key = key_of(column.cells[number].value, column)
                    if key is not None and number != own and (key > value if up else key < value):  # type: ignore[operator]
                        others.append(number)
                if not others:
                    continue
                sign = "more" if up else "less"
                text = f"{len(others)} rows have {sign} than “{column.cells[own].words}” in {_named(column)}."
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
                found = self._extreme(rows, column, name, order)
                if found is not None:
                    yield found
            if name in _ATTRIBUTES:
                at = rows.numbers[0 if name == "first" else -1]
                step = TableStep(f"{name} row", f"The {name} of these rows is row {at + 1}.", str(at + 1), ())
                yield replace(
                    rows,
                    numbers=(at,),
                    steps=(*rows.steps, step),
                    covered=rows.covered | self.operators[name],
                    used=rows.used | {name},
                    features=added(rows.features, {"row order": 1.0}),
                )

    def _extreme(self, rows: Rows, column: Column, name: str, order: str) -> Rows | None:
        keys = {n: key_of(column.cells[n].value, column) for n in rows.numbers}
        known = {n: key for n, key in keys.items() if key is not None}
        if len(known) < 2:
            return None
        wants_max = (order == "max") != (column.is_rank and name in ("most", "least"))
        best = max(known.values()) if wants_max else min(known.values())
        numbers = tuple(n for n, key in known.items() if key == best)
        if len(numbers) == len(known):
            return None
        words = (
            f"{'highest' if wants_max else 'lowest'}"
            if column.kind == "number"
            else f"{'latest' if wants_max else 'earliest'}"
        )
        text = f"“{column.cells[numbers[0]].words}” is the {words} {_named(column)} of {len(known)} rows."
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
            covered=rows.covered | self.operators[name] | self._header_positions(column),
            columns=rows.columns | {column.index},
            features=added(rows.features, features),
            unread=(*rows.unread, (column.index, len(keys) - len(known))),
        )

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


_SIGNS: Final = {
    "=": "exactly",
    ">": "more than",
    "<": "less than",
    ">=": "at least",
    "<=": "at most",
    "in": "within",
}


def _within(key: Decimal | Day, bound: Bound, is_date: bool) -> bool:
    if not is_date:
        return _holds(bound.sign, (key,), (bound.number,), (bound.until,))
    assert isinstance(key, tuple)
    assert bound.date is not None
    year, month, day = bound.date
    if not year:
        return bound.sign == "=" and key[1:] == (month, day)
    size = 1 if not month else 2 if not day else 3
    return _holds(bound.sign, key[:size], bound.date[:size], (int(bound.until or 0),))


def _holds(sign: str, key: tuple[Any, ...], bound: tuple[Any, ...], until: tuple[Any, ...]) -> bool:
    if sign == "in":
        return bound <= key and key[:1] <= until
    return {"=": key == bound, ">": key > bound, "<": key < bound, ">=": key >= bound, "<=": key <= bound}[
        sign
    ]


def _named(column: Column) -> str:
    return f"“{column.header}”" if column.header else f"column {column.index + 1}"


def _weight(rows: Rows) -> float:
    return len(rows.covered) + rows.features.get("filter value whole", 0.0) - 0.5 * len(rows.columns)
