"""A claim of a number, or of what is most of all, as a question to tables, and how an answer stands to what it claims.

"The D-45 costs 189 euros" asks "What The D-45 costs?", whose cell says it or something else: programs over tables read
questions as words, so the question need not be good English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Date, Ordinal, Quantity, contains, excludes
from provgraph.verdicts.names import part_of_name, same_name

Stand = Literal["entailed", "contradicted", ""]

_COPULA: Final = re.compile(
    r"(?<!\s)\s+(?P<verb>is|are|was|were|amounted to|totall?ed|came to|stood at)\s*$", re.I
)
_BOUND: Final = re.compile(
    r"(?<!\s)\s*\b(?:more than|less than|fewer than|at least|at most|up to|over|under|about|around|nearly|almost|only|"
    r"exactly|just)\s*$",
    re.IGNORECASE,
)
_AT: Final = re.compile(r"(?<!\s)\s*\b(?:in|on|since|by|during)\s*$", re.IGNORECASE)
_THERE: Final = re.compile(r"^there (?:is|are|was|were)\b\s*", re.IGNORECASE)
_SUPERLATIVE: Final = re.compile(
    r"^(?P<who>(?:the )?[^,;]{1,80}?) (?P<verb>is|was|has|had|have|won|got|received|scored|sold|made|costs?) (?:\w+ )?"
    r"(?P<rest>the (?:most|least|fewest|first|last|\w{2,}est)\b[^,;]{0,300}?)\.?\s*$",
    re.IGNORECASE,
)
_UPWARDS: Final = frozenset("rose grew increased".split())
_MOVEMENT: Final = re.compile(
    r"^(?P<what>(?:the )?[^,;]{1,80}?) (?P<verb>rose|grew|increased|fell|declined|decreased|dropped) "
    r"(?P<when>(?:in|from|between|over) [^,;]*\d{4})\.?\s*$",
    re.IGNORECASE,
)
_COMPARATIVE: Final = re.compile(
    r"^(?P<one>(?:the )?[^,;]{1,80}?) (?P<verb>is|was|has|had|have|won|got|received|scored|sold|made|costs?|weighs?) "
    r"(?P<more>(?:\w+ )?(?:more|less|fewer|\w{2,}er)\b(?: \w+){0,3}) than (?P<other>(?:the )?[^,;]{1,80}?)\.?\s*$",
    re.IGNORECASE,
)
_APPROXIMATE: Final = Decimal("0.05")


@dataclass(frozen=True)
class ClaimedValue:
    """`question` asks for what the claim says at `start`…`end`: a quantity or date, or a name where `value` is None."""

    question: str
    start: int
    end: int
    text: str
    value: Quantity | Date | None = None

    @property
    def is_name(self) -> bool:
        """Whether it is one of several that the claim says is most of all, which a table must know to tell."""
        return self.value is None and self.text != "yes"

    def stand(self, answer: str) -> Stand:
        """How an answer of a table stands to it, empty where the two do not compare."""
        if self.text == "yes":
            return (
                "entailed"
                if answer.casefold() == "yes"
                else "contradicted"
                if answer.casefold() == "no"
                else ""
            )
        if self.value is None:
            alike = same_name(self.text, answer) or part_of_name(self.text, answer)
            return "" if "; " in answer else "entailed" if alike else "contradicted"
        said = [value.value for value in find_values(answer)]
        if isinstance(self.value, Date):
            return _dated(self.value, [date for date in said if isinstance(date, Date)])
        quantities = [quantity for quantity in said if isinstance(quantity, Quantity)]
        return _compared(self.value, quantities[0]) if len(quantities) == 1 else ""


def claimed_values(claim: str) -> Iterator[ClaimedValue]:
    """What a claim says that a table can tell, the last number first: what stands before it mostly names the row."""
    movement = _MOVEMENT.match(claim.strip())
    if movement is not None:
        way = "increase" if movement["verb"].casefold() in _UPWARDS else "decrease"
        start = claim.index(movement["verb"], len(movement["what"]))
        question = f"Did {movement['what']} {way} {movement['when']}?"
        yield ClaimedValue(question, start, start + len(movement["verb"]), "yes")
    comparative = _COMPARATIVE.match(claim.strip())
    if comparative is not None and not find_values(comparative["other"]):
        one, start = comparative["one"], claim.index(comparative["one"])
        question = f"Which {comparative['verb']} {comparative['more']}, {one} or {comparative['other']}?"
        yield ClaimedValue(question, start, start + len(one), one)
    superlative = _SUPERLATIVE.match(claim.strip())
    if superlative is not None:
        who, verb, rest = superlative["who"], superlative["verb"], superlative["rest"]
        start = claim.index(who)
        yield ClaimedValue(f"Who {verb} {rest}?", start, start + len(who), who)
    values = [value for value in find_values(claim) if not isinstance(value.value, Ordinal)]
    numbers = [value for value in values if isinstance(value.value, Quantity)]
    for number in reversed(numbers or values):
        assert not isinstance(number.value, Ordinal)
        question = _question(claim[: number.start], claim[number.end :], number.value)
        yield ClaimedValue(question, number.start, number.end, claim[number.start : number.end], number.value)


def _question(before: str, after: str, value: Quantity | Date) -> str:
    """What is left of a claim without its number or date, as a question for it."""
    if isinstance(value, Date):
        return " ".join(f"When {_AT.sub('', before)} {after.strip(' .')}".split()) + "?"
    before, after = _BOUND.sub("", before.strip()).strip(), after.strip(" .")
    if not value.unit and after and (not before or _is_counted(after)):
        return f"How many {after} {_THERE.sub('', before)}".strip() + "?"
    copula = _COPULA.search(before)
    if copula is not None:
        subject = before[: copula.start()]
        return " ".join(f"What {copula['verb']} {subject} {after}".split()) + "?"
    return " ".join(f"What {before} {after}".split()) + "?"


def _is_counted(after: str) -> bool:
    """Whether a noun follows the number: "three races"."""
    first = after.split()[0].casefold()
    return first.isalpha() and first.endswith("s") and len(first) > 3


def _dated(claimed: Date, dates: list[Date]) -> Stand:
    """One of several dates may be the one that is meant; only a single other one is against it."""
    if any(contains(claimed, date) for date in dates):
        return "entailed"
    return "contradicted" if len(dates) == 1 and excludes(claimed, dates[0]) else ""


def _compared(claimed: Quantity, quantity: Quantity) -> Stand:
    if claimed.unit and quantity.unit and claimed.unit != quantity.unit:
        return ""
    if claimed.low is None or claimed.high is None or claimed.low != claimed.high:
        bare = Quantity(
            quantity.amount, quantity.text, claimed.unit, claimed.noun, quantity.amount, quantity.amount
        )
        met = contains(claimed, bare)
        return "entailed" if met else "contradicted" if met is False else ""
    room = abs(quantity.amount) * _APPROXIMATE if claimed.approximate else _half_of_last_place(claimed)
    if abs(claimed.amount - quantity.amount) <= room:
        return "entailed"
    return "contradicted" if claimed.unit == quantity.unit or not quantity.unit else ""


def _half_of_last_place(value: Quantity) -> Decimal:
    """Half of the last place that was written, but for whole numbers: "$1.6 billion" says nothing of millions."""
    written = re.search(r"\d[\d,]*(?:\.\d+)?", value.text)
    if written is None:
        return Decimal(0)
    plain = Decimal(written[0].replace(",", ""))
    scale = value.amount / plain if plain else Decimal(1)
    if scale == 1 and "." not in written[0]:
        return Decimal(0)
    return Decimal(1).scaleb(int(plain.as_tuple().exponent)) * scale / 2
