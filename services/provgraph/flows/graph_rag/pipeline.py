"""One question, answered: an async generator of typed events, each recorded before it is told.

Knows nothing of HTTP. The order of events is the design's: session, grounding, retrieval, selection, answer →
text → answer again → finished. What is done at a step is an engine's affair, with a language model or without.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.sources import Source, SourceReader
from provgraph.documents.library import Library
from provgraph.flows.graph_rag.candidates import KEPT, CandidateSearch, SearchPlan
from provgraph.flows.graph_rag.engine import Sources, Statement
from provgraph.flows.graph_rag.engines import Engines
from provgraph.flows.graph_rag.question import AnswerDefaults, Question
from provgraph.flows.graph_rag.selection import Selection
from provgraph.flows.runner.answer_stream import Ending, Told, tell
from provgraph.flows.runner.events import CitedSentence, Event
from provgraph.flows.runner.record import SessionRecord
from provgraph.flows.runner.reranking import reranker_unasked
from provgraph.flows.runner.session_leases import HERE
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.reranker import NOBODY, Reranker, reranker_named
from provgraph.ports.retriever import RetrievalRequest, Retriever
from provgraph.provenance import trace
from provgraph.provenance.circumstances import circumstance_quads
from provgraph.provenance.flows import GRAPH_RAG
from provgraph.provenance.model_calls import ignored_quads
from provgraph.provenance.trace import Support
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import NamedNode, Triple


@dataclass(frozen=True)
class GraphRag:
    """The services that answering needs; `explain_collection` is where traces are kept."""

    store: QuadStore
    library: Library
    retriever: Retriever
    explain_collection: str
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    engines: Engines = Engines()
    rerankers: Mapping[str, Reranker] = field(default_factory=dict)
    defaults: AnswerDefaults = AnswerDefaults()
    process: NamedNode = HERE

    async def resolved(self, question: Question) -> Question:
        """The question with all its choices made: its own, else its collection's, else the service's.

        Raises `NotFound` for a collection that there is not, and `InvalidInput` for a choice that cannot be.
        """
        kept = await Collections(self.store, self.explain_collection).settings(question.collection)
        chosen = replace(
            question, engine=question.engine or kept.engine, method=question.method or kept.method
        )
        self.engines.chosen(chosen.engine)
        reranker_named(self.rerankers, question.rerank or NOBODY)
        await self.retriever.accept(
            RetrievalRequest(chosen.text, method=chosen.method, parameters=chosen.parameters)
        )
        wanted = _first(kept.rerank, self.defaults.rerank)
        return replace(
            chosen,
            corrective=_first(question.corrective, kept.corrective, self.defaults.corrective),
            rerank=question.rerank or (reranker_unasked(self.rerankers, chosen.engine) if wanted else NOBODY),
        )

    def answer(self, question: Question) -> AsyncGenerator[Event]:
        """The events of one session, `Finished` last; how it ends, `SessionRecord.events` tells."""
        session = _Session(self, question)
        return session.record.events(session.steps())


class _Session:
    """The steps of one question, under the names of one trace."""

    def __init__(self, services: GraphRag, question: Question) -> None:
        self._services = services
        self._question = question
        self.record = SessionRecord.of(services, GRAPH_RAG, question.collection)

    async def steps(self) -> AsyncGenerator[Event]:
        question, services, scope = self._question, self._services, self.record.scope
        names, accounts = scope.names, self.record.accounts
        begun = trace.session_quads(scope, question.text, question.collection, services.now())
        put = circumstance_quads(scope, question.circumstances)
        yield await self.record.explained(names.session, [*begun, *put])

        engine = services.engines.chosen(question.engine, accounts.exchanges)
        accounts.begin("grounding", trace.grounding_quads(scope, ()))
        grounding = await engine.ground(question.text)
        grounded = trace.grounding_quads(scope, grounding.concepts)
        accounted = await accounts.keep("grounding", grounding.account)
        yield await self.record.explained(names.step("grounding"), [*grounded, *accounted])

        reader = SourceReader(services.store, source_graph(question.collection))
        search = CandidateSearch(self._plan(reader), self.record)
        async with aclosing(search.events(engine, self._request(grounding.concepts))) as found:
            async for step in found:
                yield step

        accounts.begin("selection", trace.selection_quads(scope, (), search.origins))
        selected = await engine.select(
            question.text, search.found, self._sources(reader), question.edge_limit
        )
        selection = search.completed(selected.selection)
        chosen = [choice.selected for choice in selection.choices]
        ignored = (
            ignored_quads(names, "selection", selected.ignored, scope.graph)
            if selected.ignored is not None
            else []
        )
        accounted = await accounts.keep("selection", selected.account)
        focus = [*trace.selection_quads(scope, chosen, search.origins), *ignored, *accounted]
        yield await self.record.explained(names.step("selection"), focus)

        answering = partial(engine.answer, question.text, selection)
        async with aclosing(tell(self.record, answering, partial(self._ending, selection))) as told:
            async for event in told:
                yield event

    def _plan(self, reader: SourceReader) -> SearchPlan:
        question, services = self._question, self._services
        return SearchPlan(
            services.retriever,
            self._sources(reader),
            bool(question.corrective),
            reranker_named(services.rerankers, question.rerank or NOBODY),
            max(KEPT, question.edge_limit),
        )

    def _request(self, concepts: tuple[str, ...]) -> RetrievalRequest:
        question = self._question
        return RetrievalRequest(
            question.text,
            concepts,
            question.collection,
            question.method,
            chunks=0,
            limits=question.limits,
            parameters=question.parameters,
            without=question.circumstances.without,
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

    def _ending(self, selection: Selection, told: Told[Statement]) -> Ending:
        scope = self.record.scope
        return Ending(
            trace.support_quads(scope, _support(scope.names, told.statements)),
            trace.passed_over_quads(scope, selection.passed_over),
            tuple(_cited(scope.names, said) for said in told.statements),
        )


def _first(*choices: bool | None) -> bool:
    """The first choice that was made."""
    return next((choice for choice in choices if choice is not None), False)


def _support(names: SessionNames, statements: Sequence[Statement]) -> list[Support]:
    return [
        Support(
            said.start,
            said.end,
            tuple(map(names.edge, said.edges)),
            tuple(source.quotation for source in said.sources),
            said.overlap,
        )
        for said in statements
    ]


def _cited(names: SessionNames, said: Statement) -> CitedSentence:
    return CitedSentence(said.start, said.end, tuple(map(names.edge, said.edges)), said.sources)
