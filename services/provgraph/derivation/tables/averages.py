"""The average or sum of a line item or derived figure over years: "the 3 year average of capex as a % of revenue, 2020
to 2022", "restructuring charges in total over 2022 to 2024"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from provgraph.derivation.result import Derived, Step
from provgraph.derivation.tables.cell_periods import without_years, years_in
from provgraph.derivation.tables.grid import Grid
from provgraph.derivation.tables.item_names import Names
from provgraph.derivation.tables.item_questions import line_item_answer
from provgraph.language.fiscal_years import year_before

_AVERAGE: Final = re.compile(
    r"\b(?:(?P<count>\d{1,2}|two|three|four|five|ten)[- ]years? (?:average|mean)|average (?:annual|yearly)|"
    r"annual average|(?P<plain>average))\b(?:\s+of)?",
    re.IGNORECASE,
)
_TOTAL: Final = re.compile(
    r"\b(?:in total|altogether|all together|combined|(?:taken |added )?together|added up|cumulative(?:ly)?|sum of|"
    r"total of|(?P<count>\d{1,2}|two|three|four|five|ten)[- ]years? (?:total|sum)(?: of)?)\b",
    re.IGNORECASE,
)
_YEARS_OVER: Final = re.compile(
    r"\b(?:over|for|during|across|in) (?:the |all ){0,2}(?:last |past |full )?(?:\d{1,2} |two |three |four |five |"
    r"ten )?(?:fiscal |financial |calendar )?years?\b",
    re.IGNORECASE,
)
_ASKING: Final = re.compile(
    r"^\s*(?:what|how much|how many)\s+(?:is|was|were|are|did|does)?\s*(?:the\s+)?", re.IGNORECASE
)
_SPAN: Final = re.compile(
    r"\b(?:from|between|over|during|in|for)?\s*\d{0,4}\s*(?:[–-]|to|and|through)\s*(?=\Z|\s)"
)
_COUNTS: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_THOUSAND: Final = 1000
_MOST_YEARS: Final = 10
_AMOUNT: Final = re.compile(
    r"(?P<minus>[-−]?)(?P<sign>[$€£¥]?)(?P<digits>\d[\d,]*(?:\.\d+)?)(?P<rest>.*)", re.DOTALL
)


@dataclass(frozen=True)
class Average:
    """`item` is what is averaged over `years`, or summed."""

    item: str
    years: tuple[str, ...]
    is_sum: bool = False


def average_asked(text: str) -> Average | None:
    """What a question asks the average or sum of over years that it names; None where it asks something else."""
    question = " ".join(text.partition("?")[0].split())
    years = years_in(question)
    mean = _AVERAGE.search(question)
    if mean is not None and mean["plain"] and not _YEARS_OVER.search(question):
        mean = None
    match = mean or (_TOTAL.search(question) if len(years) > 1 or _YEARS_OVER.search(question) else None)
    if match is None or not years:
        return None
    count = _COUNTS.get((match["count"] or "").casefold()) or int(match["count"] or 0)
    span = [years[-1]]
    while len(span) <= _MOST_YEARS and (span[0] > years[0] if len(years) > 1 else len(span) < count):
        span.insert(0, year_before(span[0]))
    asked = question[match.end() :] if mean else f"{question[: match.start()]} {question[match.end() :]}"
    bare = _YEARS_OVER.sub(" ", _SPAN.sub(" ", without_years(_ASKING.sub("", asked))))
    item = " ".join(bare.split())
    fits = item and 1 < len(span) <= _MOST_YEARS
    return Average(item, tuple(span), mean is None) if fits else None


def average_answer(average: Average, grids: Sequence[Grid], names: Names = ()) -> Derived | None:
    """The average or sum with the value of each year; None where one of them is missing, or in another unit."""
    found = [
        line_item_answer(f"What was the {average.item} in {year}?", grids, names) for year in average.years
    ]
    values = [each for each in found if each is not None]
    read = [match for value in values if (match := _AMOUNT.fullmatch(value.text)) is not None]
    if len(read) < len(average.years) or len({(match["sign"], match["rest"]) for match in read}) > 1:
        return None
    amounts = [Decimal(match["digits"].replace(",", "")) * (-1 if match["minus"] else 1) for match in read]
    total = sum(amounts, Decimal(0))
    if average.is_sum and read[0]["rest"] == "%":
        return None
    mean = total if average.is_sum else round(total / len(amounts), _places(amounts, read[0]["rest"]))
    minus = "-" if mean < 0 else ""
    said = f"{minus}{read[0]['sign']}{abs(mean):,f}{read[0]['rest']}"
    steps: list[Step] = []
    last: list[int] = []
    for value in values:
        shift = len(steps)
        steps += [replace(step, uses=tuple(use + shift for use in step.uses)) for step in value.steps]
        last.append(len(steps) - 1)
    told = ", ".join(f"{each.text} in {year}" for each, year in zip(values, average.years, strict=True))
    operation = "sum" if average.is_sum else "average"
    step = Step(operation, said, f"The {operation} of {told}: {said}.", (), tuple(last))
    return Derived(
        said, "number", (*steps, step), min(value.confidence for value in values), f"It is of {told}."
    )


def _places(amounts: Sequence[Decimal], rest: str) -> int:
    """The decimal places of an average: none of whole thousands, "8,138" of 7,380, 6,681 and 10,352."""
    if all(amount == round(amount) and abs(amount) >= _THOUSAND for amount in amounts):
        return 0
    return 2 if rest in ("", "%") else 1
