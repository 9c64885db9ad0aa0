"""What a derivation comes to: a short answer with its steps, sentences that probably hold one, or what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from provgraph.derivation.evidence import Support

CONNECT: Final = "connect"
"""The operation of a step that only leads to the passage of an answer: both speak of one thing."""
AnswerKind = Literal["entity", "date", "number", "yes-no", "list", "count", "span"]


@dataclass(frozen=True)
class Step:
    """One operation and its value, with the sentences it stands on and the earlier steps (by index) whose values it
    used. `operation` is a verb phrase of the field: "look up", "compare", "count"."""

    operation: str
    value: str
    explanation: str
    supports: tuple[Support, ...] = ()
    uses: tuple[int, ...] = ()
    sparql: str = ""


def joined_steps(before: Sequence[Step], later: Sequence[Step], *, leads: bool = True) -> tuple[Step, ...]:
    """All steps, one behind the other; where those before lead to the later ones, these stand on the last of them where
    they stand on none of their own."""
    size = len(before)
    last = (size - 1,) if size and leads else ()
    return (*before, *(replace(step, uses=tuple(use + size for use in step.uses) or last) for step in later))


@dataclass(frozen=True)
class Derived:
    """A short answer; the last of `steps` gave `text`. `confidence` (0…1) is how likely it is right, as measured.

    `completeness` is a sentence that says what was read of a table, a list or a document, and what could not be.
    """

    text: str
    kind: AnswerKind
    steps: tuple[Step, ...]
    confidence: float
    completeness: str = ""

    @property
    def ending(self) -> tuple[Support, ...]:
        """The sentences that the last step stands on."""
        return self.steps[-1].supports if self.steps else ()


@dataclass(frozen=True)
class Probable:
    """No short answer that is likely enough to be given, but sentences that probably hold it."""

    steps: tuple[Step, ...]
    confidence: float


@dataclass(frozen=True)
class Incomplete:
    """No short answer: the steps that could be taken, and in a sentence what no passage says."""

    steps: tuple[Step, ...]
    missing: str
