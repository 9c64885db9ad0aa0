"""Word lists of the judge: places, kinds, opposites, words alike. General, and written by hand in `words/`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Final

from provgraph.language.terms import terms

_FOLDER: Final = Path(__file__).parent / "words"
_SHARED: Final = files("provgraph.language") / "words"
Phrase = tuple[str, ...]
_OF_STATES: Final = frozenset({"United States", "United Kingdom"})
"""Countries of whose states and nations the list has all."""


@lru_cache(maxsize=16_384)
def phrase(words: str) -> Phrase:
    """Words as terms: "Television series" → ("televis", "seri")."""
    return tuple(terms(words))


@dataclass(frozen=True)
class Kinds:
    """A tree: of each phrase the places at which it stands, and whether siblings below a place exclude each other.

    A place is the path from the root, as numbers of branches; `divided` gives how strongly (0…1) its parts exclude.
    """

    places: Mapping[Phrase, tuple[tuple[int, ...], ...]]
    divided: Mapping[tuple[int, ...], float]

    def includes(self, wide: Phrase, narrow: Phrase) -> bool:
        """Whether what is of the `narrow` kind is of the `wide` one."""
        return any(
            low[: len(high)] == high
            for high in self.places.get(wide, ())
            for low in self.places.get(narrow, ())
        )

    def exclusion(self, one: Phrase, other: Phrase) -> float:
        """How surely (0…1) nothing is of both kinds."""
        return min(
            (
                self._apart(here, there)
                for here in self.places.get(one, ())
                for there in self.places.get(other, ())
            ),
            default=0.0,
        )

    def _apart(self, one: tuple[int, ...], other: tuple[int, ...]) -> float:
        shared = 0
        while shared < min(len(one), len(other)) and one[shared] == other[shared]:
            shared += 1
        if shared in (len(one), len(other)):
            return 0.0
        return self.divided.get(one[:shared], 0.0)


@dataclass(frozen=True)
class Places:
    """Of each name of a place, or word for what is of it, the chain of places that it lies in, itself first."""

    chains: Mapping[Phrase, tuple[str, ...]]
    belonging: frozenset[Phrase]
    """The words for what is of a place, as "Japanese"."""

    def includes(self, wide: Phrase, narrow: Phrase) -> bool:
        outer, inner = self.chains.get(wide), self.chains.get(narrow)
        return bool(outer and inner and outer[0] in inner)

    def is_wide(self, place: Phrase) -> bool:
        """Whether a place of the list may hold one that is not in it: a continent, country or state, no city."""
        chain = self.chains.get(place, ())
        return 0 < len(chain) <= 2 or (len(chain) > 2 and chain[1] in _OF_STATES)

    def apart(self, one: Phrase, other: Phrase) -> bool:
        """Whether both are places and neither lies in the other."""
        here, there = self.chains.get(one), self.chains.get(other)
        return bool(here and there and here[0] not in there and there[0] not in here)


@cache
def kinds() -> Kinds:
    places: dict[Phrase, list[tuple[int, ...]]] = defaultdict(list)
    divided: dict[tuple[int, ...], float] = {}
    path: list[int] = []
    counts: dict[tuple[int, ...], int] = defaultdict(int)
    for line in _lines("kinds"):
        depth = (len(line) - len(line.lstrip())) // 2
        above = tuple(path[:depth])
        path[depth:] = [counts[above]]
        counts[above] += 1
        names = line.strip()
        if names[-1] in "!?":
            divided[tuple(path)] = {"!": 1.0, "?": 0.6}[names[-1]]
        for name in names.rstrip(" !?").split(","):
            places[phrase(name)].append(tuple(path))
    return Kinds({name: tuple(found) for name, found in places.items()}, divided)


@cache
def places() -> Places:
    above: dict[str, str] = {}
    called: dict[Phrase, str] = {}
    belonging: set[Phrase] = set()
    for line in _lines("places"):
        names, of_it, outer = (part.strip() for part in line.split("|"))
        own, *_ = names.split(",")
        above[own] = outer
        for name in (*names.split(","), *of_it.split(",")):
            if name.strip():
                called.setdefault(phrase(name), own)
        belonging |= {phrase(name) for name in of_it.split(",") if name.strip()}
    chains = {name: tuple(_chain(own, above)) for name, own in called.items()}
    return Places(chains, frozenset(belonging - {phrase(name) for name in above}))


def _chain(place: str, above: Mapping[str, str]) -> Iterator[str]:
    while place:
        yield place
        place = above.get(place, "")


@cache
def opposites() -> frozenset[tuple[str, str]]:
    """Pairs of terms, both ways."""
    sides = [line.split(":") if ":" in line else line.split() for line in _lines("antonyms")]
    return frozenset(
        both
        for one_side, other_side in sides
        for one in phrase(one_side)
        for other in phrase(other_side)
        for both in ((one, other), (other, one))
    )


@cache
def contrasts() -> frozenset[tuple[str, str]]:
    """Pairs of terms that exclude each other in the same place, both ways."""
    rows = [phrase(line) for line in _lines("contrasts")]
    return frozenset(
        both for row in rows for one, other in combinations(row, 2) for both in ((one, other), (other, one))
    )


@cache
def alike() -> Mapping[str, frozenset[str]]:
    """Of each term those that say nearly the same."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in _lines("similar"):
        row = set(phrase(line))
        for term in row:
            found[term] |= row
    return {term: frozenset(row) for term, row in found.items()}


def _lines(name: str) -> Iterator[str]:
    file = _SHARED / f"{name}.txt" if name == "places" else _FOLDER / f"{name}.txt"
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


@cache
def entailed_verbs() -> frozenset[tuple[str, str]]:
    """Pairs (what follows, from what): who is elected was a candidate."""
    return frozenset(
        (following, given)
        for line in _lines("entailments")
        for given in phrase(line.partition(">")[0])
        for following in phrase(line.partition(">")[2])
    )


@cache
def word_set(name: str) -> frozenset[str]:
    """The lower-case words of one of the lists in `words/`, those of one line separated by white space."""
    return frozenset(word for line in _lines(name) for word in line.split())


@cache
def phrasal_verbs() -> Mapping[str, tuple[str, ...]]:
    """Verbs with a particle, and the plain verbs that say the same."""
    verbs: dict[str, tuple[str, ...]] = {}
    for line in _lines("phrasal"):
        plain, _, rest = line.partition(":")
        for pair in rest.split(","):
            verbs[pair.strip()] = (*verbs.get(pair.strip(), ()), plain)
    return verbs
