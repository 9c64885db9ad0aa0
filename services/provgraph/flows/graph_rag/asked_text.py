"""What a question asks, without what it says about how to answer, its periods written as documents write them.

"What drove costs in FY2022? If they are not given, state that." → "What drove costs in 2022?"
"""

from __future__ import annotations

import re
from typing import Final

_DIRECTION: Final = re.compile(
    r"(?:if|define|answer|calculate|compute|respond|give|assume|assuming|use|using|state|round|express|base|note|"
    r"consider|explain|say|show|report|provide|write|please)\b",
    re.IGNORECASE,
)
_DEFINES: Final = re.compile(
    r"\b(?:is|are) (?:defined|calculated|computed) as\b|\bdefine\b.+\bas\b", re.IGNORECASE
)
_LEADING: Final = re.compile(
    r"\A\s*(?:assum\w+|suppos\w+|imagin\w+|by \w+ing|bas(?:ed|ing)|using|rely\w*|draw\w*|you are|we need|given|"
    r"please|answer|consult\w*|from the information)\b[^?]*?[,:.]\s*(?=(?:what|which|how much|how many|by how much)\b)",
    re.IGNORECASE,
)
"""Says how a question is to be answered, before it."""
_IN_UNITS: Final = re.compile(r"(?<!\s)\s*\((?:in|as|rounded?|expressed)\b[^()]*\)", re.IGNORECASE)
_FISCAL_YEAR: Final = re.compile(r"\b(?:FY|CY)\s?'?(?P<century>(?:19|20)?)(?P<year>\d\d)\b", re.IGNORECASE)
_QUARTER: Final = re.compile(r"\b(?:Q(?P<one>[1-4])|(?P<other>[1-4])Q)(?=\b|\s?'?\d)", re.IGNORECASE)
_IN_YEAR: Final = re.compile(
    r"\b(?:(?:as of|in|for|during|from|of|by|at the end of)\s+(?:the\s+)?)?(?:fiscal\s+(?:year\s+)?)?((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_ORDINALS: Final = ("first", "second", "third", "fourth")


def asked_text(question: str) -> str:
    """The question itself, with what it defines; the whole text where it is no question with directions beside it."""
    question = _LEADING.sub("", _IN_UNITS.sub("", question))
    question = f"{question[:1].upper()}{question[1:]}"
    asked, mark, rest = question.rpartition("?")
    sentences = [each for each in re.split(r"(?<=[.!])\s+", rest.strip()) if each]
    if mark and sentences and (_DIRECTION.match(sentences[0]) or _DEFINES.search(rest)):
        defining = [sentence for sentence in sentences if _DEFINES.search(sentence)]
        question = " ".join((f"{asked}{mark}", *defining))
    return _FISCAL_YEAR.sub(_year, _QUARTER.sub(_quarter, question))


def without_year(text: str) -> str:
    """The text without the one year that it names, for a document of that year: most of its sentences have it."""
    years = set(_IN_YEAR.findall(text))
    bare = " ".join(_IN_YEAR.sub(" ", text).split()) if len(years) == 1 else text
    return bare.replace(" ?", "?")


def _year(match: re.Match[str]) -> str:
    return f"{match['century'] or '20'}{match['year']}"


def _quarter(match: re.Match[str]) -> str:
    return f"{_ORDINALS[int(match['one'] or match['other']) - 1]} quarter"
