"""Answers that count: rows, different values, the things of one cell, and the values that stand most often."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from provgraph.derivation.tables.candidate import Account, Candidate, candidate
from provgraph.derivation.tables.column_selection import ColumnSelection, kind_of_texts
from provgraph.derivation.tables.grid import Column
from provgraph.derivation.tables.linking import alike
from provgraph.derivation.tables.row_programs import RowPrograms
from provgraph.derivation.tables.rows import Features, Rows, TableStep, header_text, rows_text

_TIMES: Final = re.compile(
    r"\b(more than|over|at least|) ?(once|twice|two|three|four|five|\d+)"
    r"(?: (?:or more )?(?:times|titles|occasions|wins)|(?<=once)|(?<=twice))\b",
    re.IGNORECASE,
)
_OFTEN: Final = frozenset("often frequently common commonly frequent used".split())
_REPEATS: Final = {"once": 1, "twice": 2, "two": 2, "three": 3, "four": 4, "five": 5}


class CountPrograms:
    """What is counted in the rows of a grid for a question."""

    def __init__(self, row_programs: RowPrograms, selection: ColumnSelection) -> None:
        self.question, self.grid, self.links = row_programs.question, row_programs.grid, row_programs.links
        self.operators = self.question.operators
        self.selection = selection

    def counted(self, rows: Rows) -> Iterator[Candidate]:
        """How many rows these are, how many different values they have, how many things their one cell lists."""
        if "count" not in self.operators and "sum" not in self.operators:
            return
        features = self._features(rows)
        number = len(rows.numbers)
        cells = tuple((n, self.grid.name_column or 0) for n in rows.numbers)
        step = TableStep("count", f"{rows_text(number)} counted.", str(number), cells)
        base = self.operators.get("count", frozenset()) | self.question.counted
        own = {**features, "count rows of values": float(self._counts_values(rows))}
        yield candidate(rows, step, "count", Account(base, frozenset({"count"}), own))
        if number == 1 and self.question.counted:
            yield from self._items(rows, base)
        for column in self._repeating_columns():
            yield from self._distinct(rows, column, base, features)

    def _features(self, rows: Rows) -> Features:
        linked = {
            n
            for link in self.links.headers.values()
            for n in link.positions
            if self.grid.columns[link.column].kind == "number"
        }
        sets = ("filter rows", "intersect rows", "same value", "compare rows")
        is_extreme = len(rows.numbers) == 1 and bool(rows.steps) and rows.steps[-1].operation not in sets
        return {
            "count": 1.0,
            "count all": float(not rows.steps),
            "count number header": float(bool(self.question.counted & linked - rows.covered)),
            "count without words": float("count" not in self.operators),
            "count of extreme": float(is_extreme),
        }

    def _counts_values(self, rows: Rows) -> bool:
        """Whether what is counted is the head of a column whose values repeat: suppliers in a list of products."""
        name = self.grid.name_column
        terms = [self.question.words[n].term for n in self.question.counted]
        heads = (c for c in self._repeating_columns() if c.index != name and c.index not in rows.columns)
        return any(alike(term, head) for term in terms for column in heads for head in column.header_terms)

    def _named_as_counted(self, column: Column) -> float:
        """How far the head of a column is what "how many" counts."""
        terms = [self.question.words[n].term for n in self.question.counted]
        return max((alike(term, head) for term in terms for head in column.header_terms), default=0.0)

    def _repeating_columns(self) -> Iterator[Column]:
        yield from (column for column in self.grid.columns if column.has_repeats and column.kind != "number")

    def _distinct(
        self, rows: Rows, column: Column, covered: frozenset[int], features: Features
    ) -> Iterator[Candidate]:
        """How many different values the column has in the rows."""
        values = Counter(column.cells[n].value.words for n in rows.numbers if column.cells[n].value.words)
        if len(values) in (0, len(rows.numbers)):
            return
        match = self._named_as_counted(column)
        is_of_other = any(map(self._named_as_counted, self.grid.columns))
        if not match and (is_of_other or "distinct" not in self.operators):
            return
        step = TableStep(
            "count distinct",
            f"{len(values)} different values of {header_text(column)} in {rows_text(len(rows.numbers))}.",
            str(len(values)),
            tuple((n, column.index) for n in rows.numbers),
        )
        own = {
            "count distinct": 1.0,
            "count distinct header": match,
            "count distinct said": float("distinct" in self.operators),
            **features,
        }
        header = self.links.headers.get(column.index)
        words = header.positions if header else frozenset()
        account = Account(
            covered | words | self.operators.get("distinct", frozenset()),
            frozenset({"count", "distinct"}),
            own,
        )
        yield candidate(rows, step, "count", account)

    def _items(self, rows: Rows, covered: frozenset[int]) -> Iterator[Candidate]:
        """How many things one cell lists."""
        for column in self.grid.columns:
            cell = column.cells[rows.numbers[0]]
            header = self.links.headers.get(column.index)
            if header is None or not header.positions & self.question.counted:
                continue
            items = [item for item in re.split(r",(?!\d{3})|;|\n|\band\b", cell.text) if item.strip()]
            if column.kind != "text" or column.index in rows.columns or len(items) < 2:
                continue
            step = TableStep(
                "count items",
                f"{len(items)} in {header_text(column)}: {cell.words[:200]}.",
                str(len(items)),
                ((rows.numbers[0], column.index),),
            )
            features = {"count": 1.0, "count items": 1.0, "count items header": header.score}
            yield candidate(
                rows, step, "count", Account(covered | header.positions, frozenset({"count"}), features)
            )

    def repeated(self, rows: Rows) -> Iterator[Candidate]:
        """The values that stand in several of the rows: "more than once", "at least three times"."""
        match = _TIMES.search(self.question.text)
        if match is None:
            return
        least = _REPEATS.get(match[2].lower()) or (int(match[2]) if match[2].isdigit() else 2)
        least += match[1].lower() in ("more than", "over")
        for column in self._repeating_columns():
            chosen = [row for row in _rows_by_value(rows, column) if len(row) >= least]
            if not chosen:
                continue
            texts = tuple(column.cells[each[0]].words for each in chosen)
            features, covered = self.selection.fit(column, rows)
            covered |= self.question.positions(*match.span())
            step = TableStep(
                "repeated values",
                f"{len(texts)} values of {header_text(column)} stand in at least {least} rows.",
                "; ".join(texts),
                tuple((n, column.index) for each in chosen for n in each),
            )
            account = Account(covered, features={**features, "repeated": 1.0})
            if "count" not in self.operators:
                yield candidate(rows, step, kind_of_texts(texts, column), account, texts)
                continue
            account = Account(covered | self.operators["count"], frozenset({"count"}), account.features)
            yield candidate(rows, step, "count", account, (str(len(texts)),))

    def frequent(self, rows: Rows) -> Iterator[Candidate]:
        """The value that stands in most, or least, of the rows."""
        names = [name for name in ("most", "least") if name in self.operators]
        if len(rows.numbers) < 3:
            return
        for name in names:
            for column in self._repeating_columns():
                yield from self._most_frequent(name, column, rows)

    def _most_frequent(self, name: str, column: Column, rows: Rows) -> Iterator[Candidate]:
        groups = _rows_by_value(rows, column)
        sizes = {len(group) for group in groups}
        if len(sizes) < 2:
            return
        size = max(sizes) if name == "most" else min(sizes)
        chosen = [group for group in groups if len(group) == size]
        texts = tuple(column.cells[each[0]].words for each in chosen)
        fit, covered = self.selection.fit(column, rows)
        features = {
            "frequent": 1.0,
            "frequent tie": float(len(chosen) > 1),
            **{f"{key} of frequent" if key == "select" else key: value for key, value in fit.items()},
        }
        step = TableStep(
            f"{name} frequent",
            f"{'; '.join(texts[:5])}: {size} of {rows_text(len(rows.numbers))}.",
            "; ".join(texts),
            tuple((n, column.index) for each in chosen for n in each),
        )
        account = Account(
            covered | self.operators[name] | self._counted_by(name) | self._often,
            frozenset({name}),
            features,
        )
        yield candidate(rows, step, kind_of_texts(texts, column), account, texts)

    @property
    def _often(self) -> frozenset[int]:
        """The words that ask for what stands most often."""
        return frozenset(n for n, word in enumerate(self.question.words) if word.text.casefold() in _OFTEN)

    def _counted_by(self, name: str) -> frozenset[int]:
        """The word behind "most" that says what is counted, where a header has it."""
        behind = [n for n in self.question.content if n > max(self.operators[name])]
        linked = frozenset().union(*(link.akin for link in self.links.headers.values()))
        return frozenset([min(behind)] if behind else []) & linked


def _rows_by_value(rows: Rows, column: Column) -> list[list[int]]:
    """The numbers of the rows with one value, for each value."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for n in rows.numbers:
        if column.cells[n].value.words:
            groups.setdefault(column.cells[n].value.words, []).append(n)
    return list(groups.values())
