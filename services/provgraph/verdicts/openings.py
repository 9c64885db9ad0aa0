"""Opening hours as what opens and closes: "open from 9 am to 6 pm" opens at 9 am and closes at 6 pm.

Several spans ("… to 9 pm in summer and from 8 am to 5 pm in winter") are told by the order of their words, as no tree
of ours shows which belong together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from provgraph.reading.propositions import Span
from provgraph.reading.syntax import Token
from provgraph.reading.value_reading import FoundValue, find_values
from provgraph.verdicts.alignment import Alignment
from provgraph.verdicts.sentence_meaning import SentenceMeaning
from provgraph.verdicts.things import DERIVED, Statement, Thing

_FIRST: Final = frozenset("from between".split())
_LAST: Final = frozenset("to until till and through".split())
_DASHES: Final = frozenset("-–—")


@dataclass(frozen=True)
class _Hours:
    """The values of one span, `first` None where only its end is told, and where in the sentence the next begins."""

    first: FoundValue | None
    last: FoundValue
    until: int


def opening_statements(meaning: SentenceMeaning) -> Iterator[Statement]:
    for statement in meaning.statements:
        is_open = statement.lemma == "open" or (
            statement.lemma == "be" and any(thing.lemma == "open" for thing in statement.slots.get("C", []))
        )
        subjects = statement.slots.get("A", []) or statement.slots.get("P", [])
        if not is_open or not subjects or not statement.positive or statement.clause < 0:
            continue
        hours = list(_hours(meaning, meaning.sentence.tokens[statement.clause].end))
        for span in hours:
            own = _circumstances(meaning, span.last.end, span.until, len(hours) == 1)
            for verb, value in (("open", span.first), ("close", span.last)):
                if value is not None:
                    slots = {"A": subjects, "@at": [_time(value, meaning)], **own}
                    yield replace(
                        statement, lemma=verb, slots=slots, adverbs=(), clause=DERIVED - statement.clause
                    )


def is_of_other_times(group: Alignment) -> bool:
    """Whether the hours are those of a season or day that the claim leaves out."""
    said = group.said
    if said is None or said.clause > DERIVED or said.lemma not in ("open", "close"):
        return False
    met = {part.outcome.span for part in group.parts if part.outcome.finding == "entailed"}
    return any(t.span not in met for role, t in said.things() if role in ("@in", "@on", "@during"))


def _hours(meaning: SentenceMeaning, start: int) -> Iterator[_Hours]:
    """The spans behind the word "open", in order."""
    values = list(find_values(meaning.text, start, meaning.sentence.end))
    spans: list[tuple[FoundValue | None, FoundValue]] = []
    for before, value in pairwise([None, *values]):
        assert value is not None
        if _word_before(value, meaning) in _LAST | _DASHES:
            paired = before is not None and _word_before(before, meaning) not in _LAST - {"and"}
            spans.append((before if paired else None, value))
    for number, (first, last) in enumerate(spans):
        following = spans[number + 1] if number + 1 < len(spans) else None
        end = (following[0] or following[1]).start if following is not None else meaning.sentence.end
        yield _Hours(first, last, end)


def _word_before(value: FoundValue, meaning: SentenceMeaning) -> str:
    before = [t for t in meaning.sentence.tokens if t.end <= value.start]
    return before[-1].text.lower() if before else ""


def _circumstances(meaning: SentenceMeaning, start: int, end: int, alone: bool) -> dict[str, list[Thing]]:
    """When else the span holds: "in summer"; of several spans what stands behind its end."""
    tokens: Sequence[Token] = meaning.sentence.tokens
    slots: dict[str, list[Thing]] = {}
    for before, token in pairwise(tokens):
        inside = alone or start <= token.start < end
        if inside and before.relation == "case" and before.text.lower() in ("in", "on", "during"):
            noun = tokens[before.head]
            slots.setdefault(f"@{before.text.lower()}", []).append(meaning.thing(noun))
    return slots


def _time(value: FoundValue, meaning: SentenceMeaning) -> Thing:
    span = Span(value.start, value.end, meaning.text[value.start : value.end])
    token = next(t for t in meaning.sentence.tokens if t.start <= value.start < t.end)
    return Thing(token, span, span, span.text.lower(), "value", value.value)
