"""The verdict on a claim, as values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from provgraph.client.evidence import Json, QuotedSource
from provgraph.client.verdict_page import verdict_page


@dataclass(frozen=True)
class ClaimPart:
    """A part of a claim, `claim[start:end] == text`; `relation` is entailed, contradicted or not said, and `source` the
    words that say it."""

    text: str
    start: int
    end: int
    role: str
    relation: str
    why: str
    source: QuotedSource | None


@dataclass(frozen=True)
class EvidenceForClaim:
    """Words for or against a claim, why, and how surely (0 to 1)."""

    reason: str
    confidence: float
    source: QuotedSource


@dataclass(frozen=True)
class ProvedVerdict:
    """`label` is SUPPORTS, REFUTES or NOT ENOUGH INFO; `confidence` is how often verdicts like it are right, and
    `coverage` the share of the claim that documents entail, both 0 to 1. `missing` says what no document says."""

    claim: str
    label: str
    confidence: float
    coverage: float
    explanation: str
    elements: tuple[ClaimPart, ...]
    supporting: tuple[EvidenceForClaim, ...]
    opposing: tuple[EvidenceForClaim, ...]
    session: str
    missing: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.label}: {self.explanation}"

    def _repr_html_(self) -> str:
        return verdict_page(self)

    @staticmethod
    def of(claim: str, told: Json) -> ProvedVerdict:
        verdict = told["verdict"]
        return ProvedVerdict(
            claim=claim,
            label=verdict["label"],
            confidence=verdict["confidence"],
            coverage=verdict["coverage"],
            explanation=verdict["explanation"],
            elements=tuple(map(_part, verdict.get("elements", ()))),
            supporting=_evidence(verdict.get("for", ())),
            opposing=_evidence(verdict.get("against", ())),
            session=told.get("session", ""),
            missing=verdict.get("missing", ""),
            notes=tuple(verdict.get("notes", ())),
        )


def _part(told: Json) -> ClaimPart:
    return ClaimPart(
        text=told["element"],
        start=told["start"],
        end=told["end"],
        role=told["role"],
        relation=told["relation"],
        why=told["why"],
        source=QuotedSource.of(told["evidence"]) if told.get("evidence") else None,
    )


def _evidence(told: Iterable[Json]) -> tuple[EvidenceForClaim, ...]:
    return tuple(
        EvidenceForClaim(each["reason"], each["confidence"], QuotedSource.of(each["source"])) for each in told
    )
