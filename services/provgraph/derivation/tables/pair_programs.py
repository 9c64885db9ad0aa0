"""Two things that a question names, held against each other: difference, which of the two, more or less."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Final

from provgraph.derivation.tables.candidate import (
    Account,
    Candidate,
    candidate,
    number_text,
    spread,
)
from provgraph.derivation.tables.grid import Column
from provgraph.derivation.tables.row_programs import RowPrograms
from provgraph.derivation.tables.rows import Place, Rows, TableStep, added, header_text, key_of, rows_text

_MOST_PAIRS = 40
_PLUS: Final = re.compile(
    r"\bplus\b|\bcombined\b|\band\b.*\b(?:together|combined|in total|altogether)\b", re.I
)


class PairPrograms:
    """Answers from two sets of rows, or from two columns of one row."""

    def __init__(self, row_programs: RowPrograms) -> None:
        self.row_programs = row_programs
        self.question, self.grid, self.links = row_programs.question, row_programs.grid, row_programs.links
        self.operators = self.question.operators

    @cached_property
    def filtered(self) -> list[Rows]:
        return self.row_programs.filtered

    def candidates(self) -> Iterator[Candidate]:
        yield from self._of_values()
        yield from self._of_counts()
        yield from self._of_columns()

    def _of_counts(self) -> Iterator[Candidate]:
        """How many more rows have one value than the other, or which of the two more rows have."""
        names = [name for name in ("most", "least", "difference") if name in self.operators]
        if not names:
            return
        for one, other in list(self._pairs(any_size=True))[:_MOST_PAIRS]:
            sizes = (len(one.numbers), len(other.numbers))
            if max(sizes) == 1:
                continue
            rows = Rows(
                (*one.numbers, *other.numbers),
                (*one.steps, *other.steps),
                one.covered | other.covered,
                columns=one.columns | other.columns,
                features={name: value / 2 for name, value in added(one.features, other.features).items()},
            )
            cells = tuple((n, min(rows.columns)) for rows in (one, other) for n in rows.numbers)
            covered = frozenset().union(*(self.operators[name] for name in names))
            covered |= self.question.counted | self.operators.get("count", frozenset())
            shown = f"{rows_text(sizes[0])} and {rows_text(sizes[1])}"
            if self.question.asks.startswith("how"):
                text = str(abs(sizes[0] - sizes[1]))
                step = TableStep("difference", f"Between {shown}: {text}.", text, cells)
                features = {
                    "pair of counts": 1.0,
                    "difference of counts": 1.0,
                    "count number header": float(self._names_numbers),
                }
                account = Account(covered, frozenset({"difference", "count", *names}), features)
                yield candidate(rows, step, "number", account)
            elif sizes[0] != sizes[1] and "or" in self.operators:
                winner = one if (sizes[0] > sizes[1]) == ("most" in names) else other
                text = self.grid.cell(winner.numbers[0], min(winner.columns)).words
                step = TableStep("compare", f"{shown}: {text}.", text, cells)
                features = {"pair of counts": 1.0, "choose by count": 1.0}
                account = Account(covered | self.operators["or"], frozenset({"or", *names}), features)
                yield candidate(rows, step, "entity", account)

    @property
    def _names_numbers(self) -> bool:
        """Whether the question has the head of a column of numbers."""
        kinds = (self.grid.columns[number].kind for number in self.links.headers)
        return "number" in kinds

    def _of_columns(self) -> Iterator[Candidate]:
        """How much more one column of a row says than another, "how many more wins than losses", or both together:
        "goals plus assists"."""
        plus = _PLUS.search(self.question.text)
        if plus is None and not {"difference", "most", "least"} & self.operators.keys():
            return
        linked = [
            self.grid.columns[number] for number, link in self.links.headers.items() if link.score >= 0.5
        ]
        numeric = [column for column in linked if column.kind == "number" and not column.is_mixed]
        for rows in self.filtered[1:]:
            if len(rows.numbers) != 1:
                continue
            number = rows.numbers[0]
            for place, one in enumerate(numeric):
                for other in numeric[place + 1 :]:
                    values = [column.cells[number].value.number for column in (one, other)]
                    if one.index in rows.columns or other.index in rows.columns or None in values:
                        continue
                    cells = ((number, one.index), (number, other.index))
                    known = [value for value in values if value is not None]
                    total = sum(known) if plus is not None else spread(known)
                    text = number_text(Decimal(total), [c.cells[number].text for c in (one, other)])
                    operation = "difference" if plus is None else "sum"
                    shown = f"{header_text(one)} and {header_text(other)}"
                    explanation = (
                        f"Between {shown}: {text}." if plus is None else f"{shown} together: {text}."
                    )
                    step = TableStep(operation, explanation, text, cells)
                    covered = (
                        rows.covered
                        | self.links.headers[one.index].positions
                        | self.links.headers[other.index].positions
                    )
                    covered |= frozenset().union(
                        *(self.operators.get(n, frozenset()) for n in ("difference", "most", "least", "sum"))
                    )
                    if plus is not None:
                        covered |= self.question.positions(*plus.span()) | self.question.counted
                    yield Candidate(
                        (text,),
                        "number",
                        cells,
                        (*rows.steps, step),
                        covered,
                        frozenset({"difference", "most", "least"}),
                        added(rows.features, {"difference of columns": 1.0}),
                        rows,
                    )

    def _pairs(self, any_size: bool = False) -> Iterator[tuple[Rows, Rows]]:
        """Two rows that two phrases of the question name in one column."""
        singles = [rows for rows in self.filtered if rows.steps and len(rows.columns) <= 2]
        for one in singles:
            for other in singles:
                if (
                    one.columns == other.columns
                    and not one.covered & other.covered & self.question.content - self._header_words
                    and min(one.covered) < min(other.covered)
                    and not set(one.numbers) & set(other.numbers)
                    and (any_size or len(one.numbers) <= 3 >= len(other.numbers))
                ):
                    yield one, other

    @property
    def _header_words(self) -> frozenset[int]:
        return frozenset(n for link in self.links.headers.values() for n in link.positions)

    def _of_values(self) -> Iterator[Candidate]:
        names = [name for name in ("most", "least", "first", "last", "difference") if name in self.operators]
        if not names and self.question.asks != "how long":
            return
        for one, other in list(self._pairs())[:_MOST_PAIRS]:
            first, second = one.numbers[0], other.numbers[0]
            for column in self.grid.columns:
                keys = [key_of(column.cells[n].value, column) for n in (first, second)]
                if column.kind == "text" or column.is_mixed or None in keys:
                    continue
                yield from self._of_pair(one, other, column, names)

    def _of_pair(self, one: Rows, other: Rows, column: Column, names: Sequence[str]) -> Iterator[Candidate]:
        first, second = one.numbers[0], other.numbers[0]
        header = self.links.headers.get(column.index)
        rows = Rows(
            (first, second),
            (*one.steps, *other.steps),
            one.covered | other.covered | (header.positions if header else frozenset()),
            columns=one.columns | other.columns | {column.index},
            features={
                **added(one.features, other.features),
                "pair header": header.score if header else 0.0,
                "pair no header": float(header is None),
                "pair of one row": float(len(one.numbers) == 1 == len(other.numbers)),
            },
        )
        keys = [key_of(column.cells[n].value, column) for n in rows.numbers]
        if "difference" in names or ({"most", "least"} & set(names) and self.question.asks.startswith("how")):
            yield self._difference(rows, column, names)
        if self.question.is_yes_no and "or" not in self.operators:
            yield from self._decided(rows, column, names)
            return
        if keys[0] == keys[1] or not ("or" in self.operators or self.question.asks):
            return
        is_more = keys[0] > keys[1]  # type: ignore[operator]
        if {"most", "least"} <= set(names) and "or" in self.operators:
            yield self._more_or_less(rows, column, is_more)
            return
        for name in names:
            if name != "difference":
                up = (name in ("most", "last")) != (column.is_rank and name in ("most", "least"))
                winner = (first, min(one.columns)) if is_more == up else (second, min(other.columns))
                yield self._choice(rows, column, name, winner)

    def _decided(self, rows: Rows, column: Column, names: Sequence[str]) -> Iterator[Candidate]:
        """Yes where the first has more than the second, or less, or is before or after it."""
        first, second = (key_of(column.cells[n].value, column) for n in rows.numbers)
        for name in names:
            if name == "difference" or "than" not in {word.text.casefold() for word in self.question.words}:
                continue
            up = (name in ("most", "last")) != (column.is_rank and name in ("most", "least"))
            is_so = first != second and (first > second) == up  # type: ignore[operator]
            verdict = "yes" if is_so else "no"
            step = TableStep("compare", f"{_shown(rows, column)}: {verdict}.", verdict, _cells(rows, column))
            features = {
                "decided": 1.0,
                "choose date by time": float((name in ("first", "last")) == (column.kind == "date")),
            }
            yield candidate(rows, step, "yes-no", Account(self.operators[name], frozenset({name}), features))

    def _difference(self, rows: Rows, column: Column, names: Sequence[str]) -> Candidate:
        keys = [key_of(column.cells[n].value, column) for n in rows.numbers]
        value = spread([key for key in keys if key is not None])
        text = number_text(value, [column.cells[n].text for n in rows.numbers])
        step = TableStep("difference", f"Between {_shown(rows, column)}: {text}.", text, _cells(rows, column))
        covered = self.operators.get("difference", frozenset())
        account = Account(covered, frozenset({"difference", *names}), {"pair difference": 1.0})
        return candidate(rows, step, "number", account)

    def _more_or_less(self, rows: Rows, column: Column, is_more: bool) -> Candidate:
        verdict = "more" if is_more else "less"
        step = TableStep("compare", f"{_shown(rows, column)}: {verdict}.", verdict, _cells(rows, column))
        covered = frozenset().union(*(self.operators[name] for name in ("or", "most", "least")))
        account = Account(covered, frozenset({"most", "least", "or"}), {"more or less": 1.0})
        return candidate(rows, step, "span", account)

    def _choice(self, rows: Rows, column: Column, name: str, winner: Place) -> Candidate:
        """The one of the two, told by its cell, that has more or less, or is first or last."""
        text = self.grid.cell(*winner).words
        step = TableStep("compare", f"{_shown(rows, column)}: {text}.", text, (*_cells(rows, column), winner))
        features = {
            "choose": 1.0,
            "choose or": float("or" in self.operators),
            "choose date by time": float((name in ("first", "last")) == (column.kind == "date")),
        }
        covered = self.operators[name] | self.operators.get("or", frozenset())
        return candidate(rows, step, "entity", Account(covered, frozenset({name, "or"}), features))


def _cells(rows: Rows, column: Column) -> tuple[Place, ...]:
    return tuple((n, column.index) for n in rows.numbers)


def _shown(rows: Rows, column: Column) -> str:
    shown = " and ".join(f"“{column.cells[n].words}”" for n in rows.numbers)
    return f"{shown} in {header_text(column)}"
