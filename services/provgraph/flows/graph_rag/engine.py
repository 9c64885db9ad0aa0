"""What answers a question between its steps: concepts, selection, text. Two engines keep this protocol.

`model_free.ModelFreeEngine` works by rules and measured evidence; `by_model.ModelEngine` asks a language model,
verifies what it says, and falls back to the other where it fails. Engines ask models, look up sentences and warn by the
run, and record nothing themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from provgraph.flows.graph_rag.selection import EdgeSelection
from provgraph.flows.runner.answers import DraftAnswer
from provgraph.flows.runner.correction import RelevanceCheck
from provgraph.flows.runner.run import Run
from provgraph.ports.retriever import RetrievalResult


@dataclass(frozen=True)
class SelectedEdges:
    """`ignored` counts the lines of a model that named no candidate; None where no model selected."""

    selection: EdgeSelection
    ignored: int | None = None


class Engine(Protocol):
    """Answers one question; may keep state between its steps. No method fails because a model does."""

    @property
    def is_model_free(self) -> bool:
        """Whether what is left to do is done without a model, be it that one was asked and failed."""
        ...

    async def ground(self, run: Run, question: str) -> tuple[str, ...]:
        """The concepts of a question."""
        ...

    async def check(self, run: Run, question: str, candidates: RetrievalResult) -> RelevanceCheck:
        """Whether what was retrieved is relevant to the question; asked only where a question wants it checked."""
        ...

    async def select(self, run: Run, question: str, candidates: RetrievalResult, limit: int) -> SelectedEdges:
        """At most `limit` of the candidate edges, each with the sentences that say it."""
        ...

    async def answer(self, run: Run, question: str, selection: EdgeSelection) -> DraftAnswer:
        """Says the answer, from the selected edges only."""
        ...
