"""Comparisons of a claim with every sentence → what the evidence says of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from provgraph.flows.fact_verification.rules.comparison import Comparison
from provgraph.flows.fact_verification.rules.exclusivity import besides
from provgraph.flows.fact_verification.rules.held import Conflict
from provgraph.flows.fact_verification.rules.reading import Reading, read
from provgraph.flows.fact_verification.rules.units import LIGHT, agreement
from provgraph.provenance.verification_trace import Label

SUPPORTED: Final = 0.25
WORD_MISSED: Final = 0.85
HARD_MISSED: Final = 0.6
HARD_NEARBY: Final = 0.75
OWN_SHARE: Final = 0.35
"""A sentence that says itself 0.65 of the predicate counts whole; what it says less is taken off."""

ANOTHERS: Final = 0.75
"""What is kept where the kind may be that of something else in the same passage."""
REFUTED: Final = 0.33

LOOSELY_DATED: Final = 0.7
"""What is kept of such support where another sentence says it in the claim's own words with another year."""


@dataclass(frozen=True)
class Weighed:
    """One sentence, by passage and number: how much it speaks for the claim and against it (0…1)."""

    passage: int
    sentence: int
    comparison: Comparison
    supports: float
    refutes: float
    conflict: Conflict | None = None


@dataclass(frozen=True)
class Decision:
    label: Label
    confidence: float
    coverage: float
    weighed: tuple[Weighed, ...] = field(default=())


def decide(claim_text: str, passages: Sequence[tuple[str, Sequence[str]]]) -> Decision:
    """`passages` are titles with sentences, the best first."""
    claim = read(claim_text)
    weighed = [
        _weighed(claim, p, s, sentences, title)
        for p, (title, sentences) in enumerate(passages)
        for s in range(len(sentences))
    ]
    if any(each.comparison.dated_otherwise for each in weighed):
        weighed = [
            replace(each, supports=LOOSELY_DATED * each.supports) if each.comparison.loosely_dated else each
            for each in weighed
        ]
    best_for = max((each.supports for each in weighed), default=0.0)
    best_against = max((each.refutes for each in weighed), default=0.0)
    coverage = max((_coverage(each) for each in weighed), default=0.0)
    if best_for >= SUPPORTED and best_for >= best_against:
        label, confidence = Label.SUPPORTS, best_for
    elif best_against >= REFUTED:
        label, confidence = Label.REFUTES, best_against
    else:
        label, confidence = Label.NOT_ENOUGH_INFO, 1 - max(best_for, best_against)
    if claim.denies and label is not Label.NOT_ENOUGH_INFO:
        label = Label.REFUTES if label is Label.SUPPORTS else Label.SUPPORTS
    ranked = sorted(weighed, key=lambda each: -max(each.supports, each.refutes))
    return Decision(label, confidence, coverage, tuple(ranked))


def _coverage(each: Weighed) -> float:
    """Evidence that excludes what a claim says speaks of it too."""
    comparison, conflict = each.comparison, each.conflict
    said = max(comparison.predicate, conflict.strength if conflict else 0.0)
    return 0.4 * comparison.subject + 0.6 * said


def _weighed(claim: Reading, p: int, s: int, sentences: Sequence[str], title: str) -> Weighed:
    around = tuple(read(each) for i, each in enumerate((*sentences, title)) if i != s and each)
    before = tuple(read(each) for each in sentences[:s])
    comparison = Comparison(claim, read(sentences[s]), around, before)
    conflict = next(iter(comparison.conflicts), None)
    supports = _support(comparison)
    refutes = 0.0
    if conflict:
        about = comparison.predicate if conflict.whole else comparison.subject
        refutes, supports = about * conflict.strength, supports * (1 - conflict.strength)
    if claim.exclusive and not comparison.said.exclusive and (other := besides(comparison)):
        conflict = conflict or Conflict("only", claim.text, other, 0.8)
        refutes, supports = max(refutes, 0.8 * supports), 0.0
    if comparison.denied:
        refutes, supports = supports, refutes
    return Weighed(p, s, comparison, supports, refutes, conflict)


def _support(comparison: Comparison) -> float:
    """What the claim has and the evidence has not takes from its support, names, numbers and kinds the most."""
    kept = 1.0
    for unit in comparison.halves[1]:
        if unit.weight <= LIGHT:
            continue
        if comparison.agreements[unit] < 0.3:
            kept *= WORD_MISSED if unit.sort == "word" else HARD_MISSED
        elif agreement(unit, comparison.said) < 0.3 and unit.sort != "word":
            kept *= HARD_NEARBY
    if not comparison.names_subject and any(unit.sort == "kind" for unit in comparison.halves[1]):
        kept *= ANOTHERS
    own = min(1.0, OWN_SHARE + comparison.here)
    return math.sqrt(comparison.subject) * comparison.predicate * kept * own
