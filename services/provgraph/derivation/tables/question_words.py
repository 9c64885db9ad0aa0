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
from provgraph.reading.values import Date, Day, Ordinal, Quantity, Value

_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*(?:st|nd|rd|th)?|[^\W_]+(?:['’][^\W\d_]+)?|[#%]")

OPERATORS: Final = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for name, words in {
        "count": r"how many|(?<!most )(?<!east )(?<!est )(?<!same )(?<!rage )(?<!mean )(?:number|amount|count) of|"
        r"the (?:total )?number|how often",
        "most": r"most|more|highest|largest|biggest|greatest|longest|best|top|max(?:imum)?|tallest|fastest|oldest|"
        r"heaviest|deepest|widest|strongest|richest|better|higher|larger|bigger|greater|longer|taller|faster|heavier|"
        r"older|deeper|wider|farthest|furthest",
        "least": r"least|fewest|lowest|smallest|shortest|worst|min(?:imum)?|less|fewer|lower|smaller|shorter|worse|"
        r"slowest|slower|youngest|younger|lightest|lighter|cheapest|cheaper|closest|nearest",
        "first": r"first|earliest|earlier|oldest|older|sooner|original(?:ly)?|beginning|starting|top|"
        r"start(?:ed)?|began",
        "last": r"last|latest|later|newest|final|most recent(?:ly)?|recent(?:ly)?|youngest|bottom|ending|end(?:ed)?",
        "next": r"after(?! (?:he|she|it|they|being)\b)|next|following|followed by|followed|succeed(?:ed|s|ing)?"
        r"(?: by)?|below|beneath|directly after|subsequent",
        "previous": r"before(?! (?:he|she|it|they|being)\b)|previous(?: to)?|preced(?:ed|es|ing)(?: by)?|prior(?: to)?|"
        r"above|directly before",
        "same": r"same|as many|also|equal|identical",
        "sum": r"total|combined|altogether|sum|overall|in all|together|cumulative",
        "average": r"average|mean|on average",
        "difference": r"difference|how (?:many|much)(?: \w+){0,2} (?:more|less|fewer|longer|higher|older|taller|"
        r"warmer|colder|cheaper|heavier|wider|deeper|"
        r"larger|ahead|behind)(?! than (?:\W?\d|one|two|three|four|five|six|seven|eight|nine|ten))|"
        r"(?<!in )how many years|how long|"
        r"by how (?:much|many)|margin|change|gap",
        "distinct": r"different|distinct|unique",
        "not": r"not|except|other than|besides|never|didn't|without|isn't|wasn't|excluding|apart from|aside from|no",
        "or": r"or",
        "both": r"both",
        "only": r"only|once|single",
        "each": r"each|every|per",
    }.items()
}
_LONGEST_SERVICE: Final = re.compile(
    r"\b(?:worked|served|employed|been (?:a member|on the \w+|here|there))\b.{0,40}?\blongest\b|"
    r"\blongest[- ](?:serving|standing|established)\b",
    re.IGNORECASE,
)
_BOUND: Final = (
    (r"at least|(?:no|not) (?:less|fewer) than|a minimum of|minimum of|(?:in|on|during) or after", ">="),
    (r"at most|(?:no|not) more than|up to|a maximum of|maximum of|(?:in|on|during) or before", "<="),
    (
        r"(?:more|greater|larger|higher|longer|bigger|better|older) than|"
        r"(?:over|above|exceed(?:s|ed|ing)?|tops|topped|topping)",
        ">",
    ),
    (r"(?:less|fewer|smaller|lower|shorter|younger) than|(?:under|below)", "<"),
    (r"after|since", ">"),
    (r"before|prior to|until|by", "<"),
)
_BEFORE: Final = tuple(
    (re.compile(rf"\b(?:{words})\W{{0,2}}(?:the |an? |year |\$|£|€)*$", re.IGNORECASE), sign)
    for words, sign in _BOUND
)
_BEHIND: Final = (
    (
        re.compile(
            r"^\W*(?:\w+ )?(?:or (?:more|higher|greater|above|over|later|older|better)|and (?:up|above|over)|\+|plus\b|"
            r"at least)",
            re.IGNORECASE,
        ),
        ">=",
    ),
    (
        re.compile(
            r"^\W*(?:\w+ )?(?:or (?:less|fewer|lower|below|under|earlier|younger)|at most|max)", re.IGNORECASE
        ),
        "<=",
    ),
)
_YES_NO: Final = re.compile(
    r"\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b(?!.*\b(?:what|which|who|how many)\b)",
    re.IGNORECASE,
)
_WH: Final = re.compile(
    r"\b(who(?:se|m)?|when|where|how many|how much|how long|what|which|name|list)\b", re.IGNORECASE
)
_COUNTED: Final = re.compile(r"(?:how many|number of|amount of)\s+((?:[\w'-]+\s*){1,5})", re.IGNORECASE)

MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>1\d{3}|20\d{2})"
_DATES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_MONTH} {_DAY}(?:,? {_YEAR})?\b(?!\d)",
        rf"\b{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?\b(?!\d)",
        rf"\b{_MONTH}(?: of)?,? {_YEAR}\b",
    )
)
_LEADING: Final = re.compile(
    r"\b(top|first|last|bottom|final)\s+(\d+|two|three|four|five|six|seven|eight|nine|ten)\b", re.I
)
_ORDINAL: Final = re.compile(
    r"\b(?P<nth>second|third|fourth|fifth|2nd|3rd|4th|5th)[ -](?:most|least|fewest|last|best|worst|\w{3,}est)\b",
    re.I,
)
_ORDINALS: Final = ("", "", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th")
_UNTELLING: Final = frozenset(
    term
    for word in "table chart list listed row column entry entries shown given according exactly come came".split()
    for term in terms_of_word(word)
)
"""Words that say nothing of what is asked of a table."""
_NUMBERS: Final = "zero one two three four five six seven eight nine ten".split()

Sign = Literal["=", ">", "<", ">=", "<=", "in"]


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
    """A number, date or rank of the question with how cells are held against it; `positions` are of its words.

    `until` ends what the sign "in" begins. A date without year has year 0, one without day the day 0.
    """

    sign: Sign
    number: Decimal | None
    date: Day | None
    is_rank: bool
    positions: frozenset[int]
    text: str
    unit: str = ""
    until: Decimal | None = None


@dataclass(frozen=True)
class Leading:
    """So many rows from the top, or from the bottom: "the first three"."""

    count: int
    from_end: bool
    positions: frozenset[int]
    text: str


@dataclass(frozen=True)
class TableQuestion:
    """A question's text and what can be told of it without a table; `known` are terms that the table's title has."""

    text: str
    known: frozenset[str] = frozenset()

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return tuple(
            Word(match[0], match.start(), match.end(), _term(match[0]))
            for match in _TOKEN.finditer(self.text)
        )

    @cached_property
    def content(self) -> frozenset[int]:
        """The positions of the words that a program should account for."""
        return frozenset(
            number
            for number, word in enumerate(self.words)
            if word.is_content and word.term not in self.known | _UNTELLING
        )

    @cached_property
    def ordinal(self) -> tuple[int, frozenset[int]]:
        """The place of "the third longest", and the position of the word that says so; 1 and none without one."""
        match = _ORDINAL.search(self.text)
        if match is None:
            return 1, frozenset()
        place = next(n for n, names in enumerate(_ORDINALS) if match["nth"].casefold() in names.split())
        return place, self.positions(*match.span("nth"))

    def positions(self, start: int, end: int) -> frozenset[int]:
        """The words that touch `text[start:end]`."""
        return frozenset(n for n, word in enumerate(self.words) if word.start < end and start < word.end)

    @cached_property
    def operators(self) -> dict[str, frozenset[int]]:
        """The operations that words call for, with the positions of these words."""
        taken = frozenset(n for bound in self.bounds if bound.sign != "=" for n in bound.positions)
        found: dict[str, frozenset[int]] = {}
        for name, pattern in OPERATORS.items():
            spans = [self.positions(*match.span()) for match in pattern.finditer(self.text)]
            if left := frozenset().union(*spans) - taken:
                found[name] = left
        return self._with_service(found)

    def _with_service(self, found: dict[str, frozenset[int]]) -> dict[str, frozenset[int]]:
        """The operations, where who serves longest is who began first."""
        match = _LONGEST_SERVICE.search(self.text)
        if match is None or "most" not in found:
            return found
        words = self.positions(*match.span())
        most = found.pop("most") - words
        return {**found, **({"most": most} if most else {}), "first": found.get("first", frozenset()) | words}

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
            if self.words[number].is_content or self.words[number].text.casefold() in (
                "different",
                "more",
                "most",
            ):
                chosen.append(number)
            elif chosen:
                break
        return frozenset(chosen)

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The numbers, dates and ranks of the question."""
        return tuple(_bounds(self))

    @cached_property
    def leading(self) -> tuple[Leading, ...]:
        """What counts rows from the top or the bottom."""
        return tuple(
            Leading(
                int(match[2]) if match[2].isdigit() else _NUMBERS.index(match[2].lower()),
                match[1].lower() in ("last", "bottom", "final"), self.positions(*match.span()), match[0],
            )
            for match in _LEADING.finditer(self.text)
        )  # fmt: skip


def _term(word: str) -> str:
    folded = terms_of_word(word.removesuffix("'s").removesuffix("’s"))
    return folded[0] if folded else word.casefold()


def _bounds(question: TableQuestion) -> Iterator[Bound]:
    text = question.text
    dates = list(_written_dates(text))
    for start, end, day in dates:
        sign, first, last = _sign(text, start, end, "=")
        yield Bound(sign, None, day, False, question.positions(first, last), text[start:end])
    for value in find_values(text):
        if any(value.start < end and start < value.end for start, end, _ in dates):
            continue
        bound = _bound(question, value.start, value.end, value.value)
        if bound is not None:
            yield bound


def _written_dates(text: str) -> Iterator[tuple[int, int, Day]]:
    """Months with a day or year, in any case of letters."""
    taken: list[tuple[int, int]] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            if not any(match.start() < end and start < match.end() for start, end in taken):
                taken.append(match.span())
                parts = match.groupdict()
                month = MONTHS.index(match["month"][:3].lower()) + 1
                yield *match.span(), (int(parts.get("year") or 0), month, int(parts.get("day") or 0))


def _bound(question: TableQuestion, start: int, end: int, value: Value) -> Bound | None:
    said = question.text[start:end]
    sign, first, last = _sign(question.text, start, end, "=")
    if isinstance(value, Ordinal):
        if value.rank < 0:
            return None
        return Bound(sign, Decimal(value.rank), None, True, question.positions(first, last), said)
    if isinstance(value, Date):
        return _year_bound(value, sign, question.positions(first, last), said)
    if sign == "=":
        sign = _told_sign(value)
    until = value.high if sign == "in" else None
    number = value.low if sign == "in" else value.amount
    return Bound(sign, number, None, False, question.positions(first, last), said, value.unit, until)


def _year_bound(value: Date, sign: Sign, positions: frozenset[int], said: str) -> Bound | None:
    years = [int(year) for year in re.findall(r"\b1\d{3}\b|\b20\d{2}\b", value.text)]
    if not years:
        return None
    if sign == "=" and value.bound:
        sign = ">" if value.bound in ("after", "since") else "<"
    until = (
        value.last[0] if value.precision in ("decade", "century", "range") and not value.bound else years[0]
    )
    if sign == "=" and until > years[0]:
        sign = "in"
    return Bound(sign, Decimal(years[0]), (years[0], 0, 0), False, positions, said, "", Decimal(until))


def _told_sign(value: Quantity) -> Sign:
    if value.low is None and value.high is not None:
        return "<" if value.strict_high else "<="
    if value.high is None and value.low is not None:
        return ">" if value.strict_low else ">="
    return "in" if value.low is not None and value.low != value.high and not value.approximate else "="


def _sign(text: str, start: int, end: int, sign: Sign) -> tuple[Sign, int, int]:
    for pattern, told in _BEHIND:
        if match := pattern.match(text[end:]):
            return told, start, end + match.end()  # type: ignore[return-value]
    for pattern, told in _BEFORE:
        if match := pattern.search(text[:start]):
            return told, match.start(), end  # type: ignore[return-value]
    return sign, start, end
