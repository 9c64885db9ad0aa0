"""The words of a question to a table: their terms, and the operations that they call for.

The operators are data: a name and the words that call for it. Knows nothing of tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final, Literal

from provgraph.language.terms import FUNCTION_WORDS, terms_of_word
from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Date, Day, Ordinal, Quantity

_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*(?:st|nd|rd|th)?|[^\W_]+(?:['’][^\W\d_]+)?|[#%]")

OPERATORS: Final = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for name, words in {
        "count": r"how many|(?:total )?(?:number|amount) of|count of|how often|number",
        "most": r"most|more|highest|largest|biggest|greatest|longest|best|top|max(?:imum)?|tallest|fastest|oldest|"
        r"heaviest|deepest|widest|strongest|richest|better|higher|larger|bigger|greater|longer|taller|faster|heavier|"
        r"older|deeper|wider|farthest|furthest",
        "least": r"least|fewest|lowest|smallest|shortest|worst|min(?:imum)?|less|fewer|lower|smaller|shorter|worse|"
        r"slowest|slower|youngest|younger|lightest|lighter|cheapest|cheaper|closest|nearest",
        "first": r"first|earliest|earlier|oldest|older|sooner|original(?:ly)?|beginning|starting|top|start(?:ed)?|began",
        "last": r"last|latest|later|newest|final|most recent(?:ly)?|recent(?:ly)?|youngest|bottom|ending|end(?:ed)?",
        "next": r"after|next|following|followed by|followed|succeed(?:ed|s|ing)?(?: by)?|below|beneath|"
        r"directly after|subsequent",
        "previous": r"before|previous(?: to)?|preced(?:ed|es|ing)(?: by)?|prior(?: to)?|above|directly before",
        "same": r"same|as many|also|equal|identical",
        "sum": r"total|combined|altogether|sum|overall|in all|together|cumulative",
        "average": r"average|mean|on average",
        "difference": r"difference|how (?:many|much)(?: \w+){0,2} (?:more|less|fewer|longer|higher|older|taller|larger)|"
        r"how (?:many years|long)|by how much|margin|change|gap",
        "distinct": r"different|distinct|unique|how many \w+ (?:are|were) (?:represented|listed|mentioned|there)",
        "not": r"not|except|other than|besides|never|didn't|without|isn't|wasn't|excluding|apart from|aside from|no",
        "or": r"or",
        "both": r"both",
        "only": r"only|once|single",
        "each": r"each|every|per",
    }.items()
}
_BOUND: Final = (
    (r"(?:more|greater|larger|higher|longer|bigger|better|older) than|(?:over|above|exceed(?:s|ed|ing)?)", ">"),
    (r"(?:less|fewer|smaller|lower|shorter|younger) than|(?:under|below)", "<"),
    (r"at least|no (?:less|fewer) than|a minimum of|minimum of", ">="),
    (r"at most|no more than|up to|a maximum of|maximum of", "<="),
    (r"after|since", ">"),
    (r"before|prior to|until|by", "<"),
)
_BEFORE: Final = tuple((re.compile(rf"\b(?:{words})\W{{0,2}}(?:the |an? |year |\$|£|€)*$", re.IGNORECASE), sign) for words, sign in _BOUND)
_BEHIND: Final = (
    (re.compile(r"^\W*(?:\w+ )?(?:or (?:more|higher|greater|above|over|later|older|better)|and (?:up|above|over)|\+|plus\b|at least)", re.IGNORECASE), ">="),
    (re.compile(r"^\W*(?:\w+ )?(?:or (?:less|fewer|lower|below|under|earlier|younger)|at most|max)", re.IGNORECASE), "<="),
)  # fmt: skip
_YES_NO: Final = re.compile(
    r"\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b(?!.*\b(?:what|which|who|how many)\b)", re.IGNORECASE
)  # fmt: skip
_WH: Final = re.compile(r"\b(who(?:se|m)?|when|where|how many|how much|how long|what|which|name|list)\b", re.IGNORECASE)
_COUNTED: Final = re.compile(r"(?:how many|number of|amount of)\s+((?:[\w'-]+\s*){1,5})", re.IGNORECASE)

Sign = Literal["=", ">", "<", ">=", "<="]


@dataclass(frozen=True)
class Word:
    """One word of the question; `terms` as an index has them."""

    text: str
    start: int
    end: int
    term: str

    @property
    def is_content(self) -> bool:
        return self.text.casefold() not in FUNCTION_WORDS or self.text[0].isdigit()


@dataclass(frozen=True)
class Bound:
    """A number, date or rank of the question with how cells are held against it; `positions` are of its words."""

    sign: Sign
    number: Decimal | None
    date: Day | None
    is_rank: bool
    positions: frozenset[int]
    text: str
    unit: str = ""


@dataclass(frozen=True)
class TableQuestion:
    """A question's text and what can be told of it without a table."""

    text: str

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return tuple(
            Word(match[0], match.start(), match.end(), _term(match[0])) for match in _TOKEN.finditer(self.text)
        )

    @cached_property
    def content(self) -> frozenset[int]:
        """The positions of the words that a program should account for."""
        return frozenset(number for number, word in enumerate(self.words) if word.is_content)

    def positions(self, start: int, end: int) -> frozenset[int]:
        """The words that touch `text[start:end]`."""
        return frozenset(n for n, word in enumerate(self.words) if word.start < end and start < word.end)

    @cached_property
    def operators(self) -> dict[str, frozenset[int]]:
        """The operations that words call for, with the positions of these words."""
        found: dict[str, frozenset[int]] = {}
        for name, pattern in OPERATORS.items():
            spans = [self.positions(*match.span()) for match in pattern.finditer(self.text)]
            if spans:
                found[name] = frozenset().union(*spans)
        return found

    @cached_property
    def is_yes_no(self) -> bool:
        return _YES_NO.match(self.text) is not None

    @cached_property
    def asks(self) -> str:
        """The question word: "who", "when", "where", "how many", "how much", "how long", "what", "which", or empty."""
        match = _WH.search(self.text)
        return match[1].casefold() if match else ""

    @cached_property
    def focus(self) -> frozenset[int]:
        """The words that say what is asked for: the few after the question word."""
        match = _WH.search(self.text)
        if match is None:
            return frozenset(range(min(3, len(self.words))))
        behind = [n for n, word in enumerate(self.words) if word.start >= match.end()]
        chosen: list[int] = []
        for number in behind[:6]:
            if self.words[number].is_content:
                chosen.append(number)
            elif chosen:
                break
        return frozenset(chosen[:3])

    @cached_property
    def counted(self) -> frozenset[int]:
        """The words that say what "how many" counts."""
        match = _COUNTED.search(self.text)
        if match is None:
            return frozenset()
        chosen: list[int] = []
        for number in sorted(self.positions(*match.span(1))):
            if self.words[number].is_content or self.words[number].text.casefold() in ("different", "more", "most"):
                chosen.append(number)
            elif chosen:
                break
        return frozenset(chosen)

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The numbers, dates and ranks of the question."""
        return tuple(_bounds(self))


def _term(word: str) -> str:
    folded = terms_of_word(word.removesuffix("'s").removesuffix("’s"))
    return folded[0] if folded else word.casefold()


def _bounds(question: TableQuestion) -> Iterator[Bound]:
    for found in find_values(question.text):
        value = found.value
        start, end = found.start, found.end
        sign: Sign = "="
        number: Decimal | None = None
        date: Day | None = None
        unit = ""
        if isinstance(value, Date):
            date = value.first if value.precision != "range" or value.bound != "before" else value.last
            date = value.last if value.bound == "after" and value.last[0] < 9999 and value.first[0] == 0 else date
            year = re.search(r"\d{4}", value.text)
            date = date if date[0] or not year else (int(year[0]), 1, 1)
            number = Decimal(date[0]) if date[1:] == (1, 1) or value.precision in ("year", "range") else None
            sign = {"after": ">", "before": "<"}.get(value.bound, "=")  # type: ignore[assignment]
        elif isinstance(value, Quantity):
            number, unit = value.amount, value.unit
            if value.low is None and value.high is not None:
                sign = "<" if value.strict_high else "<="
            elif value.high is None and value.low is not None:
                sign = ">" if value.strict_low else ">="
        elif isinstance(value, Ordinal):
            if value.rank < 0:
                continue
            number = Decimal(value.rank)
        sign, start, end = _sign(question.text, start, end, sign)
        yield Bound(sign, number, date, isinstance(value, Ordinal), question.positions(start, end), question.text[found.start : found.end], unit)


def _sign(text: str, start: int, end: int, sign: Sign) -> tuple[Sign, int, int]:
    for pattern, told in _BEHIND:
        if match := pattern.match(text[end:]):
            return told, start, end + match.end()  # type: ignore[return-value]
    for pattern, told in _BEFORE:
        if match := pattern.search(text[:start]):
            return told, match.start(), end  # type: ignore[return-value]
    return sign, start, end
