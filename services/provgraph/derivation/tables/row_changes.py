"""Which rows changed most between two periods, which rose or fell, and how many: "Which segment grew fastest from 2022
to 2024?", "In how many countries did the headcount fall?".

A column that tells the change itself is taken where there is one ("Change %"); else two columns of one measure, each of
its period, are subtracted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from provgraph.derivation.result import Derived, Step
from provgraph.derivation.tables.candidate import number_text
from provgraph.derivation.tables.cell_periods import year_of, years_in
from provgraph.derivation.tables.cell_support import support_of
from provgraph.derivation.tables.column_selection import MARKS
from provgraph.derivation.tables.grid import Column, Grid
from provgraph.derivation.tables.linking import alike
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.derivation.tables.rows import Place
from provgraph.language.terms import FUNCTION_WORDS, terms

_RISES: Final = "increas\\w+|grow\\w*|grew|ris(?:e|en|es|ing)|rose|gain\\w*|climb\\w*|jump\\w*|improv\\w+"
_FALLS: Final = "decreas\\w+|declin\\w+|fall\\w*|fell|drop\\w*|shr[aiu]nk\\w*|reduc\\w+|cut\\b|los(?:e|t|ing)"
_GOES: Final = "(?:go|goes|went|gone)"
_CHANGE: Final = re.compile(
    rf"\b(?:(?P<up>{_RISES}|{_GOES} up)|(?P<down>{_FALLS}|{_GOES} down)|chang\w+)\b|"
    r"\b(?:(?P<more>more|higher|larger|greater)|(?P<fewer>fewer|less|lower|smaller))\b"
    r"(?=.*\bthan in (?:FY)?\W?(?:19|20)\d\d)",
    re.IGNORECASE,
)
_MOST: Final = re.compile(
    r"\b(?:(?P<most>most|largest|biggest|greatest|highest|strongest|fastest|steepest|sharpest|quickest)|"
    r"(?P<least>least|smallest|lowest|slowest|weakest))\b",
    re.IGNORECASE,
)
_RELATIVE: Final = re.compile(
    r"\bper ?cent\w*|%|\bfastest\b|\bslowest\b|\brate\b|\brelative|\bproportion", re.IGNORECASE
)
_WHICH: Final = re.compile(
    r"\s*(?:in |for |at |of )?(?:(?P<many>how many)|which|what|where|who|list|name)\b", re.IGNORECASE
)
_BETWEEN_BOTH: Final = re.compile(r"\bbetween (?:the two|both|these two) [a-z]+s?e?s\b", re.IGNORECASE)
"""Asks of the two periods that a table has: "between the two censuses"."""
_OF_CHANGE: Final = frozenset(terms("change growth increase decrease rise fall variation difference"))
_SURE: Final = 0.8
_FEWEST: Final = 3
"""Rows that are compared at the least."""


@dataclass(frozen=True)
class ChangeAsked:
    """`mode` is "extreme", "count" or "list"; `up` is None where any change is meant."""

    mode: str
    up: bool | None
    least: bool
    relative: bool
    years: tuple[str, ...]


@dataclass(frozen=True)
class _Change:
    row: int
    amount: Decimal
    cells: tuple[Place, ...]
    text: str


def change_asked(text: str) -> ChangeAsked | None:
    """What a question asks of changes of rows; None where it asks something else."""
    question = text.partition("?")[0]
    asks, change, most = _WHICH.match(question), _CHANGE.search(question), _MOST.search(question)
    years = years_in(question)
    is_between = len(years) == 2 or (not years and _BETWEEN_BOTH.search(question) is not None)
    if asks is None or change is None or (most is None and not is_between):
        return None
    if asks["many"] and not re.search(
        r"\bdid\b|\bhave\b|\bhas\b|\bthat\b|\bwhose\b|\bwhere\b|\bsaw\b", question
    ):
        return None
    is_up, is_down = change["up"] or change["more"], change["down"] or change["fewer"]
    up = True if is_up else False if is_down else None
    mode = "count" if asks["many"] else "extreme" if most is not None else "list"
    if mode == "list" and up is None:
        return None
    least = most is not None and most["least"] is not None
    return ChangeAsked(mode, up, least, _RELATIVE.search(question) is not None, tuple(years))


def change_answer(text: str, asked: ChangeAsked, grids: Sequence[Grid]) -> Derived | None:
    """The rows asked for, from the table that has most of the question's words; None where no table tells changes."""
    found = [
        (_share(text, grid), changes, grid)
        for grid in grids
        if asked.mode != "count" or _is_counted(text, grid)
        if len(changes := _changes(text, asked, grid)) >= _FEWEST
    ]
    best = max(found, key=lambda each: each[0], default=None)
    if best is None or best[0] < 0.5:
        return None
    return _answer(asked, best[1], best[2])


def _is_counted(text: str, grid: Grid) -> bool:
    """Whether what is counted is what the rows are: countries, not what they have."""
    question = TableQuestion(text)
    counted = {question.words[n].term for n in question.counted}
    return grid.name_column is not None and bool(counted & set(grid.columns[grid.name_column].header_terms))


