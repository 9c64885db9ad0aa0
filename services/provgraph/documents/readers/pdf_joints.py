"""Rows of a page's text, and what stands between two of them: space, a line end, a blank line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from provgraph.documents.readers.pdf_lines import PdfLine
from provgraph.documents.readers.pdf_table_parts import FoundCell, FoundTable

ITEM = re.compile(r"(?:[•·●▪◦■○‣]|[–—*-]\s|\(?(?:[0-9]{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]\s)")
_FINISHED = re.compile(r"""[.!?:;…。！？؟]["'”’»)\]]*\Z""")
HYPHENATED = re.compile(r"[^\W\d_][-\xad\u2010]\Z")
_FIRST_WORD = re.compile(r"\S{1,40}")
_LAST_WORD = re.compile(r"[^\W\d_]{1,40}\Z")
_NEXT_WORD = re.compile(r"[^\W\d_]{1,40}")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_KEEPS_HYPHEN = re.compile(r"self|non|well|high|low|long|short|cross|semi|multi|half|ex|all|so|state|dual|\w")
_LEADER = re.compile(r"(?:\.{4}|(?:\. ){4}).{0,8}\Z")  # the dots of a table of contents


@dataclass(slots=True)
class TextRow:
    """A row of the text: of the body, or of a table. `pieces` are (where it begins, where it ends, line)."""

    text: str
    pieces: list[tuple[int, int, PdfLine]]
    x0: float
    x1: float
    base: float
    size: float
    left: float
    right: float
    pitch: float
    column: int
    cells: int = 1
    table: FoundTable | None = None
    table_row: int = 0
    spans: list[tuple[FoundCell, int, int]] = field(default_factory=list)


def joint(row: TextRow, following: TextRow) -> str:
    """What stands between two rows: a space in a paragraph, a line end between items, else a blank line."""
    if row.table or following.table:
        return "\n" if row.table is following.table else "\n\n"
    close = row.column == following.column and following.base - row.base < 1.3 * row.pitch + 0.1 * row.size
    if row.cells > 1 or following.cells > 1:
        return "\n" if close and (row.cells > 1 and following.cells > 1) else "\n\n"
    if ITEM.match(following.text) or _LEADER.search(row.text[-16:]):
        return "\n" if close else "\n\n"
    if _reads_on(row, following):
        return " "
    if not close or abs(row.size - following.size) > 0.12 * row.size or _is_bold(row) != _is_bold(following):
        return "\n\n"
    finished = _FINISHED.search(row.text) is not None
    if _ends_early(row, following):
        return "\n\n" if finished else "\n"
    indented = following.x0 - row.x0 > 0.8 * row.size and not _RIGHT_TO_LEFT.search(row.text)
    return "\n\n" if indented and finished else " "


def _is_bold(row: TextRow) -> bool:
    return all(line.is_bold for _, _, line in row.pieces)


def _reads_on(row: TextRow, following: TextRow) -> bool:
    """Whether a sentence goes on from one row to the next: also over a gap, or to the next column."""
    if not following.text[0].islower() or _FINISHED.search(row.text):
        return False
    if row.column != following.column:
        return abs(row.size - following.size) < 0.1 * row.size and not _ends_early(row, following)
    return following.base - row.base < 2.5 * max(row.pitch, row.size)


def _ends_early(row: TextRow, following: TextRow) -> bool:
    """Whether the next row's first word would still have fitted on this row."""
    match = _FIRST_WORD.match(following.text)
    word = (len(match.group()) if match else 0) + 1
    room = row.x0 - row.left if _RIGHT_TO_LEFT.search(row.text) else row.right - row.x1
    return room > (0.5 * word + 0.5) * row.size


def keeps_hyphen(text: str, following: str, words: set[str]) -> bool:
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


def words_of(rows: Iterable[TextRow]) -> set[str]:
    return {word.strip(".,;:()[]“”\"'") for row in rows for word in row.text.lower().split()}
