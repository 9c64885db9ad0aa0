"""One question, answered: an async generator of typed events, each recorded before it is told.

Knows nothing of HTTP. The order of events is the design's: session, grounding, retrieval, selection, answer →
text → answer again → finished. What is done at a step is an engine's affair, with a language model or without.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

import anyio
from pyoxigraph import NamedNode, Quad, Triple

from provgraph.catalogue.sources import Source, SourceReader
from provgraph.documents.library import Library
from provgraph.errors import ProvGraphError
from provgraph.graph_rag.accounts import Accounts
from provgraph.graph_rag.engine import Engine, Sources, Statement
from provgraph.graph_rag.engines import Engines
from provgraph.graph_rag.events import CitedSentence, Event, Explained, Finished, TextAdded
from provgraph.graph_rag.identities import resolution_uses
from provgraph.graph_rag.selection import Selection
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import RetrievalLimits, RetrievalRequest, RetrievalResult, Retriever
from provgraph.provenance import trace
from provgraph.provenance.circumstances import Circumstances, circumstance_quads
from provgraph.provenance.model_calls import ignored_quads
from provgraph.provenance.resolution import resolution_quads
from provgraph.provenance.trace import Outcome, Support, TraceScope
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
    engine: str = ""
    circumstances: Circumstances = Circumstances()


@dataclass(frozen=True)
class GraphRag:
    """The services that answering needs; `explain_collection` is where traces are kept."""

    store: QuadStore
    library: Library
    retriever: Retriever
    explain_collection: str
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    engines: Engines = Engines()

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
        self._accounts = Accounts(services.library, services.explain_collection, self._scope)
        self._ended = False

    async def events(self) -> AsyncGenerator[Event]:
        question, scope, names, services = self._question, self._scope, self.names, self._services
        begun = trace.session_quads(scope, question.text, question.collection, services.now())
        put = circumstance_quads(scope, question.circumstances)
        yield await self._explained(names.session, [*begun, *put])

        engine = services.engines.chosen(question.engine)
        grounding = await engine.ground(question.text)
        grounded = trace.grounding_quads(scope, grounding.concepts)
        accounted = await self._accounts.keep("grounding", grounding.account)
        yield await self._explained(names.step("grounding"), [*grounded, *accounted])

        found = await self._retrieve(grounding.concepts)
        seeds = [seed.entity for seed in found.seeds]
        reader = SourceReader(services.store, source_graph(question.collection))
        taken_as_one = await resolution_uses(found, self._sources(reader))
        retrieved = trace.retrieval_quads(scope, len(found.edges), seeds)
        resolved = resolution_quads(scope, taken_as_one)
        yield await self._explained(names.step("retrieval"), [*retrieved, *resolved])

        selected = await engine.select(question.text, found, self._sources(reader), question.edge_limit)
        chosen = [choice.selected for choice in selected.selection.choices]
        ignored = ignored_quads(names, selected.ignored, scope.graph) if selected.ignored is not None else []
        accounted = await self._accounts.keep("selection", selected.account)
        focus = [*trace.selection_quads(scope, chosen), *ignored, *accounted]
        yield await self._explained(names.step("selection"), focus)

        announced = trace.answer_quads(scope)
        yield await self._explained(names.step("answer"), announced)
        async with aclosing(self._tell(engine, selected.selection, announced)) as told:
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
        accounts = self._accounts
        return Finished(
            self.names.session,
            Outcome.FAILED,
            usage=accounts.usage,
            warnings=tuple(accounts.warnings),
            error=error,
        )

    async def _explained(self, entity: NamedNode, quads: Sequence[Quad]) -> Explained:
        await self._services.store.add(quads)
        return Explained(entity, quads)

    async def _retrieve(self, concepts: tuple[str, ...]) -> RetrievalResult:
        question = self._question
        return await self._services.retriever.retrieve(
            RetrievalRequest(
                question.text,
                concepts,
                question.collection,
                question.method,
                chunks=0,
                limits=question.limits,
                without=question.circumstances.without,
            )
        )

    def _sources(self, reader: SourceReader) -> Sources:
        """Every sentence that says a fact, but those of documents that are left out."""
        left_out = set(self._question.circumstances.without.documents)

        async def sources(facts: Sequence[Triple]) -> Mapping[Triple, tuple[Source, ...]]:
            found = await reader.sources(facts)
            return {
                fact: tuple(source for source in said if source.place.document not in left_out)
                for fact, said in found.items()
            }

        return sources if left_out else reader.sources

    async def _tell(
        self, engine: Engine, selection: Selection, announced: Sequence[Quad]
    ) -> AsyncGenerator[Event]:
        names = self.names
        async with aclosing(engine.answer(question=self._question.text, selection=selection)) as parts:
            async for part in parts:
                if isinstance(part, str):
                    yield TextAdded(part)
                else:
                    told = part
        await self._services.library.keep(
            self._services.explain_collection, names.answer_text, told.text.encode()
        )
        accounted = await self._accounts.keep("answer", told.account)
        known = [*trace.support_quads(self._scope, _support(told.statements)), *accounted]
        outcome = Outcome.ANSWERED if told.statements else Outcome.REFUSED
        if told.failure:
            outcome = Outcome.FAILED
        passed_over = trace.passed_over_quads(self._scope, selection.passed_over)
        await self.end(outcome, [*known, *passed_over], str(told.failure or ""))
        yield Explained(names.step("answer"), [*announced, *known])
        yield Finished(
            names.session,
            outcome,
            told.text,
            _cited(names, told.statements),
            self._accounts.usage,
            tuple(self._accounts.warnings),
            told.failure,
        )


def _support(statements: Sequence[Statement]) -> list[Support]:
    return [
        Support(
            said.start,
            said.end,
            said.edges,
            tuple(source.quotation for source in said.sources),
            said.overlap,
        )
        for said in statements
    ]


def _cited(names: SessionNames, statements: Sequence[Statement]) -> tuple[CitedSentence, ...]:
    return tuple(
        CitedSentence(said.start, said.end, tuple(names.edge(index) for index in said.edges), said.sources)
        for said in statements
    )
