"""Short names that a report defines for its parts: "Frito-Lay North America (FLNA)", "Defense & Space (BDS)"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from provgraph.derivation.tables.item_names import content_of

_CAPITALISED: Final = r"[A-Z][\w’'-]{0,60}+"
_DEFINED: Final = re.compile(
    rf"(?P<long>{_CAPITALISED}(?:(?:,| &| and| of){{0,3}}\s+{_CAPITALISED}){{0,7}})\s+"
    r"\([“\"‘']?(?P<short>[A-Z][A-Za-z]{1,5})[”\"’']?\)"
)
_INITIAL: Final = re.compile(r"(?<![A-Za-z])[A-Z]")
_LEAST_IN_COMMON: Final = 2


class ShortName(NamedTuple):
    """Two names of one part of a company, as a group of `Names`."""

    long: str
    short: str

    def is_in(self, words: Iterable[str]) -> bool:
        """Whether words, as of `content_of`, have one of the names."""
        return any(set(content_of(name)) <= set(words) for name in self)


def short_names_asked(question: str, texts: Iterable[str]) -> list[ShortName]:
    """Those that the texts define of what a question names; none for a short name of two things."""
    asked = content_of(question)
    defined: dict[tuple[str, ...], ShortName] = {}
    ambiguous: set[tuple[str, ...]] = set()
    for name in (name for text in texts for name in _defined_in(text)):
        short = content_of(name.short)
        if content_of(defined.setdefault(short, name).long) != content_of(name.long):
            ambiguous.add(short)
    return [name for short, name in defined.items() if short not in ambiguous and name.is_in(asked)]


@lru_cache(1_024)
def _defined_in(text: str) -> tuple[ShortName, ...]:
    names = (ShortName(" ".join(match["long"].split()), match["short"]) for match in _DEFINED.finditer(text))
    return tuple(name for name in names if _is_short_for(name.short, name.long))


def _is_short_for(short: str, long: str) -> bool:
    """Whether two of its capitals are initials of the long name, in their order: a company's own may lead ("BDS")."""
    capitals, initials = (letter for letter in short if letter.isupper()), "".join(_INITIAL.findall(long))
    common, at = 0, 0
    for letter in capitals:
        place = initials.find(letter, at)
        if place >= 0:
            common, at = common + 1, place + 1
    return common >= _LEAST_IN_COMMON
