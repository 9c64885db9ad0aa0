"""Which cells of a grid are of which year or quarter, by what heads them.

A year is "2022", or "2022/23" where it lies in two, a quarter "2022-Q2", the first nine months "2022-M9", the first
half "2022-M6", the second "2022-H2".
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from provgraph.derivation.tables.grid import Grid, GridCell
from provgraph.derivation.tables.item_names import OTHERWISE, telling_words
from provgraph.derivation.tables.question_words import MONTHS
from provgraph.language.fiscal_years import (
    SPLIT_YEAR,
    ending_year,
    split_years_in,
    without_split_years,
)
from provgraph.language.terms import terms
from provgraph.reading.value_reading import MONTH_NAMES

PERIOD: Final = re.compile(
    r"\b(?:FY|CY|fiscal(?: year)?|year)?\s?'?((?:19|20)\d\d)\b|\bFY\s?'?(\d\d)\b", re.IGNORECASE
)
PART_OF_YEAR: Final = re.compile(
    r"\b(?:in |for |of |during )?(?:the )?(?:(?:Q(?P<q>[1-4])|"
    r"(?P<ordinal>first|second|third|fourth|last|1st|2nd|3rd|4th)\s+(?:fiscal )?quarter)"
    r"(?:\s+of)?(?:\s+fiscal)?|(?:first )?(?P<months>three|six|nine) months"
    r"(?: (?:of|ended|ending))?|(?P<half>first half)(?: of)?)\b",
    re.IGNORECASE,
)
"""Asks of a part of a year, which no figure of the year answers."""
YEAR_BEFORE: Final = re.compile(
    r"\b(?:against|compared (?:to|with)|from|on|over|than(?: in)?|versus|vs\.?)? ?(?:the|its) (?:restated )?"
    r"(?:year before|previous year|prior year|preceding year|year earlier)\b",
    re.IGNORECASE,
)
"""What a year is compared with, where no other is named."""
_MONTHS: Final = {"three": 3, "six": 6, "nine": 9}
_QUARTERS: Final = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "last": 4,
}
_MONTH: Final = (
    rf"(?:{MONTH_NAMES}|"
    r"(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?)"
)
DAY: Final = re.compile(
    rf"\b(?:(?:as of|as at|at|on|ended|ending) )?(?:the )?(?:\d{{1,2}}\.? {_MONTH}|{_MONTH} \d{{1,2}}),?(?=\s|\Z)"
)
"""A day of a year, which says nothing of what a figure is of."""
_ENDS: Final = re.compile(rf"\b(?P<month>{_MONTH})\s+\d{{1,2}}\b|\b\d{{1,2}}\.?\s+(?P<other>{_MONTH})")
_SPAN: Final = re.compile(r"P(?P<count>\d+)(?P<unit>[MW])/(?P<year>\d{4})-(?P<month>\d\d)-\d\d")
_WEEKS_OF_MONTH: Final = 4.34
_IS_PART: Final = re.compile(r"-[QH]\d|/")
_YEAR: Final = re.compile(r"(\d{4})(?:-\d\d-\d\d)?")
_PLAIN: Final = frozenset(
    terms("reported gaap measure consolidated total amount actual balance carrying value")
)
"""Words of a head that say of an amount only that it is the one that is meant."""
Place = tuple[int, int]


def years_in(text: str) -> list[str]:
    """The years that a question names, the earliest first."""
    whole = {match[1] or f"20{match[2]}" for match in PERIOD.finditer(without_split_years(text))}
    return sorted({*whole, *split_years_in(text)})


def without_years(text: str) -> str:
    """The text with all years blanked out."""
    return PERIOD.sub(" ", SPLIT_YEAR.sub(" ", text))


def part_of_year_in(text: str) -> str:
    """The part of a year that a question names; empty where it names none, or no year of it."""
    asked, years = PART_OF_YEAR.search(text), years_in(text)
    if asked is None or len(years) != 1:
        return ""
    quarter = int(asked["q"] or 0) or _QUARTERS.get((asked["ordinal"] or "").casefold(), 0)
    months = 6 if asked["half"] else _MONTHS.get((asked["months"] or "").casefold(), 0)
    if months == 3:
        quarter = _quarter_of(_ENDS.search(text, asked.end()))
    return f"{years[0]}-Q{quarter}" if quarter else f"{years[0]}-M{months}"


def _quarter_of(day: re.Match[str] | None) -> int:
    """The quarter that ends in the month of a day; the first where no day is given."""
    month = MONTHS.index((day["month"] or day["other"])[:3].casefold()) if day is not None else 0
    return month // 3 + 1


def period_of_head(text: str) -> str:
    """The year of a column's head; empty where it is none, or several."""
    found = years_in(text)
    return found[0] if len(found) == 1 else ""


