"""Pictures of text, drawn by MuPDF: scanned PDFs, and images in the formats that scanners write."""

from __future__ import annotations

import shutil
import struct
from typing import Any, Final

import pymupdf
import pytest

needs_tesseract: Final = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed (apt install tesseract-ocr)"
)

CURIE: Final = "Marie Curie discovered polonium in 1898."
SODDY: Final = "Frederick Soddy studied isotopes in Glasgow."


def picture(*lines: str) -> Any:
    """A grey picture of a small page at 200 dpi, with these lines on it."""
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = document.new_page(width=400, height=200)
    for number, line in enumerate(lines):
        page.insert_text((40, 60 + 20 * number), line, fontsize=14)
    return page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)


def scan(*pages: str) -> bytes:
    """A PDF whose pages are pictures of a line each."""
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    for line in pages:
        page = document.new_page(width=400, height=200)
        page.insert_image(page.rect, stream=picture(line).tobytes("png"))
    return bytes(document.tobytes())


def tiff(*pages: str) -> bytes:
    """A TIFF of several pages, uncompressed."""
    written = bytearray(b"II*\x00" + bytes(4))
    link = 4
    for line in pages:
        drawn = picture(line)
        strip = len(written)
        written += drawn.samples
        resolution = len(written)
        written += struct.pack("<II", 200, 1)
        written += bytes(len(written) % 2)
        struct.pack_into("<I", written, link, len(written))
        fields = (
            (256, 4, drawn.width),
            (257, 4, drawn.height),
            (258, 3, 8),
            (259, 3, 1),
            (262, 3, 1),
            (273, 4, strip),
            (277, 3, 1),
            (278, 4, drawn.height),
            (279, 4, len(drawn.samples)),
            (282, 5, resolution),
            (283, 5, resolution),
            (296, 3, 2),
        )
        written += struct.pack("<H", len(fields))
        for tag, kind, value in fields:
            written += struct.pack("<HHII", tag, kind, 1, value)
        link = len(written)
        written += bytes(4)
    return bytes(written)
