"""From rows to an answer: select, count, sum, average, difference, choose, the most frequent, yes or no."""

from __future__ import annotations

import re
from calendar import month_name
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from provgraph.derivation.result import AnswerKind
from provgraph.derivation.tables.candidate import (
    Candidate,
    header_text,
    kind_of,
    number_text,
    rows_text,
    spread,
)
from provgraph.derivation.tables.grid import Column, Grid
from provgraph.derivation.tables.linking import Links, alike
from provgraph.derivation.tables.pair_programs import PairPrograms
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.derivation.tables.row_programs import RowPrograms
from provgraph.derivation.tables.rows import Features, Place, Rows, TableStep, added, key_of

_MOST_LISTED: Final = 40
_PLACES: Final = frozenset(
    "venu locat place citi site stadium countri town region resid island capit state".split()
)
_PEOPLE: Final = frozenset(
    "name person player athlet candid director artist winner driver rider author swimmer king presid actor coach "
    "cyclist governor skater singer jockey leader incumb runner opponent champion team".split()
)


_TIMES: Final = re.compile(
    r"\b(more than|over|at least|) ?(once|twice|two|three|four|five|\d+)"
    r"(?: (?:or more )?(?:times|titles|occasions|wins)|(?<=once)|(?<=twice))\b",
    re.IGNORECASE,
)
_REPEATS: Final = {"once": 1, "twice": 2, "two": 2, "three": 3, "four": 4, "five": 5}


