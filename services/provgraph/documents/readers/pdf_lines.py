"""MuPDF's structured text of a page → lines with their places: the only module that knows MuPDF's format.

MuPDF writes it as JSON in C and Python parses it in C, which takes a third of the time of `get_text("dict")`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pymupdf
from pymupdf import mupdf

_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
SCALE = 10  # MuPDF rounds to whole units: tenths of a point are fine enough for any layout
_CELL_GAP = 1.5  # in ems: a wider gap on one row is a gap between cells or columns, not between words
_SAME_ROW = 0.45  # in ems: how far baselines of one row may differ, so that raised figures stay on it


@dataclass(slots=True)
class Line:
    """A run of text on one baseline. Places are in tenths of a point, `y` downwards, `base` the baseline.

    `is_row` tells the row of a table, in Markdown.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    text: str
    is_row: bool = False

    @property
    def upright(self) -> bool:
        return self.y1 - self.y0 <= 2 * (self.x1 - self.x0) or len(self.text) < 3


def page_lines(document: pymupdf.Document, index: int) -> list[Line]:
    """The lines of page `index` (from 0) as MuPDF meets them, the page's rotation applied."""
    page = mupdf.fz_load_page(document.this, index)
    options = mupdf.FzStextOptions()
    options.flags = _FLAGS
    structured = mupdf.FzStextPage(page, options)
    buffer = mupdf.fz_new_buffer(1 << 14)
    output = mupdf.FzOutput(buffer)
    mupdf.fz_print_stext_page_as_json(output, structured, SCALE)
    output.fz_close_output()
    blocks = json.loads(mupdf.fz_buffer_extract_copy(buffer), strict=False)["blocks"]
    return [line for block in blocks if block["type"] == "text" for line in _block_lines(block)]


def _block_lines(block: dict[str, Any]) -> Iterator[Line]:
    """The block's lines, those joined again that MuPDF cut at a wide space."""
    last: Line | None = None
    for raw in block["lines"]:
        text = raw["text"]
        if not text or text.isspace():
            continue
        box = raw["bbox"]
        x0, y0 = box["x"], box["y"]
        line = Line(x0, y0, x0 + box["w"], y0 + box["h"], raw["y"], raw["font"]["size"] or 1, text)
        if last is not None and _reads_on(last, line):
            _append(last, line)
            continue
        if last is not None:
            yield last
        last = line
    if last is not None:
        yield last


def _reads_on(line: Line, following: Line) -> bool:
    size = max(line.size, following.size)
    if abs(line.base - following.base) > _SAME_ROW * size:
        return False
    gap = max(following.x0 - line.x1, line.x0 - following.x1)  # to the right, or to the left as Arabic runs
    return -0.5 * size < gap < _CELL_GAP * size


def _append(line: Line, following: Line) -> None:
    gap = max(following.x0 - line.x1, line.x0 - following.x1)
    spaced = line.text[-1].isspace() or following.text[0].isspace() or gap < 0.12 * line.size
    line.text += following.text if spaced else " " + following.text
    line.x0, line.x1 = min(line.x0, following.x0), max(line.x1, following.x1)
    line.y0, line.y1 = min(line.y0, following.y0), max(line.y1, following.y1)
    line.size = max(line.size, following.size)
