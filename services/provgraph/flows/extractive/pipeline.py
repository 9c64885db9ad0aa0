"""One question, answered by extraction: an async generator of typed events, each recorded before it is told.

Knows nothing of HTTP, and asks no model. The order of events is that of graph-rag: session, grounding, retrieval,
selection, answer → text → answer again → finished, with everything that was counted as its highlights.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Final

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.sources import ChunkFact, SourceReader, chunk_facts
from provgraph.documents.library import Library
from provgraph.documents.stored_layouts import StoredTables
from provgraph.flows.extractive import account
from provgraph.flows.extractive.evidence import EvidenceLimits, Findings, findings
from provgraph.flows.extractive.highlights import highlights
from provgraph.flows.extractive.statements import Statement, joined, statements
from provgraph.flows.runner.answer_stream import REFUSAL, Ending, Parts, Told, tell
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.passages import QuestionWeights, passages
from provgraph.flows.runner.record import SessionRecord
from provgraph.flows.runner.session_leases import HERE
from provgraph.flows.runner.usage import Account
from provgraph.language.concepts import concepts
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import FEWEST_EDGES, RetrievalRequest, RetrievalResult, Retriever
from provgraph.provenance import document_trace, extractive_trace, trace
from provgraph.provenance.flows import EXTRACTIVE
from provgraph.provenance.retrieval_paths import RankedBy
from provgraph.rdf.terms import NamedNode

METHOD: Final = "term-frequency"
FACTUAL_BOOST: Final = {"factual": 1.0}
"""S(Q, D) = Σ count(t, D) · w_t + 1_fact(D): the weights w are the method's own default."""


@dataclass(frozen=True)
class ExtractiveQuestion:
    """`chunk_limit` chunks are retrieved; `parameters` are the method's own."""

    text: str
    collection: str = "default"
    method: str = ""
    parameters: Mapping[str, float] = field(default_factory=dict)
    chunk_limit: int = 40
    limits: EvidenceLimits = EvidenceLimits()

    def request(self) -> RetrievalRequest:
        parameters = dict(self.parameters) if self.method else {**FACTUAL_BOOST, **self.parameters}
        return RetrievalRequest(
            self.text,
            concepts(self.text),
            self.collection,
            self.method or METHOD,
            self.chunk_limit,
            FEWEST_EDGES,
            parameters,
        )


@dataclass(frozen=True)
class Extractive:
    """The services that answering needs; `explain_collection` is where traces are kept."""

    store: QuadStore
    library: Library
    retriever: Retriever
    explain_collection: str
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    process: NamedNode = HERE

    async def resolved(self, question: ExtractiveQuestion) -> ExtractiveQuestion:
        """The question, if it can be asked. Raises `NotFound` for a collection that there is not, and `InvalidInput`
        for a method or a parameter that there is not."""
        await Collections(self.store, self.explain_collection).require(question.collection)
        await self.retriever.accept(question.request())
        return question

    def answer(self, question: ExtractiveQuestion) -> AsyncGenerator[Event]:
        """The events of one session, `Finished` last; how it ends, `SessionRecord.events` tells."""
        session = _Session(self, question)
        return session.record.events(session.steps())


class _Session:
    """The steps of one question, under the names of one trace."""

    def __init__(self, services: Extractive, question: ExtractiveQuestion) -> None:
        self._services = services
        self._question = question
        self.record = SessionRecord.of(services, EXTRACTIVE, question.collection)

    async def steps(self) -> AsyncGenerator[Event]:
        question, services, scope = self._question, self._services, self.record.scope
        names = scope.names
        begun = extractive_trace.extractive_session_quads(
            scope, question.text, question.collection, services.now()
        )
        yield await self.record.explained(names.session, begun)

        request = question.request()
        grounded = trace.grounding_quads(scope, request.concepts)
        yield await self.record.explained(names.step("grounding"), grounded)

        result = await services.retriever.retrieve(request)
        found = await self._found(result)
        retrieved = extractive_trace.document_retrieval_quads(
            scope,
            len(found.passages),
            RankedBy(result.method, result.parameters),
            account.retrieved_documents(found, result.parameters),
        )
        yield await self.record.explained(names.step("retrieval"), retrieved)

        chosen = document_trace.chunk_selection_quads(scope, account.selected_chunks(found))
        yield await self.record.explained(names.step("selection"), chosen)

        chunks = [found.passages[index].hit.chunk for index in found.selected]
        facts = await chunk_facts(services.store, self.record.graphs, chunks)
        ending = partial(self._ending, result, found, facts)
        async with aclosing(tell(self.record, partial(_parts, found, result.warnings), ending)) as told:
            async for event in told:
                yield event

    async def _found(self, result: RetrievalResult) -> Findings:
        reader = SourceReader(self._services.store, self.record.graphs.source)
        tables = StoredTables(self._services.library, self._question.collection)
        found = await passages(reader, result.chunks, tables)
        return findings(QuestionWeights(result.terms), found, self._question.limits)

    def _ending(
        self, result: RetrievalResult, found: Findings, facts: list[ChunkFact], told: Told[Statement]
    ) -> Ending:
        scope = self.record.scope
        support = [account.support(each) for each in told.statements]
        cited = sum(len(each.quotations) for each in support)
        evidence = extractive_trace.chunk_evidence_quads(scope, account.chunk_evidence(found), cited)
        return Ending(
            [*document_trace.chunk_support_quads(scope, support), *evidence],
            document_trace.passed_over_chunk_quads(scope, account.passed_over_chunks(found)),
            tuple(account.cited(each, scope.names) for each in told.statements),
            highlights(result, found, told, facts),
        )


async def _parts(found: Findings, warnings: tuple[str, ...]) -> Parts[Statement]:
    said = statements(found)
    text = joined(said) or REFUSAL
    yield text
    yield Told(text, said, Account(warnings=warnings))
