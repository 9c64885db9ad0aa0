"""Tables as they stand in the text of a page: Markdown, in whose rows every cell has the label of its column.

    | Item | 2019 | 2020 |
    | --- | --- | --- |
    | Revenue | 2019: 1,200 | 2020: 1,350 |

A row says by itself what its cells are, in whatever chunk it comes to lie: docs/tech-specs/tables.md. Readers write
rows of `| cell | cell |`; `labelled` gives them labels, and `rows` reads such rows back, with exact places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

FORM: Final = b"\0tables with labels"
"""Tells this form of tables from others, in the names of what is read in it: another form needs another word."""

LONGEST_LABEL: Final = 60
"""A longer head of a column is prose; its cells get no label."""

MOST_COLUMNS: Final = 200
MOST_GROWTH: Final = 4
"""A table that labels would make longer than so many times itself is left as it is."""

_LEAST_ROWS: Final = 3
"""A head is guessed only where at least so many rows, itself included, are of one width."""

_LINE: Final = re.compile(r"^\|.*\|[ \t]*$", re.MULTILINE)
_RULE_CELL: Final = re.compile(r":?-+:?")
_LABELLED: Final = re.compile(rf"(?P<label>[^|:\n][^|\n]{{0,{LONGEST_LABEL - 1}}}?): (?P<value>[^|\n]*\S)")
_NUMERIC: Final = re.compile(r"[-+−(]?[$€£¥]?\s?\d[\d.,\s]*\)?\s?(?:%|[A-Za-z$€£¥]{1,3})?")
_YEAR: Final = re.compile(r"(?:FY\s?)?(?:1[5-9]|20)\d\d")


@dataclass(frozen=True)
class Cell:
    """`text[start:end]` is the cell: `label`, a colon and a space, and `value`."""

    start: int
    end: int
    label: str
    value: str


@dataclass(frozen=True)
class Row:
    """`text[start:end]` is the row without the bars around it, and `text[start:subject_end]` what it is of."""

    start: int
    end: int
    subject: str
    subject_end: int
    cells: tuple[Cell, ...]


def row(texts: Sequence[str]) -> str:
    """One row of a table; a bar within a cell becomes a broken one, for it would part the cell."""
    return f"| {' | '.join(' '.join(cell.replace('|', '¦').split()) for cell in texts)} |"


def rule(columns: int) -> str:
    """The line below the head of a table."""
    return row(["---"] * columns)


def cells(line: str) -> list[str]:
    """What stands between the bars of a line."""
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def is_rule(line: str) -> bool:
    """Whether the line is drawn below the head of a table."""
    return "|" in line and all(_RULE_CELL.fullmatch(cell) for cell in cells(line))


def is_number(cell: str) -> bool:
    return _NUMERIC.fullmatch(cell.strip()) is not None


def is_amount(cell: str) -> bool:
    """Whether the cell is a number and no year, as the head of a column may be."""
    return is_number(cell) and not _YEAR.fullmatch(cell.strip())


def labelled(text: str) -> str:
    """`text` with labels in the rows of its tables.

    The head of a table is the row above a rule; without a rule it is guessed: where rows of one width follow it in
    which most cells are numbers, while its own are names or years. A table without a head stays as it is, and so does
    all other text.
    """
    if "|" not in text:
        return text
    parts: list[str] = []
    for is_row, run in groupby(text.split("\n"), key=lambda line: _LINE.fullmatch(line) is not None):
        lines = list(run)
        parts += _table(lines) if is_row else lines
    return "\n".join(parts)


def has_rows(text: str) -> bool:
    """Whether there is a row of a table, with labels or without."""
    return _LINE.search(text) is not None


def rows(text: str) -> Iterator[Row]:
    """The rows with labels in a text, in order; heads, rules and rows without labels are none."""
    for line in _LINE.finditer(text):
        found = _row(text, line.start(), line.end())
        if found:
            yield found


def heads(text: str) -> Iterator[tuple[int, int]]:
    """The spans of heads and rules whose labels the rows below them have."""
    lines = list(_LINE.finditer(text))
    for head, drawn, first in zip(lines, lines[1:], lines[2:], strict=False):
        adjoining = drawn.start() == head.end() + 1 and first.start() == drawn.end() + 1
        if adjoining and is_rule(drawn[0]) and _row(text, first.start(), first.end()):
            yield head.start(), head.end()
            yield drawn.start(), drawn.end()


def _table(lines: list[str]) -> list[str]:
    """The lines of one table, or of several that follow each other."""
    heads = [index for index, line in enumerate(lines) if index and is_rule(line)]
    if not heads:
        return _guessed(lines)
    made = lines[: heads[0] - 1]
    for head, following in zip(heads, [*(at - 1 for at in heads[1:]), len(lines)], strict=True):
        made += _written(cells(lines[head - 1]), [cells(line) for line in lines[head + 1 : following]])
    return made


def _guessed(lines: list[str]) -> list[str]:
    """Runs of rows of one width, those with a head labelled."""
    made: list[str] = []
    for width, run in groupby(lines, key=lambda line: len(cells(line))):
        same = list(run)
        table = [cells(line) for line in same]
        made += _written(table[0], table[1:]) if width > 1 and _has_head(table) else same
    return made


def _has_head(table: Sequence[Sequence[str]]) -> bool:
    head, body = table[0], table[1:]
    if len(table) < _LEAST_ROWS or not all(head[1:]) or len(set(head)) < len(head):
        return False
    if any(map(is_amount, head)):
        return False
    filled = [cell for each in body for cell in each[1:] if cell]
    return 2 * sum(map(is_number, filled)) > len(filled)


def _written(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    plain = [row(head), rule(len(head)), *map(row, body)]
    if not 1 < len(head) <= MOST_COLUMNS:
        return plain
    made = [*plain[:2], *(row(list(_with_labels(head, each))) for each in body)]
    grown = sum(map(len, made)) > MOST_GROWTH * sum(map(len, plain))
    return plain if grown else made


def _with_labels(head: Sequence[str], texts: Sequence[str]) -> Iterator[str]:
    """The first cell is what the row is of, and has no label unless it is a mere number."""
    for index, cell in enumerate(texts):
        label = head[index].rstrip(": ") if index < len(head) else ""
        told = cell and 0 < len(label) <= LONGEST_LABEL and not f"{cell}: ".startswith(f"{label}: ")
        yield f"{label}: {cell}" if told and (index or is_number(cell)) else cell


def _row(text: str, start: int, end: int) -> Row | None:
    pieces: list[tuple[int, int]] = []
    at = start + 1
    for piece in text[start + 1 : text.rindex("|", start, end)].split("|"):
        bare = piece.strip()
        begins = at + (len(piece) - len(piece.lstrip()) if bare else 0)
        pieces.append((begins, begins + len(bare)))
        at += len(piece) + 1
    (first, first_end), *others = pieces
    told = [
        Cell(begins, ends, found["label"], found["value"])
        for begins, ends in others
        if (found := _LABELLED.fullmatch(text, begins, ends))
    ]
    if first == first_end or not told:
        return None
    subject = text[first:first_end]
    return Row(first, max(ends for _, ends in others), subject.replace(": ", " ", 1), first_end, tuple(told))
