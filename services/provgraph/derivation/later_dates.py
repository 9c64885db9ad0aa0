"""When something was, told by how long it was after or before something else: "burned down in 1911 and was rebuilt two
years later" is 1913.

The date is counted from the nearest one before those words, in the same sentence or the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from anyio import to_thread

from provgraph.derivation.affinity import related
from provgraph.derivation.asking import Asking, asking
from provgraph.derivation.events_asked import is_changed, main_verbs
from provgraph.derivation.evidence import Finder, Found, ReadPassage, Support, support_at
from provgraph.derivation.features import words_met
from provgraph.derivation.result import Derived, Step
from provgraph.derivation.telling_sentences import most_telling
from provgraph.reading.propositions import Span
from provgraph.reading.questions import QuestionReading
from provgraph.reading.syntax import ParsedSentence, Parser, Token
from provgraph.reading.value_reading import MONTH_NAMES, FoundValue, find_values, read_value
from provgraph.reading.values import Date, Quantity

_COUNTED: Final = re.compile(
    r"\b(?:(?P<number>an?|[a-z]+(?:-[a-z]+)?|\d+) (?P<unit>year|month|decade)s? "
    r"(?P<way>later|afterwards|earlier|before(?! the| that\b| h)|after(?! the\b| h))"
    r"|the (?P<next>following|next|previous) (?P<of>year|month))\b",
    re.IGNORECASE,
)
_BACK: Final = frozenset(("earlier", "before", "previous"))
_MONTHS: Final = {"year": 12, "month": 1, "decade": 120}
LEAST_MET: Final = 0.5
"""What share of the question's things and names the sentence has to have, with the one before it and the title."""
_SAYS: Final = 0.75
_CONFIDENCE: Final = 0.86
_MOST: Final = 8


@dataclass(frozen=True)
class CountedTime:
    """A time that is told from another: its words, and how many months it is later."""

    span: Span
    months: int

    @property
    def is_of_years(self) -> bool:
        return self.months % 12 == 0


def counted_times(text: str, start: int, end: int) -> Iterator[CountedTime]:
    """The times between two places of a text that are told from others."""
    for match in _COUNTED.finditer(text, start, end):
        amount = 1 if match["next"] else _amount(match["number"])
        if amount:
            back = -1 if (match["way"] or match["next"]).lower() in _BACK else 1
            months = back * amount * _MONTHS[(match["unit"] or match["of"]).lower()]
            yield CountedTime(Span(match.start(), match.end(), match.group()), months)


def _amount(word: str) -> int:
    value = read_value(word)
    if word.lower() in ("a", "an"):
        return 1
    return int(value.amount) if isinstance(value, Quantity) and value.amount == int(value.amount) else 0


async def later_date(reading: QuestionReading, text: str, parser: Parser, finder: Finder) -> Derived | None:
    """The date of what is asked, where a likely sentence tells it from another; None where none does."""
    if reading.kind != "when":
        return None
    found = await finder.found(text)
    asked = asking(reading, text, parser, found.weights)
    return await to_thread.run_sync(_later_date, asked, text, parser, found)


def _later_date(asked: Asking, text: str, parser: Parser, found: Found) -> Derived | None:
    question = parser.parse(text, [(0, len(text))])
    verbs = main_verbs(question[0]) if question else set()
    things = tuple(word for word in asked.words if word.part != "v")
    for passage, sentence in most_telling(asked, found)[:_MOST] if verbs else ():
        before = _before(passage, sentence)
        around = passage.text[before.start if before else sentence.start : sentence.end]
        met = words_met(things, f"{passage.title} {around}")
        if sum(word.weight for word in met) < LEAST_MET * sum(word.weight for word in things):
            continue
        for time in counted_times(passage.text, sentence.start, sentence.end):
            if _is_of(time.span, sentence, verbs):
                counted = _counted(time, passage, sentence, before)
                if counted is not None:
                    return counted
    return None


def is_counted_from(found: Derived, question: ParsedSentence) -> bool:
    """Whether an answer is a date that the time of the verb asked about is only counted from: of "stolen in 1980 and
    came back three years later" 1980 for when it came back."""
    ending = found.ending if found.kind == "date" else ()
    verbs = main_verbs(question)
    return bool(ending) and all(_is_counted_from(support, verbs) for support in ending)


def _is_counted_from(support: Support, verbs: set[str]) -> bool:
    sentence = support.parsed
    if sentence is None:
        return False
    times = counted_times(support.passage.text, sentence.start, sentence.end)
    return any(time.span.start > support.words.start and _is_of(time.span, sentence, verbs) for time in times)


def _before(passage: ReadPassage, sentence: ParsedSentence) -> ParsedSentence | None:
    earlier = [each for each in passage.parsed if each.end <= sentence.start]
    if not earlier or "\n\n" in passage.text[earlier[-1].end : sentence.start]:
        return None
    return earlier[-1]


def _is_of(span: Span, sentence: ParsedSentence, verbs: set[str]) -> bool:
    """Whether the verb that a time stands with is one of those asked about."""
    verb = _verb_of(span, sentence)
    return verb is not None and any(
        related(verb.lemma.casefold(), "v", each, "v") >= _SAYS and not is_changed(verb.lemma, each)
        for each in verbs
    )


def _verb_of(span: Span, sentence: ParsedSentence) -> Token | None:
    """The nearest verb above the words of a time."""
    token = next((t for t in reversed(sentence.tokens) if span.start <= t.start < span.end), None)
    while token is not None and token.pos != "VERB":
        token = sentence.tokens[token.head] if token.head >= 0 else None
    return token


def _counted(
    time: CountedTime, passage: ReadPassage, sentence: ParsedSentence, before: ParsedSentence | None
) -> Derived | None:
    start = before.start if before else sentence.start
    dates = [
        value
        for value in find_values(passage.text, start, time.span.start)
        if isinstance(value.value, Date) and value.value.has_year and not value.value.bound
    ]
    return _said(time, dates[-1], passage) if dates else None


def _said(time: CountedTime, anchor: FoundValue, passage: ReadPassage) -> Derived | None:
    value = anchor.value
    assert isinstance(value, Date)
    if value.precision not in ("year", "month", "day") or (
        value.precision == "year" and not time.is_of_years
    ):
        return None
    year, month, _ = value.first
    count = year * 12 + month - 1 + time.months
    text = str(count // 12)
    if not time.is_of_years:
        text = f"{MONTH_NAMES.split('|')[count % 12]} {text}"
    span = Span(anchor.start, anchor.end, passage.text[anchor.start : anchor.end])
    first = Step(
        "look up", span.text, f"What it is told from was in {span.text}.", (support_at(passage, span),)
    )
    told = f"“{time.span.text}”, counted from {span.text}, is {text}."
    second = Step("add", text, told, (support_at(passage, time.span),), (0,))
    return Derived(text, "date", (first, second), _CONFIDENCE)
