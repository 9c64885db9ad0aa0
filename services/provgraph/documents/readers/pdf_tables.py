"""Tables of a PDF page that are drawn with lines: their cells, also those of several lines, in place of the lines.

PyMuPDF finds them by their rulings. What it finds is taken only where it holds the very characters of the lines that it
replaces, so that nothing is lost and prose in a frame stays prose; and only on pages of moderate size, which are told
by what stands on them and never by the clock, so that the same bytes are read the same everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import Final

import pymupdf

from provgraph.documents import tables
from provgraph.documents.readers.pdf_lines import SCALE, Line

FEWEST_DRAWINGS: Final = 3
MOST_DRAWINGS: Final = 2_000
MOST_LINES: Final = 3_000
LONGEST_CELL: Final = 120
"""Characters in a cell on the average: more is prose."""

_LOST: Final = 0.01
"""Share of the characters that a table may have too few or too many: marks that lie on its edges."""

Cells = list[str | None]

pymupdf.no_recommend_layout()  # type: ignore[no-untyped-call]


def with_tables(document: pymupdf.Document, index: int, lines: Sequence[Line]) -> list[Line]:
    """The lines of a page, those of its ruled tables as rows."""
    if len(lines) > MOST_LINES:
        return list(lines)
    page = document[index]
    if not FEWEST_DRAWINGS <= len(page.get_cdrawings()) <= MOST_DRAWINGS:  # type: ignore[no-untyped-call]
        return list(lines)
    left = list(lines)
    for table in page.find_tables().tables:  # type: ignore[no-untyped-call]
        inside = [line for line in left if _is_inside(line, table.bbox)]
        rows = table.extract()
        if _is_table(rows, inside):
            left = [line for line in left if line not in inside] + list(_as_lines(rows, inside))
    return left


def _is_inside(line: Line, box: tuple[float, float, float, float]) -> bool:
    x, y = (line.x0 + line.x1) / 2 / SCALE, (line.y0 + line.y1) / 2 / SCALE
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _is_table(rows: Sequence[Cells], lines: Sequence[Line]) -> bool:
    texts = [cell for row in rows for cell in row if cell]
    if len(rows) < 2 or len(rows[0]) < 2 or not texts or not all(line.upright for line in lines):
        return False
    filled = sum(cell is None or bool(cell) for row in rows for cell in row)
    found = _letters(texts)
    read = _letters([line.text for line in lines])
    differing = ((found - read) + (read - found)).total()
    return (
        2 * filled >= len(rows) * len(rows[0])
        and sum(map(len, texts)) <= LONGEST_CELL * len(texts)
        and differing <= _LOST * read.total()
    )


def _letters(texts: Sequence[str]) -> Counter[str]:
    return Counter(letter for text in texts for letter in text if not letter.isspace())


def _as_lines(rows: Sequence[Cells], lines: Sequence[Line]) -> Iterator[Line]:
    """The rows of a table, one below the other in its place."""
    texts = list(_texts(rows))
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    top, bottom = min(line.y0 for line in lines), max(line.y1 for line in lines)
    size = median(line.size for line in lines)
    step = (bottom - top) / len(texts)
    for number, text in enumerate(texts):
        y = top + number * step
        yield replace(
            lines[0],
            x0=left,
            x1=right,
            y0=y,
            y1=y + step,
            base=y + step,
            size=min(size, step),
            text=text,
            is_row=True,
        )


def _texts(rows: Sequence[Cells]) -> Iterator[str]:
    """The rows in Markdown. A title above the head, in one cell, is a row of its own."""
    begin = next((at for at, row in enumerate(rows) if sum(map(bool, row)) > 1), 0)
    yield from (tables.row([cell for cell in row if cell]) for row in rows[:begin])
    head, body = _head(rows[begin:])
    yield tables.row(head)
    if _names_columns(head):
        yield tables.rule(len(head))
    above = head
    for row in body:
        for texts in _split(row):
            above = [above[at] if text is None and not at else text or "" for at, text in enumerate(texts)]
            yield tables.row(above)


def _head(rows: Sequence[Cells]) -> tuple[list[str], Sequence[Cells]]:
    """The labels of the columns: a merged one in each of its columns, and what stands below it behind it."""
    first = rows[0]
    spread = [
        next((text for text in reversed(first[: at + 1]) if text is not None), "") for at in range(len(first))
    ]
    below: Cells = rows[1] if len(rows) > 2 else []
    merged = [at for at, text in enumerate(first) if text is None or first[at + 1 : at + 2] == [None]]
    if merged and any(below) and all(at in merged for at, text in enumerate(below) if text):
        labels = [f"{label} {under or ''}" for label, under in zip(spread, below, strict=True)]
        return [" ".join(label.split()) for label in labels], rows[2:]
    return [" ".join(label.split()) for label in spread], rows[1:]


def _names_columns(head: Sequence[str]) -> bool:
    return all(head[1:]) and not any(map(tables.is_amount, head[1:]))


def _split(row: Cells) -> Iterator[Cells]:
    """Several rows, where nobody drew a line between them: most of the cells have equally many lines."""
    lines = [cell.split("\n") if cell else [] for cell in row]
    counts = Counter(len(each) for each in lines if each)
    count = max(counts, default=1)
    if count < 2 or set(counts) - {1, count} or counts[count] < max(2, counts[1] + 1):
        yield row
        return
    for number in range(count):
        yield [
            each[number if len(each) > 1 else 0] if each else cell
            for each, cell in zip(lines, row, strict=True)
        ]
