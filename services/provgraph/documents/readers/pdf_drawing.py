"""A process of its own that draws one page of a PDF, or tells where words of it stand; it reads the file from stdin.

MuPDF holds the interpreter while it draws, and a hostile page can keep it busy for ever or take all memory: here both
end with the process.

    python -m provgraph.documents.readers.pdf_drawing draw INDEX WIDTH          → PNG
    python -m provgraph.documents.readers.pdf_drawing find INDEX START END      → JSON: text, width, height, rectangles
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, Final

import pymupdf

from provgraph.documents.readers.pdf_places import placed_text

CPU_SECONDS: Final = 20
MEMORY_BYTES: Final = 2_000_000_000
_MOST_PIXELS: Final = 12_000_000


def draw(document: pymupdf.Document, index: int, width: int) -> bytes:
    """The page as PNG of this width in pixels, less where it is so high that it would be too much."""
    page = document[index]
    scale = width / page.rect.width
    scale = min(scale, (_MOST_PIXELS / (page.rect.width * page.rect.height)) ** 0.5)
    matrix = pymupdf.Matrix(scale, scale)  # type: ignore[no-untyped-call]
    pixels: Any = page.get_pixmap(matrix=matrix, alpha=False)
    return bytes(pixels.tobytes("png"))


def find(document: pymupdf.Document, index: int, start: int, end: int) -> bytes:
    """What `DrawnPages.find` reads: `text` is null where the characters of the page cannot be followed."""
    placed = placed_text(document, index)
    rect = document[index].rect
    told: dict[str, Any] = {"text": None, "width": rect.width, "height": rect.height, "rectangles": []}
    if placed:
        told |= {"text": placed.text, "rectangles": placed.rectangles(start, end)}
    return json.dumps(told).encode()


TASKS: Final[dict[str, Callable[..., bytes]]] = {"draw": draw, "find": find}


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
        made = TASKS[what](document, *map(int, numbers))
    sys.stdout.buffer.write(made)


if __name__ == "__main__":
    main(*sys.argv[1:])
