"""Whether two names are of one thing. A part of a name stands for it only where that is safe."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import Levenshtein

from provgraph.language.titles import without_titles

_COMPANY: Final = frozenset(
    "inc incorporated corporation corp company co ltd limited llc plc gmbh ag group closure sa nv lp llp".split()
)
_LINKS: Final = frozenset("of for in at and de la du von van der den the le les di da".split())
_DECIDING: Final = frozenset(
    "jr sr junior senior ii iii iv v north south east west new old upper lower".split()
)
_WORD: Final = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")
_QUALIFIER: Final = re.compile(r"(?<!\s)\s*\([^()]*\)\s*$")


@lru_cache(maxsize=16_384)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, without marks, titles and qualifiers: "Roar (song)" → ("roar",)."""
    plain = unicodedata.normalize("NFKD", _QUALIFIER.sub("", name) or name)
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    words = [_bare(word) for word in _WORD.findall(plain)]
    kept = without_titles([word for word in words if word != "the"])
    kept = kept if len(kept) < 2 else [w for w in kept if w not in _COMPANY] or kept
    return tuple(kept or words)


def _bare(word: str) -> str:
    for ending in ("'s", "’s"):
        word = word.removesuffix(ending)
    return word.replace(".", "").replace("'", "").replace("’", "")


@lru_cache(maxsize=16_384)
def same_name(one: str, other: str) -> bool:
    """Whether both are one name: the same words, initials or middle names left out, or an abbreviation."""
    first, second = name_words(one), name_words(other)
    if not first or not second:
        return one.strip() == other.strip()
    if _head_title(one) == second or _head_title(other) == first:
        return True
    if first == second or "".join(first) == "".join(second):
        return True
    if _abbreviates(one, second) or _abbreviates(other, first):
        return True
    return _shorter(first, second) or _shorter(second, first)


def _head_title(name: str) -> tuple[str, ...]:
    """The words before the colon of a title: "Daag: A Poem of Love" → ("daag",)."""
    head, colon, _ = name.partition(":")
    return name_words(head) if colon else ()


def _shorter(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """ "Charles Jameson" for "Charles Davis Jameson": first and last word, and all between in order."""
    if len(short) < 2 or len(short) > len(full) or _LINKS & set(full) or _DECIDING & (set(full) ^ set(short)):
        return False
    if short[-1] != full[-1] or not _fits(short[0], full[0]):
        return (
            len(short) >= 2 and full[: len(short)] == short and not _DECIDING & set(full) and len(full) == 3
        )
    rest = iter(full)
    return all(any(_fits(word, each) for each in rest) for word in short)


def _fits(short: str, full: str) -> bool:
    return short == full or (len(short) == 1 and full.startswith(short))


def _abbreviates(short: str, full: tuple[str, ...]) -> bool:
    letters = short.replace(".", "").strip()
    if not 2 <= len(letters) <= 8 or not letters.isupper() or " " in letters:
        return False
    content = [word for word in full if word not in _LINKS]
    return len(content) > 1 and "".join(word[0] for word in content) == letters.casefold()


def part_of_name(short: str, full: str) -> bool:
    """Whether `short` is the first or last part of a longer name, as people are named by one of them."""
    part, whole = name_words(short), name_words(full)
    if not part or len(part) >= len(whole) or (_LINKS & set(whole)) or "of" in full.split():
        return False
    return whole[-len(part) :] == part or whole[: len(part)] == part


def different_names(one: str, other: str) -> bool:
    """Whether they are surely not one thing's: no word that both have, and neither abbreviates the other."""
    first, second = set(name_words(one)) - _LINKS, set(name_words(other)) - _LINKS
    if not first or not second or first <= second or second <= first or same_name(one, other):
        return False
    mine, theirs = first - second, second - first
    return not any(_alike(a, b) for a in mine for b in theirs)


def _alike(one: str, other: str) -> bool:
    """Whether two words may be one, written in two ways: "Philip" and "Phillip", or shortened."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) or Levenshtein.distance(one, other) <= (1 if len(short) < 6 else 2)
