"""Where the dates, quantities and ordinals of a text stand, and what they mean.

English words and signs; numbers with comma or full stop as English writes them. Knows nothing of syntax: the noun
that a number counts is added by whoever knows the tree (`counted`).
"""

from __future__ import annotations

import calendar
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import accumulate
from typing import Final

from provgraph.reading.values import Bound, Date, Day, Ordinal, Precision, Quantity, Value

_MONTH_NAMES: Final = (
    "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
    "september sep sept", "october oct", "november nov", "december dec",
)  # fmt: skip
_MONTHS: Final = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SMALL: Final = {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_SCALES: Final = {
    "dozen": 12, "hundred": 100, "thousand": 10**3, "k": 10**3, "million": 10**6, "mn": 10**6, "m": 10**6,
    "billion": 10**9, "bn": 10**9, "trillion": 10**12,
}  # fmt: skip
_ORDINALS: Final = {
    word: rank
    for rank, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(), 1
    )
} | {"last": -1}  # fmt: skip
_CURRENCIES: Final = {
    "$": "USD", "US$": "USD", "USD": "USD", "dollar": "USD", "dollars": "USD", "€": "EUR", "EUR": "EUR",
    "euro": "EUR", "euros": "EUR", "£": "GBP", "GBP": "GBP", "pound sterling": "GBP", "pounds sterling": "GBP",
    "¥": "JPY", "yen": "JPY", "JPY": "JPY", "CHF": "CHF", "Swiss francs": "CHF", "C$": "CAD", "A$": "AUD",
    "CAD": "CAD", "AUD": "AUD", "₹": "INR", "rupees": "INR", "yuan": "CNY", "francs": "FRF", "rubles": "RUB",
}  # fmt: skip
_UNIT_WORDS: Final = {
    "%": "% percent per·cent", "°C": "°C degrees·Celsius", "°F": "°F degrees·Fahrenheit",
    "km": "km kilometer kilometre", "m": "m meter metre", "cm": "cm centimeter centimetre",
    "mm": "mm millimeter millimetre", "nm": "nm", "mi": "mi mile", "ft": "ft foot feet", "yd": "yard",
    "in": "inch inches", "kg": "kg kilogram kilogramme", "g": "g gram gramme", "mg": "mg milligram",
    "t": "tonne ton", "lb": "lb lbs", "oz": "oz ounce", "km²": "km² km2 sq·km square·kilometer square·kilometre",
    "m²": "m² m2 square·meter square·metre", "mi²": "sq·mi square·mile", "ft²": "sq·ft square·foot square·feet",
    "ha": "ha hectare", "acres": "acre", "m³": "m³ cubic·metre cubic·meter", "gal": "gallon",
    "km/h": "km/h kmh", "mph": "mph", "m/s": "m/s", "L": "L liter litre", "mL": "ml mL milliliter millilitre",
    "s": "second sec", "ms": "ms millisecond", "min": "minute min", "h": "hour hr", "days": "day",
    "weeks": "week", "months": "month", "years": "year", "decades": "decade", "centuries": "century centuries",
    "W": "W watt", "kW": "kW kilowatt", "MW": "MW megawatt", "GW": "GW gigawatt", "hp": "hp horsepower",
    "V": "V volt", "kWh": "kWh", "MWh": "MWh", "GWh": "GWh", "Hz": "Hz", "kHz": "kHz", "MHz": "MHz", "GHz": "GHz",
    "kB": "KB kB", "MB": "MB", "GB": "GB", "TB": "TB", "K": "K kelvin", "Pa": "Pa", "psi": "psi",
}  # fmt: skip


def _unit_table() -> dict[str, str]:
    table = {}
    for unit, spellings in _UNIT_WORDS.items():
        for spelling in (each.replace("·", " ") for each in spellings.split()):
            table[spelling] = unit
            if len(spelling) > 2 and spelling.isascii():
                table[spelling + "s"] = unit
    return table


_UNIT_OF: Final = _unit_table()


def _alternatives(words: list[str]) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


