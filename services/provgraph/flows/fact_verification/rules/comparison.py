"""A claim held against one sentence of a passage: how much of it the sentence says, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from provgraph.flows.fact_verification.rules.conflicts import conflicts
from provgraph.flows.fact_verification.rules.held import Conflict, Held
from provgraph.flows.fact_verification.rules.reading import Reading, refers_back
from provgraph.flows.fact_verification.rules.units import (
    LIGHT,
    Unit,
    agreement,
    agreement_of,
    borne_by_others,
    by_last_name,
    name_runs,
    units,
)

UNNAMED: Final = 0.7
"""The subject of a sentence that names none, in a passage that names none."""

WORD_NEARBY: Final = 0.4
"""The same of a plain word, as a verb is: what it relates stands in its own sentence."""

ASIDE: Final = 0.2
BY_LAST_NAME: Final = 0.9
NEARBY: Final = 0.75
"""What counts of a word that stands in another sentence of the passage, or in the title."""


@dataclass(frozen=True)
class Comparison:
    """`subject` and `predicate` are the shares (0…1) of the claim's halves that the evidence says."""

    claim: Reading
    said: Reading
    around: tuple[Reading, ...]
    before: tuple[Reading, ...] = ()

    @cached_property
    def halves(self) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
        whole = units(self.claim)
        cut = self.claim.predicate_start
        return tuple(u for u in whole if u.start < cut), tuple(u for u in whole if u.start >= cut)

    @cached_property
    def agreements(self) -> dict[Unit, float]:
        """Of each unit of the claim, how much of it the sentence says, or at a discount what stands around it."""
        found = {unit: self._agreement(unit) for half in self.halves for unit in half}
        for run in (run for half in self.halves for run in name_runs(half)):
            if any(found[unit] < BY_LAST_NAME for unit in run):
                share = BY_LAST_NAME if by_last_name(run, self.said) else 0.0
                nearby = any(by_last_name(run, other) for other in self.around)
                share = max(share, NEARBY if nearby else 0.0)
                found |= {unit: max(found[unit], share) for unit in run}
        return found

    def _agreement(self, unit: Unit) -> float:
        here = agreement(unit, self.said)
        nearby = WORD_NEARBY if unit.sort == "word" and unit.start >= self.claim.predicate_start else NEARBY
        if here >= nearby:
            return here
        return max(here, nearby * max((agreement(unit, other) for other in self.around), default=0.0))

    @cached_property
    def subject(self) -> float:
        """What stands around counts as what stands here: passages keep to their subject. A sentence that begins with a
        pronoun, or as "The film", in a passage that names nobody before, may be about the claim's subject."""
        own, _ = self.halves
        shares = [
            (unit.weight * (ASIDE if self._is_aside(unit) else 1), min(1.0, self.agreements[unit] / NEARBY))
            for unit in own
        ]
        if self.about_another:
            return self._named_here
        return max(_mean(shares), UNNAMED if self.unnamed else 0.0)

    @cached_property
    def about_another(self) -> bool:
        """Whether the sentence begins with a name that is not of the claim's subject."""
        first = next(iter(units(self.said)), None)
        if first is None or first.sort != "name" or first.start > 1 or refers_back(self.said):
            return False
        own, _ = self.halves
        named = any(by_last_name(run, self.said) for run in name_runs(own))
        return not named and all(self._in_the_name(unit) < 0.5 for unit in own if unit.sort == "name")

    @cached_property
    def _named_here(self) -> float:
        """The share of the subject that the sentence itself says."""
        return _mean((unit.weight, self._in_the_name(unit)) for unit in self.halves[0])

    def _in_the_name(self, unit: Unit) -> float:
        """How much of a unit of the subject the sentence says, but of a name that only others have there, nothing."""
        of_others = any(unit in run and borne_by_others(run, self.said) for run in name_runs(self.halves[0]))
        return 0.0 if of_others else agreement(unit, self.said)

    @cached_property
    def here(self) -> float:
        """The share of the predicate that the sentence itself says."""
        return _mean((unit.weight, agreement(unit, self.said)) for unit in self.halves[1])

    @cached_property
    def unnamed(self) -> bool:
        """Whether nothing in the passage says what the sentence is about."""
        if not refers_back(self.said) or not all(refers_back(each) for each in self.before):
            return False
        here = [unit for unit in self.halves[1] if agreement(unit, self.said) >= 0.8 and unit.weight > LIGHT]
        return len(here) >= 3 or sum(unit.sort in ("name", "number", "place") for unit in here) >= 2

    @cached_property
    def denied(self) -> bool:
        """Whether the sentence denies the most of what it says of the claim's predicate."""
        matched = [
            unit for unit in units(self.said) for own in self.halves[1] if agreement_of(own, unit) >= 0.8
        ]
        denied = [unit for unit in matched if any(self._in_scope(at, unit) for at in self.said.negated)]
        return len(self.said.negated) % 2 == 1 and 2 * len(denied) > len(matched)

    def _in_scope(self, negator: int, unit: Unit) -> bool:
        """Whether a unit stands behind a negator in the same clause."""
        between = [token.text.casefold() for token in self.said.tokens[negator : unit.start]]
        return negator <= unit.start and not {",", ";", ".", "but", "(", "because", "although"} & set(between)

    def _is_aside(self, unit: Unit) -> bool:
        """Whether it stands in the brackets by which a name is told from others: "Hush (2016 film)"."""
        tokens = self.claim.tokens
        return "(" in [token.text for token in tokens[: unit.start]]

    @cached_property
    def predicate(self) -> float:
        return _mean((unit.weight, self.agreements[unit]) for unit in self.halves[1])

    @cached_property
    def conflicts(self) -> Sequence[Conflict]:
        """What in the sentence excludes what the claim says, the surest first."""
        return conflicts(self._held)

    @property
    def dated_otherwise(self) -> bool:
        """As `Held.dated_otherwise`."""
        return self._held.dated_otherwise

    @cached_property
    def _held(self) -> Held:
        return Held(
            self.claim, self.said, self.halves[1], self.agreements, self.names_subject, self.halves[0]
        )

    @property
    def loosely_dated(self) -> bool:
        """Whether the year may be that of something else: the sentence has several, or says what the claim relates by
        a word that is only akin to it ("received a prize in 1911 for the discovery of")."""
        akin = (
            unit.sort == "word" and unit.weight > LIGHT and 0 < agreement(unit, self.said) < 1
            for unit in self.halves[1]
        )
        return any(akin) or sum(unit.is_year for unit in units(self.said)) > 1

    @cached_property
    def names_subject(self) -> bool:
        """Whether the sentence itself is about the claim's subject: it names it, or goes on about it."""
        own, _ = self.halves
        by_name = any(by_last_name(run, self.said) for run in name_runs(own))
        return self._named_here >= 0.5 or by_name or (refers_back(self.said) and self.subject >= 0.6)

    @property
    def missing(self) -> tuple[Unit, ...]:
        return tuple(unit for unit, share in self.agreements.items() if share < 0.5)


def _mean(shares: Iterable[tuple[float, float]]) -> float:
    found = list(shares)
    whole = sum(weight for weight, _ in found)
    return sum(weight * share for weight, share in found) / whole if whole else 1.0
