"""Rows of a column of a page, and what stands in them cell by cell: words, amounts with their signs, marks.

Lines on one baseline are a row. A currency sign belongs to the amount behind it, a per cent sign, a bracket or a mark
of a footnote to what is before it, wherever the typesetter has put them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

from provgraph.documents.amounts import amount_of, is_sign
from provgraph.documents.periods import is_period
from provgraph.documents.readers.pdf_lines import PdfLine

CELL_GAP: Final = 1.5  # ems
MARKER: Final = re.compile(r"(?:[•·●▪◦■○–—*-]|\(?[0-9a-zA-Z]{1,3}[.)])\Z")

_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_NOTHING: Final = re.compile(r"(?:[-–—−#*]{1,2}|n/?[am]|n\.[am]\.|nm)(?:\s?%)?(?:\s?\(\w\))?", re.IGNORECASE)
_TAIL: Final = re.compile(
    r"%|\)|\)\s?%|pts?|bps|x|\([a-z0-9]{1,2}\)(?:,?\s?\([a-z0-9]\))*|[*†‡§]+", re.IGNORECASE
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d(?:\s?(?:\(\w{1,2}\)|[*†‡§]))*")
_LEADER: Final = re.compile(r"(?:\.\s?){4}")


@dataclass(eq=False)
class CellToken:
    """What stands in one cell on one row: lines in their order."""

    lines: list[PdfLine]

    @cached_property
    def text(self) -> str:
        return joined_words(self.lines)

    @property
    def x0(self) -> float:
        return min(line.x0 for line in self.lines)

    @property
    def x1(self) -> float:
        return max(line.x1 for line in self.lines)

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2

    @cached_property
    def digits_from(self) -> float:
        """Where the amount begins, without a currency sign before it."""
        bare = [line for line in self.lines if not is_sign(line.words)]
        return min((line.x0 for line in bare), default=self.x0)

    @cached_property
    def is_amount(self) -> bool:
        """Whether it is a number or a limit ("< 10"), and no year by itself; or says that there is none."""
        if _YEAR.fullmatch(self.text):
            return False
        bare = self.text.lstrip("$€£¥ ")
        unlimited = self.text.lstrip("<>≤≥ ")
        return amount_of(unlimited) is not None or _NOTHING.fullmatch(bare) is not None

    @cached_property
    def is_period(self) -> bool:
        return is_period(self.text)


@dataclass(eq=False)
class Row:
    """The text on one baseline of a column of the page, and the edges of that column."""

    lines: list[PdfLine]
    left: float
    right: float
    column: int = 0
    pitch: float = 0
    tokens: list[CellToken] = field(default_factory=list)

    @property
    def base(self) -> float:
        return self.lines[0].base

    @cached_property
    def x0(self) -> float:
        return min(line.x0 for line in self.lines)

    @cached_property
    def x1(self) -> float:
        return max(line.x1 for line in self.lines)

    @cached_property
    def size(self) -> float:
        return max(line.size for line in self.lines)

    @cached_property
    def has_data(self) -> bool:
        """Whether an amount stands beside a label or another amount."""
        if len(self.tokens) < 2 or _LEADER.search(self.tokens[0].text):
            return False
        amounts = [token for token in self.tokens if token.is_amount]
        return len(amounts) > 1 or any(token is not self.tokens[0] for token in amounts)

    @property
    def is_upright(self) -> bool:
        return all(line.upright for line in self.lines)


def joined_words(lines: Sequence[PdfLine]) -> str:
    """The words of lines in one row or of several rows; what touches is one word, as "53" and a raised "rd"."""
    parts = [lines[0].words] if lines else []
    for line, following in pairwise(lines):
        parts += ["" if touches(line, following) else " ", following.words]
    return "".join(parts)


def touches(line: PdfLine, following: PdfLine) -> bool:
    """Whether no space is between two lines on one baseline of which one is a raised mark."""
    gap = following.x0 - line.x1
    differ = abs(line.size - following.size) > 0.1 * line.size
    return (
        differ
        and line.base == following.base
        and -0.3 * line.size < gap < 0.12 * max(line.size, following.size)
    )


def rows_of(lines: Sequence[PdfLine], number: int) -> list[Row]:
    """The lines of one column of the page, which stand from top to bottom, as rows."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    groups: list[list[PdfLine]] = []
    for line in lines:
        alone = line.table is not None or (groups and groups[-1][0].table is not None)
        if (
            groups
            and not alone
            and abs(line.base - groups[-1][0].base) < 0.45 * min(line.size, groups[-1][0].size)
        ) or (groups and not alone and line.base == groups[-1][0].base):
            groups[-1].append(line)
        else:
            groups.append([line])
    rows = [Row(_as_read(group), left, right, number) for group in groups]
    for row in rows:
        row.tokens = _tokens(row.lines)
    steps = sorted(b.base - a.base for a, b in pairwise(rows))
    pitch = steps[len(steps) // 2] if steps else 0
    for row in rows:
        row.pitch = pitch
    return rows


def is_leftwards(group: Sequence[PdfLine]) -> bool:
    return sum(bool(_RIGHT_TO_LEFT.search(line.text)) for line in group) * 2 > len(group)


def cells_of(lines: Sequence[PdfLine]) -> list[list[PdfLine]]:
    """A row's lines in reading order as cells: pieces parted by a wide gap; a bullet is no cell."""
    leftwards = is_leftwards(lines)
    cells = [[lines[0]]]
    for piece, following in pairwise(lines):
        gap = piece.x0 - following.x1 if leftwards else following.x0 - piece.x1
        first = len(cells) == 1 and MARKER.match(" ".join(line.words for line in cells[0]))
        if gap < CELL_GAP * following.size or first:
            cells[-1].append(following)
        else:
            cells.append([following])
    return cells


def _as_read(group: Sequence[PdfLine]) -> list[PdfLine]:
    """The pieces of a row as they are read: from the right, where most of them are of such a script."""
    if is_leftwards(group):
        return sorted(group, key=lambda line: -line.x1)
    return sorted(group, key=lambda line: line.x0)


def _tokens(lines: Sequence[PdfLine]) -> list[CellToken]:
    pieces = [piece for line in lines for piece in _apart(line)]
    tokens: list[CellToken] = []
    for piece in pieces:
        if tokens and _belongs(tokens[-1], piece):
            tokens[-1] = CellToken([*tokens[-1].lines, piece])
        else:
            tokens.append(CellToken([piece]))
    return tokens


def _apart(line: PdfLine) -> Sequence[PdfLine]:
    """The pieces of a line where one of them is an amount or a currency sign: cells that stand close to each other."""
    if line.parts and any(
        is_sign(part.words) or CellToken([part]).is_amount or CellToken([part]).is_period
        for part in line.parts
    ):
        return line.parts
    return (line,)


def _belongs(token: CellToken, piece: PdfLine) -> bool:
    gap = piece.x0 - token.x1
    words = piece.words
    if gap < 0.12 * piece.size and abs(piece.size - token.lines[-1].size) > 0.1 * piece.size:
        return True
    if is_sign(token.text) or token.text == "(":
        return amount_of(words) is not None or _NOTHING.fullmatch(words) is not None
    if _TAIL.fullmatch(words):
        return gap < (2.5 if token.is_amount else 0.8) * piece.size
    if is_sign(words) or CellToken([piece]).is_amount or token.is_amount or token.is_period:
        return False
    first = MARKER.match(token.text) is not None
    return gap < CELL_GAP * piece.size or (first and gap < 4 * piece.size)
