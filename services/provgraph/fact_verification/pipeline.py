"""One claim, judged by documents: an async generator of typed events, each recorded before it is told.

Knows nothing of HTTP. The order of events is that of graph-rag: session, grounding, retrieval, selection, answer →
text → answer again → finished.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

from pyoxigraph import Quad

from provgraph.answering.accounts import Accounts
from provgraph.answering.engines import ModelUse
from provgraph.answering.events import Event, Explained, Finished, TextAdded
from provgraph.answering.grounding import concepts
from provgraph.answering.record import SessionRecord
from provgraph.catalogue.collections import Collections
from provgraph.catalogue.sources import SourceReader
from provgraph.documents.library import Library
from provgraph.fact_verification.evidence import FactReader, passages
from provgraph.fact_verification.judgement import Judge, Material
from provgraph.fact_verification.local_graph import local_graph
from provgraph.fact_verification.rules.judge import RuleJudge
from provgraph.fact_verification.tracing import Tracing
from provgraph.fact_verification.wording import worded
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import RetrievalLimits, RetrievalRequest, Retriever
from provgraph.provenance import document_trace, trace
from provgraph.provenance.flows import VERIFICATION
from provgraph.provenance.trace import Outcome, TraceScope
from provgraph.provenance.verification_trace import Label, claim_session_quads
from provgraph.rdf.graphs import collection_graphs, retrieval_graph
from provgraph.rdf.iris import SessionNames


@dataclass(frozen=True)
class Claim:
    """`chunk_limit` chunks are read at most; reading facts from them by model ends after `seconds` in all."""

    text: str
    collection: str = "default"
    method: str = ""
    chunk_limit: int = 4
    engine: str = ""
    seconds: float = 20.0


@dataclass(frozen=True)
class FactVerification:
    """The services that verifying needs; `explain_collection` is where traces are kept."""

    store: QuadStore
    library: Library
    retriever: Retriever
    explain_collection: str
    model_use: ModelUse = ModelUse()
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def resolved(self, claim: Claim) -> Claim:
        """The claim, if it can be judged. Raises `NotFound` for a collection that there is not, and `InvalidInput` for
        an engine or a method that cannot be."""
        await Collections(self.store, self.explain_collection).require(claim.collection)
        self.model_use.chosen(claim.engine)
        self.retriever.accept(RetrievalRequest(claim.text, method=claim.method))
        return claim

    def judge(self, claim: Claim) -> Judge:
        return RuleJudge()

    async def verify(self, claim: Claim) -> AsyncGenerator[Event]:
        """The events of one session, `Finished` last; how it ends, `SessionRecord.events` tells."""
        session = _Session(self, claim)
        async with aclosing(session.record.events(session.steps())) as events:
            async for event in events:
                yield event


class _Session:
    """The steps of one claim, under the names of one trace."""

    def __init__(self, services: FactVerification, claim: Claim) -> None:
        self.names = SessionNames(str(uuid4()), VERIFICATION.asked)
        self._services = services
        self._claim = claim
        self._scope = TraceScope(self.names, retrieval_graph(services.explain_collection), VERIFICATION)
        self._accounts = Accounts(services.library, services.explain_collection, self._scope)
        self._graphs = collection_graphs(claim.collection, services.explain_collection)
        self.record = SessionRecord(services.store, self._scope, self._accounts, self._graphs, services.now)

    async def steps(self) -> AsyncGenerator[Event]:
        claim, scope, names, services = self._claim, self._scope, self.names, self._services
        begun = claim_session_quads(scope, claim.text, claim.collection, services.now())
        yield await self.record.explained(names.session, begun)

        grounding = concepts(claim.text)
        yield await self.record.explained(names.step("grounding"), trace.grounding_quads(scope, grounding))

        material = await self._retrieved(grounding)
        retrieved = document_trace.chunk_retrieval_quads(scope, len(material.passages))
        yield await self.record.explained(names.step("retrieval"), retrieved)

        tracing = Tracing(scope, material)
        yield await self.record.explained(names.step("selection"), tracing.selection())

        announced = trace.answer_quads(scope)
        yield await self.record.explained(names.step("answer"), announced)
        self._accounts.begin("answer", ())
        async with aclosing(self._tell(tracing, announced)) as told:
            async for event in told:
                yield event

    async def _retrieved(self, grounding: tuple[str, ...]) -> Material:
        claim, services = self._claim, self._services
        request = RetrievalRequest(
            claim.text,
            grounding,
            claim.collection,
            claim.method,
            claim.chunk_limit,
            RetrievalLimits(entities=1, triples_per_entity=1, subgraph=1, path_length=1),
        )
        found = await services.retriever.retrieve(request)
        reader = SourceReader(services.store, self._graphs.source)
        read = await passages(reader, found.chunks)
        facts = await FactReader(services.store, self._graphs).facts(reader, read)
        return Material(claim.text, read, local_graph(claim.text, facts))

    async def _tell(self, tracing: Tracing, announced: Sequence[Quad]) -> AsyncGenerator[Event]:
        names, services = self.names, self._services
        judged = await services.judge(self._claim).judged(tracing.material)
        said = worded(judged)
        yield TextAdded(said.text)
        await services.library.keep(services.explain_collection, names.answer_text, said.text.encode())
        accounted = await self._accounts.keep("answer", judged.account)
        known = [*tracing.answer(judged, said), *accounted]
        decided = judged.judgement.label is not Label.NOT_ENOUGH_INFO
        outcome = Outcome.ANSWERED if decided else Outcome.REFUSED
        await self.record.end(outcome, [*known, *tracing.passed_over()])
        yield Explained(names.step("answer"), [*announced, *known])
        yield Finished(
            names.session,
            outcome,
            said.text,
            tuple(tracing.cited(judged, line) for line in said.lines),
            self._accounts.usage,
            tuple(self._accounts.warnings),
            verdict=tracing.verdict(judged),
        )
