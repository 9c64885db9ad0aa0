"""Lists of labels with their values, as on fact sheets and forms, and the tables between them: "ISIN    LU0471230985".

The labels begin one below the other, and so do the values, which are mostly words: where they are amounts, the rows are
those of a table (`pdf_grid.py`). What begins right below a value is its next line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from provgraph.documents.readers.pdf_grid import TableRows, tables_in
from provgraph.documents.readers.pdf_table_parts import FoundCell, FoundTable, Rule
from provgraph.documents.readers.pdf_tokens import CellToken, Row

_FEWEST: Final = 4
_LONGEST_LABEL: Final = 40
_APART: Final = 2.6
"""Sizes of type between the baselines of two rows of a list."""
_ALIGNED: Final = 0.4


@dataclass
class LabelList:
    """`rows[start:end]` are a list of labels with their values."""

    start: int
    end: int
    pairs: list[tuple[FoundCell, FoundCell]] = field(default_factory=list)

    @property
    def table(self) -> FoundTable:
        rows = [list(pair) for pair in self.pairs]
        return FoundTable(rows, 2, 0, 1, [0] * len(rows))


def tables_and_lists(rows: Sequence[Row], rules: Sequence[Rule]) -> list[TableRows]:
    """The tables and lists of a column of the page, whose rows stand from top to bottom."""
    found: list[TableRows] = []
    at = 0
    for each in [*label_lists(rows), LabelList(len(rows), len(rows))]:
        between = tables_in(rows[at : each.start], rules)
        found += [replace(run, start=run.start + at, end=run.end + at) for run in between]
        if each.pairs:
            found.append(TableRows(each.start, each.end, each.table))
        at = each.end
    return found


def label_lists(rows: Sequence[Row]) -> Iterator[LabelList]:
    """The lists of a column of the page, whose rows stand from top to bottom."""
    at = 0
    while at < len(rows):
        found = _list_from(rows, at)
        if found and _is_list(found):
            yield found
        at = max(found.end if found else 0, at + 1)


def _list_from(rows: Sequence[Row], start: int) -> LabelList | None:
    """The pairs from a row on that stand one below the other."""
    if not _is_pair(rows[start]):
        return None
    label, value = rows[start].tokens
    found = LabelList(start, start)
    for at in range(start, len(rows)):
        row = rows[at]
        if at > start and row.base - rows[at - 1].base > _APART * max(row.size, rows[at - 1].size):
            break
        if _is_pair(row) and _begins_at(row.tokens[0], label) and _begins_at(row.tokens[1], value):
            own = (FoundCell(0, list(row.tokens[0].lines)), FoundCell(1, list(row.tokens[1].lines)))
            found.pairs.append(own)
        elif at > start and _is_plain(row, 1) and _begins_at(row.tokens[0], value):
            found.pairs[-1][1].lines += row.tokens[0].lines
        else:
            break
        found.end = at + 1
    return found


def _is_plain(row: Row, tokens: int) -> bool:
    return len(row.tokens) == tokens and row.is_upright and row.lines[0].table is None


def _is_pair(row: Row) -> bool:
    if not _is_plain(row, 2):
        return False
    words = row.tokens[0].text
    return words[:1].isupper() and len(words) <= _LONGEST_LABEL and not words.endswith((".", ";", ","))


def _begins_at(token: CellToken, other: CellToken) -> bool:
    return abs(token.x0 - other.x0) <= _ALIGNED * token.lines[0].size


def _is_list(found: LabelList) -> bool:
    """Whether enough pairs of which each label is another, and most values words."""
    labels = {label.text for label, _ in found.pairs}
    amounts = sum(CellToken(value.lines).is_amount for _, value in found.pairs)
    return len(found.pairs) >= _FEWEST and len(labels) == len(found.pairs) and 2 * amounts < len(found.pairs)