DAY_NAMES: Final = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
MONTH_NAMES: Final = "January|February|March|April|May|June|July|August|September|October|November|December"
"""The days of the week and the months, as alternatives of a pattern."""
_MONTH = (
    rf"(?:{MONTH_NAMES}"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_YEAR = r"(?:1[0-9]{3}|20[0-9]{2})"
_ERA = r"(?:\s*(?P<era>BCE?|B\.C\.E?\.?|AD|CE))?"
_DATE: Final = re.compile(
    rf"""(?<![\w.,/$€£¥-])(?:
      (?P<iso>\d{{4}}-\d{{2}}-\d{{2}})
    | (?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<m1>{_MONTH})(?:(?:\s*,)?\s+(?P<y1>\d{{4}}))?
    | (?P<m2>{_MONTH})\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:(?:\s*,)?\s+(?P<y2>\d{{4}})(?!\d))?
    | (?P<m3>{_MONTH})(?:\s*,\s+|\s+of\s+|\s+)(?P<y3>\d{{4}})
    | (?:the\s+)?(?:(?P<part>early|late|mid)[\s-]+)?(?P<decade>{_YEAR})['’]?s
    | (?:the\s+)?(?:(?P<cpart>early|late|mid)[\s-]+)?(?P<century>\d{{1,2}})(?:st|nd|rd|th)[\s-]century{_ERA}
    | (?P<r1>{_YEAR})\s?[-–—/]\s?(?P<r2>\d{{4}}|\d{{2}})(?!\d)
    | (?P<year>{_YEAR})(?=\W|$)
    | (?P<bc>\d{{1,4}})\s*(?:BCE?|B\.C\.E?\.?)
    )(?![\w%/]|[.,]\d)""",
    re.VERBOSE,
)  # fmt: skip
_BETWEEN: Final = re.compile(
    rf"(?:from|between)\s+(?:{_MONTH}\s+)?(?P<y1>{_YEAR})\s+(?:and|to|until|till|through)\s+(?:{_MONTH}\s+)?(?P<y2>{_YEAR})"
)
_NUMBER = r"[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-−]?\d+(?:\.\d+)?"
_BELOW_TWENTY = "|".join(sorted(_ONES, key=len, reverse=True))
_SPELLED = rf"(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES[1:10])}))?|{_BELOW_TWENTY}"
_SIGN = _alternatives([sign for sign in _CURRENCIES if not sign[0].islower() and " " not in sign])
_NAME = _alternatives([name for name in _CURRENCIES if (name.isascii() and name.isalpha()) or " " in name])
_SCALE = r"(?:dozen|hundred|thousand|million|billion|trillion|bn|mn)"
_QUANTITY: Final = re.compile(
    rf"""(?<![\w.,/$€£¥-])(?:
      (?P<sign>{_SIGN})\s?(?P<n1>{_NUMBER})(?:[\s-]*(?P<s1>{_SCALE})\b|(?P<short>[mk])\b)?
    | (?:(?P<n2>{_NUMBER})|(?P<spelled>(?i:{_SPELLED})\b))(?:[\s-]+(?P<s2>{_SCALE})s?\b
        (?(spelled)(?:\s+and\s+(?P<rest>(?i:{_SPELLED})\b)(?!\s+{_SCALE}))?))?
      (?:\s+(?P<s3>thousand|million)\b)?(?:\s+and\s+a\s+(?P<part>half|quarter)\b)?
      (?:[\s-]?(?P<unit>{_alternatives(list(_UNIT_OF))})(?!\w)|\s+(?:US\s+)?(?P<name>{_NAME})\b)?
    )(?![\w/]|[.,]\d|['’]s\b)""",
    re.VERBOSE,
)  # fmt: skip
_ORDINAL: Final = re.compile(
    rf"\b(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<n>\d+)(?:st|nd|rd|th))\b", re.IGNORECASE
)
_UPWARD: Final = "(?:tall|high|long|old|larg|bigg|heavi|wid|deep|fast|hott|thick|warm|strong|furth|farth)er"
_DOWNWARD: Final = "(?:short|low|small|light|narrow|young|cheap|thinn|shallow|cold|slow|weak|near|clos)er"
_BEFORE: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(rf"(?:{pattern})\s*$", re.IGNORECASE), kind)
    for pattern, kind in (
        (rf"\b(?:no|not) {_DOWNWARD} than", "least"),
        (rf"\b(?:no|not) {_UPWARD} than", "most"),
        (rf"\b{_UPWARD} than", "beyond"),
        (rf"\b{_DOWNWARD} than", "short of"),
        (r"\b(?:at least|a minimum of|no (?:less|fewer) than|not less than)", "least"),
        (r"\b(?:more than|over|above|exceeding|greater than|upwards of|in excess of)", "more"),
        (r"\b(?:at most|up to|no more than|not more than|a maximum of|not exceeding)", "most"),
        (r"\b(?:less than|fewer than|under|below|nearly|almost)", "less"),
        (r"\b(?:about|around|approximately|roughly|some|circa|ca\.?|c\.|est\.?|an estimated)|~", "about"),
        (r"\b(?:until|till|up to)", "until"),
        (r"\b(?:before|prior to|by)", "before"),
        (r"\b(?:since|(?<!dates )(?<!dated )(?<!dating )(?<!date )from)", "since"),
        (r"\b(?:after|following)", "after"),
    )
)
_BEHIND: Final = re.compile(
    r"\s+(?:or|and) (?:(?P<up>more|above|over|higher|older|longer|greater|upwards|later)"
    r"|(?:less|fewer|under|below|lower|younger|shorter))\b(?! than)"
)
_BOUNDS: Final[dict[str, Bound]] = {
    "before": "before", "less": "before", "after": "after", "more": "after", "since": "since", "until": "until",
    "most": "until",
}  # fmt: skip
_CLOCK: Final = re.compile(
    r"(?<![\d:.])(?P<hour>[01]?\d|2[0-3])"
    r"(?::(?P<minute>[0-5]\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?|(?:\.(?P<after>[0-5]\d))?\s?(?P<part>[ap])\.?m\b\.?)(?![\d:])",
    re.IGNORECASE,
)
SINCE_MIDNIGHT: Final = "minutes after midnight"
_LOOK_BACK: Final = 18


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value at `text[start:end]`."""

    start: int
    end: int
    value: Value


def find_values(text: str, start: int = 0, end: int | None = None) -> list[FoundValue]:
    """The dates, quantities and ordinals of `text[start:end]`, in order, none overlapping."""
    end = len(text) if end is None else end
    results: list[FoundValue] = []
    for finder in (_dates, _clock_times, _quantities, _ordinals):
        results.sort(key=lambda value: value.start)
        begins = [result.start for result in results]
        reach = [start, *accumulate((result.end for result in results), max)]
        results += [
            value
            for value in finder(text, start, end)
            if reach[bisect_left(begins, value.end)] <= value.start
        ]
    return sorted(results, key=lambda value: value.start)


def read_value(phrase: str) -> Value | None:
    """The value of a phrase that is nothing else: "3.5 kg", "the 1990s", "more than 30"."""
    values = find_values(phrase)
    return values[0].value if len(values) == 1 else None


def counted(quantity: Quantity, noun: str) -> Quantity:
    """The quantity as a number of what `noun` (its lemma) names, where it has no unit."""
    return quantity if quantity.unit else replace(quantity, noun=noun)


def _dates(text: str, start: int, end: int) -> Iterator[FoundValue]:
    ranges: list[FoundValue] = []
    for match in _BETWEEN.finditer(text, start, end):
        first, last = int(match["y1"]), int(match["y2"])
        if first <= last:
            value = Date((first, 1, 1), (last, 12, 31), "range", match.group())
            ranges.append(FoundValue(match.start(), match.end(), value))
    yield from ranges
    ends = [each.end for each in ranges]
    for match in _DATE.finditer(text, start, end):
        date = _date(match)
        at = bisect_right(ends, match.start())
        if date is None or (at < len(ranges) and ranges[at].start < match.end()):
            continue
        kind = _before(text, match.start(), start)
        bound = _BOUNDS.get(kind, "")
        if date.precision != "range" or not bound:
            date = replace(date, bound=bound, approximate=kind == "about")
        yield FoundValue(match.start(), match.end(), date)


def _clock_times(text: str, start: int, end: int) -> Iterator[FoundValue]:
    """Times of day by the clock, as minutes since midnight: "9:15", "9:15 p.m.", "9.15 am", "9 a.m."."""
    for match in _CLOCK.finditer(text, start, end):
        hours, half = int(match["hour"]), match["half"] or match["part"]
        if half:
            hours = hours % 12 + (12 if half.lower() == "p" else 0)
        amount = Decimal(60 * hours + int(match["minute"] or match["after"] or 0))
        value = Quantity(amount, match.group(), SINCE_MIDNIGHT, low=amount, high=amount)
        yield FoundValue(match.start(), match.end(), value)


def _before(text: str, at: int, start: int) -> str:
    words = text[max(start, at - _LOOK_BACK) : at]
    return next((kind for pattern, kind in _BEFORE if pattern.search(words)), "")


def _after(text: str, at: int) -> str:
    """The bound behind a number: "38 °C or more", "16 and under"."""
    match = _BEHIND.match(text, at)
    return "" if match is None else "least" if match["up"] else "most"


def _date(match: re.Match[str]) -> Date | None:
    text = match.group()
    if match["iso"]:
        year, month, day = map(int, match["iso"].split("-"))
        return _day(year, month, day, text)
    for which in "12":
        if match[f"m{which}"]:
            return _day(
                int(match[f"y{which}"] or 0), _month(match[f"m{which}"]), int(match[f"d{which}"]), text
            )
    if match["m3"]:
        year, month = int(match["y3"]), _month(match["m3"])
        return Date((year, month, 1), (year, month, calendar.monthrange(year or 4, month)[1]), "month", text)
    return _years(match, text)


def _years(match: re.Match[str], text: str) -> Date | None:
    if match["decade"]:
        return _decade(int(match["decade"]), match["part"] or "", text)
    if match["century"]:
        return _century(
            int(match["century"]), (match["era"] or "").startswith("B"), match["cpart"] or "", text
        )
    if match["r1"]:
        first, short = int(match["r1"]), match["r2"]
        last = int(short) if len(short) == 4 else first // 100 * 100 + int(short)
        return _between(first, last, "range", text) if last > first else None
    year = int(match["year"]) if match["year"] else -int(match["bc"])
    return _between(year, year, "year", text)


def _day(year: int, month: int, day: int, text: str) -> Date | None:
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year or 4, month)[1]:
        return None
    return Date((year, month, day), (year, month, day), "day", text)


def _between(first: int, last: int, precision: Precision, text: str) -> Date:
    return Date((first, 1, 1), (last, 12, 31), precision, text)


def _decade(first: int, part: str, text: str) -> Date:
    size = 100 if first % 100 == 0 else 10
    shares = {"early": (0, 4), "mid": (3, 7), "late": (6, 10), "": (0, 10)}[part]
    precision: Precision = "century" if size == 100 else "decade"
    return _between(first + size * shares[0] // 10, first + size * shares[1] // 10 - 1, precision, text)


def _century(number: int, before_christ: bool, part: str, text: str) -> Date:
    if before_christ:
        return _between(-100 * number, -100 * number + 99, "century", text)
    first = 100 * (number - 1) + 1
    shares = {"early": (0, 39), "mid": (30, 69), "late": (60, 99), "": (0, 99)}[part]
    return _between(first + shares[0], first + shares[1], "century", text)


def _month(name: str) -> int:
    return _MONTHS[name.rstrip(".").lower()]


def _quantities(text: str, start: int, end: int) -> Iterator[FoundValue]:
    for match in _QUANTITY.finditer(text, start, end):
        amount = _amount(match)
        unit = _CURRENCIES.get(match["sign"] or match["name"] or "") or ""
        if not unit and match["unit"]:
            unit = _UNIT_OF.get(" ".join(match["unit"].split()), "")
        kind = _before(text, match.start(), start) or _after(text, match.end())
        value = _bounded(Quantity(amount, match.group(), unit), kind)
        yield FoundValue(match.start(), match.end(), value)


def _amount(match: re.Match[str]) -> Decimal:
    digits = match["n1"] or match["n2"]
    amount = Decimal(digits.replace(",", "").replace("−", "-")) if digits else _spelled(match["spelled"])
    for scale in (match["s1"], match["short"], match["s2"], match["s3"]):
        amount *= _SCALES.get((scale or "").lower(), 1)
    parts = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
    return amount + (_spelled(match["rest"]) if match["rest"] else 0) + parts.get(match["part"] or "", 0)


def _spelled(words: str) -> Decimal:
    return Decimal(sum(_SMALL[word] for word in re.split(r"[-\s]+", words.lower())))


def _bounded(value: Quantity, kind: str) -> Quantity:
    amount = value.amount
    if kind in ("least", "more", "beyond"):
        return replace(value, low=amount, strict_low=kind != "least")
    if kind in ("most", "less", "short of"):
        near = value.text and kind != "most"
        return replace(value, high=amount, strict_high=bool(near))
    if kind == "about":
        return replace(value, low=amount, high=amount, approximate=True)
    return replace(value, low=amount, high=amount)


def _ordinals(text: str, start: int, end: int) -> Iterator[FoundValue]:
    for match in _ORDINAL.finditer(text, start, end):
        rank = int(match["n"]) if match["n"] else _ORDINALS[match["word"].lower()]
        yield FoundValue(match.start(), match.end(), Ordinal(rank, match.group()))


__all__ = ["Day", "FoundValue", "counted", "find_values", "read_value"]


_RATE: Final = re.compile(
    r"(?:\b(?:an?|per|each|every)\s+|/)"
    r"(second|minute|hour|day|night|week|fortnight|month|quarter|year|annum|head|person|share|unit|visit)\b"
)
_SAME_RATES: Final = {"annum": "year", "head": "person"}


def are_other_rates(one: str, other: str) -> bool:
    """Whether both phrases say for each of what, and not of the same: "£95 an hour", "£95 a day"."""
    rates = [
        {_SAME_RATES.get(each, each) for each in _RATE.findall(phrase.lower())} for phrase in (one, other)
    ]
    return all(rates) and rates[0].isdisjoint(rates[1])
