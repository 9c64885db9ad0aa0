"""Dates, numbers and quantities: where they stand in a sentence, and their canonical form.

Canonical forms are those of `extraction.facts.Value`: ISO 8601 dates (also a month or a year alone), plain
decimals, and number + space + unit, with "million" and its like multiplied out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cache

from provgraph.extraction.facts import Value
from provgraph.extraction.model_free.tokens import Atom

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sep sept", "october oct", "november nov", "december dec"), 1
    )
    for name in names.split()
}  # fmt: skip
_MONTH = (
    r"(?P<month{0}>January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_DATE = re.compile(
    rf"""(?<![\w.,/-])(?:
      (?P<iso>\d{{4}}-\d{{2}}-\d{{2}})
    | (?P<day1>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH.format(1)}\s*,?\s+(?P<year1>\d{{4}})
    | {_MONTH.format(2)}\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<year2>\d{{4}})
    | {_MONTH.format(3)}\s*,?\s+(?P<year3>\d{{4}})
    | (?P<year4>1[0-9]{{3}}|20[0-9]{{2}})
    )(?![\w%/]|[.,-]\d)""",
    re.VERBOSE,
)
_NUMBER = r"[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-−]?\d+(?:\.\d+)?"
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "bn": 9, "mn": 6, "m": 6, "k": 3}
_CURRENCIES = {
    "$": "USD", "US$": "USD", "USD": "USD", "dollar": "USD", "dollars": "USD", "€": "EUR", "EUR": "EUR",
    "euro": "EUR", "euros": "EUR", "£": "GBP", "GBP": "GBP", "pound sterling": "GBP",
    "pounds sterling": "GBP", "¥": "JPY", "yen": "JPY", "JPY": "JPY", "CHF": "CHF", "C$": "CAD",
    "A$": "AUD", "₹": "INR", "rupees": "INR",
}  # fmt: skip
_UNITS = {
    "%": "% percent per·cent", "°C": "°C degrees·Celsius", "°F": "°F degrees·Fahrenheit",
    "km": "km kilometer kilometre", "m": "m meter metre", "cm": "cm centimeter centimetre",
    "mm": "mm millimeter millimetre", "nm": "nm", "mi": "mi mile", "ft": "ft foot feet",
    "in": "inch inches", "kg": "kg kilogram kilogramme", "g": "g gram", "mg": "mg milligram",
    "t": "tonne ton", "lb": "lb lbs", "km²": "km² km2 sq·km square·kilometer square·kilometre",
    "m²": "m² square·meter square·metre", "mi²": "sq·mi square·mile", "ha": "ha hectare", "acres": "acre",
    "km/h": "km/h", "mph": "mph", "L": "L liter litre", "mL": "ml mL milliliter millilitre",
    "s": "second sec", "ms": "ms millisecond", "min": "minute min", "h": "hour hr", "days": "day",
    "weeks": "week", "months": "month", "years": "year", "W": "W watt", "kW": "kW kilowatt",
    "MW": "MW megawatt", "GW": "GW gigawatt", "V": "V volt", "kWh": "kWh", "Hz": "Hz", "kHz": "kHz",
    "MHz": "MHz", "GHz": "GHz", "kB": "KB kB", "MB": "MB", "GB": "GB", "TB": "TB", "K": "K kelvin",
    "Pa": "Pa", "psi": "psi", "people": "people inhabitant resident person",
}  # fmt: skip


def _unit_table() -> dict[str, str]:
    table = {}
    for unit, spellings in _UNITS.items():
        for spelling in (s.replace("·", " ") for s in spellings.split()):
            table[spelling] = unit
            if len(spelling) > 3 and spelling.isascii():
                table[spelling + "s"] = unit
    return table


_UNIT_OF = _unit_table()


def _alternatives(words: list[str]) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


_SIGNS = _alternatives([sign for sign in _CURRENCIES if not sign[0].islower()])
_NAMES = _alternatives([name for name in _CURRENCIES if (name.isascii() and name.isalpha()) or " " in name])
_SCALE = r"(?:\s*(?P<scale{0}>thousand|million|billion|trillion|bn|mn)\b|(?P<short{0}>[mk])\b)?"
_QUANTITY = re.compile(
    rf"""(?<![\w.,/$€£¥-])(?:
      (?P<sign>{_SIGNS})\s?(?P<number1>{_NUMBER}){_SCALE.format(1)}
    | (?P<number2>{_NUMBER})(?:\s+(?P<scale2>thousand|million|billion|trillion))?
      (?:\s?-?(?P<unit>{_alternatives(list(_UNIT_OF))})(?!\w)|\s+(?:US\s+)?(?P<name>{_NAMES})\b)?
    )(?![\w/]|[.,-]\d)""",
    re.VERBOSE,
)


def value_atoms(text: str, start: int, end: int) -> list[Atom]:
    """Dates (tag Y) and quantities of more than one word (tag C) in `text[start:end]`, in order, apart."""
    if not any(c.isdigit() for c in text[start:end]):
        return []
    dates = [Atom(m.start(), m.end(), "Y") for m in _DATE.finditer(text, start, end) if _is_date(m, text)]
    taken = {position for atom in dates for position in range(atom.start, atom.end)}
    quantities = [
        Atom(match.start(), match.end(), "J" if "-" in match.group()[1:] else "C")
        for match in _QUANTITY.finditer(text, start, end)
        if match.start() not in taken and match.end() - 1 not in taken
    ]
    return sorted([*dates, *quantities], key=lambda atom: atom.start)


_YEAR_CONTEXT = re.compile(
    r"(?:\b(?:in|since|by|from|to|until|till|before|after|during|between|and|of|early|late|mid|circa|c\.|around"
    r"|year|spring|summer|autumn|fall|winter|born|founded|established)|[(,–-])\s*\Z",
    re.I,
)


def _is_date(match: re.Match[str], text: str) -> bool:
    """A bare four-digit number is a year only in company that says so."""
    if match["year4"] is None:
        return True
    before = text[max(0, match.start() - 14) : match.start()]
    return bool(_YEAR_CONTEXT.search(before))


@cache
def _value_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return _DATE, _QUANTITY


def read_value(label: str) -> Value | None:
    """The value that the whole of `label` is, or None."""
    dates, quantities = _value_patterns()
    found = dates.fullmatch(label)
    if found is not None:
        lexical = _iso(found)
        return Value("date", lexical, label) if lexical else None
    found = quantities.fullmatch(label)
    return _quantity(found, label) if found is not None else None


def _iso(match: re.Match[str]) -> str:
    if match["iso"]:
        return match["iso"] if _exists(*map(int, match["iso"].split("-"))) else ""
    for month, year, day in (("month1", "year1", "day1"), ("month2", "year2", "day2")):
        if match[year]:
            number = _MONTHS[match[month].rstrip(".").lower()]
            exists = _exists(int(match[year]), number, int(match[day]))
            return f"{match[year]}-{number:02}-{int(match[day]):02}" if exists else ""
    if match["year3"]:
        return f"{match['year3']}-{_MONTHS[match['month3'].rstrip('.').lower()]:02}"
    return match["year4"]


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _quantity(match: re.Match[str], label: str) -> Value | None:
    scale = match["scale1"] or match["short1"] or match["scale2"] or ""
    number = _decimal(match["number1"] or match["number2"], _SCALES.get(scale, 0))
    if number is None:
        return None
    unit = _CURRENCIES.get(match["sign"] or match["name"] or "")
    if unit is None and match["unit"]:
        unit = _UNIT_OF.get(" ".join(match["unit"].split()))
    return Value("quantity", f"{number} {unit}", label) if unit else Value("number", number, label)


def _decimal(text: str, exponent: int) -> str | None:
    """Plain decimal, as short as can be: 12.50 → 12.5."""
    try:
        number = Decimal(text.replace(",", "").replace("−", "-")).scaleb(exponent)
    except InvalidOperation:
        return None
    plain = f"{number:f}"
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return "0" if plain in ("-0", "") else plain


def dates_in(text: str) -> Iterator[Value]:
    """The dates of a bracket such as (7 November 1867 – 4 July 1934)."""
    for match in _DATE.finditer(text):
        lexical = _iso(match)
        if lexical:
            yield Value("date", lexical, match.group())
