"""A short answer out of a sentence that answers, without reading it: the date, number or name asked for, told by form.

For languages that no parser reads. Where the form leaves more than one open, it is the one nearest to the question's
words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.by_wording import denial, is_yes_no, wordings
from provgraph.derivation.result import AnswerKind
from provgraph.language.asked_kinds import Kind, asked_kind, expressions
from provgraph.language.languages import CHINESE, STOP_WORDS, language_of
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
    if is_sure and is_yes_no(question):
        said_no = denial(question, sentence)
        return FormAnswer(said_no, "yes-no", 0, len(sentence)) if said_no else None
    kind = asked_kind(question)
    if not is_sure and kind not in _FORMED:
        return None
    if is_sure and (kind not in _KINDS or (language_of(question) == CHINESE and kind in _BY_NAME)):
        start, end = next(wordings(question, sentence), (0, 0))
        is_fresh = sentence[start:end] not in question
        return FormAnswer(sentence[start:end], "span", start, end) if is_fresh and end else None
    return _of_kind(question, sentence, kind, is_sure)


def _of_kind(question: str, sentence: str, kind: Kind, is_sure: bool) -> FormAnswer | None:
    said = set(terms(question))
    fresh = [
        span
        for span in _bare(expressions(sentence, kind), sentence)
        if not set(terms(sentence[slice(*span)])) <= said and sentence[slice(*span)] not in question
    ]
    if kind == "number":
        dates = expressions(sentence, "date")
        fresh = [span for span in fresh if not any(s <= span[0] < e for s, e in dates)]
        fresh = [span for span in fresh if _is_of_measure(question, sentence[slice(*span)])]
    if kind == "person":
        fresh = [span for span in fresh if " " in sentence[slice(*span)]]
    if _COUNTING.search(question):
        fresh = [span for span in fresh if _counts(sentence[slice(*span)], said)]
    if not fresh or (len(fresh) > 1 and not is_sure):
        return None
    shared = _places_of(set(content_terms(question)), sentence)

    def order(span: tuple[int, int]) -> tuple[bool, bool, int, int]:
        counts = not said.isdisjoint(terms(sentence[slice(*span)])) or sentence[span[1] - 1] in question
        led_in = kind == "place" and _IN.search(sentence, 0, span[0]) is not None
        for_whom = _FOR.search(sentence, 0, span[0])
        told = for_whom is not None and any(for_whom.start() <= place < span[0] for place in shared)
        behind = _PART.match(sentence, span[1])
        told = told or any(span[1] <= place < (behind.end() if behind else span[1]) for place in shared)
        return not counts, not (led_in or told), _distance(span, shared), span[0]

    start, end = min(fresh, key=order)
    return FormAnswer(sentence[start:end], _KINDS[kind], start, end)


_BY_NAME: Final = ("person", "place")
_IN: Final = re.compile(
    r"\b(?:in|im|am|an|auf|bei|nach|en|à|au|aux|dans|sur|nel\w*|sul\w*|a)\s+(?:(?:de[rmn]|la|le|el|los|las|il|lo)\s+|l['’])?\Z",
    re.I,
)
"""What leads in the name of a place."""
_FOR: Final = re.compile(r"\b(?:für|pour|per|para|aux?)\s+[^\d,;:.]*\Z", re.I)
"""For whom a sum is: "für Schüler 8 Euro"."""
_PART: Final = re.compile(r"(?:(?!\b(?:und|et|y|e|oder|ou|o)\b)[^,;:.])*", re.I)
"""What is said behind an expression of just it: "10 centimes la page en noir" before "et 40 centimes en couleur"."""
_COUNTING: Final = re.compile(r"\b(?:wie ?viele|combien d[e’']?|cuánt[oa]s|quant[ei])\b", re.IGNORECASE)


_MEASURES: Final = (
    (
        re.compile(
            r"\b(?:lang|hoch|breit|tief|long(?:ue)?|haute?|larg[eo]|profond[eo]?|lungo|lunga|alt[oa])\b", re.I
        ),
        re.compile(r"\b(?:[mck]?m|\w*met(?:er|ers|ros?|ri)|\w*mètres?)\b", re.I),
    ),
    (
        re.compile(r"\b(?:schwer|wiegt|pèse|pesa|lourde?)\b", re.I),
        re.compile(r"\b(?:k?g|t|\w*gram\w*|tonn\w*|tonel\w*|kilos?|quintal\w*)\b", re.I),
    ),
)
"""What asks for a measure, and the units that it has."""


def _is_of_measure(question: str, expression: str) -> bool:
    return all(
        unit.search(expression) is not None for asked, unit in _MEASURES if asked.search(question) is not None
    )


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
