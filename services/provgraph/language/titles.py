"""Titles before names: "King Harald", "Dr. Ada Novak". A surname that is such a word is none: "Mark King"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_OFFICES: Final = frozenset(
    "sir dame lord lady professor saint president king queen prince princess pope captain general colonel senator "
    "governor judge emperor empress minister".split()
)
_SHORTENED: Final = frozenset("dr mr mrs ms prof st rev phd".split())
_SUFFIXES: Final = frozenset("jr sr junior senior ii iii iv v".split())


def without_titles(words: Sequence[str]) -> list[str]:
    """The words of a name, in lower case, but for titles; all of them where nothing else is left."""
    kept = [word for at, word in enumerate(words) if not _is_title(words, at)]
    return kept or list(words)


def _is_title(words: Sequence[str], at: int) -> bool:
    if words[at] not in _OFFICES:
        return words[at] in _SHORTENED
    ends = at > 0 and _SUFFIXES.issuperset(words[at + 1 :])
    return not ends or words[at - 1] in _OFFICES | _SHORTENED