def _key(period: str) -> str:
    """The year, or part of a year, of a period in ISO form; empty for others."""
    if (span := _SPAN.fullmatch(period)) is not None:
        months = round(int(span["count"]) / (1 if span["unit"] == "M" else _WEEKS_OF_MONTH))
        if months == 12:
            return span["year"]
        quarter = (int(span["month"]) + 2) // 3
        return f"{span['year']}-Q{quarter}" if months == 3 else f"{span['year']}-M{months}"
    year = _YEAR.fullmatch(period)
    return year[1] if year else period.replace("-H1", "-M6") if _IS_PART.search(period) else ""


def year_of(cell: GridCell) -> str:
    """The year of a cell's period, or of the part of a year that it is; empty where nothing tells it."""
    return _key(cell.period).partition("-")[0]


@dataclass(frozen=True)
class PeriodicGrid:
    """A grid, and its amounts by year and part of a year; none where a single column of one stands beside columns of
    other numbers, as "Sold in 2022" beside prices."""

    grid: Grid

    @cached_property
    def places(self) -> dict[str, list[Place]]:
        grid, found = self.grid, defaultdict[str, list[Place]](list)
        of_heads = [period_of_head(head.text) if at else "" for at, head in enumerate(grid.headers)]
        numeric = [column for column in grid.columns[1:] if column.kind == "number" and column.header]
        if len(numeric) > 1 and sum(map(bool, of_heads)) == 1:
            return {}
        for row, cells in enumerate(grid.rows):
            for column, cell in enumerate(cells[1:], 1):
                key = _key(cell.period) if cell.period else of_heads[column]
                if key and cell.value.number is not None:
                    found[key].append((row, column))
        return dict(found)

    def named(self, year: str) -> str:
        """The grid's own name of a year that a question names: of fiscal years that lie in two, "2024" is the one that
        ends in it. Empty where there is none."""
        if year in self.places:
            return year
        return next((own for own in self.years if "/" in own and ending_year(own) == year), "")

    @cached_property
    def years(self) -> list[str]:
        return [place for place in self.places if "-" not in place]

    def column_of(self, period: str) -> int:
        """The first column that has amounts of a period."""
        return min(column for _, column in self.places[period])

    def main_column_of(self, period: str) -> int:
        """The first column of a period that measures nothing else than the others: "Actual" beside "Budget"."""
        plain = [column for (_, column), words in self.measures(period).items() if not words]
        return min(plain, default=self.column_of(period))

    def measures(self, period: str) -> dict[Place, tuple[str, ...]]:
        """By place, the words that tell its column from the others with amounts of the period in its row: what is
        measured, as "Sales" and "Profit" below one year."""
        columns = defaultdict[int, list[int]](list)
        for row, column in self.places[period]:
            columns[row].append(column)
        return {
            (row, column): self._telling(column, own) if len(own) > 1 else ()
            for row, own in columns.items()
            for column in own
        }

    @cached_property
    def measured(self) -> frozenset[str]:
        """The words that tell columns of one period from each other."""
        by_place = (words for period in self.places for words in self.measures(period).values())
        return frozenset(word for words in by_place for word in words)

    def _telling(self, column: int, columns: list[int]) -> tuple[str, ...]:
        words = {each: self._words_of_head(each) for each in columns}
        own, common = words[column], frozenset(words[column]).intersection(*words.values())
        return tuple(each for each in own if len(each) > 1 and each not in common | _PLAIN)

    def _words_of_head(self, column: int) -> tuple[str, ...]:
        return telling_words(OTHERWISE.sub("", self.grid.headers[column].text))
