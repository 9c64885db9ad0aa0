"""Columns of lines → the text of a page: rows, paragraphs, tables; sentences read on across line ends.

Lines of a paragraph are joined by a space and hyphenated words made whole; paragraphs are parted by a blank
line; table rows are lines of `| cell | cell |`. Notes at the foot of a column come after the page's body.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from provgraph.documents import tables
from provgraph.documents.readers.pdf_columns import columns
from provgraph.documents.readers.pdf_lines import Line

_CELL_GAP = 1.5  # ems
_MARKER = re.compile(r"(?:[•·●▪◦■○–—*-]|\(?[0-9a-zA-Z]{1,3}[.)])\Z")
_ITEM = re.compile(r"(?:[•·●▪◦■○‣]|[–—*-]\s|\(?(?:[0-9]{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]\s)")
_FINISHED = re.compile(r"""[.!?:;…。！？؟]["'”’»)\]]*\Z""")
_HYPHENATED = re.compile(r"[^\W\d_][-\xad\u2010]\Z")
_FIRST_WORD = re.compile(r"\S{1,40}")
_LAST_WORD = re.compile(r"[^\W\d_]{1,40}\Z")
_NEXT_WORD = re.compile(r"[^\W\d_]{1,40}")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_KEEPS_HYPHEN = re.compile(r"self|non|well|high|low|long|short|cross|semi|multi|half|ex|all|so|state|dual|\w")
_LEADER = re.compile(r"(?:\.{4}|(?:\. ){4}).{0,8}\Z")  # the dots of a table of contents
_PAGE_NUMBER = re.compile(r"[\W_]*(?:\d{1,4}|[ivxlc]{1,6})[\W_]*\Z")
_NOTE_SIZE = 0.93


@dataclass(slots=True)
class _Row:
    """The text on one baseline of a column, and the edges of that column."""

    x0: float
    x1: float
    base: float
    size: float
    text: str
    cells: int
    left: float
    right: float
    pitch: float = 0
    column: int = 0


def page_text(lines: Sequence[Line]) -> str:
    """The text of a page's lines in reading order; lines that run up or down the page come last."""
    body: list[_Row] = []
    notes: list[_Row] = []
    size = body_size(lines)
    top, middle, bottom = _parts([line for line in lines if line.upright])
    for number, column in enumerate(columns(middle)):
        rows = _rows(column, number)
        foot = _foot(rows, size)
        body += rows[:foot]
        notes += rows[foot:]
    text = _joined(body)
    aside = [line for line in lines if not line.upright]
    parts = [*_texts(top), text, _joined(notes), *_texts(aside), *_texts(bottom)]
    return "\n\n".join(part for part in parts if part)


def _texts(lines: Sequence[Line]) -> list[str]:
    return [" ".join(line.text.split()) for line in lines]


def _parts(lines: Sequence[Line]) -> tuple[list[Line], list[Line], list[Line]]:
    """A page number above, the page's body, and a page number below: lines well apart from all others."""
    ordered = sorted(lines, key=lambda line: line.base)
    top, bottom = 0, len(ordered)
    if bottom > 1 and _is_page_number(ordered[0], ordered[1]):
        top = 1
    if bottom - top > 1 and _is_page_number(ordered[-1], ordered[-2]):
        bottom -= 1
    return ordered[:top], ordered[top:bottom], ordered[bottom:]


def _is_page_number(line: Line, nearest: Line) -> bool:
    apart = abs(line.base - nearest.base) > 1.8 * max(line.size, nearest.size)
    return apart and _PAGE_NUMBER.match(line.text) is not None


def body_size(lines: Sequence[Line]) -> float:
    weights: Counter[float] = Counter()
    for line in lines:
        weights[line.size] += len(line.text)
    return max(weights, key=weights.__getitem__, default=1)


def _foot(rows: Sequence[_Row], body_size: float) -> int:
    """Where the notes in smaller type at the end of a column begin; its length when it has none."""
    foot = len(rows)
    while foot and rows[foot - 1].size < _NOTE_SIZE * body_size and rows[foot - 1].cells == 1:
        foot -= 1
    return foot if any(row.size >= _NOTE_SIZE * body_size for row in rows[:foot]) else len(rows)


