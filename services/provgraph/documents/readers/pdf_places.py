"""Where on a PDF's page the characters of its text stand: the same lines as the reader's, each with its boxes.

The text of a page is made of its lines by joining them: white space changes, cells get bars between them, and a hyphen
at a line end may go. Nothing else is added or lost, so text and lines are walked side by side, character by character.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from typing import Final, NamedTuple

import pymupdf
from pymupdf import mupdf

from provgraph.documents.readers.pdf_lines import Line, page_lines, structured_page
from provgraph.documents.readers.pdf_text import page_text, reading_order
from provgraph.documents.readers.text import writable

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_BAR: Final = "|"


class Place(NamedTuple):
    """The box of a character, and the number of the line on which it stands."""

    line: int
    box: Rectangle


@dataclass(frozen=True)
class PlacedText:
    """A page's text with the place of each character, in points from the page's corner; none for white space, for the
    bars between cells, and for a hyphen that was put back."""

    text: str
    places: Sequence[Place | None]

    def rectangles(self, start: int, end: int) -> list[Rectangle]:
        """What to mark for `text[start:end]`: one rectangle for each piece of a line."""
        marked = (place for place in self.places[start:end] if place)
        return [_around([place.box for place in piece]) for _, piece in groupby(marked, itemgetter(0))]


def placed_text(document: pymupdf.Document, index: int) -> PlacedText | None:
    """The text of page `index` (from 0) as the reader makes it; None where its characters cannot be followed."""
    lines = page_lines(document, index)
    text = writable(page_text(lines))
    characters = list(_characters(document, index))
    if "".join(char for char, _ in characters) != "".join("".join(line.text.split()) for line in lines):
        return None
    boxes = iter(box for _, box in characters)
    of_line = {id(line): list(islice(boxes, len("".join(line.text.split())))) for line in lines}
    ordered = [(line, of_line[id(line)]) for line in reading_order(lines)]
    placed = _side_by_side(text, ordered)
    return PlacedText(text, placed) if placed else None


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


def _side_by_side(text: str, lines: Sequence[tuple[Line, list[Rectangle]]]) -> list[Place | None] | None:
    """A place, or none, for each character of the text; None where it holds something that stands in no line."""
    placed: list[Place | None] = [None] * len(text)
    at = 0
    for order, (line, boxes) in enumerate(lines):
        own = "".join(line.text.split())
        for number, (char, box) in enumerate(zip(own, boxes, strict=True)):
            found = _next(text, at, writable(char))
            if found is not None:
                placed[found] = Place(order, box)
                at = found + 1
            elif number < len(own) - 1:  # only the last of a line may have gone: its hyphen
                return None
    return placed if not text[at:].replace(_BAR, "").strip() else None


def _next(text: str, at: int, char: str) -> int | None:
    """Where `char` stands next, over white space and the bars between cells."""
    while at < len(text) and text[at] != char and (text[at].isspace() or text[at] == _BAR):
        at += 1
    return at if at < len(text) and text[at] == char else None


def _around(boxes: Sequence[Rectangle]) -> Rectangle:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
