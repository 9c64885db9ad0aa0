"""Two things that a question names, held against each other: difference, which of the two, more or less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from provgraph.derivation.tables.candidate import Candidate, header_text, number_text, rows_text, spread
from provgraph.derivation.tables.grid import Column
from provgraph.derivation.tables.row_programs import RowPrograms
from provgraph.derivation.tables.rows import Rows, TableStep, added, key_of

_MOST_PAIRS = 40


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
            rows = Rows(
                (*one.numbers, *other.numbers),
                (*one.steps, *other.steps),
                columns=one.columns | other.columns,
            )
            cells = tuple((n, min(each.columns)) for each in (one, other) for n in each.numbers)
            features = added(
                {name: value / 2 for name, value in added(one.features, other.features).items()},
                {"pair of counts": 1.0},
            )
            covered = (
                one.covered | other.covered | frozenset().union(*(self.operators[name] for name in names))
            )
            covered |= self.question.counted | self.operators.get("count", frozenset())
            shown = f"{rows_text(sizes[0])} and {rows_text(sizes[1])}"
            if self.question.asks.startswith("how"):
                text = str(abs(sizes[0] - sizes[1]))
                step = TableStep("difference", f"Between {shown}: {text}.", text, cells)
                yield Candidate(
                    (text,),
                    "number",
                    cells,
                    (*rows.steps, step),
                    covered,
                    frozenset({"difference", "count", *names}),
                    added(features, {"difference of counts": 1.0}),
                    rows,
                )
            elif sizes[0] != sizes[1] and "or" in self.operators:
                first = (sizes[0] > sizes[1]) != ("most" not in names)
                winner = one if first else other
                text = self.grid.cell(winner.numbers[0], min(winner.columns)).words
                step = TableStep("compare", f"{shown}: {text}.", text, cells)
                yield Candidate(
                    (text,),
                    "entity",
                    cells,
                    (*rows.steps, step),
                    covered | self.operators["or"],
                    frozenset({"or", *names}),
                    added(features, {"choose by count": 1.0}),
                    rows,
                )

    def _of_columns(self) -> Iterator[Candidate]:
        """How much more one column of a row says than another: "how many more wins than losses"."""
        if not {"difference", "most", "least"} & self.operators.keys():
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
                    text = number_text(
                        spread([v for v in values if v is not None]),
                        [c.cells[number].text for c in (one, other)],
                    )
                    step = TableStep(
                        "difference",
                        f"Between {header_text(one)} and {header_text(other)}: {text}.",
                        text,
                        cells,
                    )
                    covered = (
                        rows.covered
                        | self.links.headers[one.index].positions
                        | self.links.headers[other.index].positions
                    )
                    covered |= frozenset().union(
                        *(self.operators.get(n, frozenset()) for n in ("difference", "most", "least"))
                    )
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
        keys = [key_of(column.cells[n].value, column) for n in (first, second)]
        cells = ((first, column.index), (second, column.index))
        header = self.links.headers.get(column.index)
        base = added(one.features, other.features)
        base = added(
            base,
            {
                "pair header": header.score if header else 0.0,
                "pair no header": float(header is None),
                "pair of one row": float(len(one.numbers) == 1 == len(other.numbers)),
            },
        )
        covered = one.covered | other.covered | (header.positions if header else frozenset())
        steps = (*one.steps, *other.steps)
        rows = Rows((first, second), steps, covered, columns=one.columns | other.columns | {column.index})
        shown = " and ".join(f"“{column.cells[n].words}”" for n in (first, second))
        if "difference" in names or {"most", "least"} & set(names):
            value = spread([key for key in keys if key is not None])
            if value is not None and ("difference" in names or self.question.asks.startswith("how")):
                text = number_text(value, [column.cells[n].text for n in (first, second)])
                step = TableStep(
                    "difference", f"Between {shown} in {header_text(column)}: {text}.", text, cells
                )
                yield Candidate(
                    (text,),
                    "number",
                    cells,
                    (*steps, step),
                    covered | self.operators.get("difference", frozenset()),
                    frozenset({"difference", *names}),
                    added(base, {"pair difference": 1.0}),
                    rows,
                )
        if keys[0] == keys[1] or not ({"or"} & self.operators.keys() or self.question.asks):
            return
        for name in names:
            if name == "difference":
                continue
            up = (name in ("most", "last")) != (column.is_rank and name in ("most", "least"))
            wins = (keys[0] > keys[1]) == up  # type: ignore[operator]
            winner, rows_of_winner = (first, one) if wins else (second, other)
            home = min(rows_of_winner.columns)
            features = {
                "choose": 1.0,
                "choose or": float("or" in self.operators),
                "choose date by time": float((name in ("first", "last")) == (column.kind == "date")),
            }
            text = self.grid.cell(winner, home).words
            step = TableStep(
                "compare", f"{shown} in {header_text(column)}: {text}.", text, (*cells, (winner, home))
            )
            said = covered | self.operators[name] | self.operators.get("or", frozenset())
            if {"most", "least"} <= set(names) and "or" in self.operators:
                verdict = "more" if keys[0] > keys[1] else "less"  # type: ignore[operator]
                step = TableStep("compare", f"{shown} in {header_text(column)}: {verdict}.", verdict, cells)
                yield Candidate(
                    (verdict,),
                    "span",
                    cells,
                    (*steps, step),
                    said | self.operators["most"] | self.operators["least"],
                    frozenset({"most", "least", "or"}),
                    added(base, {"more or less": 1.0}),
                    rows,
                )
                return
            yield Candidate(
                (text,),
                "entity",
                step.cells,
                (*steps, step),
                said,
                frozenset({name, "or"}),
                added(base, features),
                rows,
            )
