"""A statement of a claim laid on one of a text: its parts, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from provgraph.reading.propositions import Span
from provgraph.reading.values import Quantity
from provgraph.verdicts.outcomes import UNNAMED, Outcome
from provgraph.verdicts.texts import TextMeaning
from provgraph.verdicts.things import Statement, Thing
from provgraph.verdicts.within_things import is_date

ANOTHER: Final = "the text names another"
CORE: Final = ("A", "P", "C", "R")
OPPOSITE: Final = "excludes it"
ANOTHER_TIME: Final = "said of another time"


@dataclass(frozen=True)
class Part:
    """One part of a claim's statement: its `role`, the claim's words, and what the evidence says of it."""

    role: str
    span: Span
    outcome: Outcome
    thing: Thing | None = None


@dataclass(frozen=True)
class Alignment:
    """A statement of the claim laid on one of the evidence. `statement` is None where none fits."""

    claimed: Statement
    parts: tuple[Part, ...]
    text: TextMeaning | None = None
    said: Statement | None = None

    @property
    def entailed(self) -> bool:
        met = bool(self.parts) and all(part.outcome.finding == "entailed" for part in self.parts)
        return met and (not self._unnamed or self._specific)

    @property
    def _unnamed(self) -> bool:
        """Whether the text leaves open what it speaks of."""
        return any(part.outcome.why == UNNAMED for part in self.parts)

    @property
    def _specific(self) -> bool:
        """Whether another name or a value shows that it speaks of the same."""
        others = [p for p in self.parts if p.thing is not None and p.outcome.why != UNNAMED]
        return any(
            p.outcome.finding == "entailed" and p.thing is not None
            and (p.thing.kind == "name" or (is_date(p.thing) and p.thing.value.precision == "day"))  # type: ignore[union-attr]
            for p in others
        )  # fmt: skip

    @property
    def contradicted(self) -> bool:
        """One part is excluded, all others that say what it is about are met."""
        bad = [part for part in self.parts if part.outcome.finding == "contradicted"]
        if not bad or (self._unnamed and not self._specific):
            return False
        rest = [p for p in self.parts if p.outcome.finding != "contradicted" and _identifies(p)]
        if any(p.role == "predicate" and p.outcome.why.endswith(OPPOSITE) for p in bad):
            rest = [p for p in self.parts if p not in bad]  # who died in Linz may have lived in Graz
        met = all(part.outcome.finding == "entailed" for part in rest)
        if any(p.outcome.why == ANOTHER_TIME for p in self.parts) and any(map(_is_number, bad)):
            return False  # sales of 2019 and of 2020
        alike = len(bad) == 1 or all(part.role == "C" for part in bad)
        return met and alike and any(part.thing is not None for part in rest)

    @property
    def weight(self) -> float:
        result = 1.0
        for part in self.parts:
            result *= part.outcome.weight if part.outcome.finding == "entailed" else 1.0
        return result

    @property
    def score(self) -> float:
        met = sum(part.outcome.finding == "entailed" for part in self.parts)
        share = met / len(self.parts) if self.parts else 0.0
        return (4.0 if self.entailed else 3.0 if self.contradicted else 0.0) + share + self.weight / 10


def _is_number(part: Part) -> bool:
    return part.thing is not None and isinstance(part.thing.value, Quantity)


def _identifies(part: Part) -> bool:
    return part.role in (*CORE, "predicate")
