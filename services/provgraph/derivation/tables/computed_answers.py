"""Answers that are computed of the cells which a question names: sums, averages, differences, quotients, counts.

The cells are those of the rows and columns that its words name, each word accounted for (`covering.py`); where no such
cells are in a table, nothing is computed. "How many pupils per teacher did Elm School have?" divides two cells of a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import Final

from provgraph.derivation.result import AnswerKind
from provgraph.derivation.tables.asked_operations import AskedOperation, asked_operation
from provgraph.derivation.tables.candidate import number_text
from provgraph.derivation.tables.cell_periods import years_in
from provgraph.derivation.tables.covering import Covering, Measured
from provgraph.derivation.tables.grid import Grid
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.derivation.tables.rows import Place, Rows, TableStep, header_text, rows_text

SURE: Final = 0.85
"""How likely a computed answer is right where every word is accounted for."""
_MOST_SETS: Final = 40


@dataclass(frozen=True)
class Computed:
    """An answer with its steps, the first cell of what it was computed of, and the rows that were chosen."""

    text: str
    kind: AnswerKind
    steps: tuple[TableStep, ...]
    rows: Rows
    covered: frozenset[int]
    has_unit: bool = True


class ComputedAnswers:
    """What a question asks to be computed of a grid."""

    def __init__(self, question: TableQuestion, grid: Grid) -> None:
        self.question, self.grid = question, grid
        self.covering = Covering(question, grid)

    def best(self) -> Computed | None:
        """The answer that accounts for most words of the question; None where a condition would be dropped."""
        asked = asked_operation(self.question)
        if asked is None or self.question.is_yes_no or not self._asks_number:
            return None
        made = _PROGRAMS.get(asked.name)
        if made is None:
            return None
        return max(
            (
                each
                for each in made(self, asked)
                if self.covering.is_accounted(each.covered, asked.positions | self._operators)
            ),
            key=lambda each: len(each.covered & self.question.content),
            default=None,
        )

    @cached_property
    def _asks_number(self) -> bool:
        return not self.question.asks.startswith(("which", "who", "where", "when"))

    @cached_property
    def _operators(self) -> frozenset[int]:
        """The words of operations that are no words of the table's heads."""
        names = ("count", "sum", "average", "difference", "both", "each")
        return frozenset().union(*(self.question.operators.get(name, frozenset()) for name in names))

    def _chosen(self, least: int = 1) -> Iterator[tuple[Rows, list[Measured]]]:
        """Rows with the columns that the words behind nothing else name."""
        sets = [rows for rows in self.covering.row_sets[:_MOST_SETS] if self.covering.kept(rows)]
        for rows in (*sets, self.covering.all_rows):
            free = self.covering.words_beside(rows) | self._header_words(rows)
            columns = [each for each in self.covering.measured(free) if each.column.index not in rows.columns]
            if len(rows.numbers) * len(columns) >= least and rows.numbers:
                yield rows, columns

    def _header_words(self, rows: Rows) -> frozenset[int]:
        """Words of heads that a filter accounts for as well: "points" of "more than 3 points"."""
        heads = {n for column, link in self.covering.links.headers.items() for n in link.akin}
        values = {n for link in self.covering.links.values for n in link.positions}
        return frozenset(heads - values) & rows.covered

    def _numbers(self, places: Sequence[Place]) -> list[Decimal] | None:
        """The numbers of cells; None where one of them has none."""
        values = [self.grid.cell(*place).value.number for place in places]
        known = [value for value in values if value is not None]
        return known if len(known) == len(values) and known else None

    def summed(self, asked: AskedOperation) -> Iterator[Computed]:
        """The sum of several rows in a column, or of several columns of a row."""
        yield from self._of_all(asked.name, lambda numbers: sum(numbers, Decimal(0)))

    def averaged(self, asked: AskedOperation) -> Iterator[Computed]:
        """The mean of the rows in a column, or of several columns of a row."""
        yield from self._of_all(asked.name, lambda numbers: sum(numbers, Decimal(0)) / len(numbers))

    def _of_all(self, name: str, computed: Callable[[list[Decimal]], Decimal]) -> Iterator[Computed]:
        for rows, columns in self._chosen(least=2):
            if name == "average" and len(columns) > 1 and len(rows.numbers) > 1:
                continue
            places = [(n, each.column.index) for n in rows.numbers for each in columns]
            filled = [place for place in places if self.grid.cell(*place).value.number is not None]
            numbers = self._numbers(filled)
            if numbers is None or len(numbers) < 2:
                continue
            text = self._text(computed(numbers), filled)
            heads = " and ".join(header_text(each.column) for each in columns)
            said = f"The {name} of {heads} over {rows_text(len(rows.numbers))} is {text}."
            missing = ((columns[0].column.index, len(places) - len(filled)),)
            yield self._made(
                name, text, said, filled, replace(rows, unread=(*rows.unread, *missing)), columns
            )

    def _text(self, value: Decimal, places: Sequence[Place]) -> str:
        return number_text(value, [self.grid.cell(*place).text for place in places])

    def _made(
        self,
        operation: str,
        text: str,
        said: str,
        places: Sequence[Place],
        rows: Rows,
        columns: Sequence[Measured],
        has_unit: bool = True,
    ) -> Computed:
        step = TableStep(operation, said, text, tuple(places))
        covered = rows.covered.union(*(each.positions for each in columns))
        return Computed(text, "number", (*rows.steps, step), rows, covered, has_unit)

    def differing(self, asked: AskedOperation) -> Iterator[Computed]:
        """The difference of two columns of a row, or of two rows in a column."""
        for rows, columns in self._pairs():
            places = _places(rows, columns)
            numbers = self._numbers(places)
            if numbers is not None:
                text = self._text(abs(numbers[0] - numbers[1]), places)
                said = f"Between {self._shown(places)}: {text}."
                yield self._made("difference", text, said, places, rows, columns)

    def changed(self, asked: AskedOperation) -> Iterator[Computed]:
        """The change from the earlier to the later of two columns of a row, in per cent of the earlier."""
        for rows, columns in self._pairs():
            ordered = sorted(columns, key=lambda each: years_in(each.column.header))
            if len(ordered) != 2 or not all(years_in(each.column.header) for each in ordered):
                continue
            places = _places(rows, ordered)
            numbers = self._numbers(places)
            if numbers is not None and numbers[0] > 0:
                share = round((numbers[1] - numbers[0]) / numbers[0] * 100, 1)
                text = f"{share:f}%"
                said = f"From {self._shown(places)}: {text}."
                yield self._made("percent change", text, said, places, rows, ordered, has_unit=False)

    def _shown(self, places: Sequence[Place]) -> str:
        return " and ".join(
            f"“{self.grid.cell(*place).words}” in {header_text(self.grid.columns[place[1]])}"
            for place in places
        )

    def _pairs(self) -> Iterator[tuple[Rows, list[Measured]]]:
        """One row with two columns, or two rows with one column."""
        for rows, columns in self._chosen(least=2):
            if len(rows.numbers) == 1 and len(columns) == 2:
                yield rows, columns
        both = self._two_rows()
        if both is None:
            return
        rows = Rows(
            (*both[0].numbers, *both[1].numbers),
            (*both[0].steps, *both[1].steps),
            both[0].covered | both[1].covered,
            columns=both[0].columns | both[1].columns,
        )
        columns = self.covering.measured(self.covering.words_beside(rows))
        if len(columns) == 1:
            yield rows, columns

    def _two_rows(self) -> tuple[Rows, Rows] | None:
        """The rows that are named before and behind "than", "and" or "is": in the order in which they are named."""
        parting = [
            n
            for n, word in enumerate(self.question.words)
            if word.text.casefold() in ("than", "and", "is", "from")
        ]
        count = len(self.question.words)
        for at, behind in pairwise((*parting, count)):
            sides = (range(at), range(at + 1, count if behind == count else count))
            one, other = (self.covering.named_by(frozenset(side)) for side in sides)
            if one is not None and other is not None and one.numbers != other.numbers:
                return one, other
        return None

    def multiplied_by(self, asked: AskedOperation) -> Iterator[Computed]:
        """How many times the one row is the other: "How many times as long as A is B?" divides B by A."""
        both = self._two_rows()
        if both is None:
            return
        is_second_more = "than" not in {word.text.casefold() for word in self.question.words}
        more, less = both[::-1] if is_second_more else both
        covered = both[0].covered | both[1].covered
        rows = Rows((*more.numbers, *less.numbers), (*more.steps, *less.steps), covered)
        columns = self.covering.measured(self.covering.words_beside(rows))
        if len(columns) == 1:
            yield from self._quotient(rows, _places(rows, columns), columns)

    def divided(self, asked: AskedOperation) -> Iterator[Computed]:
        """One column of a row by another: "pupils per teacher"; a measure in two parts counts whole."""
        words = self.question.words
        at = next(
            (n for n, word in enumerate(words) if word.text.casefold() in ("per", "each", "every")), None
        )
        if at is None:
            return
        for rows in self.covering.row_sets[:_MOST_SETS]:
            if len(rows.numbers) != 1:
                continue
            free = self.covering.words_beside(rows)
            years = frozenset(n for n in free if words[n].text[0].isdigit())
            above = self.covering.measured({n for n in free if n < at} | years)
            below = self.covering.measured({n for n in free if n > at} | years)
            if len(below) == 1 and 0 < len(above) <= 2 and below[0] not in above:
                yield from self._quotient(rows, _places(rows, (*above, *below)), (*above, *below))

    def _quotient(
        self, rows: Rows, places: Sequence[Place], columns: Sequence[Measured]
    ) -> Iterator[Computed]:
        """The cells but the last together, divided by the last."""
        numbers = self._numbers(places)
        if numbers is None or numbers[-1] <= 0:
            return
        value = sum(numbers[:-1], Decimal(0)) / numbers[-1]
        text = f"{round(value, 2 if value < 100 else 0).normalize():,f}"
        said = f"{self._shown(places[:-1])} divided by {self._shown(places[-1:])}: {text}."
        yield self._made("quotient", text, said, places, rows, columns, has_unit=False)

    def counted(self, asked: AskedOperation) -> Iterator[Computed]:
        """How many rows have all that the question says of them, where it counts what the rows are."""
        counted = self.question.counted
        for rows in self.covering.row_sets[:_MOST_SETS]:
            if not self.covering.kept(rows) or counted & self._number_words(rows):
                continue
            if self.grid.name_column in rows.columns and not counted & self.covering.row_nouns:
                continue
            number = str(len(rows.numbers))
            places = tuple((n, self.grid.name_column or 0) for n in rows.numbers)
            step = TableStep("count", f"{rows_text(len(rows.numbers))} counted.", number, places)
            covered = rows.covered | counted
            yield Computed(number, "count", (*rows.steps, step), rows, covered)

    def _number_words(self, rows: Rows) -> frozenset[int]:
        """The words of heads of numbers by which no rows were chosen: what a cell says is not counted."""
        return frozenset(
            n
            for column, link in self.covering.links.headers.items()
            if self.grid.columns[column].kind == "number" and column not in rows.columns
            for n in link.positions
        )


def _places(rows: Rows, columns: Sequence[Measured]) -> list[Place]:
    return [(n, each.column.index) for n in rows.numbers for each in columns]


_PROGRAMS: Final[dict[str, Callable[[ComputedAnswers, AskedOperation], Iterator[Computed]]]] = {
    "sum": ComputedAnswers.summed,
    "average": ComputedAnswers.averaged,
    "difference": ComputedAnswers.differing,
    "percent change": ComputedAnswers.changed,
    "times": ComputedAnswers.multiplied_by,
    "per": ComputedAnswers.divided,
    "count": ComputedAnswers.counted,
}
