"""What a judge is given and what it answers. Values only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Label = Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
Relation = Literal["entailed", "contradicted", "not said"]


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """A text that may speak of the claim. `sentences` are its spans, all of the text where none are given; `head` are
    the words by which its document names what it is about (`reading.scope.head_words`)."""

    id: str
    text: str
    title: str = ""
    sentences: Sequence[tuple[int, int]] | None = None
    head: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Place:
    """Characters `start` to `end` (exclusive) of the evidence text with that id."""

    source: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Element:
    """One part of the claim, the characters `start` to `end` of it, and what the evidence says of it.

    `role` is what the part does in its clause ("predicate", "who", "when" …), `why` one phrase for people. `evidence`
    is None where nothing speaks of it.
    """

    text: str
    start: int
    end: int
    role: str
    relation: Relation
    evidence: Place | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with the table of elements from which it follows.

    `confidence` is calibrated: of verdicts with 0.9, nine in ten are right. `deciding` are the sentences from which
    the verdict follows, `missing` says in plain English what no text says (empty where nothing is missing).
    """

    label: Label
    confidence: float
    elements: tuple[Element, ...] = ()
    deciding: tuple[Place, ...] = ()
    missing: str = ""
    notes: tuple[str, ...] = ()
    features: tuple[float, ...] = field(default=(), repr=False)
