"""What one sentence tells of two: by how much they differ, and which of two has more.

"The unit sees few by night, at £211 each, against £68 by day" tells how much more a night patient costs, and "the board
has five seats of shipowners and four of councils" who has more. The sentence is the one that is read as speaking most
of the question; it answers where it has two values of one unit and no third, or one value beside each of the two that
the question names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, Literal

from provgraph.comprehension.answer_spans import answer_chances
from provgraph.derivation.affinity import covered, stems, stems_of
from provgraph.derivation.differences import said_like
from provgraph.derivation.evidence import Found, ReadPassage, support_at
from provgraph.derivation.result import Derived, Step
from provgraph.language.languages import ENGLISH, language_of
from provgraph.language.terms import FUNCTION_WORDS, words
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence
from provgraph.reading.value_reading import FoundValue
from provgraph.reading.values import Date, Quantity

MOST_SENTENCES: Final = 12
MOST_TRIED: Final = 2
LEAST_COVERED: Final = 0.25
"""How much of the question a sentence with its title has to say."""
CONFIDENCE: Final = 0.6
_MORE: Final = (
    r"more|larger|bigger|greater|higher|longer|older|heavier|later|dearer|taller|wider|deeper|faster|most"
)
_LESS: Final = (
    r"fewer|less|smaller|lower|shorter|younger|lighter|earlier|cheaper|sooner|slower|narrower|first"
)
_DIFFERENCE: Final = re.compile(
    r"\bhow (?:many|much)\b.{0,200}\b(?:more|less|\w{2,}er)\b.{1,200}\bthan\b"
    r"|\bby how (?:many|much)\b|\bwhat (?:is|was) the difference\b"
    rf"|\bhow (?:many|much)\b(?: [\w-]+){{0,3}}? (?:{_MORE}|{_LESS})\b"
    r"|\bhow (?:many|much)\b.{0,200}\b(?:save|short of)\b",
    re.IGNORECASE,
)
_REST: Final = re.compile(
    r"\bhow (?:many|much)\b.{0,200}"
    r"(?:\bnot\b|n['’]t\b|\bnever\b|\bstill (?:open|to|missing)\b|\bleft over\b|\byet to\b)",
    re.IGNORECASE,
)
_PART_OF_WHOLE: Final = re.compile(r"\b(?:of (?:the|them|which|whom|these|those|its|his|her|their)\b|only\b)")
_CHOICE: Final = re.compile(
    r"(?:.*[,:] |(?:.*? )?)(?P<one>[^,:]{2,80}?),? or (?P<other>[^,?]{2,80}?)\s*\?\s*$"
)
_WAY: Final = re.compile(rf"\b(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b")
"""In small letters: "the Lower Orme" compares nothing."""
_OF_AGE: Final = re.compile(r"\b(?:older|elder|oldest|eldest|younger|youngest)\b", re.IGNORECASE)
_IN_TIME: Final = re.compile(r"\b(?:first|earlier|later|sooner|older|elder|younger)\b", re.IGNORECASE)
_COUNTED: Final = re.compile(
    r"\bhow many (?:(?:more|fewer|less) )?(?:\w+ )??([a-z]+s|men|women|people)\b", re.IGNORECASE
)
_SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_SCALE: Final = re.compile(r"\b(thousand|million|billion)\b", re.IGNORECASE)
_POINTS: Final = re.compile(r"\bhow many (?:percentage )?points\b", re.IGNORECASE)
_AMOUNT: Final = re.compile(r"[\d.,]+")
_THAN: Final = re.compile(r"\bthan (.+)")
_YEAR: Final = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_MUCH: Final = re.compile(r"\bhow much\b", re.IGNORECASE)
_ANYBODY: Final = frozenset("people persons points pounds euros dollars".split())
"""Nouns of what is counted that a sentence need not have."""
_FARTHEST: Final = 12
"""How many times as much one of two numbers without a unit may be as the other: a crowd and its guns are no pair."""
_SINGLE: Final = 1
_TWO: Final = 2


def asks_for_difference(question: str) -> bool:
    """Whether a number is asked for that no text need say: by how much two differ, or what is left of a whole."""
    return bool(_DIFFERENCE.search(question) or _REST.search(question))


def two_told(question: str, found: Found) -> Derived | None:
    """None where the question asks for neither, or no sentence that speaks of it decides."""
    choice = alternatives(question)
    way = _WAY.search(question)
    is_difference = asks_for_difference(question)
    if not is_difference and (choice is None or way is None):
        return None
    for place in _telling(question, found)[:MOST_TRIED]:
        if is_difference and choice is None:
            told = _difference(question, place)
        elif choice is not None and way is not None:
            told = _compared(choice, "less" if way["less"] else "more", question, place)
        else:
            told = None
        if told is not None:
            return told
    return None


def alternatives(question: str) -> tuple[str, str] | None:
    """The two that a question lets choose from: "Who was older, Ada Novak or Ben Hall?"."""
    match = _CHOICE.match(question)
    if match is None:
        return None
    one, other = match["one"], match["other"]
    opening = other.split()[0].casefold()
    if opening in _PLACES and (at := one.casefold().rfind(f"{opening} ")) >= 0:
        one = one[at:]  # "in 1953 or in 2019"
    elif match.start("one") == 0 or question[match.start("one") - 2] not in ",:":
        other = _BEHIND.sub("", other)
        one = " ".join(one.split()[-len(other.split()) :])  # "more egrets or kites among the birds"
    return _COMPARATIVE.sub("", one), _COMPARATIVE.sub("", other)


_COMPARATIVE: Final = re.compile(r"^(?:there )?(?:more|fewer|less) (?=\w)", re.IGNORECASE)
_BEHIND: Final = re.compile(r"(?<=\w) (?:in|on|at|for|by|from|with|during|to|of|among)\b.*")
_PLACES: Final = frozenset("in on at for by from with during to".split())


@dataclass(frozen=True)
class _Place:
    """A sentence, and its values."""

    passage: ReadPassage
    sentence: ParsedSentence

    @property
    def text(self) -> str:
        return self.passage.text[self.sentence.start : self.sentence.end]

    @property
    def with_title(self) -> str:
        return f"{self.passage.title}. {self.text}"

    @property
    def values(self) -> list[FoundValue]:
        start, end = self.sentence.start, self.sentence.end
        return [value for value in self.passage.values if start <= value.start and value.end <= end]

    @property
    def quantities(self) -> list[tuple[FoundValue, Quantity]]:
        return [(each, each.value) for each in self.values if isinstance(each.value, Quantity)]

    @property
    def measured(self) -> Iterator[tuple[FoundValue, Quantity]]:
        """The quantities; a bare number behind one with a unit is of that unit: "captan 21 days, sulphur 5"."""
        unit = ""
        for found, quantity in self.quantities:
            unit = quantity.unit or unit
            yield (
                found,
                quantity if quantity.unit or self.noun_behind(found) else replace(quantity, unit=unit),
            )

    @property
    def years(self) -> list[tuple[FoundValue, int]]:
        dates = [(each, each.value) for each in self.values if isinstance(each.value, Date)]
        return [
            (each, date.first[0]) for each, date in dates if date.has_year and date.first[0] == date.last[0]
        ]

    def noun_behind(self, found: FoundValue) -> str:
        """The noun that a number counts, where it stands right behind it."""
        behind = (token for token in self.sentence.tokens if token.start >= found.end)
        token = next(behind, None)
        return token.text if token is not None and token.pos == "NOUN" else ""

    def step(self, operation: str, value: str, explanation: str) -> Step:
        span = Span(self.sentence.start, self.sentence.end, self.text)
        return Step(operation, value, explanation, (support_at(self.passage, span),))


def _telling(question: str, found: Found) -> list[_Place]:
    """The sentences that say enough of the question, the one that is likeliest read as speaking of it first."""
    asked = {word: weight for word, weight in found.weights.items() if not word.isdigit()}
    rated = []
    for passage in found.passages:
        for sentence in passage.parsed:
            place = _Place(passage, sentence)
            said = covered(asked, place.with_title)
            if said >= LEAST_COVERED and covered(asked, place.text) and language_of(place.text) == ENGLISH:
                rated.append((said, place))
    best = sorted(rated, key=lambda each: -each[0])[:MOST_SENTENCES]
    chances = answer_chances(question, [place.with_title for _, place in best])
    order = sorted(zip(best, chances, strict=True), key=lambda each: -each[0][0] - each[1])
    return [place for (_, place), _ in order]


# by how much


def _difference(question: str, place: _Place) -> Derived | None:
    asked = set(_YEAR.findall(question))
    if len(asked) >= _TWO or not asked <= set(_YEAR.findall(place.text)):
        return None  # of two years each value is asked for by itself
    than = _THAN.search(question)
    if than is not None and (own := _content(than[1])) and own.isdisjoint(stems_of(place.passage.text)):
        return None
    two = _two_quantities(question, place)
    if two is None or (_REST.search(question) and not _PART_OF_WHOLE.search(place.text)):
        return None
    (first, one), (second, other) = two
    likest = max((first, second), key=lambda each: each.end - each.start)
    text = _said(abs(one.amount - other.amount), place.passage.text[likest.start : likest.end])
    if _POINTS.search(question) and (amount := _AMOUNT.match(text)):
        text = f"{amount[0]} percentage points"
    if (
        _MUCH.search(question)
        and not one.unit
        and (noun := place.noun_behind(first))
        and not noun[:1].isupper()
    ):
        text = f"{text} {noun}"
    more, less = sorted((one, other), key=lambda each: -each.amount)
    told = f"{more.text} less {less.text} is {text}."
    return Derived(text, "number", (place.step("subtract", text, told),), CONFIDENCE)


def _content(text: str) -> frozenset[str]:
    return frozenset(
        stem for word in words(text) if word.casefold() not in FUNCTION_WORDS for stem in stems(word)
    )


def _said(amount: Decimal, like: str) -> str:
    """An amount as another is printed, which may be in millions."""
    scale = _SCALE.search(like)
    return said_like(amount / _SCALES[scale[1].casefold()] if scale else amount, like)


def _two_quantities(
    question: str, place: _Place
) -> tuple[tuple[FoundValue, Quantity], tuple[FoundValue, Quantity]] | None:
    """The only two of one unit that differ, count no two things, and are none of the question's."""
    asked, counted = stems_of(question), _COUNTED.search(question)
    if (
        counted
        and counted[1].casefold() not in _ANYBODY
        and stems(counted[1]).isdisjoint(stems_of(place.text))
    ):
        return None
    units: dict[str, list[tuple[FoundValue, Quantity]]] = {}
    measures = stems(counted[1]) if counted else frozenset[str]()
    named = {q.unit for _, q in place.measured if q.unit and not measures.isdisjoint(stems_of(q.text))}
    for found, quantity in place.measured:
        is_other = bool(named) and quantity.unit not in named
        if stems_of(quantity.text).isdisjoint(asked - measures) and not is_other:
            units.setdefault(quantity.unit, []).append((found, quantity))
    pairs = [
        (pair[0], pair[1]) for pair in units.values() if len(pair) == _TWO and _differ(pair[0][1], pair[1][1])
    ]
    measured = [pair for pair in pairs if pair[0][1].unit] or pairs
    if len(measured) != _SINGLE:
        return None
    nouns = {frozenset(stems(noun)) for found, _ in measured[0] if (noun := place.noun_behind(found))}
    return None if len(nouns) > _SINGLE else measured[0]


