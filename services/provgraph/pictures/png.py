"""SVG → PNG, by MuPDF."""

from __future__ import annotations

from typing import Final

from provgraph.errors import Unavailable

MEDIA_TYPE: Final = "image/png"
_SCALE: Final = 2.0
_MOST_PIXELS: Final = 40_000_000


def png(picture: str) -> bytes:
    """A picture of our own drawing as pixels, two to a unit of it, fewer where it is very large.

    Raises `Unavailable` where PyMuPDF is not installed.
    """
    try:
        import pymupdf
    except ModuleNotFoundError as error:
        raise Unavailable(
            "A PNG is made by PyMuPDF, which is not installed. Install it: pip install pymupdf. Or ask for SVG."
        ) from error
    with pymupdf.open(stream=picture.encode(), filetype="svg") as document:  # type: ignore[no-untyped-call]
        page = document[0]
        area = page.rect.width * page.rect.height
        scale = min(_SCALE, (_MOST_PIXELS / max(area, 1)) ** 0.5)
        matrix = pymupdf.Matrix(scale, scale)  # type: ignore[no-untyped-call]
        pixels: bytes = page.get_pixmap(matrix=matrix).tobytes("png")
    return pixels
