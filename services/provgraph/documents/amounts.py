"""Numbers, units and scales as tables print them: "$ (1,234)", "12.5 %", "in millions, except per share amounts"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

CURRENCIES: Final = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₩": "KRW",
    "₽": "RUB",
    "₺": "TRY",
}
SCALES: Final = {
    "hundred": 100,
    "thousand": 1_000,
    "lakh": 100_000,
    "million": 1_000_000,
    "crore": 10_000_000,
    "billion": 1_000_000_000,
}
SCALES_SHORT: Final = {
    "k": 1_000,
    "m": 1_000_000,
    "mm": 1_000_000,
    "mn": 1_000_000,
    "b": 1_000_000_000,
    "bn": 1_000_000_000,
}
EMPTY: Final = frozenset(
    ("", "-", "–", "—", "−", "n/a", "na", "n/m", "nm", "n.a.", "none", "nil", ".", "…", "*", "#")
)
"""What a cell holds that says nothing of its own."""

_CODES: Final = "USD|EUR|GBP|JPY|CHF|CAD|AUD|CNY|INR|KRW|SEK|NOK|DKK|BRL|MXN|HKD|SGD"
_CURRENCY: Final = rf"(?:(?:US|C|A|HK|S)?[{''.join(CURRENCIES)}]|{_CODES})"
_SUPERSCRIPTS: Final = "¹²³⁴⁵⁶⁷⁸⁹⁰"
_NUMBER: Final = re.compile(
    rf"""(?:\+(?=[\d.]))?(?P<minus>[-−–]\s?)?(?P<open>\(\s?)?(?P<before>{_CURRENCY})?\s*+(?P<inner>[-−–]\s?)?(?P<open_after>\(\s?)?
    (?P<digits>\d{{1,3}}(?:,\d{{2,3}})+(?:\.\d+)?|\d{{1,3}}(?:[ \u00a0\u202f]\d{{3}})+(?:[.,]\d+)?|
        \d+(?:[.,]\d+)?|\.\d+)
    \s*+(?P<close>\)\s?)?(?P<unit>%|‰|pp|pts?|bps|x|{_CURRENCY})?\s*+(?P<close_after>\))?
    (?:\s?(?:\(\w{{1,2}}\)|\[\w{{1,2}}\]|[*†‡§{_SUPERSCRIPTS}]{{1,3}}|,(?=[{_SUPERSCRIPTS}])))*""",
    re.VERBOSE,
)
_SCALE: Final = re.compile(
    rf"\b(?:in|of|\()?\s*(?P<word>thousands?|lakhs?|millions?|crores?|billions?|mm|mn|bn)\b|(?P<zeros>(?<![\d.,])['’‘`]?000s?\b)|"
    rf"(?:[{''.join(CURRENCIES)}]|\b(?:{_CODES}))\s?(?P<short>k|m|mm|mn|b|bn)\b",
    re.I,
)
_CURRENCY_WORDS: Final = (
    (re.compile(r"\bU\.?S\.?\s?dollars?\b|\bdollars?\b|(?:US)?\$", re.I), "USD"),
    (re.compile(r"\beuros?\b|€"), "EUR"),
    (re.compile(r"\bpounds? sterling\b|\b(?:thousands|millions|billions) of pounds\b|£", re.I), "GBP"),
    (re.compile(r"\byen\b|¥", re.I), "JPY"),
    (re.compile(r"\bSwiss francs?\b", re.I), "CHF"),
    (re.compile(r"\b(?:Indian )?rupees\b|₹|\bRs\b", re.I), "INR"),
    (re.compile(rf"\b({_CODES})(?:k|m|mm|mn|b|bn)?\b"), ""),
)
_PERCENT: Final = re.compile(r"(?<![\d.])(?<!\d[ \u00a0])%|(?<!\d )\bper\s?cent(?:age)?s?\b", re.I)
"""Not behind a number: "5.75% senior notes" are no share."""
_HUNDREDTHS: Final = re.compile(
    r"\(\s?(?:in )?(?P<letter>p|c)\s?\)|(?<!\d )\b(?P<word>pence|cents)\b(?! (?:in|on) the\b)", re.I
)
"""A row or column in hundredths of a currency: "Earnings per share (pence)"."""
_UNIT_ALONE: Final = re.compile(
    rf"(?:{_CURRENCY}|%|pence|p|cents|thousands?|lakhs?|millions?|crores?|billions?|mm|mn|bn|k|m|000s?|all|of|in|"
    r"dollars|U\.?S\.?|euros?|pounds?|sterling|yen|[\s()\[\].,'’`‘/])+",
    re.I,
)
SHARES: Final = "shares"
RATIO: Final = "ratio"
"""The unit of a quotient of two amounts, which has no currency and no scale."""
_RATIO: Final = re.compile(
    r"\bratio of\b|\bratio(?: \([^()]{0,200}\))?\W*+\Z|\((?:x|times)\)|\b(?:multiple|interest cover(?:age)?)\W*+\Z",
    re.I,
)
COUNT: Final = "count"
"""The unit of what is "number of" something."""
_COUNT: Final = re.compile(
    r"\W*(?:(?:total|average|monthly|year-end) )*(?:number of\b(?!.*\bshares\b)|"
    r"(?:average )?(?:employees|headcount|staff|workforce|full-time equivalents)\b(?! (?:costs?|expenses?|benefits?)))",
    re.I,
)
_PRICE: Final = re.compile(r"\bprices?\b", re.I)
_CENTS: Final = re.compile(r"\.\d{2}\b")
_YEARS: Final = re.compile(
    r"\(\s?(?:in )?years\s?\)|\b(?:remaining|contractual|useful|average|weighted)\b.*\b(?:terms?|li(?:fe|ves))\b",
    re.I,
)
_PER_SHARE: Final = re.compile(r"(?<![\d.] )\bper\b[\w\s-]{0,24}\bshare\b|\bEPS\b", re.I)
"""Not behind an amount: dividends of "$1.72 per share" are a sum."""
_SHARES: Final = re.compile(
    r"\b(?:number of|weighted[- ]average|diluted|basic)\b.*\bshares\b|"
    r"(?<!\d )\bshares (?:outstanding|authorized|authorised)\b|"
    r"^\W*(?:common |total )?shares\W*$",
    re.I,
)
_WHOLE: Final = re.compile(r"\(\s?(?:in |whole |actual )*(?:U\.?S\.? )?(?:dollars|euros|pounds)\s?\)", re.I)
"""Says of one row that it is in whole units of a currency, where others are not."""
_EXCEPT: Final = re.compile(r"\bexcept\b|\bother than\b", re.I)


@dataclass(frozen=True)
class Measure:
    """A unit and a scale as words tell them; `scale` is 0 where they tell none."""

    unit: str = ""
    scale: int = 0


def amount_of(text: str) -> Decimal | None:
    """The number that a cell is, with parentheses or a sign as minus; None for words and for several numbers.

    A comma before exactly three digits groups them; before any other number of digits it is a decimal comma.
    """
    match = _NUMBER.fullmatch(text.strip())
    if not match or (set(match["digits"]) == {"0"} and len(match["digits"]) == len("000")):
        return None
    is_open = bool(match["open"] or match["open_after"])
    if is_open != bool(match["close"] or match["close_after"]):
        return None
    try:
        value = Decimal(_plain(match["digits"]))
    except InvalidOperation:
        return None
    return -value if is_open or match["minus"] or match["inner"] else value


def unit_of(text: str) -> str:
    """The unit that is printed with a number: a currency by its code, "%", or another word; empty where none is."""
    match = _NUMBER.fullmatch(text.strip())
    if not match:
        return ""
    said = match["unit"] or match["before"] or ""
    return currency(said) or {"bp": "bps", "pt": "pts"}.get(said, said)


def currency(mark: str) -> str:
    """The code of a currency's sign; the sign's letters may tell another dollar."""
    prefixed = {"US$": "USD", "C$": "CAD", "A$": "AUD", "HK$": "HKD", "S$": "SGD"}
    if mark in prefixed:
        return prefixed[mark]
    return mark if re.fullmatch(_CODES, mark) else CURRENCIES.get(mark[-1:], "")


def is_sign(text: str) -> bool:
    """Whether a text is a currency's sign or code and nothing else; no amount that has one behind it."""
    return re.fullmatch(_CURRENCY, text) is not None


