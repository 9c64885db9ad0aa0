"""Answers that are plainly of no kind that a question asks for, whatever they stand on: a percentage for a place, a
year for what something cost, a country for a university."""

from __future__ import annotations

import re
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.entity_types import demonyms
from provgraph.verdicts.lexicon import phrase, places

_START: Final = r"\W*(?:(?:in|at|on|from|for|to|by|of|with|under) )?"
_WHERE: Final = re.compile(
    rf"{_START}(?:where\b|(?:which|what) (?:place|town|city|village|country|island)\b)", re.IGNORECASE
)
_WHO: Final = re.compile(rf"{_START}(?:who|whom)\b", re.IGNORECASE)
_COST: Final = re.compile(
    r"\W*(?:(?:what (?:did|does|do|would|will)|how much)\b.{0,200}?\b(?:costs?|pay|paid|spend|spent)\b|"
    r"what (?:is|was|were|are) the (?:[\w-]+ )?(?:costs?|price|budget|fee|fine|rent|salary|revenue|turnover)\b)",
    re.IGNORECASE,
)
_SCORE: Final = re.compile(r"\W*what (?:is|was) the (?:\w+ )?(?:score|result)\b", re.IGNORECASE)
_NATION: Final = re.compile(
    r"\W*(?:(?:of|by) )?(?:what|which)(?:'s| is| was)? (?:the )?nationality\b", re.IGNORECASE
)
_THING: Final = re.compile(
    rf"{_START}(?:what|which) (?:university|school|college|company|firm|bank|newspaper|magazine|hospital|ship|film|"
    r"book|novel|song|bridge|prize|award|medal|instrument|festival|museum|church|language|colou?r)\b",
    re.IGNORECASE,
)
_NUMBER_ALONE: Final = re.compile(r"[^A-Za-z\d]{0,3}\d[^A-Za-z]*+(?:per ?cent)?", re.IGNORECASE)
_YEAR_ALONE: Final = re.compile(r"\W*(?:in )?(?:1\d{3}|20\d\d)\W*")
_TWO_NUMBERS: Final = re.compile(r"\d\s*[-–:]\s*\d|\d to \d|\bnil\b|\bdraw\b", re.IGNORECASE)
_ANYBODY: Final = frozenset(
    "person people someone somebody anyone man men woman women one ones member members".split()
)


def is_of_plain_other_kind(question: str, answer: str) -> bool:
    """Whether an answer is of none of the kinds that the question's first words ask for."""
    if _WHERE.match(question):
        return bool(_NUMBER_ALONE.fullmatch(answer))
    if _WHO.match(question):
        return bool(_NUMBER_ALONE.fullmatch(answer)) or answer.strip().casefold() in _ANYBODY
    if _SCORE.match(question):
        return bool(_NUMBER_ALONE.fullmatch(answer)) and not _TWO_NUMBERS.search(answer)
    if _NATION.match(question):
        return not _is_of_nation(answer)
    if _COST.match(question):
        return bool(_YEAR_ALONE.fullmatch(answer))
    return bool(_THING.match(question)) and (_is_country(answer) or _is_somebody(answer))


def _is_of_nation(answer: str) -> bool:
    words = re.findall(r"[^\W\d_]+", answer)
    return _is_country(answer) or any(word in demonyms() or _is_country(word) for word in words)


def _is_country(answer: str) -> bool:
    return places().is_wide(phrase(answer.strip(" .,")))


def _is_somebody(answer: str) -> bool:
    """Whether it is somebody by what they are: "a Swedish biochemist"."""
    last = (answer.split() or [""])[-1].strip(" .,")
    return last.islower() and wordnet.is_person(last)
