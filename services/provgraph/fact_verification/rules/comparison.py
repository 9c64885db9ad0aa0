"""A claim held against one sentence of a passage: how much of it the sentence says, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from provgraph.fact_verification.rules.conflicts import Conflict, conflicts
from provgraph.fact_verification.rules.reading import Reading
from provgraph.fact_verification.rules.units import Unit, agreement, units

NEARBY: Final = 0.75
"""What counts of a word that stands in another sentence of the passage, or in the title."""


@dataclass(frozen=True)
class Comparison:
    """`subject` and `predicate` are the shares (0…1) of the claim's halves that the evidence says."""

    claim: Reading
    said: Reading
    around: tuple[Reading, ...]

    @cached_property
    def halves(self) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
        whole = units(self.claim)
        cut = self.claim.predicate_start
        return tuple(u for u in whole if u.start < cut), tuple(u for u in whole if u.start >= cut)

    @cached_property
    def agreements(self) -> dict[Unit, float]:
        """Of each unit of the claim, how much of it the sentence says, or at a discount what stands around it."""
        return {unit: self._agreement(unit) for half in self.halves for unit in half}

    def _agreement(self, unit: Unit) -> float:
        here = agreement(unit, self.said)
        if here >= NEARBY:
            return here
        return max(here, NEARBY * max((agreement(unit, other) for other in self.around), default=0.0))

    @cached_property
    def subject(self) -> float:
        own, _ = self.halves
        found = [(unit.weight, max([agreement(unit, r) for r in (self.said, *self.around)])) for unit in own]
        return _mean(found)

    @cached_property
    def predicate(self) -> float:
        return _mean((unit.weight, self.agreements[unit]) for unit in self.halves[1])

    @cached_property
    def conflicts(self) -> Sequence[Conflict]:
        """What in the sentence excludes what the claim says, the surest first."""
        return conflicts(self.claim, self.said, self.halves[1], self.agreements)

    @property
    def missing(self) -> tuple[Unit, ...]:
        return tuple(unit for unit, share in self.agreements.items() if share < 0.5)


def _mean(shares: Iterable[tuple[float, float]]) -> float:
    found = list(shares)
    whole = sum(weight for weight, _ in found)
    return sum(weight * share for weight, share in found) / whole if whole else 1.0
