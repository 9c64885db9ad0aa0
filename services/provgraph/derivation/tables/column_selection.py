"""Answers that are the values of one column of the rows, and how well a column fits what a question asks for."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from provgraph.derivation.result import AnswerKind
from provgraph.derivation.tables.candidate import (
    Account,
    Candidate,
    candidate,
    kind_of,
)
from provgraph.derivation.tables.grid import Column
from provgraph.derivation.tables.linking import alike
from provgraph.derivation.tables.row_programs import RowPrograms
from provgraph.derivation.tables.rows import Place, Rows, TableStep, header_text, rows_text

MARKS: Final = re.compile(r"(?<=[A-Za-zÀ-ÿ.)])[¹²³⁴⁵⁶⁷⁸⁹*†‡]+\Z")
"""Marks of footnotes behind a word."""
_MOST_LISTED: Final = 40
PLACES: Final = frozenset(
    "venu locat place citi site stadium countri town region resid island capit state offic address base hall room "
    "build church stadium ground arena theatr shelf warehous port station airport destin court field pitch".split()
)
_PEOPLE: Final = frozenset(
    "name person player athlet candid director artist winner driver rider author swimmer king presid actor coach "
    "cyclist governor skater singer jockey leader incumb runner opponent champion team".split()
)


class ColumnSelection:
    """The columns of a grid, as answers to a question."""

    def __init__(self, row_programs: RowPrograms) -> None:
        self.question, self.grid, self.links = row_programs.question, row_programs.grid, row_programs.links

    def candidates(self, rows: Rows) -> Iterator[Candidate]:
        if len(rows.numbers) > _MOST_LISTED or not rows.steps:
            return
        for column in self.grid.columns:
            cells = tuple(
                (n, column.index) for n in rows.numbers if any(map(str.isalnum, column.cells[n].text))
            )
            texts = tuple(dict.fromkeys(MARKS.sub("", column.cells[n].words) for n, _ in cells))
            if not texts:
                continue
            features, covered = self.fit(column, rows)
            features["select one"] = float(len(texts) == 1)
            features["select many"] = float(len(texts) > 1)
            features["select many rows"] = float(len(texts) > 5)
            account = Account(covered, features=features)
            yield from self._date_parts(rows, column, cells, account)
            step = TableStep(
                "select column",
                f"{header_text(column)} of {rows_text(len(rows.numbers))}: {'; '.join(texts[:5])}.",
                "; ".join(texts),
                cells,
            )
            yield candidate(rows, step, kind_of_texts(texts, column), account, texts)

    def _date_parts(
        self, rows: Rows, column: Column, cells: tuple[Place, ...], account: Account
    ) -> Iterator[Candidate]:
        """The year or month of dates, where these are asked for."""
        asked = {
            word.term: number
            for number, word in enumerate(self.question.words)
            if number in self.question.focus
        }
        for name in ("year", "month"):
            if column.kind != "date" or name not in asked or self._has_linked_column(name):
                continue
            texts = _years_or_months(name, column, cells)
            if not texts:
                continue
            step = TableStep(
                f"{name} of date",
                f"The {name} of {header_text(column)}: {'; '.join(texts[:5])}.",
                "; ".join(texts),
                cells,
            )
            own = Account(account.covered | {asked[name]}, features={**account.features, "date part": 1.0})
            yield candidate(rows, step, "date", own, texts)

    def _has_linked_column(self, name: str) -> bool:
        return any(name in self.grid.columns[index].header_terms for index in self.links.headers)

    def fit(self, column: Column, rows: Rows) -> tuple[dict[str, float], frozenset[int]]:
        """What speaks for the column as an answer, and the words of the question that its header accounts for."""
        question = self.question
        header = self.links.headers.get(column.index)
        focus = max(
            (alike(question.words[n].term, t) for n in question.focus for t in column.header_terms),
            default=0.0,
        )
        group = "who" if question.asks.startswith("who") else question.asks
        fits = self._fits(column)
        is_name = column.index == self.grid.name_column
        is_extreme = _is_extreme(column, rows)
        features = {
            "select": 1.0,
            "select focus": focus,
            "select header": header.score if header else 0.0,
            "select fits": float(fits.get(group, False)),
            "select misfits": float(group in fits and not fits[group] and not focus),
            "select person": float(group == "who" and bool(set(column.header_terms) & _PEOPLE)),
            "select name": float(is_name),
            "select name unfocused": float(is_name and group not in fits),
            "select name of unlinked": float(is_name and bool(self._unlinked)),
            "select used column": float(column.index in rows.columns and not is_extreme),
            "select extreme": float(is_extreme and not focus),
            "select extreme in focus": float(is_extreme and focus > 0),
            "select serial": float(column.is_serial),
            "select number": float(column.kind == "number" and group not in fits),
        }
        covered = header.akin if header else frozenset()
        if is_name:
            covered |= self._unlinked
        if fits.get(group):
            covered |= question.focus.difference(*(link.positions for link in self.links.values))
        return features, covered

    @cached_property
    def _unlinked(self) -> frozenset[int]:
        """The word behind "which" or "what" where the table has it nowhere: it says what the rows are."""
        question = self.question
        if question.asks not in ("which", "what") or not question.focus:
            return frozenset()
        linked = (
            *(link.akin for link in self.links.headers.values()),
            *(v.positions for v in self.links.values),
        )
        operators = frozenset().union(*question.operators.values())
        return frozenset({min(question.focus)}) - operators - frozenset().union(*linked)

    @cached_property
    def _has_dates(self) -> bool:
        return any(column.kind == "date" for column in self.grid.columns)

    def _fits(self, column: Column) -> dict[str, bool]:
        """By what is asked for: whether the column may hold it."""
        terms = set(column.header_terms)
        is_number = column.kind == "number"
        return {
            "who": column.kind == "text" and (bool(terms & _PEOPLE) or column.index == self.grid.name_column),
            "when": column.kind == "date" or (column.is_clock and not self._has_dates),
            "where": column.kind == "text" and bool(terms & PLACES),
            "how many": is_number,
            "how much": is_number,
            "how long": is_number,
        }


def kind_of_texts(texts: tuple[str, ...], column: Column) -> AnswerKind:
    return "list" if len(texts) > 1 else kind_of(column)


def _is_extreme(column: Column, rows: Rows) -> bool:
    """Whether the rows were chosen as those with the most or least of this column."""
    last = rows.steps[-1] if rows.steps else None
    return last is not None and last.operation in ("maximum", "minimum") and last.cells[0][1] == column.index


def _years_or_months(name: str, column: Column, cells: tuple[Place, ...]) -> tuple[str, ...]:
    dates = [column.cells[n].value.date for n, _ in cells]
    is_whole = len(column.cells[cells[0][0]].value.words) > 1
    read = [date for date in dates if date and date[0] and (date[1:] != (1, 1) or is_whole)]
    return tuple(dict.fromkeys(str(date[0]) if name == "year" else month_name[date[1]] for date in read))
