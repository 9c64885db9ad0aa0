"""What of a text a reader's eye looks for: numbers with units, and names; found by pattern, in any subject.

The two types and their patterns are those of "An Interpretable RAG System with Local Knowledge Graph Explanations":
METRIC (a number with a unit, per cent, degrees, currency, million, billion; a thousand and more of what is counted) and
ENTITY (one to three capitalised words).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from provgraph.language.terms import FUNCTION_WORDS

MentionType = Literal["METRIC", "ENTITY"]

_NUMBER: Final = r"\d+(?:[.,]\d+)*"
_MANY: Final = r"thousand|million|billion|trillion|bn"
_UNIT: Final = (
    r"%|percent|per cent|percentage points?|°\s?[CFK]?|degrees?|kelvin|k?m/[sh]|[kmcnµ]?m[²³]?|mph|rpm|dB|"
    r"(?:(?:square|cubic) )?(?:(?:(?:centi|milli|kilo)?met(?:er|re)|mile|yard)s?|feet|foot|inch(?:es)?)|ft|acres?|"
    r"hectares?|[kmµ]?g|t|tons?|tonnes?|pounds?|lbs?|kilograms?|milligrams?|grams?|lit(?:er|re)s?|m?l|gallons?|barrels?|"
    r"[kMG]?Hz|[kMGT]?W|[kMGT]Wh|[kMG]?eV|[km]?V|m?A|volts?|bar|[kM]?Pa|[KMGT]B|"
    r"years?|months?|weeks?|days?|hours?|minutes?|seconds?|dollars?|euros?|USD|EUR|GBP|CHF|JPY|people"
)
METRIC: Final = re.compile(
    rf"(?<![\w.,])(?:[$€£¥]\s?{_NUMBER}(?:\s?(?:{_MANY})(?!\w))?"
    rf"|{_NUMBER}(?:[ \u00a0-](?:{_MANY})(?!\w))(?:[ \u00a0](?:{_UNIT})(?!\w))?"
    rf"|{_NUMBER}[ \u00a0-]?(?:{_UNIT})(?!\w)"
    rf"|\d{{1,3}}(?:,\d{{3}})+ [a-z]+s(?!\w))"
)
_WORD: Final = re.compile(r"[^\W\d_](?:[\w'’&-]|\.(?=\w))*")
_MOST_WORDS: Final = 3


@dataclass(frozen=True)
class MentionSpan:
    """`text[start:end]` names a quantity or a thing."""

    type: MentionType
    start: int
    end: int


def mentions(text: str, around: str = "") -> list[MentionSpan]:
    """The quantities and names of a text, first to last; none overlaps another.

    A capital at the beginning of a sentence makes no name of a single word, unless the word has it elsewhere, in the
    text or in what stands `around` it.
    """
    metrics = [MentionSpan("METRIC", match.start(), match.end()) for match in METRIC.finditer(text)]
    taken = {at for metric in metrics for at in range(metric.start, metric.end)}
    names = [name for name in _names(text, around or text) if taken.isdisjoint(range(name.start, name.end))]
    return sorted([*metrics, *names], key=lambda span: span.start)


def _names(text: str, around: str) -> Iterator[MentionSpan]:
    """Runs of capitalised words on one line, cut after the third; none begins with a function word."""
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        if run and (text[run[-1].end() : word.start()] != " " or len(run) == _MOST_WORDS):
            yield from _name(run, text, around)
            run = []
        if word[0][0].isupper() and (run or word[0].casefold() not in FUNCTION_WORDS or _is_acronym(word[0])):
            run.append(word)
        elif run:
            yield from _name(run, text, around)
            run = []
    yield from _name(run, text, around)


def _name(run: Sequence[re.Match[str]], text: str, around: str) -> Iterator[MentionSpan]:
    if not run:
        return
    alone = run[0][0] if len(run) == 1 else ""
    if alone and not _is_acronym(alone) and _begins_sentence(text, run[0].start()):
        others = re.finditer(rf"(?<!\w){re.escape(alone)}(?!\w)", around)
        if len(alone) < 2 or all(_begins_sentence(around, other.start()) for other in others):
            return
    yield MentionSpan("ENTITY", run[0].start(), run[-1].end())


def _begins_sentence(text: str, at: int) -> bool:
    before = text[max(0, at - 8) : at].rstrip(" \t\"'“‘(*#-")
    return not before or before[-1] in ".!?:\n|"


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper()
