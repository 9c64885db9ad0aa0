"""Tables as they stand in the text of a page: a line of `| cell | cell |` for each row, in the words that are printed.

Only white space and the bars are the reader's; what heads which cells is recorded beside the text, as `TableLayout`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from provgraph.documents.amounts import is_unit
from provgraph.documents.page_layout import CellLayout, TableLayout
from provgraph.language.sentences import sentence_spans

FORM: Final = b"\0tables as printed, labels with values"
"""Tells this form of tables from others, in the names of what is read in it: another form needs another word."""

MOST_COLUMNS: Final = 200
_MOST_OF_UNITS: Final = 2
"""Rows of units that a head goes on in."""

_LEAST_ROWS: Final = 3
"""A head is guessed only where at least so many rows, itself included, are of one width."""

_LINE: Final = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE)
_RULE_CELL: Final = re.compile(r":?-+:?")
_NUMERIC: Final = re.compile(r"[-+−(]?[$€£¥]?\s?\d[\d.,\s]*\)?\s?(?:%|[A-Za-z$€£¥]{1,3})?")
_YEAR: Final = re.compile(r"(?:FY\s?)?(?:1[5-9]|20)\d\d")


@dataclass(frozen=True)
class WrittenTable:
    """The lines that a reader wrote of a table, how many of them are heads, and by (row, column) over how many rows
    and columns a merged cell stretches."""

    lines: Sequence[str]
    header_rows: int = 0
    header_columns: int = 1
    merged: Mapping[tuple[int, int], tuple[int, int]] = field(default_factory=dict)


def row(texts: Sequence[str]) -> str:
    """One row of a table; a bar within a cell becomes a broken one, for it would part the cell."""
    return f"| {' | '.join(' '.join(cell.replace('|', '¦').split()) for cell in texts)} |"


def rule(columns: int) -> str:
    """The line below the head of a table in Markdown."""
    return row(["---"] * columns)


def cells(line: str) -> list[str]:
    """What stands between the bars of a line."""
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def cell_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the cells of the row `text[start:end]` stand, without the white space around them."""
    start = text.index("|", start, end) + 1
    spans = []
    for piece in text[start : text.rindex("|", start, end)].split("|"):
        bare = piece.strip()
        begins = start + (len(piece) - len(piece.lstrip()) if bare else 0)
        spans.append((begins, begins + len(bare)))
        start += len(piece) + 1
    return spans


def is_rule(line: str) -> bool:
    """Whether the line is drawn below the head of a table."""
    return "|" in line and all(_RULE_CELL.fullmatch(cell) for cell in cells(line))


def is_number(cell: str) -> bool:
    return _NUMERIC.fullmatch(cell.strip()) is not None


def is_amount(cell: str) -> bool:
    """Whether the cell is a number and no year, as the head of a column may be."""
    return is_number(cell) and not _YEAR.fullmatch(cell.strip())


def names_columns(cells: Sequence[str]) -> bool:
    """Whether a first row names columns: most of its cells have a name, each its own, and none is an amount."""
    names = [cell.strip() for cell in cells[1:] if cell.strip()]
    own = len(set(names)) == len(names) and not any(map(is_amount, names))
    return own and 2 * len(names) > len(cells) - 1


def is_row(text: str) -> bool:
    """Whether words are those of one row, with bars between its cells."""
    return " | " in text and "\n" not in text.strip()


def has_rows(text: str) -> bool:
    """Whether there is a row of a table."""
    return _LINE.search(text) is not None


def row_spans(text: str) -> Iterator[tuple[int, int]]:
    """The rows of a text in order, each from its first cell to its last, without the bars around them; no rules."""
    for line in _LINE.finditer(text):
        filled = [span for span in cell_spans(text, line.start(), line.end()) if span[0] < span[1]]
        if filled and not is_rule(line[0]):
            yield filled[0][0], filled[-1][1]


