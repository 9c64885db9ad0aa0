"""Two amounts of one thing at two times: "rose from 4.1 to 4.8 million", "38,200 visitors, compared with 29,700 the
year before", "2,300 tonnes, 150 more than the year before".

Each of the three tells what it was, what it became and by how much it changed, also where one of them has to be
counted: "By how much did it rise?", "How many were there the year before?", "How many are there now?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from anyio import to_thread

from provgraph.derivation.affinity import likest_sense
from provgraph.derivation.differences import said_like
from provgraph.derivation.evidence import Finder, ReadPassage, support_at
from provgraph.derivation.result import Derived, Step
from provgraph.language.terms import FUNCTION_WORDS
from provgraph.reading.propositions import Span
from provgraph.reading.value_reading import FoundValue
from provgraph.reading.values import Quantity

_RISE: Final = (
    r"(?:r[io]se[ns]?|gr[eo]wn?|grows|increase[ds]?|climbed|jumped|went up|gone up|go up|expand(?:ed)?)"
)
_FALL: Final = (
    r"(?:fell|falls?|fallen|dropp?(?:ed)?|declined?|decrease|shr[aiu]nk|went down|gone down|go down|reduced)"
)
_CHANGES: Final = re.compile(rf"\b(?:{_RISE}|{_FALL}|raise[ds]?|cut|lowered?)\b", re.IGNORECASE)
_BY_HOW_MUCH: Final = re.compile(
    rf"by how (?:much|many)\b.{{0,300}}\b(?:(?P<up>{_RISE}|raised?|up)|(?P<down>{_FALL}|cut|lowered?|down))\b"
    rf"|how much (?:did|has|have|does|will) .{{1,300}} (?:(?P<up2>{_RISE})|(?P<down2>{_FALL}))\b",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    r"\b(?:(?:the|a|one) (?:year|month|season|week) (?:before|earlier)|(?:last|the (?:previous|preceding|prior)) "
    r"(?:year|month|season|week)|(?:\w+) (?:years|months) (?:ago|before|earlier)|(?:in|at the end of) "
    r"(?P<year>(?:1[89]|20)\d\d))\b",
    re.IGNORECASE,
)
_AGAINST: Final = re.compile(
    r"[\w ]*?,? ?\(?(?:compared (?:with|to)|as against|against|up from|down from|as opposed to|after) "
    r"(?:only |just |about |some )?",
    re.IGNORECASE,
)
_THAN: Final = re.compile(
    r" (?:\w+ )?(?P<way>more|less|fewer|higher|lower) than (?:in (?!\d))?", re.IGNORECASE
)
_LESS: Final = frozenset("less fewer lower".split())
_YEAR: Final = re.compile(r"\b(?:1[89]|20)\d\d\b")
_COUNTS: Final = re.compile(r"\s*(?:how (?:many|much)|what (?:is|was|were|are))\b", re.IGNORECASE)
_SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_BESIDE: Final = frozenset(
    "many much year years before earlier last previous ago month months company firm club museum association does did "
    "come came received visited receive have number numbers total make made business five ten two three four".split()
)
"""Words of a question that its sentence need not have."""
_SAYS: Final = 0.7
_CONFIDENCE: Final = 0.86
_CLAUSES: Final = re.compile(r"; |,? (?:and|but|while|whereas) (?=[a-z])")
_BETWEEN: Final = 60


@dataclass(frozen=True, eq=False)
class AmountChange:
    """`old` became `new`; where one of them is not said, the other and the `difference` are. `since` are the words for
    when it was `old`."""

    passage: ReadPassage
    sentence: Span
    new: FoundValue
    old: FoundValue | None
    difference: FoundValue | None = None
    is_less: bool = False
    since: str = ""

    @property
    def values(self) -> tuple[Decimal, Decimal]:
        """What it was and what it is."""
        new = _amount(self.new)
        if self.old is not None:
            return _amount(self.old), new
        change = _amount(self.difference) if self.difference is not None else Decimal(0)
        return (new + change if self.is_less else new - change), new

    @property
    def part(self) -> str:
        """The part of the sentence that tells it."""
        told = sorted(v.start for v in (self.new, self.old, self.difference) if v is not None)
        text, start, end = self.passage.text, self.sentence.start, self.sentence.end
        starts = [match.end() for match in _CLAUSES.finditer(text, start, told[0])]
        ends = [match.start() for match in _CLAUSES.finditer(text, told[-1], end)]
        return text[starts[-1] if starts else start : ends[0] if ends else end]

    @property
    def year(self) -> int | None:
        """The year of the new amount, as the sentence or the title tells it."""
        before = self.passage.text[self.sentence.start : self.new.end + _BETWEEN]
        own = [int(y) for y in _YEAR.findall(before) if y not in self.since]
        titled = [int(y) for y in _YEAR.findall(self.passage.title)]
        return own[0] if own else titled[-1] if titled else None

    @property
    def old_year(self) -> int | None:
        said = _YEAR.search(self.since)
        if said is not None:
            return int(said.group())
        is_next = bool(
            re.search(
                r"year before|year earlier|previous year|last year|preceding year|prior year", self.since
            )
        )
        return self.year - 1 if is_next and self.year is not None else None


async def change_told(text: str, finder: Finder) -> Derived | None:
    """By how much something changed, or what it was before, where a sentence tells two of the three; else None."""
    if not (_BY_HOW_MUCH.search(text) or _COUNTS.match(text)):
        return None
    passages = await finder.passages(text)
    return await to_thread.run_sync(_told, text, passages)


def _told(text: str, passages: Sequence[ReadPassage]) -> Derived | None:
    changes = [c for p in passages for c in changes_of(p) if _is_of(text, c)]
    answers = [answer for change in changes if (answer := _answer(text, change)) is not None]
    return answers[0] if len({answer.text for answer in answers}) == 1 else None


def _answer(text: str, change: AmountChange) -> Derived | None:
    by_how_much = _BY_HOW_MUCH.search(text)
    old, new = change.values
    if by_how_much is not None:
        is_up = bool(by_how_much["up"] or by_how_much["up2"])
        is_of_years = not _YEAR.findall(text) or bool(
            {change.year, change.old_year} & set(map(int, _YEAR.findall(text)))
        )
        return _difference(change) if is_of_years and (new > old) is is_up and new != old else None
    years = [int(year) for year in _YEAR.findall(text)]
    relative = _BEFORE.search(text)
    if relative is not None and not years:
        behind = change.passage.text[change.new.end : change.sentence.end].casefold()
        if change.old is not None and behind.lstrip().startswith(relative.group().casefold()):
            return _look_up(change, change.new)
        return _old(change) if change.since else None
    if len(years) == 1 and years[0] == change.old_year:
        return _old(change)
    is_now = not years and not re.search(r"\b(?:did|was|were|had)\b", text)
    if (years and years[0] == change.year) or (is_now and change.old is not None):
        return _look_up(change, change.new)
    return None


def _difference(change: AmountChange) -> Derived:
    if change.difference is not None:
        return _look_up(change, change.difference)
    old, new = change.values
    assert change.old is not None
    text = _like(abs(new - old), _words(change, change.new))
    told = f"{_words(change, change.new)} and {_words(change, change.old)} are {text} apart."
    return _counted(change, text, told, (change.new, change.old))


def _old(change: AmountChange) -> Derived:
    if change.old is not None:
        return _look_up(change, change.old)
    assert change.difference is not None
    text = _like(change.values[0], _words(change, change.new))
    told = f"{_words(change, change.new)} is {_words(change, change.difference)} from {text}."
    return _counted(change, text, told, (change.new, change.difference))


def _look_up(change: AmountChange, value: FoundValue) -> Derived:
    text = _words(change, value)
    support = support_at(change.passage, Span(value.start, value.end, text))
    told = f"Of the two times of “{support.sentence.text}” it is the one that is asked about."
    return Derived(text, "number", (Step("look up", text, told, (support,)),), _CONFIDENCE)


def _counted(change: AmountChange, text: str, told: str, values: Sequence[FoundValue]) -> Derived:
    supports = tuple(support_at(change.passage, Span(v.start, v.end, _words(change, v))) for v in values)
    return Derived(text, "number", (Step("subtract", text, told, supports),), _CONFIDENCE)


def changes_of(passage: ReadPassage) -> Iterator[AmountChange]:
    """The changes that sentences of a passage tell."""
    for sentence in passage.reading.sentences:
        amounts = [
            value
            for value in passage.values
            if sentence.start <= value.start < sentence.end and isinstance(value.value, Quantity)
        ]
        for one, other in pairwise(amounts):
            change = _change(passage, sentence, one, other)
            if change is not None:
                yield change


def _change(passage: ReadPassage, sentence: Span, one: FoundValue, other: FoundValue) -> AmountChange | None:
    text = passage.text
    between = text[one.end : other.start]
    ahead, behind = (
        text[max(sentence.start, one.start - _BETWEEN) : one.start],
        text[other.end : sentence.end],
    )
    if len(between) > _BETWEEN or ";" in between:
        return None
    if re.search(r"\bfrom (?:about |some )?$", ahead) and re.fullmatch(
        r"[\w ]*? to (?:about |some )?", between
    ):
        is_change = bool(_CHANGES.search(ahead)) and _are_alike(one, other)
        told = _BEFORE.search(between)
        since = told.group() if told is not None else ""
        return AmountChange(passage, sentence, other, one, since=since) if is_change else None
    told = _BEFORE.search(behind[:_BETWEEN])
    if _AGAINST.fullmatch(between) and _are_alike(one, other) and told is not None:
        return AmountChange(passage, sentence, one, other, since=told.group())
    than = _THAN.match(behind)
    when = _BEFORE.match(behind, than.end()) if than is not None else None
    if (
        than is not None
        and when is not None
        and re.fullmatch(r"[\w ]*?,? ", between)
        and _are_alike(one, other)
    ):
        way = than["way"].lower() in _LESS
        return AmountChange(passage, sentence, one, None, other, is_less=way, since=when.group())
    return None


def _are_alike(one: FoundValue, other: FoundValue) -> bool:
    """Whether two amounts are of one unit, or one of them is said without it."""
    assert isinstance(one.value, Quantity)
    assert isinstance(other.value, Quantity)
    return one.value.unit == other.value.unit or not (one.value.unit and other.value.unit)


def _is_of(text: str, change: AmountChange) -> bool:
    """Whether a sentence says all that a question asks the amount of."""
    title = change.passage.title.casefold()
    said = [w for w in re.findall(r"[^\W\d_]+", change.part) if w.casefold() not in FUNCTION_WORDS]
    asked = [w for w in re.findall(r"[^\W\d_]+", text) if w.casefold() not in FUNCTION_WORDS | _BESIDE]
    return bool(asked) and all(
        word.casefold() in title or any(likest_sense(word, each) >= _SAYS for each in said)
        for word in asked
        if not _CHANGES.fullmatch(word)
    )


def _words(change: AmountChange, value: FoundValue) -> str:
    return change.passage.text[value.start : value.end]


def _like(amount: Decimal, like: str) -> str:
    """An amount as another is printed, in millions where that is."""
    scale = next((number for word, number in _SCALES.items() if word in like.casefold()), 1)
    return said_like(amount / scale, like)


def _amount(value: FoundValue) -> Decimal:
    assert isinstance(value.value, Quantity)
    return value.value.amount
