"""How much of a question evidence meets, how much it has to meet, and what adds most to what is met already.

docs/tech-specs/refusal.md says where the numbers come from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

EVIDENCE: Final = 0.9
"""What coverage × √(number of terms) × known share of the question must reach; less is no answer."""

ENOUGH: Final = 0.75
"""Coverage that is always enough, however short the question."""

LEAST_GAIN: Final = 0.1
"""Share of the question's weight that a further candidate must add to what those before it cover."""

Candidate = TypeVar("Candidate")


def needed_coverage(term_count: int, known: float) -> float:
    """The share of the question's weight that the best evidence must meet.

    What n terms need falls with √n, as the coverage met by chance does; where only the share `known` of the question
    is known to the collection at all, it rises.
    """
    return min(ENOUGH, EVIDENCE / math.sqrt(term_count)) / known if known else math.inf


def as_shares(weights: Mapping[str, float]) -> dict[str, float]:
    """Each weight as a share of all of them (together 1); nothing where they are nothing."""
    whole = sum(weights.values())
    return {term: weight / whole for term, weight in weights.items()} if whole else {}


@dataclass
class Coverage:
    """What is covered so far of each term (0…1), by `weights` that add up to 1."""

    weights: Mapping[str, float]
    covered: dict[str, float] = field(default_factory=dict)

    def gain(self, shares: Mapping[str, float]) -> float:
        """The share of the question's weight that these shares of its terms add to what is covered."""
        return sum(
            self.weights.get(term, 0.0) * max(0.0, share - self.covered.get(term, 0.0))
            for term, share in shares.items()
        )

    def add(self, shares: Mapping[str, float]) -> None:
        for term, share in shares.items():
            self.covered[term] = max(share, self.covered.get(term, 0.0))


def greedily(
    candidates: Sequence[Candidate],
    coverage: Coverage,
    shares: Callable[[Candidate], Mapping[str, float]],
    *,
    eligible: Callable[[Candidate], bool] = lambda _: True,
    merit: Callable[[Candidate, float], float] = lambda _, gain: gain,
) -> Iterator[Candidate]:
    """One at a time the candidate of most merit among those that add at least `LEAST_GAIN`, and are eligible then.

    Each is added to the coverage when it is given. The first of equals is chosen. Greedy choice by what is added is
    within 1 - 1/e of the best choice (Nemhauser, Wolsey and Fisher 1978).
    """
    while True:
        gains = [
            (coverage.gain(shares(candidate)), candidate) for candidate in candidates if eligible(candidate)
        ]
        adding = [(gain, each) for gain, each in gains if gain >= LEAST_GAIN]
        if not adding:
            return
        best = max(adding, key=lambda pair: merit(pair[1], pair[0]))[1]
        coverage.add(shares(best))
        yield best
