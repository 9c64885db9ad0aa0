"""Does the system say the same of the same, and the opposite of the opposite?"""

from __future__ import annotations

from typing import Final

from provgraph.evaluation.metrics.case import Case
from provgraph.evaluation.metrics.correctness import refuses
from provgraph.evaluation.questions import NOT_ENOUGH_INFO, REFUTES, SUPPORTS
from provgraph.evaluation.replies import FAILED, NEGATION, PARAPHRASE, SystemReply
from provgraph.evaluation.wording import token_f1, without_notes
from provgraph.evaluation.wordings import PERTURBATIONS

ALIKE: Final = 0.7
"""Token F1 from which two texts count as the same answer."""

_OPPOSITE: Final = {SUPPORTS: REFUTES, REFUTES: SUPPORTS, NOT_ENOUGH_INFO: NOT_ENOUGH_INFO}


def logical_consistency(case: Case) -> float | None:
    """Share of other wordings that are answered consistently: a paraphrase by the same label or answer (token F1 of at
    least 0.7, or both refused), the negation of a claim by the opposite label (NOT ENOUGH INFO is its own opposite).
    After Elazar et al. 2021, section 3 (paraphrases) and Kassner and Schütze 2020 (negations)."""
    found = [
        _opposite(case.reply, other) if variant == NEGATION else _same(case.reply, other)
        for variant, other in case.others.items()
        if variant == NEGATION or variant.startswith(PARAPHRASE)
    ]
    return _mean(found)


def stability(case: Case) -> float | None:
    """Share of perturbed wordings (typos, synonyms, word order) to which the same is said: the same label, or an answer
    with a token F1 of at least 0.7, or both refused (robustness to noise: Belinkov and Bisk 2018)."""
    return _mean([_same(case.reply, other) for name, other in case.others.items() if name in PERTURBATIONS])


def _same(one: SystemReply, other: SystemReply) -> float | None:
    if FAILED in (one.outcome, other.outcome):
        return None
    if one.label and other.label:
        return float(one.label == other.label)
    if refuses(one) or refuses(other):
        return float(refuses(one) == refuses(other))
    return float(token_f1(without_notes(one.text), without_notes(other.text)) >= ALIKE)


def _opposite(claim: SystemReply, negation: SystemReply) -> float | None:
    """None for a flow without labels: texts do not show what they deny."""
    if not claim.label or not negation.label:
        return None
    return float(_OPPOSITE[claim.label] == negation.label)


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
