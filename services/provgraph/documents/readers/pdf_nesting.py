"""How much a page of a PDF has its reader interpret: forms drawn in forms multiply, and MuPDF sets no limit."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

import pymupdf

MOST_INTERPRETED: Final = 200_000_000
"""Bytes of content, each counted as often as it is drawn."""

_PAGE: Final = 0
_DRAWN: Final = re.compile(rb"/([^\s/<>\[\](){}%]+)\s+Do\b")
_ESCAPED: Final = re.compile(rb"#([0-9A-Fa-f]{2})")


def interpreted(document: pymupdf.Document, index: int) -> int:
    """The bytes of content of a page, those of forms as often as they are drawn (ISO 32000-1, 8.10)."""
    forms: dict[int, dict[str, int]] = defaultdict(dict)
    for xref, name, invoker, _ in document.get_page_xobjects(index):
        forms[invoker][name] = xref
    if not forms:
        return 0
    return _cost(document, index, forms, _PAGE, {})


def _cost(
    document: pymupdf.Document, index: int, forms: dict[int, dict[str, int]], xref: int, known: dict[int, int]
) -> int:
    """A form that draws itself is drawn once, as MuPDF does it."""
    if xref not in known:
        known[xref] = 0
        content = _content(document, index, xref)
        named = {**forms[_PAGE], **forms[xref]}
        drawn = (_name(found[1]) for found in _DRAWN.finditer(content))
        known[xref] = len(content) + sum(
            _cost(document, index, forms, named[name], known) for name in drawn if name in named
        )
    return known[xref]


def _content(document: pymupdf.Document, index: int, xref: int) -> bytes:
    stream: bytes | None = (
        document[index].read_contents()  # type: ignore[no-untyped-call]
        if xref == _PAGE
        else document.xref_stream(xref)  # type: ignore[no-untyped-call]
    )
    return stream or b""


def _name(written: bytes) -> str:
    return _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), written).decode("utf-8", "replace")
