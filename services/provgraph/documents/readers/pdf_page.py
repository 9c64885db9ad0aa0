"""One page of a PDF, read: its text, where each line stands in it, its tables and what it consists of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter
from typing import Final

import pymupdf

from provgraph.documents.readers.pdf_lines import SCALE, PdfLine, directions, page_lines
from provgraph.documents.readers.pdf_table_parts import rules_of
from provgraph.documents.readers.pdf_tables import MOST_DRAWINGS, is_dark, may_be_ruled, with_tables
from provgraph.documents.readers.pdf_text import PageText, page_text

_SAME_ROW = 2 * SCALE
_TURNS: Final = {(0, -1): 90, (-1, 0): 180, (0, 1): 270}
"""By how many degrees to the right a page is turned whose words run up, to the left or down it."""
_NEARLY_ALL: Final = 0.8
_SHORT: Final = 2
"""Characters of a line that is higher than wide also where it is upright."""


@dataclass(frozen=True)
class ReadPage:
    """A page's text, and its lines as MuPDF meets them."""

    content: PageText
    lines: Sequence[PdfLine]


def read_page(document: pymupdf.Document, index: int) -> ReadPage:
    """Page `index`, from 0. The same bytes give the same page; for one thread at a time."""
    lines = page_lines(document, index)
    turned = turn_upright(document, index, lines)
    if turned:
        lines = page_lines(document, index)
    return ReadPage(replace(_text_of(document, index, lines), turned=turned), lines)


def turn_upright(document: pymupdf.Document, index: int, lines: Sequence[PdfLine]) -> int:
    """Turn a page on which nearly all words run sideways or upside down, so that it is read, and drawn, as a reader
    holds it; by how many degrees."""
    page = document[index]
    if not (page.rotation or any(map(_is_high, lines))):
        return 0
    counts = directions(document, index)
    direction, count = max(counts.items(), key=itemgetter(1), default=((1, 0), 0))
    turned = _TURNS.get(direction, 0) if count >= _NEARLY_ALL * counts.total() else 0
    if turned:
        page.set_rotation((page.rotation + turned) % 360)  # type: ignore[no-untyped-call]
    return turned


def _text_of(document: pymupdf.Document, index: int, lines: Sequence[PdfLine]) -> PageText:
    if not _has_cells(lines):
        return page_text(lines)
    drawings = document[index].get_cdrawings()  # type: ignore[no-untyped-call]
    rules = (
        rules_of([each for each in drawings if is_dark(each)], SCALE)
        if len(drawings) <= MOST_DRAWINGS
        else []
    )
    placed = with_tables(document, index, lines) if may_be_ruled(drawings) else lines
    return page_text(placed, rules)


def _is_high(line: PdfLine) -> bool:
    return len(line.text.strip()) > _SHORT and line.y1 - line.y0 > line.x1 - line.x0


def _has_cells(lines: Sequence[PdfLine]) -> bool:
    """Whether words stand side by side anywhere, as they do in a table."""
    if any(line.parts for line in lines):
        return True
    bases = sorted(line.base for line in lines if line.upright)
    return any(below - above < _SAME_ROW for above, below in pairwise(bases))
