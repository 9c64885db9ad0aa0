"""What stands above a table and tells the unit, scale and period of its amounts: notes, and sentences before it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from provgraph.documents.amounts import Measure, amount_of, measure_of, row_measure
from provgraph.documents.page_layout import TableLayout
from provgraph.documents.periods import period_of

_LONGEST_NOTE: Final = 60
_LONGEST_LEAD: Final = 700
_SCALE_OF_TABLE: Final = re.compile(
    r"(?<!\d )\bin (?:(?:the )?nearest )?(?:(?:U\.?S\.? )?(?:dollars?|euros?) )?(?:"
    r"(?:thousands|lakhs?|millions|crores?|billions)\b(?: of (?:U\.?S\.? )?"
    r"(?:dollars|euros?|pounds(?: sterling)?|yen|Swiss francs|rupees|[A-Z]{3}\b))?|"
    r"(?:(?:US|C|A|HK|S)?[$€£¥₹]|[A-Z]{3}\b|Rs\.?)\s?(?:(?:in )?(?:thousand|lakh|million|crore|billion)s?|"
    r"['’‘]?000s?|k|mn?|mm|bn)\b)(?! of\b)",
    re.IGNORECASE,
)
"""How a sentence says the scale of the table that it leads to; none of an amount within it: "$3 million"."""
_AS_OF: Final = re.compile(
    r"\b(?:as of|as at|at|ended)\s+(?:[A-Z][a-z]+ \d{1,2}, |\d{1,2} [A-Z][a-z]+ )\d{4}\b(?! and\b)"
)
_SHARES_OF: Final = re.compile(r"\(?(?:in |as )?(?:%|percent(?:ages?)?)(?: of .{1,40})?\)?", re.IGNORECASE)
ALL_NOTE: Final = re.compile(
    r"(?:\(?(?:dollars |amounts |U\.?S\.? )*(?:in )?(?:thousands|millions|billions)\b.*)", re.IGNORECASE
)
_IN_BRACKETS: Final = re.compile(
    r"\([^()]*\b(?:thousands?|millions?|billions?)\b[^()]*\)|\(['’]?000s?\)", re.IGNORECASE
)

_LONGEST_BELOW: Final = 120
_OF_FIGURES: Final = re.compile(
    r"\W*+(?:notes?\W++)?(?:(?:all|the|these|above|monetary|financial)\s++)*+(?:figures|amounts|values|numbers|data)?"
    r"(?:\s++(?:above|shown|here|are|is|in this table|stated|expressed|presented|reported|given|quoted)\b)*+\s*+\Z",
    re.IGNORECASE,
)
_SCALED_UNIT: Final = re.compile(
    r"\b(?:thousand|million|billion)s?(?: of)? (?!of|except|unless|and|or|in|as)[a-z]{3,}", re.IGNORECASE
)
_EXCEPT: Final = re.compile(r"\bexcept\b|\bother than\b|\bunless\b", re.IGNORECASE)
_PER_SHARE: Final = re.compile(r"\bper[\w\s-]{0,24}\bshare\b|\bshare prices?\b", re.IGNORECASE)
_MOST_SHARES: Final = 10**11
_NAMES_A_PLACE: Final = re.compile(
    r"\blevels?\Z|\A(?:notes?|ref(?:erence)?s?|pages?|ranks?)\b\W*\Z", re.IGNORECASE
)
_NAMES_A_YEAR: Final = re.compile(
    r"\b(?:dates?|maturit(?:y|ies)|years?|due|expir\w+|founded)\W*\Z", re.IGNORECASE
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_BALANCE: Final = re.compile(r"\W*(?:opening |closing |beginning |ending )?balances?\b", re.IGNORECASE)

_ALL_AMOUNTS: Final = re.compile(r"\(all\b", re.IGNORECASE)
_NAMES_A_UNIT: Final = re.compile(r"units?(?: of measure(?:ment)?)?|UoM", re.IGNORECASE)
_LONGEST_UNIT: Final = 20

_CUT: Final = re.compile(
    r"(?:\b(?:for|of|and|or|to|in|on|the|an?|by|with|from|under|than)|[-–,(/&])\Z", re.IGNORECASE
)
"""How the first line of a label ends that goes on in the next row."""


def goes_on(label: str) -> bool:
    """Whether a label without values is the first line of the next row's."""
    return _CUT.search(label) is not None or label.count("(") > label.count(")")


def is_no_amount(text: str, column: Sequence[str]) -> bool:
    """Whether a number is none of anything by the head of its column: the level of a value, a note, a year."""
    head = column[-1] if column else ""
    return bool(_NAMES_A_PLACE.search(head) or (_YEAR.fullmatch(text.strip()) and _NAMES_A_YEAR.search(head)))


