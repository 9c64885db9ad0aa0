"""What a cell holds, so that cells of a column compare: a number, a date, a place in an order, or words.

"$11 million", "1:23.47" (seconds), "7th", "T3", "27–3" (a pair) and "2000-01" are read; words stay words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from provgraph.language.terms import terms
from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Date, Day

_NOTE: Final = re.compile(r"\[[^\]]{0,12}\]|(?<![*†‡§])[*†‡§]+$")
_CLOCK: Final = re.compile(r"\W*(?:(\d{1,3}):)?(\d{1,3}):(\d\d(?:\.\d+)?)\b")
_PAIR: Final = re.compile(r"(?:[A-Z]\s)?\s*(\d{1,3})\s?[–:—-]\s?(\d{1,3})(?![\d–-])(?!\s?%)")
_NUMBER: Final = re.compile(
    r"^[^\w(+.-]{0,4}(?:[A-Z]{0,3}[$€£¥#]\s?|T|no\.?\s|=|~|c\.\s?)?(?P<open>\(\s?\$?)?(?P<minus>[-+])?\s?[$€£¥]?"
    r"(?P<digits>\d{1,3}(?:(?P<comma>[, ])\d{3})(?:(?P=comma)\d{3})*(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"\s*(?P<scale>million|billion|thousand|bn|m\b)?",
    re.IGNORECASE,
)
_SCALES: Final = {"million": 10**6, "billion": 10**9, "bn": 10**9, "thousand": 10**3}
_YEAR: Final = re.compile(r"\D{0,6}(1\d{3}|20\d{2})(?:\s?[–/-]\s?\d{2,4})?(?:\D{0,20})")
_EMPTY: Final = frozenset(("", "-", "–", "—", "n/a", "na", "?", "tba", "none", "..."))


@dataclass(frozen=True)
class CellValue:
    """`words` are the terms of the text; `pair` the two numbers of a score; what is not there is None."""

    words: tuple[str, ...]
    number: Decimal | None = None
    date: Day | None = None
    pair: tuple[Decimal, Decimal] | None = None

    @property
    def is_empty(self) -> bool:
        return not self.words and self.number is None


@lru_cache(maxsize=16_384)
def cell_value(text: str) -> CellValue:
    """The value of a cell's text; never fails."""
    bare = " ".join(_NOTE.sub("", text).replace("−", "-").split())
    if bare.casefold() in _EMPTY:
        return CellValue(())
    pair = _pair(bare)
    return CellValue(tuple(terms(bare)), _number(bare, pair), _date(bare), pair)


def _pair(text: str) -> tuple[Decimal, Decimal] | None:
    if _CLOCK.fullmatch(text) and text.count(":") > 1:
        return None
    match = _PAIR.match(text)
    return (Decimal(match[1]), Decimal(match[2])) if match else None


def _number(text: str, pair: tuple[Decimal, Decimal] | None) -> Decimal | None:
    if clock := _CLOCK.match(text):
        hours, minutes, seconds = clock.groups()
        return Decimal(hours or 0) * 3600 + Decimal(minutes) * 60 + Decimal(seconds)
    if pair:
        return pair[0]
    match = _NUMBER.match(text)
    if match is None:
        return None
    value = Decimal(re.sub("[, ]", "", match["digits"])) * _SCALES.get((match["scale"] or "").lower(), 1)
    return -value if match["minus"] == "-" or (match["open"] and ")" in text) else value


def _date(text: str) -> Day | None:
    for found_value in find_values(text[:80]):
        value = found_value.value
        if (
            isinstance(value, Date)
            and found_value.start <= 12
            and (value.precision == "day" or value.has_year)
        ):
            return value.first
    year = _YEAR.fullmatch(text)
    return (int(year[1]), 1, 1) if year else None
