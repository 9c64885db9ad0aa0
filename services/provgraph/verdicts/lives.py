"""Births and deaths that a text tells in passing: dates in brackets after a name, and who was killed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from provgraph.reading.propositions import Span
from provgraph.reading.value_reading import FoundValue, find_values
from provgraph.reading.values import Date
from provgraph.verdicts.sentence_meaning import SentenceMeaning
from provgraph.verdicts.things import DERIVED, Statement, Thing

_BRACKET: Final = re.compile(r"[^()]{0,40}\(([^()]*)\)")
_DASH: Final = re.compile(r"(?<!\s)\s*(?:--|[-–—−])\s*")


def life_statements(meaning: SentenceMeaning) -> Iterator[Statement]:
    """Birth and death of the subject of the sentence: "Ada Novak, LLD (3 May 1931 – 1 June 1999) was …"."""
    known = {statement.lemma for statement in meaning.statements}
    if known & {"rel:born-on-date", "rel:died-on-date"}:
        return
    subject = next((t for t in meaning.things if t.kind == "name"), None)
    if subject is None or subject.token.index > 3:
        return
    bracket = _BRACKET.match(meaning.text, subject.span.end, meaning.sentence.end)
    if bracket is None:
        return
    sides = _DASH.split(bracket[1], maxsplit=1)
    if len(sides) != 2:
        return
    starts = (bracket.start(1), bracket.end(1) - len(sides[1]))
    dates = [_date(side, start) for side, start in zip(sides, starts, strict=True)]
    if None in dates:
        return
    for relation, value in zip(("born-on-date", "died-on-date"), dates, strict=True):
        assert value is not None
        span = Span(value.start, value.end, meaning.text[value.start : value.end])
        date = Thing(subject.token, span, span, span.text, "value", value.value)
        yield Statement(
            f"rel:{relation}",
            span,
            {"A": [subject], "P": [date]},
            sentence=meaning.number,
            clause=-2 - subject.token.index,
        )


def death_statements(meaning: SentenceMeaning) -> Iterator[Statement]:
    """Who was killed died: "a storm killed two sailors" says that two sailors died in it."""
    for statement in meaning.statements:
        if statement.lemma not in ("kill", "murder", "assassinate") or not statement.slots.get("P"):
            continue
        slots = {role: some for role, some in statement.slots.items() if role not in ("A", "P", "R")}
        causes = [thing for thing in statement.slots.get("A", []) if not thing.names]
        if causes:
            slots["@in"] = [*slots.get("@in", []), *causes]
        yield replace(
            statement, lemma="die", slots={**slots, "A": statement.slots["P"]}, clause=DERIVED - statement.clause
        )  # fmt: skip


def _date(side: str, start: int) -> FoundValue | None:
    """The one date of a side of the dash, at its place in the text."""
    values = [value for value in find_values(side) if isinstance(value.value, Date)]
    return (
        FoundValue(values[0].start + start, values[0].end + start, values[0].value)
        if len(values) == 1
        else None
    )
