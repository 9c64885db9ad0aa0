"""The largest or smallest line item of a section of a statement: "the largest liability in 2022" → the row's label."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from provgraph.derivation.result import Derived, Step
from provgraph.derivation.tables.cell_periods import years_in
from provgraph.derivation.tables.grid import Grid
from provgraph.derivation.tables.item_questions import EXTREME
from provgraph.derivation.tables.line_items import (
    Line,
    LineItems,
    amount_said,
    is_statement,
    support,
)
from provgraph.language.terms import terms

_ITEM: Final = re.compile(r"\s+(?:single\s+)?(?P<item>[\w-]+(?: [\w-]+)?)")
_WHICH_ITEM: Final = re.compile(
    r"\s*(?:which|what) (?P<item>[\w-]+(?: [\w-]+)?) (?:is|was|were|are|had) (?:the )?$", re.IGNORECASE
)
_FEWEST: Final = 3
"""Rows that a section has at the least."""
_SURE: Final = 0.85


def extreme_line_item(text: str, grids: Sequence[Grid]) -> Derived | None:
    """The row of a section with the most or least; None where none is asked for or no statement has such a section."""
    extreme = EXTREME.search(text)
    if extreme is None:
        return None
    item = _WHICH_ITEM.match(text[: extreme.start()]) or _ITEM.match(text, extreme.end())
    if item is None:
        return None
    items = LineItems([grid for grid in grids if is_statement(grid)] or grids)
    year = (years_in(text) or [items.latest])[-1]
    for length in (2, 1):
        wanted = frozenset(terms(" ".join(item["item"].split()[:length])))
        sections = [
            _section(periodic_grid.grid, periodic_grid.main_column_of(periodic_grid.named(year)), wanted)
            for periodic_grid in items.grids
            if periodic_grid.named(year)
        ]
        rows = max(sections, key=len, default=[])
        if len(rows) >= _FEWEST:
            return _found(rows, year, bool(extreme["most"]))
    return None


def _section(grid: Grid, column: int, wanted: frozenset[str]) -> list[Line]:
    """The rows below a heading of these words, without totals."""
    return [
        Line(grid, number, column, row[0].words, _SURE)
        for number, (row, above) in enumerate(zip(grid.rows, grid.sections, strict=False))
        if row[column].value.number is not None
        and "total" not in row[0].value.words[:2]
        and any(wanted == frozenset(terms(heading)) for heading in above)
    ]


def _found(rows: Sequence[Line], year: str, most: bool) -> Derived:
    ordered = sorted(rows, key=lambda line: line.amount, reverse=most)
    best = ordered[0]
    heading = best.grid.sections[best.row][0]
    said = amount_said(best)
    compared = Step(
        "filter rows",
        str(len(rows)),
        f"{len(rows)} rows stand under “{heading}”.",
        tuple(map(support, ordered)),
    )
    word = "most" if most else "least"
    step = Step(
        "maximum" if most else "minimum",
        best.label,
        f"“{best.label}” has the {word} in {year}: {said}.",
        (support(best),),
        (0,),
    )
    complete = f"{len(rows)} rows under “{heading}” were compared, {said} the {word}."
    return Derived(best.label, "entity", (compared, step), _SURE, complete)
