"""What the evidence says of one part of a claim, and how several of them add up. Values only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from provgraph.reading.propositions import Span

Finding = Literal["entailed", "contradicted", "different", "not said"]
_WORTH: Final[dict[Finding, int]] = {"entailed": 3, "contradicted": 2, "different": 1, "not said": 0}


@dataclass(frozen=True)
class Outcome:
    """What the evidence says of one part of the claim. `weight` is below 1 where the link is less than literal."""

    finding: Finding
    span: Span | None = None
    why: str = ""
    weight: float = 1.0

    @property
    def worth(self) -> float:
        return _WORTH[self.finding] + self.weight / 2


UNNAMED: Final = "what the text speaks of, without naming it"
WHOLE: Final = "the same words"
"""Why a phrase is met with all that narrows it."""
WIDER: Final = frozenset(
    ("a place within it", "follows from the word", "the same value or within it", "the place belongs to it")
)
"""Why a part is met that is wider than what the evidence says."""
EXCLUDED: Final = "the words exclude each other"
NOT_SAID: Final = Outcome("not said", weight=0.0)


def best(outcomes: Iterable[Outcome]) -> Outcome:
    return max(outcomes, key=lambda outcome: outcome.worth, default=NOT_SAID)


def all_of(outcomes: Iterable[Outcome]) -> Outcome:
    """Entailed where all are; contradicted where one is and the others are met; the first is the one that is told."""
    some = list(outcomes)
    weight = 1.0
    for outcome in some:
        weight *= outcome.weight if outcome.finding == "entailed" else 1.0
    for finding in ("not said", "different", "contradicted"):
        for outcome in some:
            if outcome.finding == finding:
                return outcome
    return Outcome("entailed", some[0].span, some[0].why, weight) if some else NOT_SAID
