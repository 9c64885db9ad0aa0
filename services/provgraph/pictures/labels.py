"""Labels → lines, and how much room they take in a font that nobody here knows: a sans-serif of usual widths."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from functools import lru_cache
from typing import Final

_NARROW: Final = frozenset("iljtfrI.,:;'!|()[]{}/\\-·` ")
_WIDE: Final = frozenset("mwMW@%&—…œæ")
_CONTROLS: Final = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)
"""What XML 1.0 (section 2.2) does not let stand in a document, and what turns the text around it."""


def clean(text: str) -> str:
    """One line of characters that may stand in XML."""
    return " ".join(_CONTROLS.sub(" ", text).split())


def wrapped(label: str, columns: int, rows: int) -> tuple[str, ...]:
    """The label in at most `rows` lines of about `columns` Latin letters; what is too long ends in an ellipsis."""
    text = clean(label)
    if any(unicodedata.east_asian_width(char) in "WF" for char in text):
        columns = max(4, columns // 2)
    return tuple(
        textwrap.wrap(text, columns, max_lines=rows, placeholder="…", break_on_hyphens=False) or [" "]
    )


@lru_cache(maxsize=16_384)
def text_width(text: str) -> float:
    """The width of a line, in ems."""
    return sum(map(_advance, text))


def _advance(char: str) -> float:
    if char in _NARROW:
        return 0.34
    if char in _WIDE:
        return 0.9
    if unicodedata.combining(char):
        return 0
    if unicodedata.east_asian_width(char) in "WF":
        return 1
    return 0.7 if char.isupper() else 0.57
