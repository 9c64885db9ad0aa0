"""Questions for a field of a form: "What is the order number?" → the value beside "Order number:".

A field is asked for where the question has all words of its name, and says nothing that neither the field, the title of
the document nor the form has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from provgraph.derivation.evidence import ReadPassage, Support
from provgraph.derivation.result import Derived, Step
from provgraph.language.sentences import FIELD
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.reading.propositions import Span, TextReading

_ASKS: Final = re.compile(r"\s*(?:what(?:'s)?|who|when|where|which|how (?:much|many))\b", re.IGNORECASE)
_OWNER: Final = re.compile(r"['’]s\b")
_FEWEST: Final = 3
_CONFIDENCE: Final = 0.85
Passage = tuple[str, str, str, str]
"""Key, document, title and text of a passage."""


def form_answer(text: str, passages: Sequence[Passage]) -> Derived | None:
    """The value of the field that is asked for, of several that of most words; None where none is, or values differ."""
    if not _ASKS.match(text):
        return None
    asked = _content(text)
    supports = [
        (len(_content(match["name"])), match["value"], _support(passage, match))
        for passage in passages
        for match in _fields(passage[3])
        if _is_asked(asked, match["name"], passage)
    ]
    longest = max((length for length, *_ in supports), default=0)
    supports = [each for each in supports if each[0] == longest]
    if len({value for _, value, _ in supports}) != 1:
        return None
    _, value, support = supports[0]
    name = support.sentence.text.partition(":")[0].strip()
    step = Step("look up", value, f"The field “{name}” says: {value}.", (support,))
    return Derived(value, "span", (step,), _CONFIDENCE)


def _fields(text: str) -> Iterator[re.Match[str]]:
    """The fields of the text, where they are as many as a form has."""
    at, matches = 0, list[re.Match[str]]()
    for line in text.split("\n"):
        match = FIELD.fullmatch(text, at, at + len(line))
        matches += [match] if match is not None else []
        at += len(line) + 1
    return iter(matches if len(matches) >= _FEWEST else ())


def _is_asked(asked: frozenset[str], name: str, passage: Passage) -> bool:
    own = _content(name)
    others = asked - own - _content(passage[2])
    return bool(own) and own <= asked and all(term in terms(passage[3]) for term in others)


def _content(text: str) -> frozenset[str]:
    return frozenset(term for term in terms(_OWNER.sub("", text)) if term not in FUNCTION_WORDS)


def _support(passage: Passage, match: re.Match[str]) -> Support:
    key, document, title, text = passage
    start, end = match.start("name"), match.end("value")
    words = Span(match.start("value"), end, match["value"])
    return Support(
        ReadPassage(key, document, title, text, TextReading((), ())), Span(start, end, text[start:end]), words
    )
