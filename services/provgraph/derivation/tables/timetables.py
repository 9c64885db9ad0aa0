"""Answers from timetables: when a run leaves a stop, whether it stops there, how long it takes, which is the first one.

A timetable is a table of times of day. Each row is a run and each column a stop, or the other way round; where a run
does not stop, the cell is empty or has a dash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from provgraph.derivation.tables.grid import Grid, GridCell
from provgraph.derivation.tables.named_cells import Measured, NamedCells
from provgraph.derivation.tables.operands import Computed, Operands, OperandSets
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.derivation.tables.rows import Rows, TableStep, header_text

_STOPS: Final = re.compile(
    r"\b(?:stop|call|halt|serve|pass|go|run|sail|leave|depart|arrive|reach)(?:s|es)?\b", re.IGNORECASE
)
_WHICH: Final = re.compile(r"\s*(?:at |on |from )?which\b", re.IGNORECASE)
_HOW_LONG: Final = re.compile(r"\bhow (?:long|many minutes)\b", re.IGNORECASE)
_WHEN: Final = re.compile(r"\s*(?:when|(?:at )?what time)\b", re.IGNORECASE)
_FIRST: Final = re.compile(
    r"\b(?:(?P<first>first|earliest|next)|(?P<last>last|latest|final))\b", re.IGNORECASE
)
_PART: Final = re.compile(
    r"\bin the (?P<part>morning|afternoon|evening)\b,?|"
    r"\b(?P<side>after|before|from|until)\s+(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?:\s*(?:o['’]clock|h\b|(?P<pm>pm|p\.m\.)))?",
    re.IGNORECASE,
)
_PARTS: Final = {"morning": (0, 719), "afternoon": (720, 1079), "evening": (1080, 1439)}
_DAY: Final = 1440


@dataclass(frozen=True)
class _Span:
    """The minutes of the day that a question allows, and the words that say so."""

    least: int = 0
    most: int = _DAY
    positions: frozenset[int] = frozenset()


class Timetable:
    """A grid whose columns are times of day, one row for each run."""

    def __init__(self, question: TableQuestion, grid: Grid) -> None:
        self.question, self.grid = question, grid

    @cached_property
    def named(self) -> NamedCells:
        return NamedCells(self.question, self.grid)

    @cached_property
    def operands(self) -> OperandSets:
        return OperandSets(self.named)

    def best(self) -> Computed | None:
        """The first answer that accounts for all that the question says; None where there is none."""
        if not any(column.is_clock for column in self.grid.columns):
            return None
        return next(
            (
                each
                for each in (
                    *self._durations(),
                    *self._whether(),
                    *self._runs(),
                    *self._first(),
                    *self._times(),
                )
                if self.named.is_accounted(each.covered)
            ),
            None,
        )

    def _stops(self, rows: Rows) -> list[Measured]:
        """The stops that words beside those of the run name, in the order in which the question names them."""
        columns = self.named.measured(self.operands.free(rows), lambda column: column.is_clock)
        return sorted(columns, key=lambda each: min(each.positions))

    def _single(self) -> Iterator[tuple[Rows, list[Measured]]]:
        """A run that the question names, with the stops that it names."""
        for rows in self.operands.row_sets():
            if len(rows.numbers) == 1 and not any(self.grid.columns[n].is_clock for n in rows.columns):
                yield rows, self._stops(rows)

    def _times(self) -> Iterator[Computed]:
        if not _WHEN.match(self.question.text) or _FIRST.search(self.question.text):
            return
        for rows, stops in self._single():
            if len(stops) == 1 and not self._cell(rows, stops[0]).value.is_empty:
                column = stops[0].column
                cell = self._cell(rows, stops[0])
                places = ((rows.numbers[0], column.index),)
                step = TableStep("select column", f"{header_text(column)}: {cell.words}.", cell.words, places)
                yield self._made(step, Operands(rows, (stops[0],)))

    def _cell(self, rows: Rows, stop: Measured) -> GridCell:
        return stop.column.cells[rows.numbers[0]]

    def _made(self, step: TableStep, operands: Operands, covered: frozenset[int] = frozenset()) -> Computed:
        made = operands.result(step, has_unit=False)
        return replace(made, kind="span", covered=made.covered | covered)

    def _durations(self) -> Iterator[Computed]:
        """The minutes between two stops of a run, over midnight too."""
        asked = _HOW_LONG.search(self.question.text)
        if asked is None:
            return
        for rows, stops in self._single():
            pair = Operands(rows, tuple(stops))
            numbers = self.operands.numbers(pair.places) if len(stops) == 2 else None
            if numbers is not None:
                text = duration_text(int(numbers[1] - numbers[0]) % _DAY)
                said = f"Between {self.operands.shown(pair.places)}: {text}."
                words = self.question.positions(*asked.span())
                yield self._made(TableStep("difference", said, text, pair.places), pair, words)

    def _whether(self) -> Iterator[Computed]:
        """Whether a run stops somewhere."""
        if not self.question.is_yes_no or not _STOPS.search(self.question.text):
            return
        for rows, stops in self._single():
            if len(stops) == 1:
                cell = self._cell(rows, stops[0])
                verdict = "no" if cell.value.is_empty else "yes"
                said = f"{header_text(stops[0].column)} has “{cell.words}”: {verdict}."
                operands = Operands(rows, (stops[0],))
                step = TableStep("exists", said, verdict, operands.places)
                yield self._made(step, operands)

    def _runs(self) -> Iterator[Computed]:
        """The runs that stop somewhere, or do not."""
        if (
            not _WHICH.match(self.question.text)
            or not _STOPS.search(self.question.text)
            or self._span().positions
        ):
            return
        stops = self._stops(self.named.all_rows)
        names = self.grid.columns[0]
        if len(stops) != 1 or names.is_clock or _FIRST.search(self.question.text):
            return
        is_not = "not" in self.question.operators
        column = stops[0].column
        numbers = tuple(n for n, cell in enumerate(column.cells) if cell.value.is_empty == is_not)
        if numbers:
            count = str(len(numbers))
            said = f"{count} are {'empty' if is_not else 'filled'} in {header_text(column)}."
            cells = tuple((n, at) for n in numbers for at in (0, column.index) if self.grid.cell(n, at).words)
            chosen = TableStep("filter rows", said, count, cells)
            rows = Rows(numbers, (chosen,), self.question.operators.get("not", frozenset()))
            texts = "; ".join(names.cells[n].words for n in numbers)
            step = TableStep(
                "select column", f"{header_text(names)}: {texts}.", texts, tuple((n, 0) for n in numbers)
            )
            yield self._made(step, Operands(rows, (stops[0],)), self._noun)

    @property
    def _noun(self) -> frozenset[int]:
        """The word behind "which": what the runs are."""
        return frozenset(sorted(self.question.focus)[:1])

    def _first(self) -> Iterator[Computed]:
        """The first or last time at a stop, within the part of the day that the question says."""
        order = _FIRST.search(self.question.text)
        if not _WHEN.match(self.question.text) or order is None:
            return
        span, stops = self._span(), self._stops(self.named.all_rows)
        if len(stops) != 1:
            return
        column = stops[0].column
        times = {
            n: number
            for n, cell in enumerate(column.cells)
            if (number := cell.value.number) is not None and span.least <= number <= span.most
        }
        if not times:
            return
        best = (min if order["first"] else max)(times, key=lambda n: times[n])
        cell = column.cells[best]
        name = "minimum" if order["first"] else "maximum"
        step = TableStep(
            name,
            f"“{cell.words}” of {len(times)} in {header_text(column)}.",
            cell.words,
            ((best, column.index),),
        )
        words = self.question.positions(*order.span()) | span.positions | self._nouns(order.end())
        yield self._made(step, Operands(Rows(tuple(times)), (stops[0],)), words)

    def _nouns(self, end: int) -> frozenset[int]:
        """The word behind "first": what the runs are."""
        return frozenset([n for n, word in enumerate(self.question.words) if word.start >= end][:1])

    def _span(self) -> _Span:
        least, most, positions = 0, _DAY, frozenset[int]()
        for match in _PART.finditer(self.question.text):
            positions |= self.question.positions(*match.span())
            if match["part"]:
                own = _PARTS[match["part"].casefold()]
                least, most = max(least, own[0]), min(most, own[1])
                continue
            hour = int(match["hour"]) + (12 if match["pm"] and int(match["hour"]) < 12 else 0)
            at = hour * 60 + int(match["minute"] or 0)
            if match["side"].casefold() in ("after", "from"):
                least = max(least, at)
            else:
                most = min(most, at)
        return _Span(least, most, positions)


def duration_text(minutes: int) -> str:
    """ "1 hour 52 minutes" of 112."""
    hours, rest = divmod(minutes, 60)
    parts = [
        f"{count} {unit}{'' if count == 1 else 's'}"
        for count, unit in ((hours, "hour"), (rest, "minute"))
        if count
    ]
    return " ".join(parts) or "0 minutes"
