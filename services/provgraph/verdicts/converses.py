"""Words that tell one event or relation from its two sides: who buys is sold to, and an uncle has a nephew.

Such words meet each other only with their roles exchanged, which `roles` gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from provgraph.reading.entity_types import gender_of_name, gender_of_noun

_LIST: Final = Path(__file__).parent / "words" / "converses.txt"
Roles = Mapping[str, frozenset[str]]


def roles(claimed: str, said: str) -> Roles | None:
    """Of each role that `claimed` (a lemma) gives, the roles of `said` that hold the same; None for no converses."""
    return _pairs().get((claimed, said))


@cache
def all_converses(claimed: str) -> frozenset[str]:
    return frozenset(said for word, said in _pairs() if word == claimed)


def may_be_said(noun: str, name: str) -> bool:
    """Whether a noun for men or women alone may follow for who has that name: an uncle has nephews and nieces."""
    wanted = gender_of_noun(noun)
    return not wanted or gender_of_name(name) == wanted


@cache
def _pairs() -> Mapping[tuple[str, str], Roles]:
    pairs: dict[tuple[str, str], Roles] = {}
    for line in _LIST.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        words, _, given = line.partition("|")
        left, _, right = words.partition(":")
        there = {role: frozenset(others) for role, *others in map(str.split, given.split(";"))}
        back = {
            other: frozenset(role for role in there if other in there[role])
            for others in there.values()
            for other in others
        }
        for one in left.split():
            for other in right.split():
                pairs[one, other], pairs[other, one] = there, back
    return pairs
