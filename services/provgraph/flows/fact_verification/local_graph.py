"""The local graph of a claim: the facts of its passages, ranked by scores that spread from what the claim names."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.flows.fact_verification.evidence import GraphFact
from provgraph.language.terms import content_terms
from provgraph.propagation import fact_rank, spread, started

MOST_FACTS: Final = 30
"""Facts that the judge reads; the others are passed over."""


@dataclass(frozen=True)
class RankedFact:
    """`rank` is what equation 4 gives it, in 0…1; `met` are the words of the claim that its labels have."""

    fact: GraphFact
    rank: float
    met: tuple[str, ...]


@dataclass(frozen=True)
class LocalGraph:
    """The facts best first: those that are read, and those beyond `MOST_FACTS`."""

    facts: tuple[RankedFact, ...] = ()
    beyond: tuple[RankedFact, ...] = ()

    def linearised(self) -> str:
        """A line for each fact: `[1] subject | relation | object (0.90)`."""
        return "\n".join(
            f"[{number}] {' | '.join(map(_one_line, each.fact.labels))} ({each.fact.confidence:.2f})"
            for number, each in enumerate(self.facts, 1)
        )


def local_graph(claim: str, facts: Sequence[GraphFact]) -> LocalGraph:
    """All facts of the passages, ranked."""
    asked = content_terms(claim)
    near, central = _spread(set(asked), facts), _centrality(facts)
    ranked = [
        RankedFact(
            fact,
            fact_rank(_mean(near, fact), _mean(central, fact), fact.confidence),
            tuple(said for term, said in asked.items() if term in content_terms(" ".join(fact.labels))),
        )
        for fact in facts
    ]
    ranked.sort(key=lambda each: (-each.rank, each.fact.rank, each.fact.words[0].start))
    return LocalGraph(tuple(ranked[:MOST_FACTS]), tuple(ranked[MOST_FACTS:]))


def _spread(asked: set[str], facts: Sequence[GraphFact]) -> Mapping[str, float]:
    """The scores of the ends, the largest 1; each starts by its likeness to the claim and its passage's rank."""
    start: dict[str, float] = {}
    ties: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for fact in facts:
        for end, label in zip(fact.ends, (fact.labels[0], fact.labels[2]), strict=True):
            score = started(_likeness(asked, label), fact.rank)
            start[end] = max(score, start.get(end, 0.0))
        one, other = fact.ends
        if one != other:
            ties[one][other] += fact.confidence
            ties[other][one] += fact.confidence
    scores = spread(start, ties)
    top = max(scores.values(), default=0.0) or 1.0
    return {end: score / top for end, score in scores.items()}


def _likeness(asked: set[str], label: str) -> float:
    """How much of a name's words the claim has."""
    own = set(content_terms(label))
    return len(own & asked) / len(own) if own else 0.0


def _centrality(facts: Sequence[GraphFact]) -> Mapping[str, float]:
    """ln(1 + degree), beside the largest."""
    degrees: dict[str, int] = defaultdict(int)
    for fact in facts:
        for end in fact.ends:
            degrees[end] += 1
    most = math.log1p(max(degrees.values(), default=1))
    return {end: math.log1p(degree) / most for end, degree in degrees.items()}


def _mean(scores: Mapping[str, float], fact: GraphFact) -> float:
    return sum(scores[end] for end in fact.ends) / len(fact.ends)


def _one_line(label: str) -> str:
    return " ".join(label.replace("|", "/").split())
