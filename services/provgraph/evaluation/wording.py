"""Texts made comparable: notes stripped, words normalised, and which words two texts share."""

from __future__ import annotations

import re
import string
from collections import Counter
from typing import Final

from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import fold

_MARK: Final = re.compile(r"\s*\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]")
_NOTE_BEFORE: Final = re.compile(r"\A(?:\s*\[[^\]\d][^\]]{0,200}\]\s*)+")
_NOTE_LINE: Final = re.compile(
    r"^\s*[(\[]?(?:note|notes|warning|caution)\s*:.*$", re.IGNORECASE | re.MULTILINE
)
_ARTICLE: Final = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION: Final = re.compile(f"[{re.escape(string.punctuation)}“”‘’«»–—…]")
_DONT_KNOW: Final = re.compile(
    r"\A(?:no answer(?: was| is)?(?: found)?|not enough info(?:rmation)?|i (?:do not|dont) know|"
    r"(?:i am|im) not sure|(?:this |it |that )?(?:cannot|cant) be determined|unknown|unanswerable|"
    r"(?:documents|passages|context|text|evidence) (?:do|does) not (?:say|mention|contain|answer)\b.*)"
    r"(?: (?:as|because|since|from|based on|by)\b.*)?\Z"
)


def without_notes(text: str) -> str:
    """An answer without what a pipeline adds to it: marks of citations (`[2]`), remarks in brackets before it
    (`[Low grounding 0.12]`), and lines that begin with "Note:" or "Warning:"."""
    return _NOTE_LINE.sub("", _MARK.sub("", _NOTE_BEFORE.sub("", text))).strip()


def normalised(text: str) -> str:
    """In small letters and without accents, punctuation, articles and spare spaces (Rajpurkar et al. 2016, section
    6.1, and its official script)."""
    return " ".join(_ARTICLE.sub(" ", _PUNCTUATION.sub("", fold(text))).split())


def tokens(text: str) -> list[str]:
    return normalised(text).split()


def says_unknown(text: str) -> bool:
    """Whether an answer says nothing but that it does not know."""
    said = without_notes(text)
    sentences = [normalised(said[start:end]) for start, end in sentence_spans(said)]
    return all(_DONT_KNOW.match(sentence) for sentence in sentences if sentence)


def shared(one: list[str], other: list[str]) -> int:
    """How many tokens two texts have in common, each as often as both have it."""
    return (Counter(one) & Counter(other)).total()


def token_f1(one: str, other: str) -> float:
    """The harmonic mean of the shares of shared tokens, 0…1 (Rajpurkar et al. 2016, section 6.1)."""
    first, second = tokens(one), tokens(other)
    if not first or not second:
        return float(first == second)
    common = shared(first, second)
    return 2 * common / (len(first) + len(second))
