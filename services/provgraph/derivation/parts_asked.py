"""The part of a sentence that a question asks about, where the sentence tells of several alike: "eleven were in favour
and nine against", "£28 for a full day and £14 for a half day".

A later part takes over what the first says and it does not: "nine" are councillors, too. The part with most of the
question's words and fewest others is the one. What is told of "the others" or "the rest" is told by no number: where
the whole and its other parts are, it is what they leave.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from provgraph.derivation.differences import said_like
from provgraph.derivation.evidence import ReadPassage, Support, support_at
from provgraph.derivation.result import Derived, Step
from provgraph.language.terms import FUNCTION_WORDS, terms, words
from provgraph.reading.propositions import Span
from provgraph.reading.value_reading import FoundValue
from provgraph.reading.values import Quantity

_SEPARATOR: Final = re.compile(
    r";|,(?!\d)|\b(?:and|or|but|while|whereas|as against|compared with)\b|\bafter (?=an? )"
)
_REST: Final = re.compile(r"\bthe (?:rest|remainder|others?|remaining \w+)\b", re.IGNORECASE)
_THE_ONE: Final = re.compile(
    r"(?:;|,|\b(?:and|but|while|whereas)) ?(?:and |but |while )?the (?:ones?|others?|latter)\b[^;]*",
    re.IGNORECASE,
)
_OF_THE_WHOLE: Final = re.compile(r"\bof (?:which|whom|them|these|those)\b", re.IGNORECASE)
_STANCES: Final = frozenset("against for without".split())
"""Small words that tell one part from another as others do."""
_MORE_THAN: Final = re.compile(
    r" (?:\w+ )?(?:more|less|fewer|higher|lower|longer|shorter|larger|smaller) than\b"
)
_DIFFERENCE: Final = re.compile(
    r"\b(?:more|less|fewer|increase|decrease|rise|fall|difference|\w+er than)\b", re.I
)
_HUNDRED: Final = Decimal(100)
_CONFIDENCE: Final = 0.7
_OTHERWISE: Final = 0.5
"""What a word of a part counts against it that the question has not."""


@dataclass(frozen=True)
class SentencePart:
    """Some of a sentence with its number; none where it tells of the others, or of the rest."""

    span: Span
    number: FoundValue | None = None


def number_asked(passage: ReadPassage, place: int, question: str) -> tuple[bool, FoundValue | None]:
    """Whether the number at a place stands in the part of its sentence that a question asks about, and else the number
    of that part; none where that has none."""
    parts = _parts(passage, place)
    own = next((part for part in parts if part.number is not None and _is_in(place, part.number)), None)
    best = _best(parts, question)
    if own is None or best is None or _score(best, parts, question) <= _score(own, parts, question):
        return True, None
    return False, None if _only_compares(best, passage, question) else best.number


def _only_compares(part: SentencePart, passage: ReadPassage, question: str) -> bool:
    """Whether the number of a part says how much more it is than another, which is not asked: "£57 more than"."""
    end = part.number.end if part.number is not None else 0
    return bool(end and _MORE_THAN.match(passage.text, end)) and not _DIFFERENCE.search(question)


def is_told_apart(passage: ReadPassage, place: int, question: str) -> bool:
    """Whether a number is that of the one part of its sentence that a question asks about, of two or more."""
    parts = _parts(passage, place)
    numbered = [part for part in parts if part.number is not None]
    scores = sorted((_score(part, parts, question) for part in parts), reverse=True)
    best = _best(parts, question)
    if best is None:
        return False
    is_own = best.number is not None and _is_in(place, best.number)
    is_own = is_own and not _only_compares(best, passage, question)
    return is_own and len(numbered) > 1 and scores[0] > scores[1]


def rest_asked(passage: ReadPassage, place: int, question: str) -> Derived | None:
    """What the whole leaves, where a question asks about the rest or the others of it; None where the sentence does not
    tell the whole."""
    parts = _parts(passage, place)
    best = _best(parts, question)
    if best is None or best.number is not None or not _REST.search(best.span.text):
        return None
    numbers = [part.number for part in parts if part.number is not None]
    whole, others = numbers[0], numbers[1:]
    if _unit(whole) == "%":
        total, others = _HUNDRED, numbers
    elif others and _OF_THE_WHOLE.search(passage.text, whole.end, best.span.start):
        total = _amount(whole)
    else:
        return None
    left = total - sum(map(_amount, others))
    return _rest(left, total, [_support(passage, number) for number in numbers]) if left > 0 else None


def _rest(left: Decimal, total: Decimal, supports: Sequence[Support]) -> Derived:
    text = said_like(left, supports[0].words.text)
    taken = ", ".join(
        support.words.text for support in supports if total == _HUNDRED or support is not supports[0]
    )
    whole = "100 %" if total == _HUNDRED else supports[0].words.text
    step = Step("subtract", text, f"{whole} less {taken} leaves {text}.", tuple(supports))
    return Derived(text, "number", (step,), _CONFIDENCE)


def _support(passage: ReadPassage, number: FoundValue) -> Support:
    return support_at(passage, Span(number.start, number.end, passage.text[number.start : number.end]))


def _best(parts: Sequence[SentencePart], question: str) -> SentencePart | None:
    """The part that says most of a question, the first of equals; None of a sentence that has only one."""
    return max(parts, key=lambda part: _score(part, parts, question)) if len(parts) > 1 else None


def is_of_part_asked(found: Derived, question: str) -> bool:
    """Whether an answer is not told of another part of its sentence than the question asks about."""
    ending = found.ending
    return not ending or any(_is_of_part(support, question, found) for support in ending)


def _is_of_part(support: Support, question: str, found: Derived) -> bool:
    passage, place = support.passage, support.words.start
    if found.steps[-1].operation != "subtract" and not number_asked(passage, place, question)[0]:
        return False
    return not any(
        _is_told_of_it(support, match, question) for match in _THE_ONE.finditer(support.sentence.text)
    )


def _is_told_of_it(support: Support, match: re.Match[str], question: str) -> bool:
    """Whether only what is said of "the one" or "the others" has a word of the question, and no answer."""
    place = support.words.start - support.sentence.start
    text = support.sentence.text
    if match.start() <= place < match.end():
        return False
    beside = _words(text[: match.start()] + text[match.end() :])
    return bool((_words(match.group()) - beside) & _words(question))


def _is_in(place: int, value: FoundValue) -> bool:
    return value.start <= place < value.end


def _parts(passage: ReadPassage, place: int) -> list[SentencePart]:
    """The parts of a sentence around the numbers that are of the same measure as the one at a place; none where nothing
    parts two of them."""
    sentence = passage.sentence_at(place)
    numbers = [
        value
        for value in passage.values
        if sentence.start <= value.start < sentence.end and isinstance(value.value, Quantity)
    ]
    own = next((value for value in numbers if _is_in(place, value)), None)
    alike = [value for value in numbers if own is not None and _unit(value) == _unit(own)]
    if not alike:
        return []
    ends = [_boundary(passage.text, one.end, other.start) for one, other in pairwise(alike)]
    ends.append(_before_the_rest(passage.text, alike[-1].end, sentence.end))
    starts = [sentence.start, *ends]
    if -1 in ends:
        return []
    parts = [
        SentencePart(Span(start, end, passage.text[start:end]), number)
        for start, end, number in zip(starts, ends, alike, strict=False)
    ]
    if ends[-1] < sentence.end:
        parts.append(SentencePart(Span(ends[-1], sentence.end, passage.text[ends[-1] : sentence.end])))
    return parts


def _boundary(text: str, start: int, end: int) -> int:
    """Where a part ends: before the last mark or "and" up to the next number; -1 where nothing parts them."""
    marks = list(_SEPARATOR.finditer(text, start, end))
    return marks[-1].start() if marks else -1


def _before_the_rest(text: str, start: int, end: int) -> int:
    """Where the last part with a number ends: before what is told of the rest, or else with the sentence."""
    rest = _REST.search(text, start, end)
    before = [mark.start() for mark in _SEPARATOR.finditer(text, start, rest.start())] if rest else []
    return before[-1] if before else end


def _amount(value: FoundValue) -> Decimal:
    assert isinstance(value.value, Quantity)
    return value.value.amount


def _unit(value: FoundValue) -> str:
    return value.value.unit if isinstance(value.value, Quantity) else ""


def _score(part: SentencePart, parts: Sequence[SentencePart], question: str) -> float:
    """How much of the question a part says, with what it takes over from those before, less what it says beside it."""
    asked, own = _words(question), _words(_REST.sub("", _without_number(part)))
    earlier = frozenset[str]().union(*(_words(_without_number(each)) for each in parts[: parts.index(part)]))
    others = own - asked - earlier if earlier else frozenset()
    return len(asked & (own | earlier)) - _OTHERWISE * len(others)


def _without_number(part: SentencePart) -> str:
    if part.number is None:
        return part.span.text
    start, end = part.number.start - part.span.start, part.number.end - part.span.start
    return f"{part.span.text[:start]} {part.span.text[end:]}"


def _words(text: str) -> frozenset[str]:
    telling = (word for word in words(text) if word.casefold() not in FUNCTION_WORDS - _STANCES)
    return frozenset(term for word in telling for term in terms(word) if term.isalpha())
