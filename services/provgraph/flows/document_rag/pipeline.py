"""One question, answered from chunks: an async generator of typed events, each recorded before it is told.

Knows nothing of HTTP. The order of events is that of graph-rag: session, grounding, retrieval, selection, answer →
text → answer again → finished.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.sources import SourceReader
from provgraph.documents.library import Library
from provgraph.documents.stored_layouts import StoredTables
from provgraph.flows.runner.answer_stream import tell
from provgraph.flows.runner.engines import ModelUse
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.from_chunks.answers import Writer
from provgraph.flows.runner.from_chunks.by_model import PLACES, ModelWriter
from provgraph.flows.runner.from_chunks.ending import ending
from provgraph.flows.runner.from_chunks.quoting import QuotingWriter
from provgraph.flows.runner.from_chunks.selection import selected
from provgraph.flows.runner.passages import Passage, QuestionWeights, passages
from provgraph.flows.runner.record import SessionRecord
from provgraph.flows.runner.session_leases import HERE
from provgraph.language.concepts import concepts
from provgraph.ports.language_model import Exchange
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import FEWEST_EDGES, RetrievalRequest, Retriever
from provgraph.prompts import read_prompt
from provgraph.provenance import document_trace, trace
from provgraph.provenance.flows import DOCUMENT_RAG
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.terms import NamedNode

FETCHED_FOR_EACH = 4
"""How many chunks are weighed for each that may be selected, where a question does not say."""


@dataclass(frozen=True)
class DocumentQuestion:
    """`chunk_limit` chunks are selected at most, of `fetch_limit` that are retrieved; 0 for four times as many."""

    text: str
    collection: str = "default"
    method: str = ""
    chunk_limit: int = 10
    fetch_limit: int = 0
    engine: str = ""


@dataclass(frozen=True)
class DocumentRag:
    """The services that answering needs; `explain_collection` is where traces are kept."""

    store: QuadStore
    library: Library
    retriever: Retriever
    explain_collection: str
    model_use: ModelUse = ModelUse()
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    process: NamedNode = HERE

    async def resolved(self, question: DocumentQuestion) -> DocumentQuestion:
        """The question with its choices made: its own, else its collection's, else the service's.

        Raises `NotFound` for a collection that there is not, and `InvalidInput` for a choice that cannot be.
        """
        kept = await Collections(self.store, self.explain_collection).settings(question.collection)
        chosen = replace(
            question, engine=question.engine or kept.engine, method=question.method or kept.method
        )
        self.writer(chosen.engine, [])
        await self.retriever.accept(RetrievalRequest(chosen.text, method=chosen.method))
        return chosen

    def writer(self, engine: str, exchanges: list[Exchange]) -> Writer:
        use = self.model_use
        model = use.chosen(engine)
        if model is None:
            return QuotingWriter()
        prompt = read_prompt("document-answer", PLACES, use.prompts)
        return ModelWriter(model, prompt, use.max_output_tokens, exchanges)

    def answer(self, question: DocumentQuestion) -> AsyncGenerator[Event]:
        """The events of one session, `Finished` last; how it ends, `SessionRecord.events` tells."""
        session = _Session(self, question)
        return session.record.events(session.steps())


class _Session:
    """The steps of one question, under the names of one trace."""

    def __init__(self, services: DocumentRag, question: DocumentQuestion) -> None:
        self._services = services
        self._question = question
        self.record = SessionRecord.of(services, DOCUMENT_RAG, question.collection)

    async def steps(self) -> AsyncGenerator[Event]:
        question, services, scope = self._question, self._services, self.record.scope
        names = scope.names
        begun = document_trace.document_session_quads(
            scope, question.text, question.collection, services.now()
        )
        yield await self.record.explained(names.session, begun)

        grounding = concepts(question.text)
        grounded = trace.grounding_quads(scope, grounding)
        yield await self.record.explained(names.step("grounding"), grounded)

        weights, found = await self._retrieve(grounding)
        retrieved = document_trace.chunk_retrieval_quads(scope, len(found))
        yield await self.record.explained(names.step("retrieval"), retrieved)

        selection = selected(weights, found, question.chunk_limit)
        focus = document_trace.chunk_selection_quads(scope, selection.told())
        yield await self.record.explained(names.step("selection"), focus)

        writer = services.writer(question.engine, self.record.accounts.exchanges)
        answering = partial(writer.answer, question.text, selection)
        async with aclosing(
            tell(self.record, answering, partial(ending, scope, selection.passed_over))
        ) as told:
            async for event in told:
                yield event

    async def _retrieve(self, grounding: tuple[str, ...]) -> tuple[QuestionWeights, list[Passage]]:
        question, services = self._question, self._services
        wanted = question.fetch_limit or FETCHED_FOR_EACH * question.chunk_limit
        request = RetrievalRequest(
            question.text,
            grounding,
            question.collection,
            question.method,
            max(wanted, question.chunk_limit),
            FEWEST_EDGES,
        )
        found = await services.retriever.retrieve(request)
        reader = SourceReader(services.store, source_graph(question.collection))
        return QuestionWeights(found.terms), await passages(
            reader, found.chunks, StoredTables(services.library, question.collection)
        )
