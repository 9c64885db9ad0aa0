"""The county, country or region that is asked for, of a place that was found in its stead: born in Ostermouth, which is
in the county of Vendshire."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Final

from provgraph.derivation.names import likeness
from provgraph.derivation.result import Derived, joined_steps
from provgraph.verdicts.lexicon import phrase, places

_ASKED: Final = re.compile(
    r"(?:in|from|to|of)?\s*\b(?:what|which)\s+"
    r"(county|country|state|province|region|department|canton|prefecture|continent|nation)\b",
    re.IGNORECASE,
)
LEAST: Final = 0.5
"""How likely the place around has to be right."""
_SAME: Final = 0.9


def wider_place(question: str) -> str:
    """The noun of the wider place that a question asks for; empty where it asks for none."""
    match = _ASKED.match(question.strip())
    return match[1].casefold() if match else ""


async def placed(
    question: str, found: Derived, proposed: Callable[[str, int], Awaitable[list[Derived]]]
) -> Derived:
    """What was found, or the wider place that it lies in where the question asks for that and the documents say so."""
    noun = wider_place(question)
    if not noun or _is_said_to_be(noun, found) or places().is_wide(phrase(found.text)):
        return found
    around = next(iter(await proposed(f"In which {noun} is {found.text}?", 1)), None)
    if around is None or around.confidence < LEAST or not around.steps:
        return found
    if likeness(around.text, found.text) >= _SAME or around.text.casefold() in question.casefold():
        return found
    steps = joined_steps(found.steps, around.steps)
    return Derived(around.text, around.kind, steps, found.confidence * around.confidence)


def _is_said_to_be(noun: str, found: Derived) -> bool:
    """Whether the words of an answer, or those around it, say that it is such a place: "the county of Vendshire"."""
    name = re.escape(found.text.strip())
    pattern = re.compile(rf"\b{noun} of {name}|{name} {noun}\b", re.IGNORECASE)
    texts = (found.text, *(support.sentence.text for support in found.ending))
    return noun in found.text.casefold() or any(pattern.search(text) for text in texts)
