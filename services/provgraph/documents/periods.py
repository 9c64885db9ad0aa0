"""Periods as filings and tables print them, in one form: `FY2022`, "fiscal 2022" and "year ended December 31, 2022" are
one. A year is "2022", one that lies in two "2022/23", a quarter of it "2022-Q3", a half "2022-H1"; a day "2022-12-31";
a span that ends on a day "P3M/2022-09-30" (ISO 8601)."""

from __future__ import annotations

import re
from calendar import isleap
from typing import Final

from provgraph.language.fiscal_years import spans_years, split_years_in, without_split_years

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_DAY: Final = re.compile(rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR}\b", re.I)
_DAY_FIRST: Final = re.compile(rf"\b(?P<day>\d{{1,2}})\.?\s+{_MONTH},?\s+{_YEAR}\b", re.I)
_MONTH_LONG: Final = re.compile(
    rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})\s*[-–]\s*(?P<last>\d{{1,2}}),?\s+{_YEAR}\b", re.I
)
_SHORTEST_MONTH: Final = 28
_ISO_DAY: Final = re.compile(
    r"\b(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])\b"
)
_BARE_YEAR: Final = re.compile(rf"(?<![\d,.$€£-])(?:FY|CY)?\s?'?{_YEAR}(?![\d,.]\d|\d)", re.I)
_SHORT_YEAR: Final = re.compile(r"\bFY\s?'?(?P<year>\d\d)\b", re.I)
_QUARTER: Final = re.compile(
    rf"\b(?:Q(?P<q>[1-4])|(?P<word>first|second|third|fourth|1st|2nd|3rd|4th)\s+(?:fiscal\s+)?quarter)"
    rf"(?:\s+of)?(?:\s+(?:fiscal|FY))?\s*'?{_YEAR}",
    re.I,
)
_QUARTER_OF_SHORT_YEAR: Final = re.compile(
    r"\b(?:Q(?P<q>[1-4])|(?P<word>first|second|third|fourth|1st|2nd|3rd|4th)\s+(?:fiscal\s+)?quarter)"
    r"(?:\s+of)?\s+(?:fiscal\s+)?FY\s?'?(?P<year>\d\d)\b",
    re.I,
)
_HALF: Final = re.compile(
    rf"\b(?:H(?P<half>[12])|(?P<word>first|second|1st|2nd)\s+half)(?:\s+of)?\s+(?:(?:fiscal\s+)?(?:FY\s?'?(?P<short>\d\d)\b)|"
    rf"(?:fiscal\s+|FY\s?)?{_YEAR})",
    re.I,
)
_SPAN: Final = re.compile(
    r"\b(?P<count>three|six|nine|twelve|\d{1,2})[-\s]+(?P<unit>months?|weeks?)\s+(?:period\s+)?end(?:ed|ing)\b",
    re.I,
)
_MONTHS_LONG: Final = re.compile(
    rf"(?<!\d )\b{_MONTH.replace('month', 'first')}\s*(?:[-–]|to|through)\s*{_MONTH}\W+{_YEAR}\b", re.I
)
_DAYS_OF_MONTH: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_YEAR_LONG: Final = re.compile(
    r"\b(?:fiscal|financial|calendar)?\s*years?(?:[-\s]+end(?:ed|ing)?)?\b|\bfiscal\b|\bFY|\btwelve months|\b12 months",
    re.I,
)
_QUARTER_ALONE: Final = re.compile(
    r"\bQ(?P<q>[1-4])\b|\b(?P<word>first|second|third|fourth|1st|2nd|3rd|4th)\s+(?:fiscal\s+)?quarter\b", re.I
)
_HALF_ALONE: Final = re.compile(r"\bH(?P<half>[12])\b|\b(?P<word>first|second|1st|2nd)\s+half\b", re.I)
_COUNTS: Final = {"three": 3, "six": 6, "nine": 9, "twelve": 12}
_ORDINALS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_MONTH_DAY: Final = re.compile(rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})\b(?!\d)", re.I)