def _answer(asked: ChangeAsked, changes: Sequence[_Change], grid: Grid) -> Derived | None:
    complete = f"The changes of {len(changes)} rows were compared."
    compared = Step(
        "difference",
        str(len(changes)),
        f"{len(changes)} rows have both values.",
        tuple(support_of(grid, place) for change in changes for place in change.cells)[:60],
    )
    if asked.mode == "extreme":
        most = not asked.least if asked.up is not False else asked.least
        ordered = sorted(changes, key=lambda change: change.amount, reverse=most)
        best = ordered[0]
        if len(ordered) > 1 and ordered[1].amount == best.amount:
            return None
        if asked.up is not None and (best.amount > 0) != asked.up:
            return None
        said = _name(grid, best.row)
        step = Step(
            "maximum" if most else "minimum",
            said,
            f"“{said}”: {best.text}.",
            tuple(support_of(grid, place) for place in best.cells),
            (0,),
        )
        return Derived(said, "entity", (compared, step), _SURE, f"{complete} {step.explanation}")
    kept = [change for change in changes if (change.amount > 0 if asked.up else change.amount < 0)]
    names = [_name(grid, change.row) for change in kept]
    said = str(len(kept)) if asked.mode == "count" else "; ".join(names)
    if not said:
        return None
    word = "rose" if asked.up else "fell"
    step = Step(
        "count" if asked.mode == "count" else "filter rows",
        said,
        f"{len(kept)} of {len(changes)} rows {word}: {', '.join(names)}.",
        tuple(support_of(grid, place) for change in kept for place in change.cells),
        (0,),
    )
    return Derived(said, "count" if asked.mode == "count" else "list", (compared, step), _SURE, complete)


def _changes(text: str, asked: ChangeAsked, grid: Grid) -> list[_Change]:
    """The change of each row that is no total."""
    if grid.name_column is None or not _has_name(text, grid):
        return []
    rows = [
        number
        for number, row in enumerate(grid.rows)
        if number not in grid.total_rows and row[grid.name_column].text.strip()
    ]
    own = _column_of_change(text, asked, grid)
    if own is not None:
        return [
            _Change(row, value, ((row, own.index),), f"{own.header}: {own.cells[row].words}")
            for row in rows
            if (value := own.cells[row].value.number) is not None
        ]
    pair = _pair(text, asked, grid)
    if pair is None:
        return []
    return [change for row in rows if (change := _changed(row, *pair, relative=asked.relative)) is not None]


def _changed(row: int, old: Column, new: Column, *, relative: bool) -> _Change | None:
    before, after = old.cells[row].value.number, new.cells[row].value.number
    if before is None or after is None or (relative and before <= 0):
        return None
    amount = (after - before) / before * 100 if relative else after - before
    said = f"{round(amount, 1):f}%" if relative else number_text(amount, [new.cells[row].text])
    cells = ((row, old.index), (row, new.index))
    return _Change(row, amount, cells, f"from {old.cells[row].words} to {new.cells[row].words}, {said}")


def _column_of_change(text: str, asked: ChangeAsked, grid: Grid) -> Column | None:
    """The column that tells the change itself, of per cent where the question asks for that."""
    if len(asked.years) == 2:
        return None
    columns = [c for c in grid.columns if c.kind == "number" and set(c.header_terms) & _OF_CHANGE]
    shares = [c for c in columns if "%" in c.header or any("%" in cell.text for cell in c.cells)]
    amounts = [c for c in columns if c not in shares]
    words = set(terms(text))
    for wanted in (shares, amounts) if asked.relative else (amounts, shares):
        if wanted:
            return max(wanted, key=lambda column: len(words & set(column.header_terms)))
    return None


def _pair(text: str, asked: ChangeAsked, grid: Grid) -> tuple[Column, Column] | None:
    """The two columns of one measure that are of the first and the last of the periods asked for."""
    by_measure: dict[tuple[str, ...], dict[str, Column]] = {}
    for column in grid.columns:
        years = {year for cell in column.cells if (year := year_of(cell))} or set(years_in(column.header))
        if column.kind == "number" and len(years) == 1:
            measure = tuple(term for term in terms(column.header) if not term.isdigit() and term.isalpha())
            by_measure.setdefault(measure, {})[years.pop()] = column
    words = set(terms(text))
    fitting = [(measure, own) for measure, own in by_measure.items() if len(own) > 1]
    if not fitting:
        return None
    _, own = max(fitting, key=lambda each: len(words & set(each[0])) / max(1, len(each[0])))
    if len(asked.years) == 2:
        return (own[asked.years[0]], own[asked.years[1]]) if set(asked.years) <= own.keys() else None
    ordered = sorted(own)
    last = asked.years[0] if asked.years else ordered[-1]
    if last not in own or not ordered.index(last):
        return None
    return own[ordered[ordered.index(last) - 1]], own[last]


def _has_name(text: str, grid: Grid) -> bool:
    """Whether what the rows are is asked for, or the heads or the caption have a word of the question."""
    assert grid.name_column is not None
    head = grid.columns[grid.name_column].header_terms
    asked = [term for term in terms(text) if term not in FUNCTION_WORDS]
    return any(alike(term, each) for term in asked for each in head) or bool(
        set(asked) & set(terms(grid.caption.rpartition(" › ")[2]))
    )


def _share(text: str, grid: Grid) -> float:
    """How many words that the question is about stand in the table's heads, names or what heads it."""
    held = set(terms(f"{grid.title} {grid.caption}"))
    held |= {term for head in grid.headers for term in terms(head.text)}
    held |= {term for row in grid.rows for term in row[grid.name_column or 0].value.words}
    bare = _MOST.sub(" ", _CHANGE.sub(" ", text))
    asked = {term for term in terms(bare) if term not in FUNCTION_WORDS and not term.isdigit()}
    asked -= set(terms("which what many year fiscal end percent between saw"))
    return sum(any(alike(term, each) for each in held) for term in asked) / max(1, len(asked))


def _name(grid: Grid, row: int) -> str:
    assert grid.name_column is not None
    return MARKS.sub("", grid.cell(row, grid.name_column).words)
