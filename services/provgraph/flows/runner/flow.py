"""A flow: a way of asking, declared. All that flows have in common, `runner` and `run` do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from provgraph.flows.runner.question import Question
from provgraph.flows.runner.run import Run
from provgraph.flows.runner.services import FlowServices
from provgraph.provenance.flows import FlowName
from provgraph.rdf.terms import Quad
from provgraph.wire.documents import CollectionSettings
from provgraph.wire.flow_requests import FlowRequest, PostedFlowRequest

Q = TypeVar("Q", bound=Question)


class Flow(ABC, Generic[Q]):
    """`path` is its address under /api/v1; `query` and `body` are its requests by GET and by POST.

    `summary` is its title for people, `description` one sentence of what it does. `inherited` are the settings of a
    collection that a question takes where it says nothing, and `unrecorded` the fields of a request that are no
    settings: the trace records them otherwise.
    """

    name: ClassVar[FlowName]
    path: ClassVar[str]
    summary: ClassVar[str | None] = None
    description: ClassVar[str]
    query: ClassVar[type[FlowRequest]]
    body: ClassVar[type[PostedFlowRequest]]
    inherited: ClassVar[tuple[str, ...]] = ("engine", "method")
    unrecorded: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def question(self, request: Any) -> Q:
        """The question of a request. Raises `InvalidInput` and `TooLarge`."""

    def check(self, question: Q, services: FlowServices) -> None:
        """Raises `InvalidInput` for an engine that cannot be, before there is a session."""

    async def resolved(self, question: Q, settings: CollectionSettings, services: FlowServices) -> Q:  # noqa: ARG002
        """The question with its choices made: its own, else its collection's (which the runner put into it where it is
        `inherited`), else the service's.

        Raises `InvalidInput` for a choice that cannot be, and `NotFound`, before there is a session.
        """
        self.check(question, services)
        await services.retriever.accept(question.request())
        return question

    def session_quads(self, run: Run, question: Q) -> Sequence[Quad]:  # noqa: ARG002 (for flows that have more)
        """What the session says of itself besides, as it begins."""
        return ()

    @abstractmethod
    async def answer(self, run: Run, question: Q) -> None:
        """Take the steps of the question: explain each, announce the answer, say it, and finish."""
