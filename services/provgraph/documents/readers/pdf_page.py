"""One page of a PDF, read: its text, where each line stands in it, its tables and what it consists of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pymupdf

from provgraph.documents.readers.pdf_lines import SCALE, PdfLine, page_lines
from provgraph.documents.readers.pdf_table_parts import rules_of
from provgraph.documents.readers.pdf_tables import MOST_DRAWINGS, is_dark, may_be_ruled, with_tables
from provgraph.documents.readers.pdf_text import PageText, page_text

_SAME_ROW = 2 * SCALE


@dataclass(frozen=True)
class ReadPage:
    """A page's text, and its lines as MuPDF meets them."""

    content: PageText
    lines: Sequence[PdfLine]


def read_page(document: pymupdf.Document, index: int) -> ReadPage:
    """Page `index`, from 0. The same bytes give the same page; for one thread at a time."""
    lines = page_lines(document, index)
    if not _has_cells(lines):
        return ReadPage(page_text(lines), lines)
    drawings = document[index].get_cdrawings()  # type: ignore[no-untyped-call]
    rules = (
        rules_of([each for each in drawings if is_dark(each)], SCALE)
        if len(drawings) <= MOST_DRAWINGS
        else []
    )
    placed = with_tables(document, index, lines) if may_be_ruled(drawings) else lines
    return ReadPage(page_text(placed, rules), lines)


def _has_cells(lines: Sequence[PdfLine]) -> bool:
    """Whether words stand side by side anywhere, as they do in a table."""
    if any(line.parts for line in lines):
        return True
    bases = sorted(line.base for line in lines if line.upright)
    return any(below - above < _SAME_ROW for above, below in pairwise(bases))
