"""How one word relates to another: the same, what follows from it, or what excludes it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from provgraph.verdicts.lexicon import (
    alike,
    contrasts,
    entailed_verbs,
    kinds,
    opposites,
    phrasal_verbs,
    phrase,
    places,
)

Kinship = Literal["same", "entailed", "excluded", ""]
_ENDINGS: Final = re.compile(
    r"(?:ations?|itions?|ions?|ments?|ances?|ences?|ings?|ers?|ors?|ists?|als?|ies|y|ees?|eds?|e|s)$"
)
_SPELLINGS: Final = tuple(
    (re.compile(british), american)
    for british, american in (
        (r"(?<=\w\w)tre\b", "ter"), (r"(?<=\w\w)our(?=\b|ed\b|ing\b|s\b|ite\b)", "or"),
        (r"is(?=e\b|ed\b|ing\b|ation\b)", "iz"),
        (r"yse\b", "yze"), (r"ogue\b", "og"), (r"programme", "program"), (r"(?<=[fc]en)ce\b", "se"), (r"aeo", "eo"),
        (r"lled\b", "led"), (r"lling\b", "ling"), (r"grey", "gray"), (r"aemia", "emia"), (r"tumour", "tumor"),
    )
)  # fmt: skip
_SHORTEST: Final = 4


@lru_cache(maxsize=16_384)
def kinship(claimed: str, said: str, verbs: bool = False) -> Kinship:
    """What `said` (a lemma or a phrase) means for `claimed`: "entailed" where the claim's word follows from it.

    With `verbs` the two are what is done, so that "bear" is no animal.
    """
    one, other = claimed.casefold().removeprefix("co-"), said.casefold().removeprefix("co-")
    plain = phrasal_verbs()
    if one != other and (one in plain or other in plain):
        ways = {_plainly(a, b, verbs) for a in plain.get(one, (one,)) for b in plain.get(other, (other,))}
        return next((way for way in ("same", "entailed", "excluded") if way in ways), "")
    return _plainly(one, other, verbs)


def _plainly(one: str, other: str, verbs: bool) -> Kinship:
    if one == other:
        return "same"
    if _numbered(one, other):
        return "excluded"
    as_written = phrase(one), phrase(other)
    spelled = phrase(_spelled(one)), phrase(_spelled(other))
    if not all(spelled):
        return ""
    if spelled[0] == spelled[1]:
        return "same"
    listed = _by_lists(*as_written, verbs) or _by_lists(*spelled, verbs)
    return listed or ("entailed" if _derived(one, other) else "")


def _by_lists(first: tuple[str, ...], second: tuple[str, ...], verbs: bool) -> Kinship:
    single = len(first) == len(second) == 1
    if single and ((first[0], second[0]) in opposites() or (first[0], second[0]) in contrasts()):
        return "excluded"
    if not verbs and (kinds().includes(first, second) or places().includes(first, second)):
        return "entailed"
    if single and (second[0] in alike().get(first[0], ()) or (first[0], second[0]) in entailed_verbs()):
        return "entailed"
    if not verbs and (kinds().exclusion(first, second) > 0 or places().apart(first, second)):
        return "excluded"
    return ""


def _spelled(word: str) -> str:
    """British spellings as American ones."""
    for british, american in _SPELLINGS:
        word = british.sub(american, word)
    return word


def _numbered(one: str, other: str) -> bool:
    """Two numbers in letters or digits are not each other."""
    return one.isdigit() and other.isdigit()


def _derived(one: str, other: str) -> bool:
    """Whether both come from one stem: discover, discovery, discoverer."""
    if one.endswith("ee") != other.endswith("ee") and {one[-2:], other[-2:]} & {"er", "or"}:
        return False  # licensor and licensee
    first, second = _ENDINGS.sub("", one), _ENDINGS.sub("", other)
    return len(first) >= _SHORTEST and first == second and " " not in one + other
