"""A PDF of which retrievers give passages, and whether a passage stands where its metadata says."""

from __future__ import annotations

from typing import Any

import pymupdf

from client.conftest import LARKFIELD, ORRIN

FILES = {"larkfield.md": LARKFIELD, "orrin.md": ORRIN}
KEYS = {
    "kind",
    "score",
    "document",
    "title",
    "file",
    "page",
    "page_iri",
    "start",
    "end",
    "chunk",
    "fact",
    "facts",
}


def stands_where_it_says(text: str, metadata: dict[str, Any]) -> bool:
    return FILES[metadata["file"]][metadata["start"] : metadata["end"]] == text


def pdf(text: str) -> bytes:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    document.new_page(width=600, height=800).insert_text((72, 100), text, fontsize=11)
    return bytes(document.tobytes())
