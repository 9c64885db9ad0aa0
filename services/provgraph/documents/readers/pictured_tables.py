"""Tables that stand on a page of text as pictures: told by their caption, or by the rules that are drawn in them.

Nothing of a picture is unpacked before its size is looked up; a page without pictures costs one look at its resources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pymupdf

from provgraph.documents.page_layout import Region
from provgraph.documents.table_model import Box

_CAPTION: Final = re.compile(r"\s*(?:table|tabelle|tableau|tabla|tabella)\s+[\dIVX]", re.IGNORECASE)
_NEAR: Final = 40.0
"""Points between a picture and its caption."""
_LEAST_SHARE: Final = 0.02
"""Of the page's area: what is smaller is a logo or a formula."""
_LEAST_SIDE: Final = 60.0
_TEXT_SHARE: Final = 0.1
"""Of a picture's area that text of the page covers where the picture lies behind the text."""
_MOST_PICTURES: Final = 12
_DOTS_PER_INCH: Final = 72
_DARK: Final = 128
_RULE: Final = 0.75
"""Of the width, or height, that a dark line takes where it is a rule."""
_FEWEST_RULES: Final = 4
_FEWEST_COLUMNS: Final = 3
_MOST_PIXELS: Final = 100_000_000


@dataclass(frozen=True)
class PicturedTable:
    """A picture that is a table: where it stands on the page."""

    box: Box


def pictured_tables(
    document: pymupdf.Document, index: int, regions: Sequence[Region], text: str
) -> list[PicturedTable]:
    """The tables of page `index` that are pictures; for one thread at a time."""
    if not document.get_page_images(index):
        return []
    page = document[index]
    captions = [
        region.box for region in regions if region.box and _CAPTION.match(text, region.start, region.end)
    ]
    printed = [region.box for region in regions if region.box]
    return [
        PicturedTable(box)
        for box in _pictures(page, printed)
        if any(_is_beside(box, caption) for caption in captions) or _is_ruled(page, box)
    ]


def rendered(document: pymupdf.Document, index: int, table: PicturedTable, resolution: int) -> bytes:
    """The table in grey, as a PNG."""
    drawn = document[index].get_pixmap(
        dpi=resolution,
        colorspace=pymupdf.csGRAY,
        alpha=False,
        clip=pymupdf.Rect(table.box),  # type: ignore[no-untyped-call]
    )
    return bytes(drawn.tobytes("png"))  # type: ignore[no-untyped-call]


def _pictures(page: Any, printed: Sequence[Box]) -> Iterator[Box]:
    """Where the pictures of some size stand that no text is printed over."""
    area = max(page.rect.width * page.rect.height, 1)
    infos = page.get_image_info()
    if sum(info["width"] * info["height"] for info in infos) > _MOST_PIXELS:
        return
    for info in infos[:_MOST_PICTURES]:
        rect = pymupdf.Rect(info["bbox"]) & page.rect  # type: ignore[no-untyped-call]
        box = (rect.x0, rect.y0, rect.x1, rect.y1)
        is_small = min(rect.width, rect.height) < _LEAST_SIDE or _area(box) < _LEAST_SHARE * area
        if not is_small and sum(_shared(box, other) for other in printed) < _TEXT_SHARE * _area(box):
            yield box


def _is_beside(box: Box, caption: Box) -> bool:
    """Whether a caption stands right above or below a picture."""
    is_over = min(box[2], caption[2]) > max(box[0], caption[0])
    return is_over and min(abs(box[1] - caption[3]), abs(caption[1] - box[3])) < _NEAR


def _is_ruled(page: Any, box: Box) -> bool:
    """Whether dark lines across and down the picture make a grid."""
    drawn = page.get_pixmap(
        dpi=_DOTS_PER_INCH,
        colorspace=pymupdf.csGRAY,
        alpha=False,
        clip=pymupdf.Rect(box),  # type: ignore[no-untyped-call]
    )
    dark = bytes(value < _DARK for value in range(256))
    samples = bytes(drawn.samples).translate(dark)
    starts = range(0, drawn.height * drawn.stride, drawn.stride)
    rows = [samples[start : start + drawn.width] for start in starts]
    columns = [samples[at :: drawn.stride] for at in range(drawn.width)]
    return _rules(rows) >= _FEWEST_RULES and _rules(columns) >= _FEWEST_COLUMNS


def _rules(lines: Sequence[bytes]) -> int:
    """How many of the lines are rules; those that touch are one, and a dark area is none."""
    ruled = [sum(line) >= _RULE * len(line) > 0 for line in lines]
    if sum(ruled) > len(ruled) / 2:
        return 0
    return sum(is_ruled and not before for before, is_ruled in zip([False, *ruled], ruled, strict=False))


def _area(box: Box) -> float:
    return max(box[2] - box[0], 0) * max(box[3] - box[1], 0)


def _shared(one: Box, other: Box) -> float:
    return _area((max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])))
