"""What English words mean beside each other: the same, a kind of, the opposite, derived from. From WordNet 3.0.

Words are lemmas in lower case; parts of speech are "n", "v", "a" and "r" (noun, verb, adjective, adverb). A word has
several senses, the most frequent first; `within` says how many of them are looked at, as a rare sense makes anything
mean anything. Named things (WordNet's instances, as "Paris") are not in it: what is known of those, documents say.

Source: Fellbaum (ed.), WordNet: An Electronic Lexical Database, 1998; compiled by `training/wordnet.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import as_file, files
from typing import Any, Final, Literal

import numpy as np

Part = Literal["n", "v", "a", "r"]
Relation = Literal["same", "narrower", "wider", "opposite", ""]

FIELDS: Final = (
    "adj.all adj.pert adv.all noun.tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition "
    "noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object "
    "noun.person noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape "
    "noun.state noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition "
    "verb.consumption verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession "
    "verb.social verb.stative verb.weather adj.ppl"
).split()
"""The fields of meaning, by the numbers of WordNet's lexicographer files."""

_Table = tuple[Any, Any]
"""Compressed rows of numbers: where each row begins, and what stands in them."""


@cache
def _data() -> Mapping[str, Any]:
    with as_file(files("provgraph.language") / "words" / "wordnet.npz") as path, np.load(path) as stored:
        return {name: stored[name] for name in stored.files}


def _row(table: str, number: int) -> list[int]:
    data = _data()
    starts = data[f"{table}_starts"]
    return [int(each) for each in data[table][starts[number] : starts[number + 1]]]


@lru_cache(maxsize=16_384)
def _position(word: str, part: Part) -> int | None:
    lemmas = _data()["lemmas"]
    key = (part + word).encode()
    if len(key) > lemmas.dtype.itemsize:
        return None
    place = int(np.searchsorted(lemmas, key))
    return place if place < len(lemmas) and lemmas[place] == key else None


@lru_cache(maxsize=16_384)
def meanings(word: str, part: Part, within: int = 3) -> tuple[int, ...]:
    """The numbers of the first `within` meanings of a word; none for a word that is not known."""
    position = _position(word, part)
    return () if position is None else tuple(_row("senses", position)[:within])


def known(word: str, part: Part) -> bool:
    return _position(word, part) is not None


@lru_cache(maxsize=16_384)
def wider_meanings(word: str, part: Part, within: int = 3) -> Mapping[int, int]:
    """Everything that the first meanings of a word are kinds of, themselves included, with the steps to it.

    Of verbs also what they entail and cause: who snores sleeps.
    """
    steps: dict[int, int] = {}
    layer = list(meanings(word, part, within))
    depth = 0
    while layer:
        fresh = [each for each in dict.fromkeys(layer) if each not in steps]
        steps.update(dict.fromkeys(fresh, depth))
        layer = [wider for each in fresh for wider in _above(each, part)]
        depth += 1
    return steps


def _above(meaning: int, part: Part) -> Iterator[int]:
    for table in ("hypernyms", "entailments", "causes") if part == "v" else ("hypernyms",):
        yield from _row(table, meaning)


def same(one: str, other: str, part: Part, within: int = 2) -> bool:
    """Whether two words share one of their first `within` meanings: "begin" and "start"."""
    return one == other or not set(meanings(one, part, within)).isdisjoint(meanings(other, part, within))


def is_kind_of(narrow: str, wide: str, part: Part, within: int = 2, steps: int = 12) -> bool:
    """Whether what is `narrow` is `wide`: a novelist is a writer, and who strolls walks.

    `steps` bounds how far: the widest words ("thing", "act") say of everything that it is one.
    """
    above = wider_meanings(narrow, part, within)
    return any(above.get(meaning, steps + 1) <= steps for meaning in meanings(wide, part, within))


@lru_cache(maxsize=16_384)
def opposites(word: str, part: Part) -> frozenset[str]:
    """The antonyms of a word, in any of its senses: of "rise" "fall" and "set"."""
    position = _position(word, part)
    return frozenset() if position is None else frozenset(_words(_row("antonyms", position), part))


@lru_cache(maxsize=16_384)
def derived(word: str, part: Part) -> frozenset[tuple[str, Part]]:
    """Words of the same root: of the verb "invent" the nouns "inventor" and "invention"."""
    position = _position(word, part)
    if position is None:
        return frozenset()
    lemmas = _data()["lemmas"]
    found = (lemmas[each].decode() for each in _row("derived", position))
    return frozenset((lemma[1:], lemma[0]) for lemma in found)


def _words(positions: list[int], part: Part) -> Iterator[str]:
    lemmas = _data()["lemmas"]
    for position in positions:
        lemma = lemmas[position].decode()
        if lemma[0] == part:
            yield lemma[1:]


def relation(one: str, other: str, part: Part, within: int = 2) -> Relation:
    """How the first word stands to the second."""
    if same(one, other, part, within):
        return "same"
    if other in opposites(one, part) or one in opposites(other, part):
        return "opposite"
    if is_kind_of(one, other, part, within, steps=4):
        return "narrower"
    return "wider" if is_kind_of(other, one, part, within, steps=4) else ""


def siblings(one: str, other: str, part: Part, within: int = 1) -> bool:
    """Whether two words are different kinds of the same next wider thing, as "cello" and "violin".

    Siblings often exclude each other, and not always: a poet may be a novelist.
    """
    if same(one, other, part, within):
        return False
    above = [
        {wide for meaning in meanings(word, part, within) for wide in _row("hypernyms", meaning)}
        for word in (one, other)
    ]
    return not above[0].isdisjoint(above[1])


@lru_cache(maxsize=16_384)
def fields(word: str, part: Part, within: int = 2) -> tuple[str, ...]:
    """The fields of the first meanings: of the noun "pianist" ("noun.person",)."""
    numbers = _data()["fields"]
    return tuple(dict.fromkeys(FIELDS[numbers[each]] for each in meanings(word, part, within)))


def is_person(noun: str) -> bool:
    """Whether the first meaning of a noun is a person: "pianist", "mother"."""
    return "noun.person" in fields(noun, "n", 1)
