"""Stretches of a passage that look like prose here and there and are none: code, and lists of references."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.M | re.S)
_REFERENCES = re.compile(
    r"^[ \t]*(?:#+ )?(?:\d{1,2}\.? )?(?:References|REFERENCES|Bibliography|Works [Cc]ited|Literature [Cc]ited)[ \t]*\n"
    r".*?(?=^#+ |\Z)",
    re.M | re.S,
)
_ENTRY = re.compile(r"^[ \t]*(?:\[\d{1,3}\] *[A-Z]|[A-Z][\w'’-]+, (?:[A-Z]\.[ -]?)+)", re.M)
_PUBLISHED = re.compile(
    r"\bet al\b|\bpp?\. ?\d|\bpages \d|\b[Vv]ol\.|\bProceedings\b|\bJournal\b|\bConference\b|\bPress\b|arXiv|\bdoi\b"
    r"|https?://|\d\(\d+\)|\d[–-]\d"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d[a-z]?\b")
_LONGEST_ENTRY = 500


def asides(text: str) -> list[tuple[int, int]]:
    """Their spans (start, end), in no order; they may overlap."""
    spans = [match.span() for match in _FENCED.finditer(text)] if "```" in text or "~~~" in text else []
    spans += [match.span() for match in _REFERENCES.finditer(text)]
    spans += _entries(text)
    return spans


def _entries(text: str) -> Iterator[tuple[int, int]]:
    """[12] Smith, J.: a work with its year and where it was published, up to the next such or an empty line."""
    starts = [match.start() for match in _ENTRY.finditer(text)]
    for start, following in pairwise([*starts, len(text)]):
        end = min(following, start + _LONGEST_ENTRY)
        blank = text.find("\n\n", start, end)
        end = blank if blank > start else end
        entry = text[start:end]
        if _YEAR.search(entry) and _PUBLISHED.search(entry):
            yield start, end
