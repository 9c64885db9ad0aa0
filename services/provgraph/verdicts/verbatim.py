"""Where a text says a claim word for word: as a sentence of its own, or as a clause of one between semicolons. What
stands so needs no reading, which may fail ("children under six travel free" looks like no sentence)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from provgraph.verdicts.judgement import Element, EvidenceText, Judgement, Place

CONFIDENCE: Final = 0.97
_LEAST_WORDS: Final = 4
_CLAUSE: Final = re.compile(r"[^;]+")
_ENDS: Final = " \t\n.!\"'“”‘’"
_SEVERAL: Final = re.compile(r"[.!?;]\s+\S")
_REFERS: Final = re.compile(r"(?:it|he|she|they|we|i|you|this|that|these|those|here|there|such)\b", re.I)
"""How a claim begins that does not say what it is about."""


def said_verbatim(claim: str, evidence: Sequence[EvidenceText], at: int = 0) -> Judgement | None:
    """SUPPORTS by the first text that says the claim word for word; None where none does, and for a claim of several
    sentences or one that begins with a pronoun. `at` is where the claim begins in what it was taken from."""
    wanted = _plain(claim)
    if len(wanted.split()) < _LEAST_WORDS or _SEVERAL.search(wanted) or _REFERS.match(wanted):
        return None
    for text in evidence:
        for place in _clauses(text):
            if _plain(place.text) == wanted:
                start = claim.index(claim.strip(_ENDS))
                said = claim[start:].rstrip()
                element = Element(said, at + start, at + start + len(said), "sentence", "entailed", place)
                return Judgement("SUPPORTS", CONFIDENCE, (element,), (place,))
    return None


def _clauses(text: EvidenceText) -> Iterator[Place]:
    for start, end in text.sentences or ((0, len(text.text)),):
        for clause in _CLAUSE.finditer(text.text, start, end):
            said = clause.group()
            begins = clause.start() + len(said) - len(said.lstrip())
            yield Place(text.id, begins, clause.start() + len(said.rstrip()), said.strip())


def _plain(text: str) -> str:
    """In lower case, with single spaces, without what stands around it."""
    return " ".join(text.casefold().split()).strip(_ENDS)
