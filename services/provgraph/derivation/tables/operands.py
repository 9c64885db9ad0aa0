"""The cells that an operation is carried out on: rows and columns that words of a question name, and pairs of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from provgraph.derivation.result import AnswerKind
from provgraph.derivation.tables.asked_operations import asked_operation
from provgraph.derivation.tables.candidate import number_text
from provgraph.derivation.tables.named_cells import Measured, NamedCells, is_numeric
from provgraph.derivation.tables.rows import Place, Rows, TableStep, header_text, rows_text

_MOST_SETS: Final = 40
_PARTING: Final = frozenset("than and is was are were do does did from with to".split())
"""Words between two things that are held against each other."""
_PLACES: Final = {
    "first": 1, "winner": 1, "winning": 1, "gold": 1, "second": 2, "runner": 2, "silver": 2, "third": 3, "bronze": 3,
    "fourth": 4, "fifth": 5,
}  # fmt: skip
"""Words for places in an order, as a column of ranks counts them."""


@dataclass(frozen=True)
class Computed:
    """An answer with its steps, the rows that were chosen, and the words of the question that it accounts for."""

    text: str
    kind: AnswerKind
    steps: tuple[TableStep, ...]
    rows: Rows
    covered: frozenset[int]
    has_unit: bool = True


@dataclass(frozen=True)
class Operands:
    """The cells of `rows` in `columns`."""

    rows: Rows
    columns: tuple[Measured, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple((n, each.column.index) for n in self.rows.numbers for each in self.columns)

    def result(self, step: TableStep, has_unit: bool = True) -> Computed:
        """The number that a step gives of these cells."""
        covered = self.rows.covered.union(*(each.positions for each in self.columns))
        return Computed(step.value, "number", (*self.rows.steps, step), self.rows, covered, has_unit)


class OperandSets:
    """The sets of cells that a question may mean."""

    def __init__(self, named: NamedCells) -> None:
        self.named = named
        self.question, self.grid = named.question, named.grid
        asked = asked_operation(self.question)
        self._operation = asked.positions if asked is not None else frozenset[int]()

    def row_sets(self) -> Iterator[Rows]:
        """The rows that words tell and that take out what the question takes out."""
        yield from (rows for rows in self.named.row_sets[:_MOST_SETS] if self.named.kept(rows))

    def chosen(self) -> Iterator[Operands]:
        """Rows, and every row, with the columns that other words name."""
        every = () if "not" in self.question.operators else (self.named.all_rows,)
        for rows in (*self.row_sets(), *every):
            columns = [
                each for each in self.named.measured(self.free(rows)) if each.column.index not in rows.columns
            ]
            # "Total" heads no operand of "the total number of prizes" where "Prizes" heads one.
            columns = [each for each in columns if not each.positions <= self._operation] or columns
            if columns and rows.numbers:
                yield Operands(rows, tuple(columns))

    def free(self, rows: Rows) -> frozenset[int]:
        """The words that may name columns: those that account for no rows, and heads that a filter has as well."""
        heads = {n for link in self.named.links.headers.values() for n in link.akin}
        values = {n for link in self.named.links.values for n in link.positions}
        return self.named.words_beside(rows) | frozenset(heads - values) & rows.covered

    def pairs(self) -> Iterator[Operands]:
        """One row with two columns, or two rows with one column."""
        for chosen in self.chosen():
            if len(chosen.rows.numbers) == 1 and len(chosen.columns) == 2:
                yield chosen
        both = self.two_rows()
        if both is not None:
            yield from self.in_one_column(*both)

    def in_one_column(self, one: Rows, other: Rows) -> Iterator[Operands]:
        """Two rows with the one column that the other words name."""
        covered = one.covered | other.covered
        numbers, steps = (*one.numbers, *other.numbers), (*one.steps, *other.steps)
        rows = Rows(numbers, steps, covered, columns=one.columns | other.columns)
        columns = self.named.measured(self.named.words_beside(rows))
        if len(columns) == 1:
            yield Operands(rows, tuple(columns))

    def two_rows(self) -> tuple[Rows, Rows] | None:
        """The rows that are named before and behind a word such as "than", in the order in which they are named."""
        words = self.question.words
        parting = [n for n, word in enumerate(words) if word.text.casefold() in _PARTING]
        for at, behind in pairwise((*parting, len(words))):
            ends = {behind, len(words)}
            for end in sorted(ends):
                sides = (frozenset(range(at)), frozenset(range(at + 1, end)))
                one, other = (self.named.named_by(side) for side in sides)
                if one is not None and other is not None and one.numbers != other.numbers:
                    return one, other
        return self._placed()

    def _placed(self) -> tuple[Rows, Rows] | None:
        """The rows of the two places that are named: "the winner and the runner-up", where a column ranks."""
        ranks = [column for column in self.grid.columns if column.is_rank and column.kind == "number"]
        named = {
            n: _PLACES[word.text.casefold()]
            for n, word in enumerate(self.question.words)
            if word.text.casefold() in _PLACES
        }
        if len(ranks) != 1 or len(named) != 2:
            return None
        found = []
        for at, place in named.items():
            numbers = [n for n in self.named.all_rows.numbers if ranks[0].cells[n].value.number == place]
            if len(numbers) != 1:
                return None
            said = f"{rows_text(1)} has {place} in {header_text(ranks[0])}."
            step = TableStep("filter rows", said, "1", ((numbers[0], ranks[0].index),))
            heads = self.named.links.headers.get(ranks[0].index)
            covered = frozenset(
                {at, at + 1} if self.question.text[self.question.words[at].end :][:1] == "-" else {at}
            )
            covered |= heads.akin if heads else frozenset()
            found.append(Rows((numbers[0],), (step,), covered, columns=frozenset({ranks[0].index})))
        return found[0], found[1]

    def numbers(self, places: Sequence[Place]) -> list[Decimal] | None:
        """The numbers of cells; None where one of them has none."""
        values = [self.grid.cell(*place).value.number for place in places]
        known = [value for value in values if value is not None]
        return known if len(known) == len(values) and known else None

    def text(self, value: Decimal, places: Sequence[Place]) -> str:
        """A number as the cells print theirs."""
        return number_text(value, [self.grid.cell(*place).text for place in places])

    def shown(self, places: Sequence[Place]) -> str:
        """The cells with their heads."""
        return " and ".join(
            f"“{self.grid.cell(*place).words}” in {header_text(self.grid.columns[place[1]])}"
            for place in places
        )

    def whole_of(self, places: Sequence[Place]) -> list[Place]:
        """The cell of the only row of totals in the column of a cell."""
        column = self.grid.columns[places[0][1]]
        filled = [
            (n, column.index)
            for n in sorted(self.grid.total_rows)
            if column.cells[n].value.number is not None
        ]
        return filled if len(filled) == 1 and is_numeric(column) else []
