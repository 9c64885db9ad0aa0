"""Which rows have what a question says: equal values, bounds, the first so many, either of two, and all of it together.

Each set of rows carries its steps, and features by which `scoring` chooses among programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations
from typing import Any, Final

from provgraph.derivation.tables.column_filters import ColumnFilters
from provgraph.derivation.tables.grid import Column, Grid
from provgraph.derivation.tables.linking import Links, ValueLink
from provgraph.derivation.tables.question_words import Bound, Leading, TableQuestion
from provgraph.derivation.tables.rows import Rows, TableStep, added, header_text
from provgraph.reading.values import Day

NEGATED: Final = "negated"
"""The feature that counts what a program takes out: "not", "other than"."""
_MOST_ATOMS: Final = 14
_MOST_FILTERS: Final = 60


class RowFilters:
    """The sets of rows that linked words of a question tell."""

    def __init__(self, question: TableQuestion, grid: Grid, links: Links) -> None:
        self.question, self.grid, self.links = question, grid, links
        self.operators = question.operators

    def all_rows(self) -> Rows:
        """Every row but totals."""
        numbers = tuple(n for n in range(len(self.grid.rows)) if n not in self.grid.total_rows)
        return Rows(numbers or tuple(range(len(self.grid.rows))))

    def filtered(self) -> list[Rows]:
        atoms = sorted(self._atoms(), key=_weight, reverse=True)[:_MOST_ATOMS]
        found = [self.all_rows(), *atoms]
        for size in (2, 3):
            for combination in combinations(atoms, size):
                joined = self._joined(combination)
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
        yield from self._having_none()
        yield from ColumnFilters(self.question, self.grid, self.links, self.all_rows()).rows()
        for leading in self.question.leading:
            yield self._leading(leading)
            yield from self._ranked(leading)

    def _having_none(self) -> Iterator[Rows]:
        """The rows with 0 in a column of numbers: "no moons", "without goals", "out of stock"."""
        for link in self.links.headers.values():
            start = min(link.positions)
            before = self.question.words[start - 1].text.casefold() if start else ""
            column = self.grid.columns[link.column]
            is_out = before == "of" and start > 1 and self.question.words[start - 2].text.casefold() == "out"
            if (is_out or before in ("no", "without")) and column.kind == "number":
                words = frozenset({start - 1, start - 2} if is_out else {start - 1})
                rows = self._bounded(Bound("=", Decimal(0), None, False, words, "0"), column)
                if rows is not None:
                    negated = {} if is_out else {NEGATED: 1.0}
                    yield replace(rows, used=frozenset({"not"}), features={**rows.features, **negated})

    def _valued(self, link: ValueLink) -> Rows:
        column = self.grid.columns[link.column]
        header = self.links.headers.get(link.column)
        is_near = header is not None and not header.positions <= link.positions
        numbers = tuple(sorted(link.rows - self.grid.total_rows)) or tuple(sorted(link.rows))
        text = f"{len(numbers)} of {len(self.grid.rows)} rows have “{link.text}” in {header_text(column)}."
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
        head = header_text(self.grid.columns[link.column])
        text = f"{len(left)} of {len(self.grid.rows)} rows do not have “{link.text}” in {head}."
        step = TableStep("filter rows", text, str(len(left)), tuple((n, link.column) for n in left))
        covered = with_it.covered | self.operators["not"]
        features = {**with_it.features, NEGATED: 1.0}
        return replace(
            with_it, numbers=left, steps=(step,), covered=covered, used=frozenset({"not"}), features=features
        )

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
            features={**rows.features, NEGATED: 1.0},
        )

    def _leading(self, leading: Leading) -> Rows:
        live = self.all_rows().numbers
        numbers = live[-leading.count :] if leading.from_end else live[: leading.count]
        cells = tuple((n, self.grid.name_column or 0) for n in numbers)
        step = TableStep("filter rows", f"The {leading.text} of {len(live)} rows.", str(len(numbers)), cells)
        return Rows(numbers, (step,), leading.positions, features={"filter": 1.0, "leading": 1.0})

    def _ranked(self, leading: Leading) -> Iterator[Rows]:
        """The rows whose place is among the first so many."""
        for column in self.grid.columns:
            if not column.is_rank or leading.from_end:
                continue
            places = {n: column.cells[n].value.number for n in self.all_rows().numbers}
            numbers = tuple(n for n, place in places.items() if place is not None and place <= leading.count)
            if numbers and len(numbers) < len(places):
                text = f"{len(numbers)} of {len(places)} rows are within the {leading.text} by {header_text(column)}."
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
        said = f"{_SIGNS[bound.sign]} {bound.text} in {header_text(column)}"
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


def _weight(rows: Rows) -> float:
    return len(rows.covered) + rows.features.get("filter value whole", 0.0) - 0.5 * len(rows.columns)
