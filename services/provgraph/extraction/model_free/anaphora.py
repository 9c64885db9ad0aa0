"""Phrases that tell a reader nothing without the sentences around them: "this system", "the band", "a colloquium".

A graph has one node for a name. "The band" of a hundred documents would be one node of a hundred bands, so a common
noun is a subject only where it can stand for its kind ("Gamma rays were discovered by Villard") or has a name in it
("the capital of France").
"""

from __future__ import annotations

from provgraph.extraction.model_free.entity_types import type_of_noun
from provgraph.extraction.model_free.lexicon import lexicon
from provgraph.extraction.model_free.sentence import Phrase, Sentence
from provgraph.extraction.model_free.word_classes import (
    DEMONSTRATIVES,
    POINTING,
    RELATIONAL,
    UNIQUE,
    VAGUE_AMOUNTS,
)

_PAST = frozenset(("was", "were", "had", "did", "wasn't", "weren't", "would", "could"))
_BE = frozenset(("is", "was", "are", "were"))
_INDIVIDUAL = frozenset(("Person", "Organization", "Place", "Work", "Event"))


def is_unclear_subject(sentence: Sentence, phrase: Phrase, relation: str) -> bool:
    """Whether the phrase, as the subject of `relation`, stands for something that only its context names."""
    if "P" in sentence.tags[phrase.start : phrase.end]:
        return _points_back(sentence, phrase)
    first = sentence.tokens[phrase.start].lower
    if _points_back(sentence, phrase) or sentence.tags[phrase.start] == "C" or first in VAGUE_AMOUNTS:
        return True
    if (
        first == "the"
        and phrase.end - phrase.start == 2
        and sentence.tokens[phrase.end - 1].lower in RELATIONAL
    ):
        return True
    past = is_past(relation)
    indefinite = first in ("a", "an", "some", "one")
    defining = relation in ("is a", "was a", "are", "were", "is", "was") or relation.startswith("is ")
    if indefinite and past and not defining:
        return True
    if not _is_individual(sentence, phrase):
        return False
    return past or not (indefinite or sentence.tags[phrase.start] in "NJ")


def is_unclear_object(sentence: Sentence, phrase: Phrase, relation: str) -> bool:
    """Whether an object is one pointed at, and not named: "this song", "the band"; not what a thing is said to be."""
    if relation.removesuffix(" a") in _BE:
        return False
    first = sentence.tokens[phrase.start].lower
    if first in DEMONSTRATIVES:
        return "P" not in sentence.tags[phrase.start : phrase.end]
    return first == "the" and phrase.end - phrase.start == 2 and _is_individual(sentence, phrase)


def is_past(relation: str) -> bool:
    """Whether the relation tells of what happened, not of what is so."""
    first = relation.partition(" ")[0]
    return first in _PAST or first.endswith("ed") or lexicon().tags.get(first, "") in ("VBD", "VBN")


def _points_back(sentence: Sentence, phrase: Phrase) -> bool:
    """This direction, other compositions, many of his albums."""
    tokens = sentence.tokens[phrase.start : phrase.end]
    if tokens[0].lower in DEMONSTRATIVES or any(token.lower in POINTING for token in tokens[:2]):
        return True
    return "S" in sentence.tags[phrase.start + 1 : phrase.end]


def _is_individual(sentence: Sentence, phrase: Phrase) -> bool:
    """Whether its noun, or the owner in it ("the film's title"), is one of which each has a name of its own."""
    mark = sentence.tags.find("A", phrase.start, phrase.end)
    nouns = [phrase.head - 1, *([mark - 1] if mark > phrase.start else [])]
    return any(
        type_of_noun(word) in _INDIVIDUAL and word not in UNIQUE
        for word in (sentence.tokens[noun].lower for noun in nouns)
    )