def _differ(one: Quantity, other: Quantity) -> bool:
    least, most = sorted((one.amount, other.amount))
    return least != most and (bool(one.unit) or most <= _FARTHEST * least)


# which of two


def _compared(
    choice: tuple[str, str], way: Literal["more", "less"], question: str, place: _Place
) -> Derived | None:
    at = [_places_of(each, other, place) for each, other in (choice, choice[::-1])]
    if not all(at):
        return None
    is_in_time = _IN_TIME.search(question) is not None
    for values in _comparable(place, is_in_time=is_in_time):
        both = _assigned(at[0][0], at[1][0], values)
        if both is None or not min(both) < max(both) <= _FARTHEST * min(both):
            continue
        is_max = (way == "more") != (is_in_time and _OF_AGE.search(question) is not None)
        is_first = (both[0] > both[1]) == is_max
        text = _without_case(choice[0] if is_first else choice[1])
        told = f"{choice[0]}: {both[0].normalize():f}; {choice[1]}: {both[1].normalize():f}."
        return Derived(text, "entity", (place.step("compare", text, told),), CONFIDENCE)
    return None


def _without_case(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if rest and first.casefold() in _PLACES else text


def _places_of(alternative: str, other: str, place: _Place) -> list[int]:
    """Where the words stand that tell an alternative from the other."""
    own = {word for word in words(alternative) if word.casefold() not in FUNCTION_WORDS}
    apart = {stem for word in own for stem in stems(word)} - stems_of(other)
    return [
        token.start
        for token in place.sentence.tokens
        if token.text.casefold() not in FUNCTION_WORDS and not stems(token.text).isdisjoint(apart)
    ]


def _numbers(values: Sequence[tuple[FoundValue, int]]) -> list[tuple[int, Decimal]]:
    return [(found.start, Decimal(year)) for found, year in values]


def _comparable(place: _Place, *, is_in_time: bool) -> Iterator[list[tuple[int, Decimal]]]:
    """The values of each unit that there are two of, where they stand, or the years where times are compared."""
    if is_in_time:
        yield from [_numbers(place.years)] if len(place.years) >= _TWO else ()
        return
    units: dict[str, list[tuple[FoundValue, Quantity]]] = {}
    for found, quantity in place.measured:
        units.setdefault(quantity.unit, []).append((found, quantity))
    for unit, values in units.items():
        nouns = {frozenset(stems(noun)) for found, _ in values if (noun := place.noun_behind(found))}
        if len(values) >= _TWO and (unit or len(nouns) <= _SINGLE):
            yield [(found.start, quantity.amount) for found, quantity in values]


def _assigned(one: int, other: int, values: Sequence[tuple[int, Decimal]]) -> tuple[Decimal, Decimal] | None:
    """The values of two that stand at these characters: in their order where both stand on one side of two values, else
    those behind each, or else those before."""
    first, second = min(one, other), max(one, other)
    behind = [amount for at, amount in values if at > second]
    before = [amount for at, amount in values if at < first]
    between = [amount for at, amount in values if first < at < second]
    pair: tuple[Decimal, Decimal] | None = None
    if between and behind:
        pair = between[0], behind[0]
    elif before and between:
        pair = before[-1], between[-1]
    elif not between and len(behind) == _TWO:
        pair = behind[0], behind[1]
    elif not between and len(before) == _TWO:
        pair = before[0], before[1]
    return pair if pair is None or one < other else (pair[1], pair[0])