def unit_beside(row: Iterable[tuple[Sequence[str], str]]) -> str:
    """The unit that a cell of a row gives its amounts, as "mmol/L" below "Unit": of the heads of its columns, each
    with its cell. Empty where there is none, or an amount."""
    for heads, words in row:
        if heads and _NAMES_A_UNIT.fullmatch(heads[-1].strip()) and amount_of(words) is None:
            return words if len(words) <= _LONGEST_UNIT else ""
    return ""


def all_amounts(told: Sequence[str], captions: Sequence[str]) -> bool:
    """Whether what a document told is of all its amounts, and the captions of a table do not say that it counts."""
    of_all = any(_ALL_AMOUNTS.match(words) for words in told)
    return of_all and not any(row_measure(words).unit for words in captions)


def scales_a_unit(notes: Sequence[str]) -> bool:
    """Whether a scale has exceptions, or is told with what it is of, known as a unit or not: "million crowns"."""
    return any("except" in words.casefold() or _SCALED_UNIT.search(words) for words in notes)


def scales_shares(notes: Sequence[str], amount: str) -> bool:
    """Whether a number of shares is of the scale of the notes: one names shares, or tells a scale of no currency and
    excepts at most amounts per share."""
    for words in notes:
        said, *excepted = _EXCEPT.split(words)
        measure = measure_of(said)
        left = _PER_SHARE.sub("", " ".join(excepted)).casefold()
        number = amount_of(amount)
        if (
            not measure.scale
            or "share" in left
            or number is None
            or abs(number) * measure.scale > _MOST_SHARES
        ):
            continue
        if "share" in said.casefold() or (not measure.unit and is_unit_alone(words)):
            return True
    return False


def flow_periods(labels: Mapping[int, str]) -> dict[int, str]:
    """By row, the year of what stands between two balances of which the second is a year later."""
    found: dict[int, str] = {}
    dated = {row: period_of(label) for row, label in labels.items() if _BALANCE.match(label)}
    balances = sorted((row, period) for row, period in dated.items() if period)
    for (first, opening), (last, closing) in pairwise(balances):
        same_day = opening[4:5] == closing[4:5] and (len(opening) == 4 or opening[5:7] == closing[5:7])
        if same_day and opening[:4].isdecimal() and int(closing[:4]) - int(opening[:4]) == 1:
            found |= dict.fromkeys(range(first + 1, last), closing[:4])
    return found


def is_note(words: str) -> bool:
    """Whether a line tells the unit and scale of what stands below it: in brackets, or in few words."""
    measure = measure_of(words)
    if not (measure.scale or measure.unit):
        return False
    if measure.unit == "%" and not measure.scale:
        return _SHARES_OF.fullmatch(words.strip()) is not None
    return (
        words.lstrip().startswith("(")
        or len(words) < _LONGEST_NOTE
        or _IN_BRACKETS.search(words) is not None
        or (ALL_NOTE.fullmatch(words) is not None and _EXCEPT.search(words) is not None)
    )


def is_unit_alone(words: str) -> bool:
    """Whether words say nothing but the unit and scale of numbers."""
    return is_note(words) and (words.startswith("(") or ALL_NOTE.fullmatch(words) is not None)


def measure_of_path(path: Sequence[str]) -> Measure:
    """The innermost words that tell a unit or a scale."""
    unit, scale = "", 0
    for words in reversed(path):
        measure = row_measure(words)
        unit, scale = unit or measure.unit, scale or measure.scale
    return Measure(unit, scale)


def paragraph_above(text: str, layout: TableLayout) -> str:
    """The paragraph that stands directly above a table or its captions; empty where a table does."""
    begin = min((start for start, _ in layout.captions), default=layout.start)
    above = text[max(0, begin - _LONGEST_LEAD) : begin].rstrip("| \t")
    paragraphs = [each for each in above.rstrip().split("\n\n") if each.strip()]
    last = " ".join(paragraphs[-1].split()) if paragraphs else ""
    return "" if last.startswith("|") or "| " in last else last


def measure_led_to(paragraph: str) -> Measure:
    """The scale, with its unit, that a paragraph tells of the table below it."""
    match = _SCALE_OF_TABLE.search(paragraph)
    return measure_of(match[0]) if match else Measure()


def measure_behind(text: str, end: int) -> Measure:
    """The scale that a short line below a table tells of it: "Figures in millions of pounds."."""
    below = text[end : end + _LONGEST_LEAD].lstrip(" |\t\n").partition("\n")[0]
    match = _SCALE_OF_TABLE.search(below)
    is_one = len(below) < _LONGEST_BELOW and match is not None and _OF_FIGURES.match(below[: match.start()])
    return measure_of(match[0]) if match and is_one else Measure()


def period_led_to(paragraph: str) -> str:
    """The period that a paragraph tells of the table below it, the last that it names."""
    led = _AS_OF.findall(paragraph)
    return period_of(led[-1]) if led and paragraph.endswith((":", ".")) else ""
