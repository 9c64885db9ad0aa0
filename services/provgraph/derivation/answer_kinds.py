"""Whether an answer, however it was found, is plainly of another kind than what the question asks for: a speed for a
time, a Saturday for a company, falcons for timber."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from provgraph.derivation.affinity import stems
from provgraph.derivation.asking import Asking
from provgraph.derivation.number_fit import measures_otherwise
from provgraph.derivation.result import Derived
from provgraph.language import wordnet
from provgraph.language.asked_kinds import asked_kind, has_kind
from provgraph.language.terms import FUNCTION_WORDS, words
from provgraph.reading.value_reading import DAY_NAMES, MONTH_NAMES, find_values
from provgraph.reading.values import Quantity

_CALENDAR: Final = re.compile(rf"(?:on |in )?(?:every )?(?:{DAY_NAMES}|{MONTH_NAMES})s?")
_CODE: Final = re.compile(r"\d{1,3}-[A-Z]{1,2}|[$€£]?0{3,}s?")
_APART: Final = frozenset((("Person", "Place"), ("Place", "Person")))
_BEINGS: Final = frozenset(("noun.animal", "noun.person"))
_OF_BEINGS: Final = frozenset(("noun.animal", "noun.person", "noun.group", "noun.food", "noun.tops"))
_MOST: Final = 0.6
_WHAT: Final = re.compile(r"(?:\w+ )?(?:what|which) ", re.IGNORECASE)


def is_of_other_kind(found: Derived, type_said: str, wanted: Asking) -> bool:
    """`type_said` is the type of the name that an answer is; empty where none is known."""
    if (wanted.kind, type_said) in _APART:
        return True
    values = (each.value for each in find_values(found.text))
    if any(isinstance(value, Quantity) and measures_otherwise(wanted, value) for value in values):
        return True
    if wanted.kind not in ("", "Date", "Number") and _CALENDAR.fullmatch(found.text):
        return True
    if found.kind not in ("span", "entity") or not wanted.noun:
        return False
    return _are_beings_for_a_thing(found.text, wanted) or _repeats(found.text, wanted)


def has_no_number_asked(question: str, answer: str) -> bool:
    """Whether a sum, a share or a number is asked for, and an answer has none, or is a code: a "10-K", "in $000"."""
    kind = asked_kind(question)
    if kind in ("money", "number") and _CODE.fullmatch(answer.strip()):
        return True
    return kind in ("money", "share", "number") and has_kind(answer, kind) is False


def _repeats(answer: str, wanted: Asking) -> bool:
    """Whether most words of an answer in common words are the question's: the silver salt cellar for what it is insured
    for."""
    own = [stems(word) for word in words(answer) if word.casefold() not in FUNCTION_WORDS]
    asked = {stem for word in wanted.words for stem in stems(word.text)}
    given = sum(not each.isdisjoint(asked) for each in own)
    return answer == answer.lower() and len(own) > 1 and given >= _MOST * len(own)


def _are_beings_for_a_thing(answer: str, wanted: Asking) -> bool:
    """Whether an answer in common words is of animals or people, and what is asked for is neither."""
    last = answer.split()[-1] if answer.split() else ""
    return (
        last.islower()
        and last.isalpha()
        and _WHAT.match(wanted.text) is not None
        and _are_apart(last, wanted.noun)
    )


@lru_cache(maxsize=4_096)
def _are_apart(answer: str, asked: str) -> bool:
    singular = answer if wordnet.known(answer, "n") else answer.removesuffix("s")
    own, theirs = wordnet.fields(singular, "n", 1), wordnet.fields(asked, "n", 3)
    return bool(own) and bool(theirs) and _BEINGS.issuperset(own) and _OF_BEINGS.isdisjoint(theirs)
