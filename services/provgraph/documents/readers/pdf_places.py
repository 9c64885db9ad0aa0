"""Where on a PDF's page the characters of its text stand.

The reader keeps which line of the page each piece of its text is from; here the glyphs of those lines are asked for
their boxes. White space, the bars between cells and a hyphen that was put back stand nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

import pymupdf
from pymupdf import mupdf

from provgraph.documents.readers.pdf_lines import structured_page
from provgraph.documents.readers.pdf_page import ReadPage, read_page

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom."""


class PdfPlace(NamedTuple):
    """The box of a character, and the number of the line on which it stands."""

    line: int
    box: Rectangle


@dataclass(frozen=True)
class PlacedText:
    """A page's text with the place of each character, in points from the page's corner."""

    text: str
    places: Sequence[PdfPlace | None]

    def rectangles(self, start: int, end: int) -> list[Rectangle]:
        """What to mark for `text[start:end]`: one rectangle for each piece of a line."""
        marked = (place for place in self.places[start:end] if place)
        return [_around([place.box for place in piece]) for _, piece in groupby(marked, itemgetter(0))]


def placed_text(document: pymupdf.Document, index: int) -> PlacedText | None:
    """The text of page `index` (from 0) as the reader makes it; None where its characters cannot be followed."""
    page = read_page(document, index)
    characters = list(_characters(document, index))
    leaves = [piece for line in page.lines for piece in line.pieces]
    if "".join(char for char, _ in characters) != "".join("".join(leaf.text.split()) for leaf in leaves):
        return None
    boxes = iter(box for _, box in characters)
    of_leaf = {id(leaf): list(islice(boxes, len("".join(leaf.text.split())))) for leaf in leaves}
    return PlacedText(page.content.text, _places(page, of_leaf))


def _places(page: ReadPage, of_leaf: dict[int, list[Rectangle]]) -> list[PdfPlace | None]:
    text = page.content.text
    places: list[PdfPlace | None] = [None] * len(text)
    for number, piece in enumerate(page.content.pieces):
        boxes = iter(of_leaf.get(id(piece.line), ()))
        for at in range(piece.start, piece.end):
            if not text[at].isspace() and (box := next(boxes, None)):
                places[at] = PdfPlace(number, box)
    return places


def _characters(document: pymupdf.Document, index: int) -> Iterator[tuple[str, Rectangle]]:
    """Every character of a page that is no white space, in the order in which MuPDF meets them."""
    structured = structured_page(document, index)  # its blocks live no longer than this name
    for block in structured:
        if block.m_internal.type != mupdf.FZ_STEXT_BLOCK_TEXT:
            continue
        for line in block:
            for each in line:
                char = chr(each.m_internal.c)
                if not char.isspace():
                    box = mupdf.FzQuad(each.m_internal.quad).fz_rect_from_quad()
                    yield char, (box.x0, box.y0, box.x1, box.y1)


def _around(boxes: Sequence[Rectangle]) -> Rectangle:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
