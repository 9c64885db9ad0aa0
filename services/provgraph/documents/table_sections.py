"""Which rows of a table head the rows below them: "Current assets" above "Inventories"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class RowSection:
    """A row that heads those below it: they are of it until one that is indented no further. `indents` once a row was
    indented below it, `is_flat` where the first below it was not."""

    depth: int
    label: str
    indents: bool = False
    is_flat: bool = False


def open_sections(
    sections: Sequence[RowSection], depth: int, has_values: bool, has_label: bool
) -> list[RowSection]:
    """The sections that a row of this depth is in: all those less indented, and for a row with values also the last
    one indented as far, if it has indented none or not its first: tables that hardly indent have sections too."""
    if not has_label:
        return list(sections)
    kept = [replace(section, indents=True) for section in sections if section.depth < depth]
    level = [
        replace(section, is_flat=True)
        for section in sections
        if section.depth == depth and (section.is_flat or not section.indents)
    ]
    return [*kept, *level[-1:]] if has_values else kept