def _rows(lines: Sequence[Line], column: int) -> list[_Row]:
    """Lines of one column, from top to bottom, as rows."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    groups: list[list[Line]] = []
    for line in lines:
        if groups and abs(line.base - groups[-1][0].base) < 0.45 * min(line.size, groups[-1][0].size):
            groups[-1].append(line)
        else:
            groups.append([line])
    cells = [_cells(group) for group in groups]
    rows = []
    for index, group in enumerate(groups):
        beside = [i for i in (index - 1, index + 1) if 0 <= i < len(cells) and len(cells[i]) > 1]
        close = any(abs(groups[i][0].base - group[0].base) < 3 * group[0].size for i in beside)
        ruled = any(line.is_row for line in group)
        tabular = ruled or len(cells[index]) > 2 or (len(cells[index]) == 2 and close)
        rows.append(
            _Row(
                x0=min(line.x0 for line in group),
                x1=max(line.x1 for line in group),
                base=group[0].base,
                size=max(line.size for line in group),
                text=tables.row(cells[index]) if tabular and not ruled else " ".join(cells[index]),
                cells=max(len(cells[index]), 2) if tabular else 1,
                left=left,
                right=right,
                column=column,
            )
        )
    steps = [b.base - a.base for a, b in pairwise(rows)]
    pitch = median(steps) if steps else 0
    for row in rows:
        row.pitch = pitch
    return rows


def _cells(group: Sequence[Line]) -> list[str]:
    """The texts of a row's cells in reading order: pieces parted by a wide gap; a bullet is no cell."""
    if len(group) == 1:
        return [" ".join(group[0].text.split())]
    leftwards = sum(bool(_RIGHT_TO_LEFT.search(line.text)) for line in group) * 2 > len(group)
    pieces = sorted(group, key=lambda line: -line.x1 if leftwards else line.x0)
    cells = [pieces[0].text]
    for piece, following in pairwise(pieces):
        gap = piece.x0 - following.x1 if leftwards else following.x0 - piece.x1
        if gap < _CELL_GAP * following.size or (len(cells) == 1 and _MARKER.match(cells[0].strip())):
            cells[-1] += " " + following.text
        else:
            cells.append(following.text)
    return [" ".join(cell.split()) for cell in cells]


def _joined(rows: Sequence[_Row]) -> str:
    if not rows:
        return ""
    words: set[str] | None = None
    parts = [rows[0].text]
    for row, following in pairwise(rows):
        joint = _joint(row, following)
        if joint == " " and _HYPHENATED.search(row.text):
            words = _words(rows) if words is None else words
            joint = ""
            if not _keeps_hyphen(row.text, following.text, words):
                parts[-1] = parts[-1][:-1]
        parts += (joint, following.text)
    return "".join(parts)


def _joint(row: _Row, following: _Row) -> str:
    """What stands between two rows: a space in a paragraph, a line end between items, else a blank line."""
    close = row.column == following.column and following.base - row.base < 1.3 * row.pitch + 0.1 * row.size
    if row.cells > 1 or following.cells > 1:
        return "\n" if close and (row.cells > 1 and following.cells > 1) else "\n\n"
    if _ITEM.match(following.text) or _LEADER.search(row.text[-16:]):
        return "\n" if close else "\n\n"
    if _reads_on(row, following):
        return " "
    if not close or abs(row.size - following.size) > 0.12 * row.size:
        return "\n\n"
    finished = _FINISHED.search(row.text) is not None
    if _ends_early(row, following):
        return "\n\n" if finished else "\n"
    indented = following.x0 - row.x0 > 0.8 * row.size and not _RIGHT_TO_LEFT.search(row.text)
    return "\n\n" if indented and finished else " "


def _reads_on(row: _Row, following: _Row) -> bool:
    """Whether a sentence goes on from one row to the next: also over a gap, or to the next column."""
    if not following.text[0].islower() or _FINISHED.search(row.text):
        return False
    if row.column != following.column:
        return abs(row.size - following.size) < 0.1 * row.size and not _ends_early(row, following)
    return following.base - row.base < 2.5 * max(row.pitch, row.size)


def _ends_early(row: _Row, following: _Row) -> bool:
    """Whether the next row's first word would still have fitted on this row."""
    found = _FIRST_WORD.match(following.text)
    word = (len(found.group()) if found else 0) + 1
    room = row.x0 - row.left if _RIGHT_TO_LEFT.search(row.text) else row.right - row.x1
    return room > (0.5 * word + 0.5) * row.size


def _keeps_hyphen(text: str, following: str, words: set[str]) -> bool:
    """Whether the hyphen at a line end is the word's own: judged by the other words of the page."""
    if text[-1] == "\xad":
        return False
    first, second = _LAST_WORD.search(text[:-1]), _NEXT_WORD.match(following)
    if first is None or second is None or not following[0].islower():
        return True
    begun, ended = first.group().lower(), second.group().lower()
    if f"{begun}-{ended}" in words:
        return True
    return _KEEPS_HYPHEN.fullmatch(begun) is not None and begun + ended not in words


def _words(rows: Iterable[_Row]) -> set[str]:
    return {word.strip(".,;:()[]“”\"'") for row in rows for word in row.text.lower().split()}
