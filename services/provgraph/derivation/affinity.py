"""How nearly two words say the same: spelled alike, of one meaning, one root, a kind of the other, or of one relation.

What WordNet and the vocabulary of relations know; names and numbers only mean themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from provgraph.derivation.cues import relation_cues
from provgraph.language import wordnet
from provgraph.language.irregular_forms import BASE_OF
from provgraph.language.terms import terms, words
from provgraph.language.wordnet import Part
from provgraph.reading.relations import vocabulary
from provgraph.reading.syntax import Token
from provgraph.verdicts.converses import roles

SAME: Final = 1.0
_ONE_MEANING: Final = 0.8
_ONE_ROOT: Final = 0.8
_ONE_RELATION: Final = 0.7
_KIND: Final = 0.5
_PARTS: Final[dict[str, Part]] = {"NOUN": "n", "VERB": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}
_ENDINGS: Final = (
    ("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
)  # fmt: skip
"""Endings of forms, and what lemmas end with in their place."""
_MOST_RELATIONS: Final = 3
"""A word that speaks of more relations than that tells none."""


def part_of(token: Token) -> Part | None:
    """The token's part of speech where WordNet has it; None for names, numbers and small words."""
    return _PARTS.get(token.pos)


@lru_cache(maxsize=8_192)
def stems(word: str) -> frozenset[str]:
    return frozenset(terms(word))


@lru_cache(maxsize=1024)
def stems_of(text: str) -> frozenset[str]:
    """The stems of all words of a text."""
    return frozenset(stem for word in words(text) for stem in stems(word))


def covered(weights: Mapping[str, float], text: str) -> float:
    """The share of the weight of words (by their weights) that a text has."""
    said, whole = stems_of(text), sum(weights.values())
    met = (weight for word, weight in weights.items() if not stems(word).isdisjoint(said))
    return sum(met) / whole if whole else 0.0


@lru_cache(maxsize=16_384)
def related(one: str, part: Part, other: str, other_part: Part) -> float:
    """From 0 (nothing in common) to 1 (the same lemma), for two words that are no names."""
    if one == other or not stems(one).isdisjoint(stems(other)):
        return SAME
    if part == other_part and wordnet.same(one, other, part):
        return _ONE_MEANING
    roots = wordnet.derived(one, part)
    if (other, other_part) in roots:
        return _ONE_ROOT
    if _is_made_of(one, other) or _is_made_of(other, one):
        return _ONE_ROOT
    if not _relations_of(one).isdisjoint(_relations_of(other)) or (
        part == other_part == "v" and roles(one, other) is not None
    ):
        return _ONE_RELATION
    if any(p == other_part and wordnet.same(root, other, p, within=1) for root, p in roots):
        return _ONE_RELATION
    if part == other_part and (
        wordnet.is_kind_of(other, one, part, steps=3) or wordnet.is_kind_of(one, other, part, steps=2)
    ):
        return _KIND
    return 0.0


_MADE: Final = ("able", "ible", "ment", "er", "or", "al", "ation", "ant", "ee")
_SHORTEST: Final = 3


def _is_made_of(word: str, root: str) -> bool:
    """Whether a word has the root and a usual ending: "payable"."""
    return len(root) >= _SHORTEST and word.startswith(root) and word[len(root) :] in _MADE


@lru_cache(maxsize=16_384)
def likest_sense(one: str, other: str) -> float:
    """How nearly two words say the same, whichever forms they have and whether as nouns or as verbs."""
    return max(
        (
            related(first, part, second, part)
            for part in ("n", "v", "a")
            for first in _lemmas(one, part)
            for second in _lemmas(other, part)
        ),
        default=0.0,
    )


@lru_cache(maxsize=8_192)
def _lemmas(word: str, part: Part) -> tuple[str, ...]:
    """The forms in the lexicon that a word may be of."""
    word = word.casefold()
    forms = dict.fromkeys((BASE_OF.get(word, word), word))
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            forms[word.removesuffix(ending) + instead] = None
    return tuple(form for form in forms if wordnet.known(form, part))[:2]


def _relations_of(lemma: str) -> frozenset[str]:
    found = _speaking().get(lemma, frozenset())
    return found if len(found) <= _MOST_RELATIONS else frozenset()


@cache
def _speaking() -> Mapping[str, frozenset[str]]:
    """By lemma, the relations that it speaks of."""
    table: dict[str, set[str]] = defaultdict(set)
    for relation in vocabulary().relations:
        for lemma in relation_cues(relation):
            table[lemma].add(relation)
    return {lemma: frozenset(found) for lemma, found in table.items()}
