"""What a metric is given, and what a metric is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from provgraph.evaluation.questions import EvaluationQuestion
from provgraph.evaluation.replies import SystemReply


@dataclass(frozen=True)
class Case:
    """A question, the reply to it, and `others`: the same system's replies to its other wordings, by variant."""

    question: EvaluationQuestion
    reply: SystemReply
    others: Mapping[str, SystemReply] = field(default_factory=dict)


@dataclass(frozen=True)
class Metric:
    """`measure` gives a number for one case, None where there is nothing to measure; a system's figure is their mean.

    The unit is a share from 0 to 1, or milliseconds.
    """

    name: str
    measure: Callable[[Case], float | None]
    better: Literal["higher", "lower", "neither"] = "higher"
    unit: Literal["share", "ms"] = "share"

    @property
    def definition(self) -> str:
        """What it is and where that comes from: the docstring of what measures it."""
        return " ".join((self.measure.__doc__ or "").split())
