"""Numbers said with what they are numbers of: "620 million kroner", where a sum of money is asked for."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from provgraph.derivation.result import Derived
from provgraph.language.asked_kinds import asked_kind
from provgraph.language.terms import FUNCTION_WORDS

_NUMBER: Final = re.compile(r"[\d.,]*\d(?: (?:thousand|million|billion|trillion))?")
_UNIT: Final = re.compile(r" ([^\W\d_]{2,})")


def with_unit(found: Derived, question: str) -> Derived:
    """The same with the word behind a bare number, where that stands in the sentence and money is asked for."""
    supports = found.ending
    if found.kind != "number" or asked_kind(question) != "money" or not supports:
        return found
    words, text = supports[0].words, supports[0].passage.text
    start = text.find(found.text, max(words.start - 2, 0), words.end + 2)
    if start < 0 or not _NUMBER.fullmatch(found.text) or text[start - 1 : start] in tuple("$€£¥"):
        return found
    behind = _UNIT.match(text, start + len(found.text))
    if behind is None or behind.group(1).casefold() in FUNCTION_WORDS or behind.group(1).endswith("ly"):
        return found
    return replace(
        found,
        text=found.text + behind.group(),
        steps=(*found.steps[:-1], replace(found.steps[-1], value=found.text + behind.group())),
    )
