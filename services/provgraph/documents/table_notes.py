"""What stands above a table and tells the unit, scale and period of its amounts: notes, and sentences before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from provgraph.documents.amounts import Measure, measure_of, row_measure
from provgraph.documents.page_layout import TableLayout
from provgraph.documents.periods import period_of

_LONGEST_NOTE: Final = 60
_LONGEST_LEAD: Final = 700
_SCALE_OF_TABLE: Final = re.compile(
    r"(?<!\d )\bin (?:thousands|millions|billions)\b(?: of (?:U\.?S\.? )?(?:dollars|euros?))?(?! of\b)",
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


def is_note(words: str) -> bool:
    """Whether a line tells the unit and scale of what stands below it: in brackets, or in few words."""
    measure = measure_of(words)
    if not (measure.scale or measure.unit):
        return False
    if measure.unit == "%" and not measure.scale:
        return _SHARES_OF.fullmatch(words.strip()) is not None
    return (
        words.lstrip().startswith("(") or len(words) < _LONGEST_NOTE or _IN_BRACKETS.search(words) is not None
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


def period_led_to(paragraph: str) -> str:
    """The period that a paragraph tells of the table below it, the last that it names."""
    led = _AS_OF.findall(paragraph)
    return period_of(led[-1]) if led and paragraph.endswith((":", ".")) else ""
