"""Answers that are computed of the cells which a question names: look-ups, sums, averages, differences, counts.

The cells are those of the rows and columns that its words name, each word accounted for (`named_cells.py`); where no
such cells are in a table, nothing is computed. "How many pupils, girls and boys, did Elm School have in 2022?" adds
two cells of a row. What divides or multiplies cells is in `computed_quotients.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from provgraph.derivation.tables.asked_operations import asked_operation
from provgraph.derivation.tables.candidate import kind_of
from provgraph.derivation.tables.computed_quotients import Quotients
from provgraph.derivation.tables.grid import Grid
from provgraph.derivation.tables.named_cells import NamedCells, is_numeric
from provgraph.derivation.tables.operands import Computed, Operands, OperandSets
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.derivation.tables.rows import Rows, TableStep, header_text, rows_text
from provgraph.language.terms import terms

SURE: Final = 0.85
"""How likely a computed answer is right where every word is accounted for."""
_OTHERWISE: Final = frozenset(
    ("most", "least", "first", "last", "next", "previous", "same", "not", "or", "count", "both")
)
"""Operators of questions that ask for more than a cell."""
_NUMBERS_ASKED: Final = frozenset(("how many", "how much", "how long", "what", ""))
"""Question words, or none ("Add up ..."), of what a number answers."""
_DATES: Final = frozenset(terms("date day year month time"))
_WON: Final = re.compile(r"\bwho (?:has )?won\b|\bwho (?:came|finished|was placed) first\b", re.IGNORECASE)
_WORDS_OF_OPERATIONS: Final = ("count", "sum", "average", "difference", "both", "each")


class ComputedAnswers:
    """What a question asks to be computed of a grid."""

    def __init__(self, question: TableQuestion, grid: Grid) -> None:
        self.question, self.grid = question, grid
        self.named = NamedCells(question, grid)
        self.operands = OperandSets(self.named)
        self._quotients = Quotients(self.operands)

    def best(self) -> Computed | None:
        """The answer that accounts for most words of the question; None where a condition would be dropped."""
        asked = asked_operation(self.question)
        if self.question.is_yes_no:
            return None
        made = self.programs.get(asked.name) if asked is not None else self.looked_up
        if self.question.asks not in _NUMBERS_ASKED:
            made, asked = self.won, None
        positions = asked.positions if asked is not None else frozenset[int]()
        return max(
            (
                computed
                for computed in (made() if made is not None else ())
                if self.named.is_accounted(computed.covered, positions | self._operators)
            ),
            key=lambda computed: (
                len(computed.covered & self.question.content - self.named.row_nouns),
                -len(computed.steps),
            ),
            default=None,
        )

    @property
    def programs(self) -> Mapping[str, Callable[[], Iterator[Computed]]]:
        """By operation, what makes the answers to it."""
        return {
            "sum": self.summed,
            "average": self.averaged,
            "difference": self.differing,
            "count": self.counted,
            "percent change": self._quotients.changed,
            "times": self._quotients.multiplied_by,
            "per": self._quotients.divided,
            "share": self._quotients.shared,
            "product": self._quotients.multiplied,
        }

    @property
    def _operators(self) -> frozenset[int]:
        """The words that ask for operations."""
        found = (self.question.operators.get(name, frozenset[int]()) for name in _WORDS_OF_OPERATIONS)
        return frozenset[int]().union(*found)

    def looked_up(self) -> Iterator[Computed]:
        """The one cell of a row and a column that the question names."""
        if self.question.operators.keys() & _OTHERWISE:
            return
        asks_date = bool(_DATES & {self.question.words[n].term for n in sorted(self.question.focus)[:1]})
        for rows in self.named.row_sets:
            columns = self.named.measured(self.operands.free(rows), lambda column: column.kind != "text")
            if len(rows.numbers) != 1 or len(columns) != 1 or columns[0].column.index in rows.columns:
                continue
            column, number = columns[0].column, rows.numbers[0]
            cell = column.cells[number]
            is_date = column.kind == "date" or column.is_clock
            if (cell.value.number is None and cell.value.date is None) or (asks_date and not is_date):
                continue
            step = TableStep(
                "select column",
                f"{header_text(column)} of 1 row: {cell.words}.",
                cell.words,
                ((number, column.index),),
            )
            covered = rows.covered | columns[0].positions
            yield Computed(
                cell.words, kind_of(column), (*rows.steps, step), rows, covered, is_numeric(column)
            )

    def won(self) -> Iterator[Computed]:
        """Who is in the first place of the only column of ranks: "Who won the race?"."""
        match = _WON.search(self.question.text)
        ranks = [c for c in self.grid.columns if c.is_rank and c.kind == "number" and not c.is_mixed]
        name = self.grid.name_column
        if match is None or len(ranks) != 1 or name is None:
            return
        numbers = tuple(n for n in self.named.all_rows.numbers if ranks[0].cells[n].value.number == 1)
        if len(numbers) == 1:
            said = f"1 row is first in {header_text(ranks[0])}."
            rows = Rows(numbers, (TableStep("filter rows", said, "1", ((numbers[0], ranks[0].index),)),))
            text = self.grid.cell(numbers[0], name).words
            step = TableStep(
                "select column",
                f"{header_text(self.grid.columns[name])}: {text}.",
                text,
                ((numbers[0], name),),
            )
            covered = self.question.positions(*match.span())
            yield Computed(text, "entity", (*rows.steps, step), rows, covered, has_unit=False)

    def summed(self) -> Iterator[Computed]:
        """The sum of several rows in a column, or of several columns of a row."""
        yield from self._of_all("sum", lambda numbers: sum(numbers, Decimal(0)))

    def averaged(self) -> Iterator[Computed]:
        """The mean of the rows in a column, or of several columns of a row."""
        yield from self._of_all("average", lambda numbers: sum(numbers, Decimal(0)) / len(numbers))

    def _of_all(self, name: str, computed: Callable[[list[Decimal]], Decimal]) -> Iterator[Computed]:
        for chosen in self.operands.chosen():
            filled = [place for place in chosen.places if self.grid.cell(*place).value.number is not None]
            numbers = self.operands.numbers(filled)
            is_table = len(chosen.columns) > 1 and len(chosen.rows.numbers) > 1
            if numbers is None or len(numbers) < 2 or (is_table and name == "average"):
                continue
            text = self.operands.text(computed(numbers), filled)
            heads = " and ".join(header_text(each.column) for each in chosen.columns)
            said = f"The {name} of {heads} over {rows_text(len(chosen.rows.numbers))} is {text}."
            missing = (chosen.columns[0].column.index, len(chosen.places) - len(filled))
            rows = replace(chosen.rows, unread=(*chosen.rows.unread, missing))
            yield replace(chosen, rows=rows).result(TableStep(name, said, text, tuple(filled)))

    def differing(self) -> Iterator[Computed]:
        """The difference of two columns of a row, or of two rows in a column."""
        for pair in self.operands.pairs():
            numbers = self.operands.numbers(pair.places)
            if numbers is not None:
                text = self.operands.text(abs(numbers[0] - numbers[1]), pair.places)
                said = f"Between {self.operands.shown(pair.places)}: {text}."
                yield pair.result(TableStep("difference", said, text, pair.places))

    def counted(self) -> Iterator[Computed]:
        """How many rows have all that the question says of them, where it counts what the rows are."""
        counted = self.question.counted
        yield from self.looked_up()
        for rows in self.named.row_sets:
            if not self.named.kept(rows) or counted & self._number_words(Operands(rows)):
                continue
            if self.grid.name_column in rows.columns and not counted & self.named.row_nouns:
                continue
            number = str(len(rows.numbers))
            places = tuple((n, self.grid.name_column or 0) for n in rows.numbers)
            step = TableStep("count", f"{rows_text(len(rows.numbers))} counted.", number, places)
            yield Computed(number, "count", (*rows.steps, step), rows, rows.covered, has_unit=False)

    def _number_words(self, chosen: Operands) -> frozenset[int]:
        """The words of heads of numbers by which no rows were chosen: what a cell says is not counted."""
        return frozenset(
            n
            for column, link in self.named.links.headers.items()
            if self.grid.columns[column].kind == "number" and column not in chosen.rows.columns
            for n in link.positions
        )
