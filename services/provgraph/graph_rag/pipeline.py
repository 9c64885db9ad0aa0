"""One question, answered: an async generator of typed events, each recorded before it is told.

Knows nothing of HTTP. The order of events is the design's: session, grounding, retrieval, selection, answer →
text → answer again → finished.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

import anyio
from pyoxigraph import NamedNode, Quad

from provgraph.catalogue.sources import SourceReader
from provgraph.documents.library import Library
from provgraph.errors import ProvGraphError
from provgraph.graph_rag.composition import REFUSAL, Sentence, compose
from provgraph.graph_rag.events import CitedSentence, Event, Explained, Finished, TextAdded
from provgraph.graph_rag.expectation import expectation
from provgraph.graph_rag.grounding import concepts
from provgraph.graph_rag.selection import Ballot, Selection, explained
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import RetrievalLimits, RetrievalRequest, RetrievalResult, Retriever
from provgraph.provenance import trace
from provgraph.provenance.trace import Outcome, Support, TraceScope, Usage
from provgraph.rdf.graphs import retrieval_graph, source_graph
from provgraph.rdf.iris import SessionNames

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Question:
    text: str
    collection: str = "default"
    method: str = ""
    limits: RetrievalLimits = RetrievalLimits()
    edge_limit: int = 25


@dataclass(frozen=True)
class GraphRag:
    """The services that answering needs; `explain_collection` is where traces are kept."""

    store: QuadStore
    library: Library
    retriever: Retriever
    explain_collection: str
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def answer(self, question: Question) -> AsyncGenerator[Event]:
        """The events of one session, `Finished` last.

        The session ends in the store however the generator ends: answered, refused, failed (told by
        `Finished.error`), or cut off, when the caller closes the generator or cancels its task.
        """
        session = _Session(self, question)
        try:
            async with aclosing(session.events()) as events:
                async for event in events:
                    yield event
        except ProvGraphError as error:
            yield await session.failed(error)
        except Exception as error:
            failure = ProvGraphError(
                f"The answer failed unexpectedly ({type(error).__name__}). The service's log says more; "
                "please report it."
            )
            yield await session.failed(failure)
            raise
        except BaseException:
            with anyio.CancelScope(shield=True):
                await session.end(Outcome.CUT_OFF, failure="Cut off before the answer was complete.")
            raise


class _Session:
    """The steps of one question, under the names of one trace."""

    def __init__(self, services: GraphRag, question: Question) -> None:
        self.names = SessionNames(str(uuid4()))
        self._services = services
        self._question = question
        self._scope = TraceScope(self.names, retrieval_graph(services.explain_collection))
        self._ended = False

    async def events(self) -> AsyncGenerator[Event]:
        question, scope, names = self._question, self._scope, self.names
        begun = trace.session_quads(scope, question.text, question.collection, self._services.now())
        yield await self._explained(names.session, begun)

        about = concepts(question.text)
        yield await self._explained(names.step("grounding"), trace.grounding_quads(scope, about))

        found = await self._services.retriever.retrieve(
            RetrievalRequest(
                question.text, about, question.collection, question.method, chunks=0, limits=question.limits
            )
        )
        seeds = [seed.entity for seed in found.seeds]
        retrieved = trace.retrieval_quads(scope, len(found.edges), seeds)
        yield await self._explained(names.step("retrieval"), retrieved)

        selection = await self._select(found)
        chosen = [choice.selected for choice in selection.choices]
        yield await self._explained(names.step("selection"), trace.selection_quads(scope, chosen))

        announced = trace.answer_quads(scope)
        yield await self._explained(names.step("answer"), announced)
        async with aclosing(self._tell(selection, announced)) as told:
            async for event in told:
                yield event

    async def end(self, outcome: Outcome, quads: Iterable[Quad] = (), failure: str = "") -> None:
        """Record how the session ended, once: later calls change nothing.

        A write that is cut off still takes place, so only one that fails may be tried again.
        """
        if self._ended:
            return
        self._ended = True
        ending = trace.ending_quads(self._scope, outcome, self._services.now(), failure)
        try:
            await self._services.store.add([*quads, *ending])
        except ProvGraphError:
            self._ended = False
            raise

    async def failed(self, error: ProvGraphError) -> Finished:
        """The last event of a session that failed; told also where the store can no longer record it."""
        try:
            await self.end(Outcome.FAILED, failure=str(error))
        except ProvGraphError:
            logger.exception("that a session failed was not recorded; the next start closes it")
        return Finished(self.names.session, Outcome.FAILED, error=error)

    async def _explained(self, entity: NamedNode, quads: Sequence[Quad]) -> Explained:
        await self._services.store.add(quads)
        return Explained(entity, quads)

    async def _select(self, found: RetrievalResult) -> Selection:
        reader = SourceReader(self._services.store, source_graph(self._question.collection))
        question = self._question
        ballot = Ballot(found.terms, found.edges, question.edge_limit, expectation(question.text))
        return explained(ballot, await reader.sources([edge.triple for edge in ballot.chosen]))

    async def _tell(self, selection: Selection, announced: Sequence[Quad]) -> AsyncGenerator[Event]:
        services, names = self._services, self.names
        sentences = compose(selection.choices)
        for index, sentence in enumerate(sentences):
            yield TextAdded(sentence.text if index == 0 else f" {sentence.text}")
        if not sentences:
            yield TextAdded(REFUSAL)
        text = " ".join(sentence.text for sentence in sentences) or REFUSAL
        await services.library.keep(services.explain_collection, names.answer_text, text.encode())
        spans = _spans(sentences)
        support = trace.support_quads(self._scope, spans, Usage())
        passed_over = trace.passed_over_quads(self._scope, selection.passed_over)
        outcome = Outcome.ANSWERED if sentences else Outcome.REFUSED
        await self.end(outcome, [*support, *passed_over])
        yield Explained(names.step("answer"), [*announced, *support])
        yield Finished(names.session, outcome, text, _cited(names, sentences, spans))


def _spans(sentences: Sequence[Sentence]) -> list[Support]:
    spans: list[Support] = []
    start = 0
    for sentence in sentences:
        end = start + len(sentence.text)
        spans.append(
            Support(start, end, sentence.edges, tuple(source.quotation for source in sentence.sources))
        )
        start = end + 1
    return spans


def _cited(
    names: SessionNames, sentences: Sequence[Sentence], spans: Sequence[Support]
) -> tuple[CitedSentence, ...]:
    return tuple(
        CitedSentence(
            span.start, span.end, tuple(names.edge(index) for index in span.edges), sentence.sources
        )
        for sentence, span in zip(sentences, spans, strict=True)
    )
