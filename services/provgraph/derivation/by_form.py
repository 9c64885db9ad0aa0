"""A short answer out of a sentence that answers, without reading it: the date, number or name asked for, told by form.

For languages that no parser reads. Where the form leaves more than one open, it is the one nearest to the question's
words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.result import AnswerKind
from provgraph.language.asked_kinds import Kind, asked_kind, expressions
from provgraph.language.languages import STOP_WORDS, language_of
from provgraph.language.terms import content_terms, terms, words

_KINDS: Final[dict[Kind, AnswerKind]] = {
    "date": "date", "person": "entity", "place": "entity", "money": "number", "duration": "number", "share": "number",
    "number": "number",
}  # fmt: skip


@dataclass(frozen=True)
class FormAnswer:
    """The words from `start` to `end` of the sentence."""

    text: str
    kind: AnswerKind
    start: int
    end: int


_FORMED: Final = frozenset({"date", "money", "duration", "share"})
"""What is told by its form alone; a name may be of anything."""


def answer_by_form(question: str, sentence: str, *, is_sure: bool = True) -> FormAnswer | None:
    """None where the question leaves open what is asked, or the sentence has nothing of that kind beside what the
    question says itself. Where it is not sure that the sentence answers, as in another language, none of several."""
    kind = asked_kind(question)
    if not is_sure and kind not in _FORMED:
        return None
    said = set(terms(question))
    fresh = [
        span
        for span in _bare(expressions(sentence, kind), sentence)
        if not set(terms(sentence[slice(*span)])) <= said and sentence[slice(*span)] not in question
    ]
    if kind == "number":
        dates = expressions(sentence, "date")
        fresh = [span for span in fresh if not any(s <= span[0] < e for s, e in dates)]
    if _COUNTING.search(question):
        fresh = [span for span in fresh if _counts(sentence[slice(*span)], said)]
    if not fresh or (len(fresh) > 1 and not is_sure):
        return None
    shared = _places_of(set(content_terms(question)), sentence)

    def order(span: tuple[int, int]) -> tuple[bool, int, int]:
        counts = not said.isdisjoint(terms(sentence[slice(*span)])) or sentence[span[1] - 1] in question
        return not counts, _distance(span, shared), span[0]

    start, end = min(fresh, key=order)
    return FormAnswer(sentence[start:end], _KINDS[kind], start, end)


_COUNTING: Final = re.compile(r"\b(?:wie ?viele|combien d[e’']?|cuánt[oa]s|quant[ei])\b", re.IGNORECASE)


def _counts(expression: str, asked: set[str]) -> bool:
    """Whether a number counts what the question does: the noun behind it, where there is one, is a word of it."""
    _, *behind = expression.split()
    return not behind or not asked.isdisjoint(term for word in behind for term in terms(word))


_ENDS: Final = re.compile(r"(?<![\s.,;:!?])[\s.,;:!?]+(?:de|di|du|of|von|et|e|y|und|a|à)?\Z")


def _bare(spans: Iterable[tuple[int, int]], sentence: str) -> Iterator[tuple[int, int]]:
    """The spans without small words and marks at their ends; none that begins with a small word of its language."""
    small = STOP_WORDS.get(language_of(sentence), frozenset())
    for start, end in spans:
        words_of_span = sentence[start:end]
        bare = _ENDS.sub("", words_of_span)
        if bare and bare.split()[0].casefold() not in small:
            yield start, start + len(bare)


def _places_of(wanted: set[str], sentence: str) -> list[int]:
    """Where the words of the question stand in the sentence."""
    places, at = [], 0
    for word in words(sentence):
        at = sentence.find(word, at)
        if not wanted.isdisjoint(terms(word)):
            places.append(at)
        at += len(word)
    return places


def _distance(span: tuple[int, int], places: list[int]) -> int:
    start, end = span
    return min((max(start - place, place - end, 0) for place in places), default=0)
