"""Headings of a PDF, which has no marks for them: by their type, their place and their numbers; page after page.

A heading stands by itself, in type that is larger, bolder or in capitals, or with a number as headings have them. What
stands at the top of page after page is a running head, and no heading. How deep one is, the others above it tell: it
closes all that are of the same type or a lesser one.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

from provgraph.documents.page_layout import Heading
from provgraph.documents.readers.pdf_lines import PdfLine
from provgraph.documents.readers.pdf_text import Block, PageText

Rank = tuple[int, float, int]

_LONGEST: Final = 160
_NEAR: Final = 4
_NUMBERED: Final = re.compile(
    r"(?P<part>part\s+(?:[ivx]+|\d{1,2}|[a-d])\b)|(?P<chapter>(?:item|chapter|article|book)\s+(?:\d{1,3}[a-c]?|[ivxlc]+)\b)|"
    r"(?P<note>(?:note|section|appendix|annex|exhibit|schedule)\s+(?:\d{1,3}|[a-z]|[ivxlc]+)\b)",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(r"[.;,!?]\Z")
_CONTENTS: Final = re.compile(r"(?:table of )?contents|index", re.IGNORECASE)
_LEADER: Final = re.compile(r"(?:\.\s?){4}|\s\d{1,3}\Z")


class Headings:
    """Finds the headings of one page after another, and knows which are open where a page begins."""

    def __init__(self) -> None:
        self._open: list[tuple[Rank, int, str]] = []
        self._edges: deque[Counter[str]] = deque(maxlen=_NEAR)

    @property
    def open(self) -> tuple[tuple[int, str], ...]:
        return tuple((level, words) for _, level, words in self._open)

    def of_page(self, page: PageText) -> tuple[Heading, ...]:
        """The headings of the next page, in order."""
        edges = Counter(
            _shape(page.text[block.start : block.end]) for block in (*page.blocks[:2], *page.blocks[-2:])
        )
        headings = []
        for place, block in enumerate(page.blocks):
            words = " ".join(page.text[block.start : block.end].split())
            at_edge = place < 2 or place >= len(page.blocks) - 2
            if at_edge and any(_shape(words) in near for near in self._edges):
                continue
            if rank := _rank(block, words, page.body_size):
                headings.append(Heading(block.start, block.end, self._enter(rank, words), words))
        self._edges.append(edges)
        return tuple(headings)

    def _enter(self, rank: Rank, words: str) -> int:
        while self._open and self._open[-1][0] <= rank:
            self._open.pop()
        level = len(self._open) + 1
        self._open.append((rank, level, words))
        return level


def _rank(block: Block, words: str, body: float) -> Rank | None:
    """How far out a heading of this type is; None for what is none."""
    if (
        block.kind not in ("paragraph", "item")
        or not 3 <= len(words) <= _LONGEST
        or _CONTENTS.fullmatch(words)
    ):
        return None
    if not any(map(str.isalpha, words)) or _LEADER.search(words):
        return None
    numbered = _NUMBERED.match(words)
    if _ENDS.search(words) and not (numbered and len(words) < 90):
        return None
    size = min(line.size for line in _telling(block.lines))
    is_bold = all(line.is_bold for line in _telling(block.lines))
    is_italic = all(line.is_italic for line in _telling(block.lines))
    is_capital = words.upper() == words and len(words) > 4
    if not (
        is_bold
        or size >= 1.12 * body
        or (is_capital and len(words.split()) > 1)
        or (is_italic and len(words) < 80)
    ):
        return None
    if words[0].islower() or (is_italic and not is_bold and size < 1.12 * body and words[0] in "(["):
        return None
    group = _group(numbered) if numbered else 0
    return group, round(size / 5) * 5.0, 4 * is_bold + 2 * is_capital + (not is_italic)


def _telling(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """The lines of a heading without raised marks."""
    largest = max((line.size for line in lines), default=1)
    return [line for line in lines if line.size > 0.8 * largest] or list(lines)


def _group(match: re.Match[str]) -> int:
    return {"part": 3, "chapter": 2, "note": 1}[match.lastgroup or "note"]


def _shape(words: str) -> str:
    return re.sub(r"\d+", "#", " ".join(words.split()))[:200]
