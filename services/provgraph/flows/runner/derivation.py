"""How a flow derives a short answer: step by step, each from facts, sentences or the values of steps before it.

    derivation = Derivation()
    dates = derivation.step("select dates", [EdgeInput(0), EdgeInput(2)], "1898, 1902", "When each was discovered.")
    derivation.step("earliest", [dates], "1898", "The first of two dates.")
    draft = replace(draft, short_answer=derivation.short_answer(AnswerKind.DATE))

What is in `DraftAnswer.short_answer` goes all the way: into the reply, the last message and the trace, where each step
is an activity that used its inputs and generated its value.
"""

from __future__ import annotations

from collections.abc import Iterable

from provgraph.provenance.derivation import (
    AnswerKind,
    ChunkInput,
    DerivationStep,
    DerivedAnswer,
    EdgeInput,
    FactInput,
    Input,
    QuotationInput,
    SentenceInput,
    StepInput,
)

__all__ = [
    "AnswerKind",
    "ChunkInput",
    "Derivation",
    "DerivedAnswer",
    "EdgeInput",
    "FactInput",
    "Input",
    "QuotationInput",
    "SentenceInput",
    "StepInput",
]


class Derivation:
    """The steps so far."""

    def __init__(self) -> None:
        self._steps: list[DerivationStep] = []

    def step(
        self,
        operation: str,
        inputs: Iterable[Input],
        value: str,
        explanation: str,
        sparql: str | None = None,
    ) -> StepInput:
        """Add an operation, with the value that it gave and one sentence of why; returns that value as an input.

        `sparql` is a query that gives the same value, where there is one.
        """
        self._steps.append(DerivationStep(operation, tuple(inputs), value, explanation, sparql))
        return StepInput(len(self._steps) - 1)

    def short_answer(self, kind: AnswerKind, text: str = "") -> DerivedAnswer | None:
        """What the steps prove: the value of the last one, or that value as `text` puts it; None without a step.

        Raises ValueError for a step without an input, or one that uses a step that is not before it.
        """
        if not self._steps:
            return None
        return DerivedAnswer(text or self._steps[-1].value, kind, tuple(self._steps))
