"""A process of its own that draws one page of a PDF, or tells where words of it stand; it reads the file from stdin.

MuPDF holds the interpreter while it draws, and a hostile page can keep it busy for ever or take all memory: here both
end with the process.

    python -m provgraph.documents.readers.pdf_drawing draw INDEX WIDTH          → PNG
    python -m provgraph.documents.readers.pdf_drawing regions INDEX WIDTH       → PNG with what the reader finds
    python -m provgraph.documents.readers.pdf_drawing find INDEX START END      → JSON: text, width, height, rectangles
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, Final

import pymupdf

from provgraph.documents.readers.pdf_lines import page_lines
from provgraph.documents.readers.pdf_page import read_page, turn_upright
from provgraph.documents.readers.pdf_places import placed_text

CPU_SECONDS: Final = 20
MEMORY_BYTES: Final = 2_000_000_000
_MOST_PIXELS: Final = 12_000_000

COLOURS: Final[dict[str, tuple[float, float, float]]] = {
    "heading": (0.8, 0, 0),
    "paragraph": (0, 0.2, 0.8),
    "item": (0, 0.5, 0.8),
    "table": (0.5, 0, 0.6),
    "note": (0.4, 0.4, 0),
    "aside": (0.6, 0.3, 0),
}
"""Red, green and blue from 0 to 1; other kinds are grey."""


def draw(document: pymupdf.Document, index: int, width: int) -> bytes:
    """The page as PNG of this width in pixels, less where it is so high that it would be too much."""
    turn_upright(document, index, page_lines(document, index))
    page = document[index]
    scale = width / page.rect.width
    scale = min(scale, (_MOST_PIXELS / (page.rect.width * page.rect.height)) ** 0.5)
    matrix = pymupdf.Matrix(scale, scale)  # type: ignore[no-untyped-call]
    pixels: Any = page.get_pixmap(matrix=matrix, alpha=False)
    return bytes(pixels.tobytes("png"))


def regions(document: pymupdf.Document, index: int, width: int) -> bytes:
    """The page as PNG, with what the reader makes of it: each region in the colour of its kind, with its number in the
    order of reading, and the cells of tables, headers in another colour."""
    read = read_page(document, index).content
    page = document[index]
    shape = page.new_shape()  # type: ignore[no-untyped-call]
    for number, region in enumerate(read.regions, 1):
        if region.box:
            colour = COLOURS.get(region.kind, (0.3, 0.3, 0.3))
            shape.draw_rect(region.box)
            shape.finish(color=colour, width=0.8)
            shape.insert_text((region.box[0], region.box[1]), str(number), fontsize=6, color=colour)
    for table in read.tables:
        for cell in table.cells:
            if cell.box:
                heads = cell.row < table.header_rows or cell.column < table.header_columns
                shape.draw_rect(cell.box)
                shape.finish(color=(0.9, 0.5, 0) if heads else (0, 0.6, 0.2), width=0.4)
    shape.commit()
    return draw(document, index, width)


def find(document: pymupdf.Document, index: int, start: int, end: int) -> bytes:
    """What `DrawnPages.find` reads: `text` is null where the characters of the page cannot be followed."""
    placed = placed_text(document, index)
    rect = document[index].rect
    told: dict[str, Any] = {"text": None, "width": rect.width, "height": rect.height, "rectangles": []}
    if placed:
        told |= {"text": placed.text, "rectangles": placed.rectangles(start, end)}
    return json.dumps(told).encode()


TASKS: Final[dict[str, Callable[..., bytes]]] = {"draw": draw, "regions": regions, "find": find}


def limit() -> None:
    """Let the system end this process where it takes too much; not every system can."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def main(what: str, *numbers: str) -> None:
    limit()
    pymupdf.TOOLS.mupdf_display_errors(False)  # type: ignore[no-untyped-call]
    pymupdf.TOOLS.mupdf_display_warnings(False)  # type: ignore[no-untyped-call]
    content = sys.stdin.buffer.read()
    with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        tasks = TASKS[what](document, *map(int, numbers))
    sys.stdout.buffer.write(tasks)


if __name__ == "__main__":
    main(*sys.argv[1:])
