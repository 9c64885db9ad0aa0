"""What a judge is given, and what it answers; whoever judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from provgraph.catalogue.sources import Words
from provgraph.flows.fact_verification.evidence import Passage
from provgraph.flows.fact_verification.local_graph import LocalGraph, RankedFact
from provgraph.flows.runner.usage import Account
from provgraph.provenance.verification_trace import Judgement, Stance


@dataclass(frozen=True)
class Material:
    """A claim, the passages retrieved for it, and the local graph of their facts."""

    claim: str
    passages: Sequence[Passage]
    graph: LocalGraph

    def facts_of(self, words: Words) -> list[tuple[int, RankedFact]]:
        """The facts that are read from a sentence, with their indexes in the local graph."""
        return [
            (index, each)
            for index, each in enumerate(self.graph.facts)
            if any(_meet(words, said) for said in each.fact.words)
        ]


@dataclass(frozen=True)
class Argument:
    """Words that speak for or against the claim, in the passage of that index: why, and how surely (0…1)."""

    stance: Stance
    passage: int
    words: Words
    reason: str
    confidence: float


@dataclass(frozen=True)
class Judged:
    """A verdict, the arguments that decided it first; `explanation` is one sentence without its label."""

    judgement: Judgement
    explanation: str
    arguments: tuple[Argument, ...] = ()
    notes: tuple[str, ...] = ()
    account: Account = Account()


class Judge(Protocol):
    """Judges a claim by the material, and by nothing else. Does not fail because a model does."""

    async def judged(self, material: Material) -> Judged: ...


def _meet(one: Words, other: Words) -> bool:
    return one.page == other.page and one.start < other.end and other.start < one.end