def period_of(words: str) -> str:
    """The one period that words tell; empty where they tell none, or several years ("2022 vs. 2021").

    A day with "year ended" before it is its year, with "three months ended" the span that ends on it, and a day by
    itself is that day. A month and a day without a year, as in a header over several years, count with the year
    elsewhere in the words: "Years ended December 31, · 2022".
    """
    if spans_years(words):
        return ""
    if split := split_years_in(words):
        return _of_split_year(words, split)
    if part := _part_of_year(words):
        return part
    if match := _MONTH_LONG.search(words):
        whole = match["day"] in ("1", "01") and int(match["last"]) >= _SHORTEST_MONTH
        return f"P1M/{match['year']}-{_month(match['month']):02}-{int(match['last']):02}" if whole else ""
    if match := _MONTHS_LONG.search(words):
        return _from_month_to_month(match)
    days = {_day(match) for pattern in (_DAY, _DAY_FIRST, _ISO_DAY) for match in pattern.finditer(words)}
    if len(days) == 1:
        return _with_length(words, days.pop())
    years = {match["year"] for match in _BARE_YEAR.finditer(words)}
    years |= {f"20{match['year']}" for match in _SHORT_YEAR.finditer(words)}
    if len(years) != 1 or days:
        return ""
    year = years.pop()
    if (match := _MONTH_DAY.search(words)) and (_SPAN.search(words) or not _YEAR_LONG.search(words)):
        return _with_length(words, f"{year}-{_month(match['month']):02}-{int(match['day']):02}")
    return year


def years_in(words: str) -> frozenset[str]:
    """All years that words name."""
    whole = (match["year"] for match in _BARE_YEAR.finditer(without_split_years(words)))
    return frozenset((*split_years_in(words), *whole))


def is_period(words: str) -> bool:
    """Whether the words are a period and hardly anything else."""
    if not period_of(words):
        return False
    bare = re.sub(r"\W|\d", " ", words.casefold())
    left = [word for word in bare.split() if word not in _PERIOD_WORDS and word[:3] not in _MONTH_STEMS]
    return not left


_MONTH_STEMS: Final = frozenset(month[:3] for month in _MONTHS)
_PERIOD_WORDS: Final = frozenset(
    "fy cy q h half fiscal financial calendar year years ended ending end as of at to through the three six nine "
    "twelve months month weeks first second third fourth quarter restated adjusted actual estimated unaudited audited "
    "e".split()
)


def _part_of_year(words: str) -> str:
    """The quarter or half of one year; empty where there is none."""
    if match := _QUARTER.search(words):
        return f"{match['year']}-Q{_quarter(match)}"
    if match := _QUARTER_OF_SHORT_YEAR.search(words):
        return f"20{match['year']}-Q{_quarter(match)}"
    if match := _HALF.search(words):
        return f"{match['year'] or '20' + match['short']}-H{_half(match)}"
    return _part_behind_year(words)


def _part_behind_year(words: str) -> str:
    """The quarter or half that stands below or behind its year: "2023 · Q1"."""
    years = {match["year"] for match in _BARE_YEAR.finditer(words)}
    quarters, halves = (list(part.finditer(words)) for part in (_QUARTER_ALONE, _HALF_ALONE))
    if len(years) != 1 or len(quarters) + len(halves) != 1:
        return ""
    (year,) = years
    return f"{year}-Q{_quarter(quarters[0])}" if quarters else f"{year}-H{_half(halves[0])}"


def _half(match: re.Match[str]) -> int:
    return int(match["half"] or _ORDINALS[(match["word"] or "").casefold()])


def _of_split_year(words: str, years: list[str]) -> str:
    """The year that lies in two, or its quarter; empty beside another year."""
    rest = without_split_years(words)
    if len(years) > 1 or _BARE_YEAR.search(rest) or _SHORT_YEAR.search(rest):
        return ""
    part = _QUARTER_ALONE.search(rest)
    return f"{years[0]}-Q{_quarter(part)}" if part else years[0]


def _quarter(match: re.Match[str]) -> int:
    return int(match["q"]) if match["q"] else _ORDINALS[match["word"].casefold()]


def _from_month_to_month(match: re.Match[str]) -> str:
    """The span of whole months within a year; of a span that begins in the year before, nothing is sure."""
    first, last = _month(match["first"]), _month(match["month"])
    if (first, last) == (1, 12):
        return match["year"]
    day = _DAYS_OF_MONTH[last - 1] + (last == 2 and isleap(int(match["year"])))
    return f"P{last - first + 1}M/{match['year']}-{last:02}-{day}" if first < last else ""


def _with_length(words: str, day: str) -> str:
    if match := _SPAN.search(words):
        said = match["count"].casefold()
        count = _COUNTS.get(said) or (int(said) if said.isdigit() else 0)
        letter = match["unit"][0].upper()
        return day[:4] if (count, letter) == (12, "M") else f"P{count}{letter}/{day}"
    return day[:4] if _YEAR_LONG.search(words) else day


def _day(match: re.Match[str]) -> str:
    return f"{match['year']}-{_month(match['month']):02}-{int(match['day']):02}"


def _month(name: str) -> int:
    if name.isdigit():
        return int(name)
    stem = name.casefold()[:3]
    return next(number for number, month in enumerate(_MONTHS, 1) if month.startswith(stem))