def is_empty(text: str) -> bool:
    """Whether a cell says nothing: a dash, "n/a" or a mark."""
    bare = text.strip().casefold()
    return bare in EMPTY or currency(bare.upper()) != "" or bare.strip("$€£¥ –—-−%()") == ""


def is_unit(text: str) -> bool:
    """Whether a text is the unit or scale of what stands below it and nothing else: "£'000", "US$m", "%"."""
    bare = text.strip()
    measure = measure_of(bare)
    return bool(measure.unit or measure.scale or bare == "p" or _HUNDREDTHS.search(bare)) and (
        _UNIT_ALONE.fullmatch(bare) is not None
    )


def measure_of(words: str) -> Measure:
    """What a caption or header tells of the numbers that it stands for: "(in millions of dollars)", "% change"."""
    said = _EXCEPT.split(words)[0]
    scale = 0
    if match := _SCALE.search(said):
        word = (match["word"] or match["short"] or "thousand").casefold()
        scale = SCALES_SHORT.get(word) or SCALES.get(word.rstrip("s"), 0)
    if _PER_SHARE.search(said):
        return Measure(_hundredth_in(said) or _currency_in(said), 1)
    unit = _currency_in(said)
    if not unit and _PERCENT.search(said):
        return Measure("%", 1)
    return Measure(unit, scale)


