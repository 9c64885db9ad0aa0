"""What a question asks by its form alone: whether, for several, how much by "how high"."""

from __future__ import annotations

import re
from typing import Final

from provgraph.derivation.yes_no import HELPING_VERBS

_OPENING: Final = frozenset("in at on under during after before for according with within from".split())
_SEVERAL: Final = re.compile(
    r"\W*(?:\w+ )?(?:which|what) (?:are the names|people|countries|cities|(?!(?:is|was|has|does)\b)\w+[^\Ws]s)\b",
    re.IGNORECASE,
)
_DEFINITION: Final = re.compile(r"\W*what (?:is|are|was|were) (?:an? )?[\w-]+\W*$", re.IGNORECASE)
_HOW_HIGH: Final = re.compile(
    r"^How high(?= (?:is|was|are|were) .{0,80}\b(?:rent|fine|fee|price|deposit|salary|penalty|premium|tax|rate|cost"
    r"|charge|sum|amount|wage|budget|debt|loan|income|bill)s?\b)",
    re.IGNORECASE,
)
"""Asks how much: the network takes it for a height."""


def is_yes_no(question: str) -> bool:
    """Whether the last sentence of a question begins with a verb that asks, perhaps behind a circumstance ("In the
    trial, did …")."""
    last = re.split(r"[.!?]\s+", question.strip())[-1]
    circumstance, _, rest = last.rpartition(", ")
    opens = circumstance.partition(" ")[0].casefold() in _OPENING
    return (rest if opens else last).partition(" ")[0].casefold() in HELPING_VERBS


def asks_for_several(question: str) -> bool:
    return _SEVERAL.match(question) is not None


def asks_what_it_is(question: str) -> bool:
    """Whether it is asked what something is in general: "What is half-life?", but not "What is the half-life?"."""
    return _DEFINITION.match(question) is not None


def as_read(question: str) -> str:
    """The question in the words in which the network reads it best."""
    return _HOW_HIGH.sub("How much", question)
