"""The rows of statements that a question is about without asking for one of their amounts: "Does the company have an
improving operating margin?", where no row has the operating income, is closest to its revenue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from provgraph.derivation.evidence import Support
from provgraph.derivation.tables.cell_periods import years_in
from provgraph.derivation.tables.formulas import formula_in
from provgraph.derivation.tables.grid import Grid
from provgraph.derivation.tables.item_names import Names, content_of, groups_of, other_names
from provgraph.derivation.tables.line_items import LineItems, is_named_statement, support

_FIT: Final = 0.8


def named_items(text: str, names: Names) -> list[tuple[str, ...]]:
    """The words by which the line items that a text names may be called in a table; none where it names none."""
    groups = groups_of(names)
    found = {words for item in _items(text, names) for words in other_names(item, groups)}
    return sorted(found | {content_of(item) for item in _items(text, names)})


def closest_lines(text: str, grids: Sequence[Grid], names: Names) -> list[Support]:
    """The row of each line item that a text names, of the statements that have it, in the latest year that it names."""
    items = LineItems([grid for grid in grids if is_named_statement(grid)], names)
    year = (years_in(text) or [items.latest])[-1]
    lines = [items.line(item, year) for item in _items(text, names)]
    found = {(line.grid.key, line.row): support(line) for line in lines if line and line.score >= _FIT}
    return list(found.values())


def _items(text: str, names: Names) -> list[str]:
    """The line items of a figure that a text names and formulas derive, else those that it names itself."""
    formula = formula_in(text)
    if formula is not None:
        return list(formula.items)
    content = set(content_of(text))
    named = [group[0] for group in names if any(set(content_of(name)) <= content for name in group)]
    return [name for name in named if content_of(name)]
