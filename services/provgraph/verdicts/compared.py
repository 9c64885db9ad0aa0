"""What a sentence sets beside its own value: "63,400 passengers in 2023, compared with 58,900 in 2022".

A parser hangs the second value and its year on the verb of the first. They are taken off what the sentence states, and
stated by themselves, "58,900 passengers in 2022", as far as the words tell of when they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.value_reading import FoundValue, find_values, read_value
from provgraph.reading.values import Date, Quantity
from provgraph.verdicts.sentence_meaning import SentenceMeaning
from provgraph.verdicts.sentence_words import SentenceWords
from provgraph.verdicts.things import Statement, Thing
from provgraph.verdicts.units import Unit
from provgraph.verdicts.word_links import Link

_COMPARING: Final = frozenset(
    (one, other) for one in ("compared", "up", "down", "opposed") for other in ("with", "to", "from")
)
_ALONE: Final = ("against", "versus")
TIMES: Final = frozenset(
    "January February March April May June July August September October November December Monday Tuesday Wednesday "
    "Thursday Friday Saturday Sunday spring summer autumn winter".split()
)
"""Words for a time that is no date without a year."""
_TIME_WORDS: Final = frozenset("year month week day quarter season decade".split())
_LEVELS: Final = frozenset("low high total figure record average level peak".split())
_MORE: Final = frozenset("more less fewer higher lower".split())
_COMPARED: Final = frozenset(one for one, _ in _COMPARING)
_STOPS: Final = frozenset((",", ";", ":", "and", "but", "while", "which", "who", ")"))
_NEAR: Final = 5
_YEAR_BEFORE: Final = re.compile(
    r"\bthe (?:year before|previous year|year earlier|prior year|preceding year)\b|\ba year (?:before|earlier|ago)\b"
)


@dataclass(frozen=True)
class ComparedSide:
    """The words from `start` to `end` (characters) that tell a value of another time; `number` is its first token."""

    start: int
    end: int
    number: Token
    value: FoundValue
    is_difference: bool = False
    """Whether the value is what the sentence's own is more or less: "7,100 more than in 2021"."""


def with_compared_sides(meaning: SentenceMeaning, statements: Sequence[Statement]) -> list[Statement]:
    """The statements of a sentence without what belongs to the other side of a comparison, and those of that side."""
    side = compared_side(meaning.sentence, meaning.text)
    if side is None:
        return list(statements)
    bare = [_without(statement, side) for statement in statements]
    if side.is_difference or not _is_plain(side, meaning):
        return bare
    return [*bare, *(other for statement in bare for other in _of_side(statement, side, meaning))]


def compared_side(sentence: ParsedSentence, text: str) -> ComparedSide | None:
    """The first such words that stand behind another number of the sentence."""
    return sentence.kept("compared side", lambda: _compared_side(sentence, text))


def _compared_side(sentence: ParsedSentence, text: str) -> ComparedSide | None:
    tokens = sentence.tokens
    for one, other in pairwise(tokens):
        pair = (one.text.lower(), other.text.lower())
        back = pair[0] == "from" and one.index > 0 and tokens[one.index - 1].text == ","
        if pair[0] in _MORE and pair[1] == "than" and (more := _difference(one, sentence, text)) is not None:
            return more
        if pair not in _COMPARING and pair[0] not in _ALONE and not back:
            continue
        values = [v for v in find_values(text, sentence.start, sentence.end) if isinstance(v.value, Quantity)]
        behind = next((v for v in values if v.start > one.start), None)
        number = next((t for t in tokens[one.index + 1 :] if behind and t.start >= behind.start), None)
        if behind is None or number is None or number.index - one.index > _NEAR:
            continue
        if any(v.end <= one.start for v in values):
            stop = next((t for t in tokens[number.index + 1 :] if _ends(t, behind, tokens)), None)
            return ComparedSide(one.start, stop.start if stop else sentence.end, number, behind)
    return None


def _difference(more: Token, sentence: ParsedSentence, text: str) -> ComparedSide | None:
    """What follows "more" or "less", with the number before it, where another number stands before that."""
    values = [v for v in find_values(text, sentence.start, more.start) if isinstance(v.value, Quantity)]
    if len(values) < 2 or text[values[-1].end : more.start].strip():
        return None
    own = values[-1]
    stop = next((t for t in sentence.tokens[more.index + 2 :] if t.text.lower() in _STOPS), None)
    number = next(t for t in sentence.tokens if t.start >= own.start)
    return ComparedSide(own.start, stop.start if stop else sentence.end, number, own, is_difference=True)