class ValuePrograms:
    """All answers that programs of bounded size give to a question."""

    def __init__(self, question: TableQuestion, grid: Grid) -> None:
        self.question, self.grid = question, grid
        self.links = Links(question, grid)
        self.row_programs = RowPrograms(question, grid, self.links)
        self.operators = question.operators

    def candidates(self) -> Iterator[Candidate]:
        for rows in self.row_programs.sets():
            if not rows.numbers:
                continue
            yield from self._selected(rows)
            yield from self._counted(rows)
            yield from self._aggregated(rows)
            yield from self._frequent(rows)
            yield from self._repeated(rows)
        yield from PairPrograms(self.row_programs).candidates()
        if self.question.is_yes_no:
            yield from self._decided()

    # one column of the rows

    def _selected(self, rows: Rows) -> Iterator[Candidate]:
        if len(rows.numbers) > _MOST_LISTED or not rows.steps:
            return
        for column in self.grid.columns:
            cells = [(n, column.index) for n in rows.numbers if column.cells[n].text.strip()]
            texts = tuple(dict.fromkeys(column.cells[n].words for n, _ in cells))
            if not texts:
                continue
            features, covered = self._column_features(column, rows)
            features["select one"] = float(len(texts) == 1)
            features["select many"] = float(len(texts) > 1)
            features["select many rows"] = float(len(texts) > 5)
            step = TableStep(
                "select column",
                f"{header_text(column)} of {rows_text(len(rows.numbers))}: {'; '.join(texts[:5])}.",
                "; ".join(texts),
                tuple(cells),
            )
            yield from self._date_parts(rows, column, tuple(cells), features, covered)
            kind: AnswerKind = "list" if len(texts) > 1 else kind_of(column)
            yield Candidate(
                texts,
                kind,
                tuple(cells),
                (*rows.steps, step),
                rows.covered | covered,
                rows.used,
                added(rows.features, features),
                rows,
            )

    def _date_parts(
        self,
        rows: Rows,
        column: Column,
        cells: tuple[Place, ...],
        features: Features,
        covered: frozenset[int],
    ) -> Iterator[Candidate]:
        """The year or month of dates, where these are asked for."""
        asked = {
            word.term: number
            for number, word in enumerate(self.question.words)
            if number in self.question.focus
        }
        for name in ("year", "month"):
            if column.kind != "date" or name not in asked:
                continue
            dates = [column.cells[n].value.date for n, _ in cells]
            read = [
                date
                for date in dates
                if date and date[0] and (date[1:] != (1, 1) or len(column.cells[cells[0][0]].value.words) > 1)
            ]
            texts = tuple(
                dict.fromkeys(str(date[0]) if name == "year" else month_name[date[1]] for date in read)
            )
            if texts and not set(self.links.headers) & {
                c.index for c in self.grid.columns if name in c.header_terms
            }:
                step = TableStep(
                    f"{name} of date",
                    f"The {name} of {header_text(column)}: {'; '.join(texts[:5])}.",
                    "; ".join(texts),
                    cells,
                )
                own = added(rows.features, {**features, "date part": 1.0})
                yield Candidate(
                    texts,
                    "date",
                    cells,
                    (*rows.steps, step),
                    rows.covered | covered | {asked[name]},
                    rows.used,
                    own,
                    rows,
                )

    def _column_features(self, column: Column, rows: Rows) -> tuple[dict[str, float], frozenset[int]]:
        question = self.question
        header = self.links.headers.get(column.index)
        focus = max(
            (alike(question.words[n].term, t) for n in question.focus for t in column.header_terms),
            default=0.0,
        )
        terms = set(column.header_terms)
        asks = question.asks
        fits = {
            "who": column.kind == "text" and (bool(terms & _PEOPLE) or column.index == self.grid.name_column),
            "when": column.kind == "date",
            "where": column.kind == "text" and bool(terms & _PLACES),
            "how many": column.kind == "number",
            "how much": column.kind == "number",
            "how long": column.kind == "number",
        }
        last = rows.steps[-1] if rows.steps else None
        is_extreme = (
            last is not None and last.operation in ("maximum", "minimum") and last.cells[0][1] == column.index
        )
        group = "who" if asks.startswith("who") else asks
        features = {
            "select": 1.0,
            "select focus": focus,
            "select header": header.score if header else 0.0,
            "select fits": float(fits.get(group, False)),
            "select misfits": float(group in fits and not fits[group]),
            "select person": float(group == "who" and bool(terms & _PEOPLE)),
            "select name": float(column.index == self.grid.name_column),
            "select name unfocused": float(column.index == self.grid.name_column and group not in fits),
            "select used column": float(column.index in rows.columns and not is_extreme),
            "select extreme": float(is_extreme and not focus),
            "select extreme in focus": float(is_extreme and focus > 0),
            "select serial": float(column.is_serial),
            "select number": float(column.kind == "number" and group not in fits),
        }
        covered = header.akin if header else frozenset()
        if fits.get(group):
            covered |= question.focus.difference(*(link.positions for link in self.links.values))
        return features, covered

    # aggregation

    def _counted(self, rows: Rows) -> Iterator[Candidate]:
        if "count" not in self.operators and "sum" not in self.operators:
            return
        question = self.question
        counted = question.counted
        linked = {
            n
            for link in self.links.headers.values()
            for n in link.positions
            if self.grid.columns[link.column].kind == "number"
        }
        features = {
            "count": 1.0,
            "count all": float(not rows.steps),
            "count number header": float(bool(counted & linked - rows.covered)),
            "count without words": float("count" not in self.operators),
            "count of extreme": float(
                len(rows.numbers) == 1
                and bool(rows.steps)
                and rows.steps[-1].operation
                not in ("filter rows", "intersect rows", "same value", "compare rows")
            ),
        }
        number = len(rows.numbers)
        cells = tuple((n, self.grid.name_column or 0) for n in rows.numbers)
        step = TableStep("count", f"{rows_text(number)} counted.", str(number), cells)
        base = rows.covered | self.operators.get("count", frozenset()) | counted
        yield Candidate(
            (str(number),),
            "count",
            cells,
            (*rows.steps, step),
            base,
            rows.used | {"count"},
            added(rows.features, features),
            rows,
        )
        if number == 1 and counted:
            yield from self._items(rows, base)
        for column in self.grid.columns:
            if not column.has_repeats or column.kind == "number":
                continue
            values = Counter(column.cells[n].value.words for n in rows.numbers if column.cells[n].value.words)
            if len(values) in (0, number):
                continue
            header = self.links.headers.get(column.index)
            match = max(
                (alike(question.words[n].term, t) for n in counted for t in column.header_terms), default=0.0
            )
            if not match and "distinct" not in self.operators:
                continue
            own = {
                "count distinct": 1.0,
                "count distinct header": match,
                "count distinct said": float("distinct" in self.operators),
                **features,
            }
            step = TableStep(
                "count distinct",
                f"{len(values)} different values of {header_text(column)} in {rows_text(number)}.",
                str(len(values)),
                tuple((n, column.index) for n in rows.numbers),
            )
            covered = (
                base
                | (header.positions if header else frozenset())
                | self.operators.get("distinct", frozenset())
            )
            yield Candidate(
                (str(len(values)),),
                "count",
                step.cells,
                (*rows.steps, step),
                covered,
                rows.used | {"count", "distinct"},
                added(rows.features, own),
                rows,
            )

    def _items(self, rows: Rows, covered: frozenset[int]) -> Iterator[Candidate]:
        """How many things one cell lists."""
        for column in self.grid.columns:
            cell = column.cells[rows.numbers[0]]
            header = self.links.headers.get(column.index)
            is_asked = header is not None and bool(header.positions & self.question.counted)
            items = [item for item in re.split(r",(?!\d{3})|;|\n|\band\b", cell.text) if item.strip()]
            if (
                column.kind != "text"
                or column.index in rows.columns
                or header is None
                or not is_asked
                or len(items) < 2
            ):
                continue
            place = (rows.numbers[0], column.index)
            step = TableStep(
                "count items",
                f"{len(items)} in {header_text(column)}: {cell.words[:200]}.",
                str(len(items)),
                (place,),
            )
            features = {"count": 1.0, "count items": 1.0, "count items header": header.score}
            yield Candidate(
                (str(len(items)),),
                "count",
                (place,),
                (*rows.steps, step),
                covered | header.positions,
                rows.used | {"count"},
                added(rows.features, features),
                rows,
            )

    def _aggregated(self, rows: Rows) -> Iterator[Candidate]:
        names = [name for name in ("sum", "average", "difference") if name in self.operators]
        if self.question.asks in ("how many", "how much") and "sum" not in names:
            names.append("sum")
        if len(rows.numbers) < 2:
            return
        for column in self.grid.columns:
            if column.kind == "text" or column.is_mixed:
                continue
            read = [(n, key_of(column.cells[n].value, column)) for n in rows.numbers]
            known = [(n, key) for n, key in read if key is not None]
            if len(known) < 2:
                continue
            for name in names:
                if name != "difference" and column.kind != "number":
                    continue
                value = _aggregate(name, [key for _, key in known])
                if value is None:
                    continue
                header = self.links.headers.get(column.index)
                text = number_text(value, [column.cells[n].text for n, _ in known])
                cells = tuple((n, column.index) for n, _ in known)
                step = TableStep(
                    name,
                    f"The {name} of {header_text(column)} over {rows_text(len(known))} is {text}.",
                    text,
                    cells,
                )
                features = {
                    name: 1.0,
                    "aggregate header": header.score if header else 0.0,
                    "aggregate no header": float(header is None),
                    "aggregate without words": float(name not in self.operators),
                    "aggregate all rows": float(not rows.steps),
                    "aggregate serial": float(column.is_serial or column.is_rank),
                    "difference of two": float(name == "difference" and len(known) == 2),
                }
                covered = (
                    rows.covered
                    | self.operators.get(name, frozenset())
                    | (header.positions if header else frozenset())
                )
                unread = (*rows.unread, (column.index, len(read) - len(known)))
                yield Candidate(
                    (text,),
                    "number",
                    cells,
                    (*rows.steps, step),
                    covered,
                    rows.used | {name},
                    added(rows.features, features),
                    _with(rows, unread),
                )

    def _counted_by(self, name: str) -> frozenset[int]:
        """The word behind "most" that says what is counted, where a header has it."""
        behind = [n for n in self.question.content if n > max(self.operators[name])]
        linked = frozenset().union(*(link.akin for link in self.links.headers.values()))
        return frozenset([min(behind)] if behind else []) & linked

    def _repeated(self, rows: Rows) -> Iterator[Candidate]:
        """The values that stand in several of the rows: "more than once", "at least three times"."""
        match = _TIMES.search(self.question.text)
        if match is None:
            return
        least = _REPEATS.get(match[2].lower()) or (int(match[2]) if match[2].isdigit() else 2)
        least += match[1].lower() in ("more than", "over")
        for column in self.grid.columns:
            if not column.has_repeats or column.kind == "number":
                continue
            groups: dict[tuple[str, ...], list[int]] = {}
            for n in rows.numbers:
                if column.cells[n].value.words:
                    groups.setdefault(column.cells[n].value.words, []).append(n)
            chosen = [each for each in groups.values() if len(each) >= least]
            if not chosen:
                continue
            texts = tuple(column.cells[each[0]].words for each in chosen)
            cells = tuple((n, column.index) for each in chosen for n in each)
            features, covered = self._column_features(column, rows)
            covered |= rows.covered | self.question.positions(*match.span())
            features = added(rows.features, {**features, "repeated": 1.0})
            step = TableStep(
                "repeated values",
                f"{len(texts)} values of {header_text(column)} stand in at least {least} rows.",
                "; ".join(texts),
                cells,
            )
            if "count" in self.operators:
                yield Candidate(
                    (str(len(texts)),),
                    "count",
                    cells,
                    (*rows.steps, step),
                    covered | self.operators["count"],
                    rows.used | {"count"},
                    features,
                    rows,
                )
            else:
                yield Candidate(
                    texts,
                    "list" if len(texts) > 1 else kind_of(column),
                    cells,
                    (*rows.steps, step),
                    covered,
                    rows.used,
                    features,
                    rows,
                )

    def _frequent(self, rows: Rows) -> Iterator[Candidate]:
        for name in ("most", "least"):
            if name not in self.operators or len(rows.numbers) < 3:
                continue
            for column in self.grid.columns:
                if not column.has_repeats or column.kind == "number":
                    continue
                groups: dict[tuple[str, ...], list[int]] = {}
                for n in rows.numbers:
                    if column.cells[n].value.words:
                        groups.setdefault(column.cells[n].value.words, []).append(n)
                sizes = sorted({len(each) for each in groups.values()})
                if len(sizes) < 2:
                    continue
                size = sizes[-1 if name == "most" else 0]
                chosen = [each for each in groups.values() if len(each) == size]
                texts = tuple(column.cells[each[0]].words for each in chosen)
                cells = tuple((n, column.index) for each in chosen for n in each)
                features, covered = self._column_features(column, rows)
                features = {
                    "frequent": 1.0,
                    "frequent tie": float(len(chosen) > 1),
                    **{
                        f"{key} of frequent" if key == "select" else key: value
                        for key, value in features.items()
                    },
                }
                step = TableStep(
                    "most frequent" if name == "most" else "least frequent",
                    f"{'; '.join(texts[:5])}: {size} of {rows_text(len(rows.numbers))}.",
                    "; ".join(texts),
                    cells,
                )
                yield Candidate(
                    texts,
                    "list" if len(texts) > 1 else kind_of(column),
                    cells,
                    (*rows.steps, step),
                    rows.covered | covered | self.operators[name] | self._counted_by(name),
                    rows.used | {name},
                    added(rows.features, features),
                    rows,
                )

    def _decided(self) -> Iterator[Candidate]:
        """Yes where rows with all that is said exist; no where each part exists but not together."""
        filters = self.row_programs.filtered[1:]
        for rows in filters:
            step = TableStep(
                "exists", f"{rows_text(len(rows.numbers))} have all of this.", "yes", rows.steps[-1].cells
            )
            yield Candidate(
                ("yes",),
                "yes-no",
                step.cells,
                (*rows.steps, step),
                rows.covered,
                rows.used,
                added(rows.features, {"yes": 1.0}),
                rows,
            )
        for one in filters:
            for other in filters:
                if one.columns < other.columns or one.columns == other.columns or one.covered & other.covered:
                    continue
                if not set(one.numbers) & set(other.numbers):
                    cells = (*one.steps[-1].cells, *other.steps[-1].cells)
                    step = TableStep("exists", "No row has both.", "no", cells)
                    yield Candidate(
                        ("no",),
                        "yes-no",
                        cells,
                        (*one.steps, *other.steps, step),
                        one.covered | other.covered,
                        frozenset(),
                        added(added(one.features, other.features), {"no": 1.0}),
                        one,
                    )


def _aggregate(name: str, keys: list[Decimal | tuple[int, int, int]]) -> Decimal | None:
    numbers = [Decimal(key[0]) if isinstance(key, tuple) else key for key in keys]
    if name == "sum":
        return sum(numbers, Decimal(0))
    if name == "average":
        return sum(numbers, Decimal(0)) / len(numbers)
    return spread(keys)


def _with(rows: Rows, unread: tuple[tuple[int, int], ...]) -> Rows:
    return Rows(rows.numbers, rows.steps, rows.covered, rows.used, rows.columns, rows.features, unread)
