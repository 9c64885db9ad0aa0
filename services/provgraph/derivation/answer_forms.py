"""Short answers said as they are asked for: the year of a date, money with its unit, a person by the full name."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from provgraph.derivation.answer_labels import in_full
from provgraph.derivation.result import Derived
from provgraph.language.asked_kinds import asked_kind
from provgraph.language.terms import FUNCTION_WORDS
from provgraph.reading.value_reading import read_value
from provgraph.reading.values import Date

_YEAR_ASKED: Final = re.compile(r"\b(?:what|which) year\b", re.IGNORECASE)
_HOW_MUCH: Final = re.compile(r"how much\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[\d.,]*\d(?: (?:thousand|million|billion|trillion))?")
_UNIT: Final = re.compile(r" ([^\W\d_]{2,})")


def as_asked(found: Derived, question: str) -> Derived:
    """The same in the form that the question asks for."""
    text = found.text
    if found.kind == "date" and _YEAR_ASKED.search(question):
        value = read_value(text)
        if isinstance(value, Date) and value.has_year and value.first[0] == value.last[0]:
            return _said(found, str(value.first[0]))
    if found.kind == "entity" and asked_kind(question) == "person":
        return _said(found, in_full(text, *(support.passage for support in found.ending)))
    return with_unit(found, question)


def with_unit(found: Derived, question: str) -> Derived:
    """The same with the word behind a bare number, where that stands in the sentence and an amount is asked for."""
    supports = found.ending
    is_amount = asked_kind(question) == "money" or _HOW_MUCH.match(question)
    if found.kind != "number" or not is_amount or not supports:
        return found
    words, text = supports[0].words, supports[0].passage.text
    start = text.find(found.text, max(words.start - 2, 0), words.end + 2)
    if start < 0 or not _NUMBER.fullmatch(found.text) or text[start - 1 : start] in tuple("$€£¥"):
        return found
    behind = _UNIT.match(text, start + len(found.text))
    if behind is None or behind.group(1).casefold() in FUNCTION_WORDS or behind.group(1).endswith("ly"):
        return found
    sentence = supports[0].parsed
    counted = next((t for t in sentence.tokens if t.start == behind.start(1)), None) if sentence else None
    if counted and counted.pos not in ("NOUN", "PROPN"):
        return found
    return _said(found, found.text + behind.group())


def _said(found: Derived, text: str) -> Derived:
    steps = found.steps
    if text == found.text or not steps:
        return found
    return replace(found, text=text, steps=(*steps[:-1], replace(steps[-1], value=text)))