def words_passed_over(
    units: Sequence[Unit], options: Sequence[Sequence[Link]], sentence: SentenceWords, text: str
) -> dict[str, frozenset[int]]:
    """By kind of unit the words of the side that a claim is not about: "a profit in 2021, against a loss in 2020". It
    is about the second where only that has a word of it beside dates. `options` are what may meet its units."""
    side = compared_side(sentence.parsed, text)
    if side is None:
        return {}
    inside = frozenset(t.index for t in sentence.parsed.tokens if side.start <= t.start < side.end)
    is_of_side = any(
        some and all(link.at in inside for link in some)
        for unit, some in zip(units, options, strict=True)
        if unit.kind != "date"
    )
    if not is_of_side:
        return dict.fromkeys((unit.kind for unit in units), inside)
    own = {unit.kind for unit in sentence.units if unit.head.index in inside and unit.value is not None}
    return dict.fromkeys(own, frozenset(t.index for t in sentence.parsed.tokens) - inside)


def _is_plain(side: ComparedSide, meaning: SentenceMeaning) -> bool:
    """Whether it has no more than a number, what it counts, and a time, so that it can be stated by itself: not "2
    million for his brother", nor "a loss of 0.4 million"."""
    tokens = meaning.sentence.tokens
    counted = {t.lemma.lower() for t in tokens if t.end <= side.start and t.pos == "NOUN"}
    dates = [v for v in find_values(meaning.text, side.value.end, side.end) if isinstance(v.value, Date)]
    return all(
        side.value.start <= t.start < side.value.end or t.text in TIMES
        or t.lemma.lower() in counted | _TIME_WORDS | _LEVELS or t.text.lower() in _COMPARED
        or any(v.start <= t.start < v.end for v in dates)
        for t in tokens
        if side.start <= t.start < side.end and t.pos in ("NOUN", "PROPN", "VERB")
    )  # fmt: skip


def _ends(token: Token, value: FoundValue, tokens: Sequence[Token]) -> bool:
    closing = token.text in (".", "!") and token.index == len(tokens) - 1
    return token.start >= value.end and (token.text.lower() in _STOPS or closing)


def _without(statement: Statement, side: ComparedSide) -> Statement:
    def kept(thing: Thing) -> bool:
        return not side.start <= thing.span.start < side.end

    slots = {role: [thing for thing in some if kept(thing)] for role, some in statement.slots.items()}
    for thing in (thing for some in slots.values() for thing in some):
        thing.restrictions = [(case, each) for case, each in thing.restrictions if kept(each)]
    return replace(statement, slots={role: some for role, some in slots.items() if some})


def _of_side(statement: Statement, side: ComparedSide, meaning: SentenceMeaning) -> Iterator[Statement]:
    """The statement with the other value, and its time, in the place of its own."""
    value = side.value.value
    if not isinstance(value, Quantity) or not statement.positive or statement.lemma.startswith("rel:"):
        return
    for role, some in statement.slots.items():
        own = next((thing for thing in some if isinstance(thing.value, Quantity)), None)
        time = _time(statement, side, meaning)
        if own is None or time is None or role not in ("A", "P", "C"):
            continue
        assert isinstance(own.value, Quantity)
        if value.unit != own.value.unit and value.unit:
            continue
        counted = replace(value, unit=own.value.unit, noun=value.noun or own.value.noun)
        span = Span(side.value.start, side.value.end, meaning.text[side.value.start : side.value.end])
        other = replace(own, token=side.number, span=span, head=span, value=counted, restrictions=[])
        rest = {r: things for r, things in statement.slots.items() if not _is_time(things)}
        slots = {**rest, role: [other], "@in": [time]}
        yield replace(statement, slots=slots, clause=-2 - side.number.index)
        return


def _is_time(things: Sequence[Thing]) -> bool:
    return any(isinstance(thing.value, Date) or thing.words in TIMES for thing in things)


def _time(statement: Statement, side: ComparedSide, meaning: SentenceMeaning) -> Thing | None:
    """When the other side was: as it says, or the year before the one of the statement."""
    dates = [v for v in find_values(meaning.text, side.value.end, side.end) if isinstance(v.value, Date)]
    if dates:
        return _thing(dates[0].start, dates[0].end, dates[0].value, side, meaning)
    month = next(
        (t for t in meaning.sentence.tokens if side.value.end <= t.start < side.end and t.text in TIMES), None
    )
    if month is not None:
        return meaning.thing(month)
    match = _YEAR_BEFORE.search(meaning.text, side.value.end, side.end)
    own = next((t.value for _, t in statement.things() if isinstance(t.value, Date)), None)
    if match is None or own is None or own.precision != "year" or own.first[0] != own.last[0]:
        return None
    value = read_value(str(own.first[0] - 1))
    return _thing(match.start(), match.end(), value, side, meaning) if isinstance(value, Date) else None


def _thing(start: int, end: int, value: object, side: ComparedSide, meaning: SentenceMeaning) -> Thing:
    assert isinstance(value, Date)
    span = Span(start, end, meaning.text[start:end])
    return Thing(side.number, span, span, span.text.lower(), "value", value)
