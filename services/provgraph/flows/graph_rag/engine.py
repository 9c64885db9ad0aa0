"""What answers a question between its steps: concepts, selection, text. Two engines keep this protocol.

`model_free.ModelFreeEngine` works by rules and measured evidence; `by_model.engine.ModelEngine` asks a language model,
verifies what it says, and falls back to the other where it fails. Engines know nothing of the store or the trace.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from provgraph.catalogue.sources import Source
from provgraph.flows.graph_rag.selection import Selection
from provgraph.flows.runner.answer_stream import Parts
from provgraph.flows.runner.correction import Checked
from provgraph.flows.runner.usage import Account
from provgraph.ports.retriever import RetrievalResult
from provgraph.rdf.terms import Triple

Sources = Callable[[Sequence[Triple]], Awaitable[Mapping[Triple, tuple[Source, ...]]]]
"""Looks up the sentences that say each of some facts."""


@dataclass(frozen=True)
class Grounding:
    concepts: tuple[str, ...]
    account: Account = Account()


@dataclass(frozen=True)
class Selected:
    """`ignored` counts the lines of a model that named no candidate; None where no model selected."""

    selection: Selection
    ignored: int | None = None
    account: Account = Account()


@dataclass(frozen=True)
class Statement:
    """A sentence of the answer, `text[start:end]`: the indexes of the selected edges behind it, and the words cited.

    Without edges it is unsupported. `overlap` is the measured share (0…1) of its content that the cited words hold,
    None for one that repeats them.
    """

    start: int
    end: int
    edges: tuple[int, ...]
    sources: tuple[Source, ...]
    overlap: float | None = None


class Engine(Protocol):
    """Answers one question; may keep state between its steps. No method fails because a model does."""

    async def ground(self, question: str) -> Grounding: ...

    async def check(self, question: str, found: RetrievalResult) -> Checked:
        """Whether what was retrieved is relevant to the question; asked only where a question wants it checked."""
        ...

    async def select(
        self, question: str, found: RetrievalResult, sources: Sources, limit: int
    ) -> Selected: ...

    def answer(self, question: str, selection: Selection) -> Parts[Statement]: ...