def row_measure(label: str) -> Measure:
    """What a row's or column's own label tells: a share of a whole has no scale, nor has an amount per share."""
    if hundredth := _hundredth_in(label):
        return Measure(hundredth, 1)
    if _PER_SHARE.search(label):
        return Measure(_currency_in(label), 1)
    if _COUNT.match(label) and not _SHARES.search(label):
        return Measure(COUNT, measure_of(label).scale)
    if _YEARS.search(label):
        return Measure("years", 1)
    measure = measure_of(label)
    if measure.unit and not measure.scale and _WHOLE.search(label):
        return Measure(measure.unit, 1)
    if not measure.unit and not measure.scale and _RATIO.search(label):
        return Measure(RATIO, 1)
    if not measure.unit and not measure.scale and _SHARES.search(label):
        return Measure(SHARES, 0)
    return measure


def tells_hundredths(label: str) -> bool:
    """Whether a label tells that its amounts are pence or cents: "Dividend per share (p)"."""
    return _hundredth_in(label) != ""


def has_cents(amount: str) -> bool:
    return _CENTS.search(amount) is not None


def is_each(words: str, amount: str) -> bool:
    """Whether an amount is that of one thing by the words above it: a price to the cent, which no scale concerns."""
    return bool(_PRICE.search(words) and has_cents(amount))


def _currency_in(words: str) -> str:
    for pattern, code in _CURRENCY_WORDS:
        if match := pattern.search(words):
            return code or match[1]
    return ""


def _hundredth_in(words: str) -> str:
    """The unit of amounts in hundredths; "(p)" and "(c)" are marks of footnotes where nothing is per share."""
    match = _HUNDREDTHS.search(words)
    if match is None:
        return ""
    if match["letter"] and not _PER_SHARE.search(words):
        return ""
    return "cents" if (match["letter"] or match["word"])[0] in "cC" else "pence"


def _plain(digits: str) -> str:
    bare = re.sub(r"[ \u00a0\u202f]", "", digits)
    if re.fullmatch(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?", bare):
        return bare.replace(",", "")
    return bare.replace(",", ".")
