"""The dates in brackets after a name, read as dates of life where nobody said what the name is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from provgraph.reading.propositions import Span
from provgraph.reading.values import Date
from provgraph.verdicts.things import SentenceMeaning, Statement, Thing

_BRACKET: Final = re.compile(r"[^()]{0,40}\(([^()]*)\)")
_DASH: Final = re.compile(r"\s*(?:--|[-–—−])\s*")


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
    dates = [v for v in meaning.phrases.values if bracket.start(1) <= v.start < bracket.end(1) and isinstance(v.value, Date)]
    if len(dates) != 2 or not _DASH.search(meaning.text[dates[0].end : dates[1].start]):
        return
    for relation, found in zip(("born-on-date", "died-on-date"), dates, strict=True):
        span = Span(found.start, found.end, meaning.text[found.start : found.end])
        date = Thing(subject.token, span, span, span.text, "value", found.value)
        yield Statement(
            f"rel:{relation}", span, {"A": [subject], "P": [date]}, sentence=meaning.number, clause=-2 - subject.token.index
        )
