"""One claim, judged by documents: an async generator of typed events, each recorded before it is told.

Knows nothing of HTTP. The order of events is that of graph-rag: session, grounding, retrieval, selection, answer →
text → answer again → finished.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.sources import SourceReader
from provgraph.documents.library import Library
from provgraph.flows.fact_verification import by_model, reading_by_model
from provgraph.flows.fact_verification.evidence import FactReader, GraphFact, Passage, passages
from provgraph.flows.fact_verification.judgement import Judge, Material
from provgraph.flows.fact_verification.local_graph import local_graph
from provgraph.flows.fact_verification.reading_by_model import ModelReader
from provgraph.flows.fact_verification.rules.judge import RuleJudge
from provgraph.flows.fact_verification.tracing import Tracing
from provgraph.flows.fact_verification.wording import worded
from provgraph.flows.runner.engines import ModelUse
from provgraph.flows.runner.events import Event, Explained, Finished, TextAdded
from provgraph.flows.runner.record import SessionRecord
from provgraph.flows.runner.session_leases import HERE
from provgraph.language.concepts import concepts
from provgraph.ports.language_model import Exchange
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import FEWEST_EDGES, RetrievalRequest, Retriever
from provgraph.prompts import read_prompt
from provgraph.provenance import document_trace, trace
from provgraph.provenance.flows import VERIFICATION
from provgraph.provenance.trace import Outcome
from provgraph.provenance.verification_trace import Label, claim_session_quads
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.terms import NamedNode, Quad

METHOD: Final = "bm25"
"""How chunks are ranked where nobody says: a claim has the words of what says it."""


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
    process: NamedNode = HERE

    async def resolved(self, claim: Claim) -> Claim:
        """The claim with its choices made: its own, else its collection's, else the service's.

        Raises `NotFound` for a collection that there is not, and `InvalidInput` for a choice that cannot be.
        """
        kept = await Collections(self.store, self.explain_collection).settings(claim.collection)
        method = claim.method or kept.method or METHOD
        chosen = replace(claim, engine=claim.engine or kept.engine, method=method)
        self.judge(chosen, [])
        await self.retriever.accept(RetrievalRequest(chosen.text, method=chosen.method))
        return chosen

    def judge(self, claim: Claim, exchanges: list[Exchange]) -> Judge:
        use = self.model_use
        model = use.chosen(claim.engine)
        if model is None:
            return RuleJudge()
        prompt = read_prompt("verification", by_model.PLACES, use.prompts)
        return by_model.ModelJudge(model, prompt, use.max_output_tokens, exchanges)

    def reader(self, claim: Claim, exchanges: list[Exchange]) -> ModelReader | None:
        """Who reads more facts than are stored, where a model is to."""
        use = self.model_use
        model = use.chosen(claim.engine)
        if model is None:
            return None
        prompt = read_prompt("relationships", reading_by_model.PLACES, use.prompts)
        return ModelReader(model, prompt, use.max_output_tokens, claim.seconds, exchanges)

    def verify(self, claim: Claim) -> AsyncGenerator[Event]:
        """The events of one session, `Finished` last; how it ends, `SessionRecord.events` tells."""
        session = _Session(self, claim)
        return session.record.events(session.steps())


class _Session:
    """The steps of one claim, under the names of one trace."""

    def __init__(self, services: FactVerification, claim: Claim) -> None:
        self._services = services
        self._claim = claim
        self._graphs = collection_graphs(claim.collection, services.explain_collection)
        self.record = SessionRecord.of(services, VERIFICATION, claim.collection)

    async def steps(self) -> AsyncGenerator[Event]:
        claim, services, scope = self._claim, self._services, self.record.scope
        names = scope.names
        begun = claim_session_quads(scope, claim.text, claim.collection, services.now())
        yield await self.record.explained(names.session, begun)

        grounding = concepts(claim.text)
        yield await self.record.explained(names.step("grounding"), trace.grounding_quads(scope, grounding))

        read, stored = await self._retrieved(grounding)
        retrieved = document_trace.chunk_retrieval_quads(scope, len(read))
        yield await self.record.explained(names.step("retrieval"), retrieved)

        more, accounted = await self._read_more(read)
        material = Material(claim.text, read, local_graph(claim.text, [*stored, *more]))
        tracing = Tracing(scope, material)
        selected = [*tracing.selection(), *accounted]
        yield await self.record.explained(names.step("selection"), selected)

        announced = trace.answer_quads(scope)
        yield await self.record.explained(names.step("answer"), announced)
        for event in await self._told(tracing, announced):
            yield event

    async def _retrieved(self, grounding: tuple[str, ...]) -> tuple[list[Passage], list[GraphFact]]:
        """The passages, and the facts that the store has of them."""
        claim, services = self._claim, self._services
        request = RetrievalRequest(
            claim.text,
            grounding,
            claim.collection,
            claim.method,
            claim.chunk_limit,
            FEWEST_EDGES,
        )
        found = await services.retriever.retrieve(request)
        reader = SourceReader(services.store, self._graphs.source)
        read = await passages(reader, found.chunks)
        return read, await FactReader(services.store, self._graphs).facts(reader, read)

    async def _read_more(self, read: Sequence[Passage]) -> tuple[list[GraphFact], list[Quad]]:
        """The facts that a model reads besides, where there is one, and what the trace says of its calls."""
        accounts = self.record.accounts
        reader = self._services.reader(self._claim, accounts.exchanges)
        if reader is None:
            return [], []
        accounts.begin("selection", document_trace.chunk_selection_quads(self.record.scope, ()))
        more, account = await reader.facts(read)
        return more, await accounts.keep("selection", account)

    async def _told(self, tracing: Tracing, announced: Sequence[Quad]) -> list[Event]:
        services, accounts, names = self._services, self.record.accounts, self.record.scope.names
        accounts.begin("answer", ())
        judged = await services.judge(self._claim, accounts.exchanges).judged(tracing.material)
        said = worded(judged)
        await services.library.keep(services.explain_collection, names.answer_text, said.text.encode())
        known = [*tracing.answer(judged, said), *await accounts.keep("answer", judged.account)]
        decided = judged.judgement.label is not Label.NOT_ENOUGH_INFO
        outcome = Outcome.ANSWERED if decided else Outcome.REFUSED
        await self.record.end(outcome, [*known, *tracing.passed_over()])
        finished = Finished(
            names.session,
            outcome,
            said.text,
            tuple(tracing.cited(judged, line) for line in said.lines),
            accounts.usage,
            tuple(accounts.warnings),
            verdict=tracing.verdict(judged),
        )
        return [TextAdded(said.text), Explained(names.step("answer"), [*announced, *known]), finished]
