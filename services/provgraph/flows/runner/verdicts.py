"""A verdict on a claim, as values that messages encode: its label, and the words for and against it."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.catalogue.sources import Words
from provgraph.provenance.verification_trace import Judgement, Stance
from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class FactOfFinding:
    """Subject, relation and object in labels; `edge` is its IRI in the trace, None for one that a model only read."""

    edge: NamedNode | None
    labels: tuple[str, str, str]
    confidence: float


@dataclass(frozen=True)
class Finding:
    """Words that speak for or against a claim: why, how surely (0…1), and the facts that were read from them."""

    stance: Stance
    reason: str
    confidence: float
    words: Words
    facts: tuple[FactOfFinding, ...] = ()


@dataclass(frozen=True)
class FoundVerdict:
    """`explanation` says in one or two sentences what the label rests on; `notes` what a reader should know besides."""

    judgement: Judgement
    explanation: str
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
