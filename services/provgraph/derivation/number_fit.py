"""Whether a number is of what a question counts or measures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from provgraph.derivation.affinity import related
from provgraph.derivation.asking import MONEY, SHARE, TEMPERATURE, Asking
from provgraph.derivation.candidates import AnswerCandidate
from provgraph.language import wordnet
from provgraph.reading.propositions import Span
from provgraph.reading.value_reading import SINCE_MIDNIGHT, FoundValue
from provgraph.reading.values import Quantity, Value, dimension

TIMES: Final = frozenset(("time", "months"))
"""What a span of time measures."""
_YEAR: Final = re.compile(r"1\d{3}|20\d\d")
_THAN: Final = re.compile(
    r"\s(?:\w+\s)?(?:more|less|fewer|higher|lower|larger|smaller|longer|shorter|above|below)\sthan\b"
)
"""What stands behind a number that only compares."""


def number_fit(asked: Asking, candidate: AnswerCandidate) -> float:
    value = candidate.value
    if not isinstance(value, Quantity):
        return 0.0
    if _THAN.match(candidate.passage.text, candidate.span.end) and "than" not in asked.text:
        return 0.1
    if asked.dimensions - {MONEY, SHARE} and measured_by(value) in asked.dimensions:
        return 1.0
    if asked.dimensions & {MONEY, SHARE}:
        return _share_or_money_fit(asked, value, candidate)
    if asked.dimensions and is_age(asked.text, candidate.passage.text, candidate.span):
        return 1.0
    if asked.dimensions:
        return 1.0 if measured_by(value) in asked.dimensions else 0.1 if value.unit or value.noun else 0.3
    if asked.counted:
        return _count_fit(asked, value, candidate)
    return 0.8


def measured_by(value: Quantity) -> str:
    """What a number measures, degrees the temperature; empty where it is only counted or has no unit."""
    is_degree = value.unit in ("°C", "°F") or value.noun.casefold().startswith("degree")
    return TEMPERATURE if is_degree else dimension(value.unit)


def measure_alike(one: Value | None, other: Value | None) -> bool:
    """Whether two values are numbers that measure the same, or nothing both."""
    if not isinstance(one, Quantity) or not isinstance(other, Quantity):
        return False
    return measured_by(one) == measured_by(other)


def stand_alike(values: Sequence[FoundValue], one: int, other: int) -> bool:
    """Whether the numbers at two places measure the same, as far as both are read as numbers."""
    mine, theirs = (next((v.value for v in values if v.start <= at < v.end), None) for at in (one, other))
    return mine is None or theirs is None or measure_alike(mine, theirs)


def measures_otherwise(asked: Asking, value: Quantity) -> bool:
    """Whether a number measures what no answer does: a speed no time, minutes no temperature."""
    own = measured_by(value)
    if asked.kind == "Date":
        return bool(own) and own not in TIMES
    return asked.kind == "Number" and bool(own) and bool(asked.dimensions) and own not in asked.dimensions


def _count_fit(asked: Asking, value: Quantity, candidate: AnswerCandidate) -> float:
    """Whether a number is of what is counted, or measures so much of it."""
    if value.unit == "%" and asked.counted not in _OF_HUNDRED:
        return 0.1
    noun = value.noun.casefold() or _counted_by(candidate)
    if noun and _is_person_counted(noun, asked.counted):
        return 1.0
    if noun and (noun.startswith(asked.counted[:4]) or related(asked.counted, "n", noun, "n") >= 0.5):
        return 1.0
    if noun and not value.unit:
        return 0.1 if counts_another(noun, asked.counted) else 0.5
    if value.unit and _is_of(asked.counted, candidate):
        return 1.0
    measures = bool(dimension(value.unit)) or bool(_YEAR.fullmatch(candidate.label))
    return 0.1 if measures else 0.7 if not value.unit else 0.3


def _is_of(counted: str, candidate: AnswerCandidate) -> bool:
    """Whether so much of it is told: "24 grams of salt"."""
    behind = _OF_IT.match(candidate.passage.text, candidate.span.end)
    return behind is not None and any(word.startswith(counted[:4]) for word in behind[1].casefold().split())


_OF_IT: Final = re.compile(r" of ((?:\w+ ){0,2}\w+)")
_AGE: Final = re.compile(r"(?:(?:, |\()(?P<aside>\d{1,3})[,)]|\baged? (?:of )?(?P<aged>\d{1,3}|[a-z-]+)\b)")


def is_age(question: str, text: str, place: Span) -> bool:
    """Whether a number without a unit is somebody's age, and that is asked for: "Mr Marr, 47, said"."""
    return question.casefold().startswith("how old") and any(
        match.start(name) <= place.start < match.end(name)
        for match in _AGE.finditer(text, max(place.start - 10, 0), place.end + 1)
        for name in ("aside", "aged")
    )


_PEOPLE: Final = frozenset(("people", "person"))


def _counted_by(candidate: AnswerCandidate) -> str:
    """The noun that a number stands before, as the tree has it; empty where it stands alone."""
    tokens = candidate.sentence.tokens
    number = tokens[candidate.head]
    if number.pos == "NOUN":
        return number.lemma.casefold()
    above = tokens[number.head] if number.head > number.index else None
    return above.lemma.casefold() if above is not None and above.pos == "NOUN" else ""


def _is_person_counted(noun: str, asked: str) -> bool:
    """Whether people are counted, and the noun is for one of them: "7,800 spectators"."""
    return asked in _PEOPLE and wordnet.is_person(noun)


@lru_cache(maxsize=8_192)
def counts_another(noun: str, asked: str) -> bool:
    """Whether both nouns are known, and neither is a kind of the other or made of the same stuff: homes, people."""
    if _is_person_counted(noun, asked):
        return False
    first, second = wordnet.fields(noun, "n", 2), wordnet.fields(asked, "n", 2)
    is_group = asked in _PEOPLE and wordnet.is_kind_of(noun, "social group", "n")
    return is_group or (bool(first) and bool(second) and set(first).isdisjoint(second))


_OF_HUNDRED: Final = frozenset("percent percentage share proportion".split())


def _share_or_money_fit(asked: Asking, value: Quantity, candidate: AnswerCandidate) -> float:
    """A share is of a hundred, a sum of money has a currency, or at least no unit that measures something else."""
    if SHARE in asked.dimensions:
        return 1.0 if value.unit == "%" else 0.1
    if value.unit == "%" or measured_by(value) or is_hour(value):
        return 0.0
    return 1.0 if value.unit or _is_coin(_counted_by(candidate)) else 0.4


@lru_cache(maxsize=4_096)
def _is_coin(noun: str) -> bool:
    return bool(noun) and wordnet.is_kind_of(noun, "monetary unit", "n", 8)


def is_hour(value: Value | None) -> bool:
    return isinstance(value, Quantity) and value.unit == SINCE_MIDNIGHT
