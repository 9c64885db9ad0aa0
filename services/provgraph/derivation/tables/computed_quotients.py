"""Answers that divide or multiply the cells which a question names: "per", "how many times", changes and shares in per
cent, and what a stock is worth.

"How many pupils per teacher did Elm School have?" divides two cells of a row, of which a measure in two parts (girls
and boys) counts whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from provgraph.derivation.tables.candidate import number_text
from provgraph.derivation.tables.cell_periods import years_in
from provgraph.derivation.tables.linking import alike
from provgraph.derivation.tables.named_cells import Measured, is_numeric
from provgraph.derivation.tables.operands import Computed, Operands, OperandSets
from provgraph.derivation.tables.rows import TableStep, header_text
from provgraph.language.terms import terms

_PRICES: Final = terms("price cost")
_QUANTITIES: Final = frozenset(terms("stock quantity qty pieces units copies"))
_HUNDRED: Final = Decimal(100)


class Quotients:
    """The quotients and products of the cells that a question names."""

    def __init__(self, operands: OperandSets) -> None:
        self.operands, self.named = operands, operands.named
        self.question, self.grid = operands.question, operands.grid

    def changed(self) -> Iterator[Computed]:
        """The change from the earlier to the later of two columns of a row, in per cent of the earlier."""
        for pair in self.operands.pairs():
            years = [years_in(each.column.header) for each in pair.columns]
            if len(years) != 2 or not all(years):
                continue
            ordered = replace(
                pair, columns=tuple(sorted(pair.columns, key=lambda each: years_in(each.column.header)))
            )
            numbers = self.operands.numbers(ordered.places)
            if numbers is not None and numbers[0] > 0:
                text = f"{round((numbers[1] - numbers[0]) / numbers[0] * _HUNDRED, 1):f}%"
                said = f"From {self.operands.shown(ordered.places)}: {text}."
                yield ordered.result(TableStep("percent change", said, text, ordered.places), has_unit=False)

    def multiplied_by(self) -> Iterator[Computed]:
        """How many times the one row is the other: "How many times as long as A is B?" divides B by A."""
        both = self.operands.two_rows()
        if both is None:
            return
        is_second_more = "than" not in {word.text.casefold() for word in self.question.words}
        for pair in self.operands.in_one_column(*(both[::-1] if is_second_more else both)):
            yield from self._quotient(pair)

    def divided(self) -> Iterator[Computed]:
        """One column of a row by another: "pupils per teacher", "people per square kilometre"."""
        words = [word.text.casefold() for word in self.question.words]
        at = next((n for n, word in enumerate(words) if word in ("per", "each", "every")), None)
        if at is None:
            return
        for rows in self.operands.row_sets():
            free = self.operands.free(rows)
            years = frozenset(n for n in free if words[n][0].isdigit())
            behind = self._run_behind(at) & free
            below = self.named.measured(behind | years) or self.named.in_unit(behind)
            used = frozenset[int]().union(*(each.positions for each in below))
            above = self.named.measured(free - used | years)
            if len(rows.numbers) == 1 == len(below) and 0 < len(above) <= 2 and below[0] not in above:
                yield from self._quotient(Operands(rows, (*above, *below)))

    def _run_behind(self, at: int) -> frozenset[int]:
        """The words right behind a word, up to the next that says nothing by itself."""
        words = self.question.words
        end = next((n for n in range(at + 1, len(words)) if not words[n].is_content), len(words))
        return frozenset(range(at + 1, end))

    def _quotient(self, operands: Operands) -> Iterator[Computed]:
        """The cells but the last together, divided by the last."""
        places = operands.places
        numbers = self.operands.numbers(places)
        if numbers is None or numbers[-1] <= 0:
            return
        value = sum(numbers[:-1], Decimal(0)) / numbers[-1]
        text = number_text(round(value, 2 if value < _HUNDRED else 0), ["1,000"])
        said = f"{self.operands.shown(places[:-1])} divided by {self.operands.shown(places[-1:])}: {text}."
        yield operands.result(TableStep("quotient", said, text, places), has_unit=False)

    def shared(self) -> Iterator[Computed]:
        """What a row is of the row of totals in per cent."""
        for chosen in self.operands.chosen():
            if len(chosen.places) != 1 or chosen.rows.numbers[0] in self.grid.total_rows:
                continue
            whole = self.operands.whole_of(chosen.places)
            part, total = self.operands.numbers(chosen.places), self.operands.numbers(whole)
            if part is None or total is None or not 0 <= part[0] <= sum(total) or sum(total) <= 0:
                continue
            text = f"{round(part[0] / sum(total) * _HUNDRED, 1):f}%"
            said = f"{self.operands.shown(chosen.places)} of {self.operands.text(Decimal(sum(total)), whole)}: {text}."
            computed = chosen.result(TableStep("share", said, text, (*chosen.places, *whole)), has_unit=False)
            labels = {term for row in self.grid.total_rows for term in terms(self.grid.labels[row])}
            of_whole = {n for n, word in enumerate(self.question.words) if word.term in labels}
            yield replace(computed, covered=computed.covered | of_whole)

    def multiplied(self) -> Iterator[Computed]:
        """What the quantities of rows are worth at their price."""
        numeric = [column for column in self.grid.columns if is_numeric(column)]
        prices = [c for c in numeric if any(alike(t, p) == 1 for t in c.header_terms for p in _PRICES)]
        quantities = [c for c in numeric if _QUANTITIES & set(c.header_terms) and c not in prices]
        if len(prices) != 1 or len(quantities) != 1:
            return
        price, quantity = prices[0], quantities[0]
        heads = {term for column in (price, quantity) for term in column.header_terms}
        for rows in (*self.operands.row_sets(), self.named.all_rows):
            said = frozenset(n for n in self.operands.free(rows) if self.question.words[n].term in heads)
            operands = Operands(
                rows, (Measured(quantity, said, frozenset()), Measured(price, said, frozenset()))
            )
            numbers = self.operands.numbers(operands.places)
            if numbers is None:
                continue
            value = sum(
                (one * other for one, other in zip(numbers[::2], numbers[1::2], strict=True)), Decimal(0)
            )
            text = f"{value:,.2f}"
            shown = f"{header_text(quantity)} times {header_text(price)}"
            yield operands.result(TableStep("product", f"{shown}: {text}.", text, operands.places[::-1]))
