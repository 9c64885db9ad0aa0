"""Whether an English question asks for what is not so, and whether a sentence says what is not, or what is excepted:
an answer that says the opposite of what was asked is worse than none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

Polarity = Literal["affirmed", "denied", "either"]

_DENIAL: Final = re.compile(
    r"\b(?:not|never|no|nor|neither|nobody|nothing|none|without|cannot|forbidden|prohibit\w*|exclud\w*|disallow\w*|unable)\b"
    r"|n['’]t\b",
    re.I,
)
_EXCEPTION: Final = re.compile(
    r"\b(?:except(?:ing|ion|ions)?|unless|other than|apart from|save (?:for|where|that)|exclud\w*|only|provided that|"
    r"subject to)\b",
    re.I,
)
_CONDITION: Final = re.compile(
    r"(?:(?<=\w)|(?<=,)) (?:if|when|where|while|unless|because|who|which|that|even though)\b.*", re.I | re.S
)
"""What follows the first words of a question, and is no part of what it asks for."""
_BUT_NOT: Final = re.compile(r"(?<=\w),? (?:but|and|though) not (?:for|to|in|on|of|the|an?)\b.*", re.I | re.S)
"""A denial behind what is so."""
_OPEN: Final = re.compile(
    r"^\W*(?:when|why|how|in (?:which|what) case|under (?:what|which)|is|are"
    r"|does|do|did|can|could|may|must|shall|has|have|will)"
    r"\b(?! (?:long|much|many|far|often)\b)",
    re.I,
)
"""Questions that a denial, an exception or neither may answer: what they deny is only their subject."""


@lru_cache(maxsize=64)  # asked again with each sentence that may answer
def asked_polarity(question: str) -> Polarity:
    """Whether what is asked for is denied ("what is X not responsible for"), affirmed, or may be either."""
    asked = _CONDITION.sub("", question)
    if _DENIAL.search(asked):
        return "denied"
    return "either" if _OPEN.match(question) else "affirmed"


def denies(sentence: str) -> bool:
    """Whether a sentence denies, before any of its conditions."""
    return _DENIAL.search(_CONDITION.sub("", sentence)) is not None


def excepts(sentence: str) -> bool:
    return _EXCEPTION.search(sentence) is not None


def may_answer(question: str, sentence: str) -> bool:
    """False where a question asks for what is not so, and a sentence neither denies nor excepts anything."""
    return asked_polarity(question) != "denied" or _DENIAL.search(sentence) is not None or excepts(sentence)


def is_denied_only(question: str, sentence: str) -> bool:
    """Whether a question asks for what is so, and a sentence says only what is not."""
    return denied_share(question, sentence) == 1.0


def denied_share(question: str, sentence: str) -> float:
    """1 where a question asks for what is so and a sentence says only what is not, half where that has an exception,
    which may be what is so; else 0, also where the denial only follows what is so ("for the food, but not for …")."""
    if asked_polarity(question) != "affirmed" or not denies(_BUT_NOT.sub("", sentence)):
        return 0.0
    return 0.5 if excepts(sentence) else 1.0
