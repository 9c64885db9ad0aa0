"""Fiscal years that lie in two calendar years: "2023/24", "2022-23" and "FY23/24" are each one period, not two."""

from __future__ import annotations

import re
from typing import Final

_MONTHS: Final = 12
SPLIT_YEAR: Final = re.compile(
    r"(?<![\d,.$€£/-])(?:"
    r"(?:\b(?:FY|(?:fiscal|financial)(?: year)?|year)\s?'?)?\b(?P<begins>(?:19|20)\d\d)"
    r"(?:\s?/\s?(?:(?:19|20)(?=\d\d))?|[-–])(?P<ends>\d\d)|\bFY\s?'?(?P<short>\d\d)\s?[/–-]\s?'?(?P<until>\d\d))(?![\d/-]|[.,]\d)",
    re.IGNORECASE,
)
"""A match is such a year only where the second number is the year after the first (`split_year`)."""


def split_year(match: re.Match[str]) -> str:
    """The year of a match as "2023/24"; empty where its numbers do not follow each other: "2019-24" are six years."""
    begins = match["begins"] or f"20{match['short']}"
    ends = match["ends"] or match["until"]
    return f"{begins}/{ends}" if (int(begins) + 1) % 100 == int(ends) else ""


def split_years_in(text: str) -> list[str]:
    """All such years that a text names, in its order."""
    return list(dict.fromkeys(filter(None, map(split_year, SPLIT_YEAR.finditer(text)))))


def spans_years(text: str) -> bool:
    """Whether a text names several years by their first and last: "2019-24"; "2019-11" may be a month."""
    return any(
        not split_year(match) and match["begins"] and int(match["ends"]) > _MONTHS
        for match in SPLIT_YEAR.finditer(text)
    )


def without_split_years(text: str) -> str:
    """The text with such years blanked out."""
    return SPLIT_YEAR.sub(lambda match: " " if split_year(match) else match[0], text)


def year_before(year: str) -> str:
    """The year before: "2022" before "2023", "2022/23" before "2023/24"."""
    begins = int(year[:4])
    return f"{begins - 1}/{begins % 100:02}" if "/" in year else str(begins - 1)


def ending_year(year: str) -> str:
    """The calendar year in which a year ends: "2024" of "2023/24"."""
    return str(int(year[:4]) + 1) if "/" in year else year
