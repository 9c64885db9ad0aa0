"""Selection without a model: which of the candidate edges answer, by measured evidence.

The measure is coverage: the share of the question's inverse-document-frequency weight whose words an edge, or the
sentence it was read from, meets. A word that the collection never uses weighs as much as its rarest, so a question
about something unknown cannot be covered, however much of the rest matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Source
from provgraph.ports.retriever import CandidateEdge, QuestionTerm
from provgraph.provenance.trace import PassedOver, Selected

SELECTOR: Final = "evidence-selector"

REFUSAL_COVERAGE: Final = 0.5
"""Below this the best evidence does not meet the question, and there is no answer (docs/tech-specs/refusal.md)."""

RELATIVE_COVERAGE: Final = 0.75
"""An edge is chosen when its coverage reaches this share of the best edge's."""


@dataclass(frozen=True)
class Evidence:
    """A candidate edge and the sentences that say it."""

    candidate: CandidateEdge
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Choice:
    """A selected edge with its evidence; `coverage` is in 0…1."""

    selected: Selected
    evidence: Evidence
    coverage: float


@dataclass(frozen=True)
class Selection:
    choices: tuple[Choice, ...]
    passed_over: tuple[PassedOver, ...]


def select(terms: Sequence[QuestionTerm], evidence: Sequence[Evidence], limit: int) -> Selection:
    """Choose at most `limit` edges; none at all when the best does not meet the question."""
    ranked = sorted(evidence, key=lambda item: (-item.candidate.coverage, -item.candidate.score))
    best = ranked[0].candidate.coverage if ranked else 0.0
    cut = max(REFUSAL_COVERAGE, RELATIVE_COVERAGE * best)
    choices: list[Choice] = []
    passed_over: list[PassedOver] = []
    for item in ranked:
        candidate = item.candidate
        if candidate.coverage >= cut and item.sources and len(choices) < limit:
            choices.append(_choice(item, len(terms)))
        else:
            passed_over.append(PassedOver(candidate.triple, candidate.score, _why_not(item, cut, limit)))
    return Selection(tuple(choices), tuple(passed_over))


def _choice(item: Evidence, term_count: int) -> Choice:
    candidate = item.candidate
    selected = Selected(
        edge=candidate.triple,
        score=candidate.score,
        concepts=candidate.terms,
        reasoning=_reason(item, term_count),
        agent=SELECTOR,
    )
    return Choice(selected, item, candidate.coverage)


def _reason(item: Evidence, term_count: int) -> str:
    candidate = item.candidate
    parts = [f"Meets {_terms(candidate, term_count)}, {candidate.coverage:.0%} of the question's weight"]
    if candidate.path:
        parts.append(f"reached by {' → '.join(candidate.path)}")
    documents = len({source.place.document for source in item.sources})
    parts.append(
        f"read in {_count(len(item.sources), 'sentence')} of {_count(documents, 'document')} "
        f"with confidence {candidate.confidence:.2f}"
    )
    return f"{'; '.join(parts)}."


def _why_not(item: Evidence, cut: float, limit: int) -> str:
    coverage = item.candidate.coverage
    if coverage < cut:
        return f"Covers {coverage:.0%} of the question's weight, below the cut of {cut:.0%}."
    if not item.sources:
        return "No sentence in the library says it."
    return f"Ranked after the {limit} edges selected."


def _terms(candidate: CandidateEdge, term_count: int) -> str:
    met = f"{len(candidate.terms)} of {_count(term_count, 'term')}"
    return f"{met} ({', '.join(candidate.terms)})" if candidate.terms else met


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
