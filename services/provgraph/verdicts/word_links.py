"""How a word of a claim is met by one of the evidence: the same, in other words, of the same root, or excluded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from provgraph.language import wordnet
from provgraph.reading.syntax import Token
from provgraph.verdicts.lexicon import contrasts, opposites, phrase, places
from provgraph.verdicts.names import name_words, part_of_name, same_name
from provgraph.verdicts.things import demonym_place
from provgraph.verdicts.words_related import kinship

Way = Literal[
    "same", "alike", "narrower", "root", "converse", "near", "wider", "sibling", "apart", "opposite", ""
]
WORTH: Final[dict[str, float]] = {
    "same": 1.0, "alike": 0.9, "narrower": 0.85, "root": 0.85, "converse": 0.85, "near": 0.55, "wider": 0.3,
    "sibling": 0.0, "apart": 0.0, "opposite": 0.0, "": 0.0,
}  # fmt: skip
"""How far each way accounts for the claim's word."""

_CONVERSES: Final = frozenset("buy sell purchase lend borrow give receive teach learn sign ratify".split())
"""Verbs for one event from two sides, or that WordNet has as one in a rare sense: both may be so, by others."""
_PARTS: Final[dict[str, wordnet.Part]] = {
    "NOUN": "n",
    "PROPN": "n",
    "VERB": "v",
    "AUX": "v",
    "ADJ": "a",
    "ADV": "r",
}
LIGHT_VERBS: Final = frozenset("have be do get go come".split())
_DENYING_PREFIXES: Final = frozenset("un in im non dis ir il".split())
_OTHERS_PREFIXES: Final = frozenset("sub vice step grand under ex half mini".split())
_DONE_AGAIN_IS_DONE: Final = frozenset("elect appoint marry affirm assert confirm state iterate".split())
"""Who is re-elected is elected; what is rebuilt was built at another time."""


@dataclass(frozen=True)
class Link:
    """Token `at` of a sentence meets a unit in a `way`."""

    way: Way
    worth: float
    at: int


def word_way(claimed: Token, token: Token) -> Way:
    return _way_of_words(claimed.text, claimed.lemma, claimed.pos, token.text, token.lemma, token.pos)


@lru_cache(maxsize=65_536)
def _way_of_words(text: str, lemma: str, pos: str, other: str, other_lemma: str, other_pos: str) -> Way:
    one, two = text.lower(), other.lower()
    if _denied(one, two) or _denied(two, one):
        return "opposite"
    return way_of(lemma.lower(), pos, other_lemma.lower(), other_pos)


@lru_cache(maxsize=16_384)
def way_of(one: str, pos: str, other: str, other_pos: str) -> Way:
    """What `other` of the evidence means for `one` of the claim (lemmas with universal parts of speech)."""
    if one == other:
        return "same"
    if one in LIGHT_VERBS or other in LIGHT_VERBS:
        return ""
    listed = kinship(one, other, verbs="VERB" in (pos, other_pos))
    if listed == "excluded" and {pos, other_pos} != {"VERB", "NOUN"}:  # "employ" is no opposite of "employee"
        pair = (*phrase(one), *phrase(other))
        if " " in one and " " in other:  # "go up" and "go down"
            return "opposite"
        return "opposite" if pair in opposites() or pair in contrasts() else "apart"
    if listed and listed != "excluded":
        return "same" if listed == "same" else "alike"
    if _denied(one, other) or _denied(other, one):
        return "opposite"
    mine, theirs = _PARTS.get(pos), _PARTS.get(other_pos)
    if pos == "VERB" and other_pos == "PROPN":  # what is put is not Marden Park
        return ""
    if mine is None or theirs is None or _is_another(one, other) or _is_another(other, one):
        return ""
    if mine == theirs == "v" and (" " in one or " " in other):
        return _with_particle(one, other)
    return _same_part(one, other, mine) if mine == theirs else _by_root(one, mine, other, theirs)


def _same_part(one: str, other: str, part: wordnet.Part) -> Way:
    if one in _CONVERSES and other in _CONVERSES:
        return "same" if wordnet.same(one, other, part, within=1) else ""
    if other in wordnet.opposites(one, part) or one in wordnet.opposites(other, part):
        return "opposite"
    if part == "v" and any(
        wordnet.same(opposite, other, part, within=1) for opposite in wordnet.opposites(one, part)
    ):
        return "opposite"
    if wordnet.same(one, other, part, within=2):
        return "alike"
    if wordnet.is_kind_of(other, one, part, within=2 if part == "n" else 1, steps=7 if part == "n" else 2):
        return "narrower"
    if wordnet.same(one, other, part, within=4) or (
        part == "v" and wordnet.is_kind_of(one, other, part, within=1, steps=1)
    ):
        return "near"
    if (other, part) in wordnet.derived(one, part) or (one, part) in wordnet.derived(other, part):
        return "root"
    if wordnet.is_kind_of(one, other, part, within=1, steps=2):
        return "wider"
    return "sibling" if part in "nv" and wordnet.siblings(one, other, part) else ""


def _with_particle(one: str, other: str) -> Way:
    """A verb with a particle has few senses, so that more of the other's may be meant: "turn down", "refuse"."""
    if one.split()[0] == other or other.split()[0] == one:
        return ""
    if wordnet.same(one, other, "v", within=5):
        return "alike"
    return "narrower" if wordnet.is_kind_of(other, one, "v", within=3, steps=1) else ""


def _by_root(one: str, part: wordnet.Part, other: str, other_part: wordnet.Part) -> Way:
    """Of two parts of speech: "writer" and "write", "inventor" and "devise"."""
    if (other, other_part) in wordnet.derived(one, part) or (one, part) in wordnet.derived(other, other_part):
        return "root"
    for root, root_part in wordnet.derived(one, part):
        if root_part == other_part and wordnet.same(root, other, other_part, within=2):
            return "near"
    if part == "v":  # "make" and "production", of the verb "produce"
        bases = [base for base, base_part in wordnet.derived(other, other_part) if base_part == "v"]
        if any(way_of(one, "VERB", base, "VERB") in ("alike", "narrower") for base in bases):
            return "near"
    return ""


def _is_another(one: str, other: str) -> bool:
    """ "Subcommittee" for "committee": WordNet has it for one kind of it."""
    prefix = other[: -len(one)].rstrip("-") if other.endswith(one) else ""
    return prefix in _OTHERS_PREFIXES or (prefix == "re" and one not in _DONE_AGAIN_IS_DONE)


def _denied(one: str, other: str) -> bool:
    """ "uncreative" for "creative", "non-fiction" for "fiction"."""
    return len(other) > 3 and one.endswith(other) and one[: -len(other)].rstrip("-") in _DENYING_PREFIXES


def name_way(name: str, other: str) -> Way:
    """Whether a name of the evidence is the claim's, a part of it, or lies in it."""
    if same_name(name, other):
        return "same"
    if part_of_name(name, other) or part_of_name(other, name):
        return "alike"
    if _short_form(name_words(name), name_words(other)):
        return "alike"
    wide, narrow = phrase(name), phrase(other)
    if places().includes(wide, narrow):
        return "narrower"
    if demonym_place(name) and demonym_place(name) == demonym_place(other):
        return "same"
    return "alike" if kinship(name.lower(), other.lower()) in ("same", "entailed") else ""


def _short_form(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """ "Chris Kyle" for "Christopher Scott Kyle"."""
    if min(len(one), len(other)) < 2 or one[-1] != other[-1]:
        return False
    short, long = sorted((one[0], other[0]), key=len)
    return len(short) > 2 and long.startswith(short)
