"""Rows that a question tells by the heads of columns alone: those with "yes" below one, and those with more in one
column than in another.

"Which employees are first aiders" asks for the rows with "yes" below "First aider", "which items are below their
reorder level" for those whose number in stock is less than the one below "Reorder level".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import Final

from provgraph.derivation.tables.grid import Column, Grid
from provgraph.derivation.tables.linking import Links, alike
from provgraph.derivation.tables.question_words import MONTHS, TableQuestion
from provgraph.derivation.tables.rows import Place, Rows, TableStep, header_text, rows_text

BESIDE_OWN: Final = "beside own"
"""The feature of rows that have more in one column than in another."""
THAN_OWN: Final = re.compile(
    r"\b(?:than|below|under|above|over|beneath|exceed(?:s|ed|ing)?|beyond) "
    r"(?:its|their|his|her|the (?:row's )?own|"
    r"the (?:level|limit|number|amount|minimum|maximum) (?:at|of|for|from) which)\b",
    re.IGNORECASE,
)
_THAN_COLUMN: Final = re.compile(r"\bthan\b", re.IGNORECASE)
_MORE: Final = frozenset("above over exceed exceeds exceeded exceeding beyond".split())
_LESS: Final = frozenset("below under beneath".split())
_PART_OF_YEAR: Final = re.compile(
    r"\b(?P<nth>first|second|third|fourth|last) (?P<part>half|quarter)\b", re.IGNORECASE
)
_NTH: Final = ("first", "second", "third", "fourth")
_YES: Final = frozenset("yes y true x ✓ ✔".split())
_NO: Final = frozenset("no n false".split())


class ColumnFilters:
    """The sets of rows that heads of columns tell."""

    def __init__(self, question: TableQuestion, grid: Grid, links: Links, rows: Rows) -> None:
        self.question, self.grid, self.links, self.all_rows = question, grid, links, rows
        self.operators = question.operators

    def rows(self) -> Iterator[Rows]:
        yield from self._said_yes()
        yield from self._beside_own()
        yield from self._of_period()

    def _of_period(self) -> Iterator[Rows]:
        """The rows of the months of half a year or a quarter: "in the first half of 2023"."""
        match = _PART_OF_YEAR.search(self.question.text)
        if match is None:
            return
        size = 6 if match["part"].casefold() == "half" else 3
        nth = match["nth"].casefold()
        start = len(MONTHS) - size if nth == "last" else _NTH.index(nth) * size
        months = MONTHS[start : start + size]
        for column in self.grid.columns:
            own = {n: column.cells[n].words.casefold()[:3] for n in self.all_rows.numbers}
            numbers = tuple(n for n, month in own.items() if month in months)
            if set(own.values()) <= set(MONTHS) and len(numbers) == size:
                text = f"{rows_text(size)} of the {match[0]} in {header_text(column)}."
                yield self._told(numbers, column, text, self.question.positions(*match.span()))

    def _told(self, numbers: tuple[int, ...], column: Column, text: str, positions: frozenset[int]) -> Rows:
        """Rows by what stands below one head."""
        step = TableStep("filter rows", text, str(len(numbers)), tuple((n, column.index) for n in numbers))
        features = {"filter": 1.0, "filter value share": 1.0, "filter value whole": 1.0, "filter header": 1.0}
        return Rows(numbers, (step,), positions, frozenset({"first"}), frozenset({column.index}), features)

    def _said_yes(self) -> Iterator[Rows]:
        """The rows with "yes" in a column of yes and no whose whole head the question has, or with "no"."""
        for link in self.links.headers.values():
            column = self.grid.columns[link.column]
            said = {n: cell.words.casefold() for n, cell in enumerate(column.cells) if cell.words}
            if link.score < 1 or not said or not set(said.values()) <= _YES | _NO:
                continue
            yield self._with_answer(column, link.positions, said, _YES)
            if "not" in self.operators:
                yield self._with_answer(column, link.positions | self.operators["not"], said, _NO)

    def _with_answer(
        self, column: Column, positions: frozenset[int], said: dict[int, str], wanted: frozenset[str]
    ) -> Rows:
        numbers = tuple(n for n in self.all_rows.numbers if said.get(n) in wanted)
        is_negated = wanted is _NO
        text = f"{rows_text(len(numbers))} with “{'no' if is_negated else 'yes'}” in {header_text(column)}."
        rows = self._told(numbers, column, text, positions)
        if not is_negated:
            return replace(rows, used=frozenset())
        return replace(rows, used=frozenset({"not"}), features={**rows.features, "negated": 1.0})

    def _beside_own(self) -> Iterator[Rows]:
        """The rows with more, or less, in one column than in another: "fewer in stock than their reorder level"."""
        own = THAN_OWN.search(self.question.text)
        match = own or _THAN_COLUMN.search(self.question.text)
        name, positions = self._compared_as(match)
        if match is None or not name:
            return
        behind = self.question.positions(match.start(), len(self.question.text))
        columns = [c for c in self.grid.columns if c.kind == "number" and not c.is_mixed]
        pairs = [
            (one, other, heads)
            for one, other in permutations(columns, 2)
            if other.index in self.links.headers
            and (heads := self._heads(one, other))[1] <= behind
            and heads[1]
            and not {n for n in heads[0] & behind if not self.question.words[n].text[0].isdigit()}
        ]
        told = [pair for pair in pairs if pair[2][0]] or (self._only_alike(pairs) if own else [])
        for one, other, heads in told:
            numbers, cells = self._exceeding_own(one, other, name == "most")
            if numbers:
                sign = "more" if name == "most" else "less"
                text = f"{rows_text(len(numbers))} with {sign} in {header_text(one)} than in {header_text(other)}."
                yield Rows(
                    numbers,
                    (TableStep("filter rows", text, str(len(numbers)), cells),),
                    heads[0] | heads[1] | positions | self.question.positions(*match.span()),
                    frozenset({name, "next", "previous"}),
                    frozenset({one.index, other.index}),
                    {"filter": 1.0, "bound": 1.0, "bound header": 1.0, BESIDE_OWN: 1.0},
                )

    def _compared_as(self, match: re.Match[str] | None) -> tuple[str, frozenset[int]]:
        """Whether more or less is asked for, as "most" or "least", and the words that say so; else empty."""
        if match is None:
            return "", frozenset()
        words = set(match[0].casefold().split())
        if words & (_MORE | _LESS):
            return ("most" if words & _MORE else "least"), frozenset()
        names = [name for name in ("most", "least") if name in self.operators]
        return (names[0], self.operators[names[0]]) if len(names) == 1 else ("", frozenset())

    def _heads(self, one: Column, other: Column) -> tuple[frozenset[int], frozenset[int]]:
        return self._positions_of_own(one, other), self._positions_of_own(other, one)

    def _only_alike(
        self, pairs: list[tuple[Column, Column, tuple[frozenset[int], frozenset[int]]]]
    ) -> list[tuple[Column, Column, tuple[frozenset[int], frozenset[int]]]]:
        """The only column that can be held against the one named: of its unit, or of none as well."""
        alike_units = [
            pair for pair in pairs if len({_unit(column) for column in pair[:2]}) == 1 and not pair[0].is_rank
        ]
        return alike_units if len(alike_units) == 1 else []

    def _positions_of_own(self, column: Column, other: Column) -> frozenset[int]:
        """The words of the question that a column's head has, and that of another has not."""
        telling = set(column.header_terms) - set(other.header_terms)
        words = enumerate(self.question.words)
        return frozenset(n for n, word in words if any(alike(word.term, term) for term in telling))

    def _exceeding_own(
        self, one: Column, other: Column, more: bool
    ) -> tuple[tuple[int, ...], tuple[Place, ...]]:
        """The rows with more, or less, in one column than in the other, and the cells that say so."""
        numbers = []
        for number in self.all_rows.numbers:
            value, against = (column.cells[number].value.number for column in (one, other))
            if value is not None and against is not None and value != against and (value > against) == more:
                numbers.append(number)
        return tuple(numbers), tuple((n, column.index) for n in numbers for column in (one, other))


def _unit(column: Column) -> str:
    """What a head says in parentheses, or the sign of its cells: "€" of "Price (€)"."""
    _, _, told = column.header.partition("(")
    units = {cell.unit for cell in column.cells if cell.words}
    return told.rstrip(") ") or " ".join(sorted(units))