def located(text: str, written: Sequence[WrittenTable], at: int = 0) -> tuple[TableLayout, ...]:
    """The layouts of tables whose lines stand in `text` from `at` on, one table after the other; of one that does not,
    none."""
    layouts = []
    for table in written:
        start = text.find("\n".join(table.lines), at) if table.lines else -1
        if start >= 0 and (layout := _layout(text, start, _with_units(table))):
            layouts.append(layout)
            at = layout.end
    return tuple(layouts)


def recognised(text: str) -> tuple[TableLayout, ...]:
    """The tables of a text that nobody marked otherwise: rows with a rule below their head, as Markdown has them.

    Without a rule the head is guessed: where rows of one width follow it in which most cells are numbers, while its
    own are names or years. Rows of which no head can be told make no table.
    """
    return located(text, [table for lines in _runs(text) if (table := _as_written(lines))])


def _runs(text: str) -> Iterator[list[str]]:
    """Lines of rows that follow each other; a table that begins below another's last row is one of its own."""
    run: list[re.Match[str]] = []
    for line in _LINE.finditer(text):
        if run and line.start() > run[-1].end() + 1:
            yield from _parted([match[0] for match in run])
            run = []
        run.append(line)
    yield from _parted([match[0] for match in run])


def _parted(lines: list[str]) -> Iterator[list[str]]:
    heads = [at - 1 for at, line in enumerate(lines) if at and is_rule(line)]
    for start, end in pairwise([*(heads if heads and not heads[0] else [0, *heads]), len(lines)]):
        yield lines[start:end]


def _as_written(lines: list[str]) -> WrittenTable | None:
    if len(lines) > 1 and is_rule(lines[1]):
        return WrittenTable(lines, 1)
    widths = {len(cells(line)) for line in lines}
    table = [cells(line) for line in lines]
    return WrittenTable(lines, 1) if len(widths) == 1 and _has_head(table) else None


def _has_head(table: Sequence[Sequence[str]]) -> bool:
    head, body = table[0], table[1:]
    if len(table) < _LEAST_ROWS or len(head) < 2 or not all(head[1:]) or len(set(head)) < len(head):
        return False
    if any(map(is_amount, head)):
        return False
    filled = [cell for each in body for cell in each[1:] if cell]
    return 2 * sum(map(is_number, filled)) > len(filled)


def _with_units(table: WrittenTable) -> WrittenTable:
    """The table whose head goes on in rows that hold nothing but units: "£'000" below each year."""
    heads = table.header_rows
    rows = [line for line in table.lines[: heads + _MOST_OF_UNITS + 1] if not is_rule(line)]
    while 0 < heads < min(len(rows), table.header_rows + _MOST_OF_UNITS) and holds_units(cells(rows[heads])):
        heads += 1
    return table if heads == table.header_rows else replace(table, header_rows=heads)


def holds_units(texts: Sequence[str]) -> bool:
    """Whether a row holds the units of columns and nothing else."""
    filled = [text for text in texts[1:] if text]
    return bool(filled) and all(map(is_unit, filled)) and (not texts[0] or is_unit(texts[0]))


def _layout(text: str, start: int, table: WrittenTable) -> TableLayout | None:
    layouts: list[CellLayout] = []
    number = columns = 0
    for line in table.lines:
        end = start + len(line)
        if not is_rule(line):
            spans = cell_spans(text, start, end)
            columns = max(columns, len(spans))
            for column, span in enumerate(spans):
                if span[0] < span[1]:
                    high, wide = table.merged.get((number, column), (1, 1))
                    layouts.append(CellLayout(number, column, *span, rows=high, columns=wide))
            number += 1
        start = end + 1
    if not layouts or columns < 2:
        return None
    return TableLayout(tuple(layouts), number, columns, table.header_rows, table.header_columns)


def quotable_spans(text: str) -> list[tuple[int, int]]:
    """The sentences of a text, as answers quote them and search compares them: rows of tables are sentences too, whole
    whatever stops stand in them."""
    if "|" not in text:
        return sentence_spans(text)
    whole = list(row_spans(text))
    apart = (span for span in sentence_spans(text) if not any(s < span[1] and span[0] < e for s, e in whole))
    return sorted([*whole, *apart])
