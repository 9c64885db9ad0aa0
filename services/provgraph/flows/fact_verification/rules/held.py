"""A claim held against a sentence, part by part, and what a conflict between the two is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from provgraph.flows.fact_verification.rules.reading import AUXILIARIES, Reading
from provgraph.flows.fact_verification.rules.units import LIGHT, Unit, agreement, units

PREPOSITIONS: Final = frozenset("in at from of to by on near for with into within during since until".split())
_ENDS_DEFINITION: Final = frozenset(
    "by of who that which from in at on for with whose where based created directed written starring developed".split()
)


@dataclass(frozen=True)
class Conflict:
    """`claimed` of the claim against `said` of the sentence; `sort` names the rule, `strength` is in 0…1."""

    sort: str
    claimed: str
    said: str
    strength: float
    whole: bool = False
    """Whether it is the subject itself that is another."""


@dataclass(frozen=True)
class Held:
    """A claim held against a sentence: the predicate's units, how much of each the evidence says, and how much of the
    subject the sentence itself names."""

    claim: Reading
    said: Reading
    predicate: Sequence[Unit]
    agreements: Mapping[Unit, float]
    named: bool
    subject: Sequence[Unit] = ()

    def context(self, unit: Unit) -> float:
        """The share of the rest of the predicate that the evidence says; 0.6 where there is no rest."""
        others = [each for each in self.predicate if each is not unit]
        whole = sum(each.weight for each in others)
        return sum(each.weight * self.agreements[each] for each in others) / whole if whole else 0.6

    @cached_property
    def dated_otherwise(self) -> bool:
        """Whether the sentence says of the named subject, in the claim's own words, all but the year, and has another.

        Then that the claim's year stands in a sentence nearby does not help the claim.
        """
        missing = [unit for unit in self.predicate if unit.weight > LIGHT and agreement(unit, self.said) < 1]
        return (
            self.named
            and 0 < len(missing) < len(self.predicate)
            and all(unit.is_year for unit in missing)
            and any(unit.is_year for unit in units(self.said))
        )

    def relation(self, unit: Unit) -> Unit | None:
        """The word of the predicate before a unit."""
        before = [each for each in self.predicate if each.end <= unit.start and each.sort in ("word", "kind")]
        return before[-1] if before else None

    def defines(self, unit: Unit) -> bool:
        """Whether the claim says by this unit what its subject is: "is an American unit", "is unit"."""
        start = self.claim.predicate_start
        between = [token.text.casefold() for token in self.claim.tokens[start : unit.start]]
        return (
            bool(between)
            and between[0] in AUXILIARIES
            and between[0] not in ("has", "had", "have", "do", "does", "did")
            and not set(between) & (PREPOSITIONS | {"that", "called", "which"})
            and all(self.claim.tokens[unit.start - i - 1].text.casefold() not in ("to",) for i in range(1))
        )

    @cached_property
    def definition(self) -> range:
        """The tokens of the sentence that say what its subject is: from "is a" up to a preposition or stop."""
        tokens = self.said.tokens
        for index, token in enumerate(tokens[:-1]):
            follows = tokens[index + 1].text.casefold()
            if token.text.casefold() in ("is", "was", "are", "were") and follows in ("a", "an", "the", "one"):
                end = index + 2
                while end < len(tokens) and not self._ends(end):
                    end += 1
                return range(index, end)
        return range(0)

    def _ends(self, index: int) -> bool:
        word = self.said.tokens[index].text.casefold()
        return word in _ENDS_DEFINITION or word in (".", ";", "(")

    @cached_property
    def heads(self) -> tuple[Unit, ...]:
        """The kinds that the sentence defines its subject by, without those that only describe another."""
        found = [
            unit
            for unit in units(self.said)
            if unit.start in self.definition and unit.end <= self.definition.stop
        ]
        starts = {unit.start for unit in found}
        return tuple(unit for unit in found if unit.sort == "kind" and unit.end not in starts)
