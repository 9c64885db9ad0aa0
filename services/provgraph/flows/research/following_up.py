"""Questions that rest on the one before: "Which datasets does it use?" is about what was asked of last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from provgraph.language.concepts import concepts

_BACKWARD: Final = re.compile(
    r"\b(?:it|its|they|them|their|theirs|these|those|he|she|his|her"
    r"|(?:this|that|the same) (?:paper|method|model|approach|dataset|toolkit|work|one))\b",
    re.IGNORECASE,
)


def carried(question: str, earlier: Sequence[str]) -> tuple[str, ...]:
    """The names in the last question before, where this one points back and names nothing itself; else nothing."""
    if not earlier or not _BACKWARD.search(question) or _names(question):
        return ()
    before = next((found for asked in reversed(earlier) if (found := _names(asked))), ())
    return before or concepts(earlier[-1])


def _names(question: str) -> tuple[str, ...]:
    """Concepts that are written as names; the first word of a question is no name for its capital alone."""
    first = question.split()[0] if question.split() else ""
    return tuple(
        concept
        for concept in concepts(question)
        if any(letter.isupper() for letter in (concept[1:] if concept.split()[0] == first else concept))
    )
