"""Whether two names mean one thing, as far as the names tell: from 0 (no) to 1 (the same words)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from provgraph.language.titles import without_titles

_ARTICLE: Final = re.compile(r"\A(?:the|a|an)\s+", re.IGNORECASE)
_BRACKETS: Final = re.compile(r"(?<!\s)\s*\([^)]{0,200}\)")
_WORD: Final = re.compile(r"[\w&+#]+")
_SMALL: Final = frozenset(
    "of the and de la du von van der den di da del al ibn y e in on at for to a an".split()
)
_LEGAL: Final = frozenset("inc ltd llc corp corporation co company plc gmbh ag".split())


@lru_cache(maxsize=8_192)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, folded: case, accents, articles, what stands in brackets, possessive "'s"."""
    plain = name if name.isascii() else _without_accents(name)
    plain = plain.casefold()
    plain = re.sub(r"['’]s\b", "", plain)
    bare = _BRACKETS.sub("", plain).strip() or plain
    return tuple(_WORD.findall(_ARTICLE.sub("", bare).replace("'", "").replace("’", "")))


def _without_accents(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


@lru_cache(maxsize=8_192)
def _telling(name: str) -> tuple[str, ...]:
    words = words_of(name)
    kept = without_titles([w for w in words if w not in _SMALL and w not in _LEGAL])
    return tuple(kept) or words


@lru_cache(maxsize=16_384)
def likeness(one: str, other: str) -> float:
    """1 for the same name, less where one is a part of the other or has the same last name, 0 for another name.

    A shorter name at the end of a longer ("Curie", "Marie Curie") may mean the same person; one in its midst
    ("Paris", "University of Paris") does not mean the same thing.
    """
    first, second = words_of(one), words_of(other)
    if not first or not second:
        return 0.0
    if first == second:
        return 1.0
    a, b = _telling(one), _telling(other)
    if a == b:
        return 0.97
    if sorted(a) == sorted(b):
        return 0.9
    if len(a) != len(b):
        shorter, longer = (one, other) if len(a) < len(b) else (other, one)
        return _part(_telling(shorter), _telling(longer), longer)
    shared = len(set(a) & set(b))
    if len(a) > 1 and shared == len(a) - 1 and _one_letter_apart(a, b):
        return 0.75
    return 0.0


def _part(short: tuple[str, ...], long: tuple[str, ...], longer: str) -> float:
    """How likely a shorter name means the same as a longer one."""
    if _initials_agree(short, long) or (long[0] == short[0] and long[-1] == short[-1] and len(short) > 1):
        return 0.85
    of_another = set(words_of(longer)) & _SMALL
    if long[-len(short) :] == short and not of_another:
        return 0.6 if len(short) == 1 else 0.8
    if long[: len(short)] == short:
        return 0.7 if len(short) > 1 else 0.45 if not of_another else 0.2
    return 0.0


def _initials_agree(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """ "J. Smith" and "John Adam Smith"."""
    return len(short) > 1 and short[-1] == long[-1] and len(short[0]) == 1 and long[0].startswith(short[0])


def _one_letter_apart(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether the one word in which they differ is a spelling of the other."""
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    if len(pairs) != 1:
        return False
    x, y = pairs[0]
    return abs(len(x) - len(y)) <= 1 and min(len(x), len(y)) > 3 and (x[:3] == y[:3]) and (x[-2:] == y[-2:])


@lru_cache(maxsize=4_096)
def _large_words(text: str) -> tuple[str, ...]:
    return tuple(word for word in words_of(text) if word not in _SMALL)


def holds(text: str, name: str) -> bool:
    """Whether a text has all telling words of a name, next to each other."""
    wanted, kept = _telling(name), _large_words(text)
    if not wanted or wanted[0] not in kept:
        return False
    size = len(wanted)
    return any(kept[i : i + size] == wanted for i in range(len(kept) - size + 1))
