"""One question to papers, answered: an async generator of typed events, each recorded before it is told.

Knows nothing of HTTP. The order of events is that of graph-rag; between retrieval and selection stand, where they are
wanted, the check with its second retrieval, and the reranking.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.papers import PaperCatalogue
from provgraph.documents.library import Library
from provgraph.flows.research.candidates import HYBRID, CandidateSearch
from provgraph.flows.research.conversations import Conversations, Remembered
from provgraph.flows.research.following_up import carried
from provgraph.flows.research.naming import NamingWriter
from provgraph.flows.research.question import PaperQuestion, ResolvedQuestion
from provgraph.flows.research.search import PaperSearch, SearchPlan
from provgraph.flows.runner.answer_stream import tell
from provgraph.flows.runner.engines import ModelUse
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.from_chunks.answers import Writer
from provgraph.flows.runner.from_chunks.by_model import PLACES, ModelWriter
from provgraph.flows.runner.from_chunks.ending import ending
from provgraph.flows.runner.from_chunks.selection import Selection, selected
from provgraph.flows.runner.record import SessionRecord
from provgraph.flows.runner.reranking import reranker_unasked
from provgraph.flows.runner.session_leases import HERE
from provgraph.language.concepts import concepts
from provgraph.ports.language_model import Exchange
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.reranker import Reranker, reranker_named
from provgraph.ports.retriever import RetrievalRequest, Retriever
from provgraph.prompts import read_prompt
from provgraph.provenance import document_trace, trace
from provgraph.provenance.circumstances import Circumstances, circumstance_quads
from provgraph.provenance.flows import RESEARCH
from provgraph.provenance.papers import asked_papers_quads, research_session_quads
from provgraph.rdf.terms import NamedNode, Quad


@dataclass(frozen=True)
class Research:
    """The services that answering needs; `explain_collection` is where traces are kept."""

    store: QuadStore
    library: Library
    retriever: Retriever
    explain_collection: str
    model_use: ModelUse = ModelUse()
    rerankers: Mapping[str, Reranker] = field(default_factory=dict)
    process: NamedNode = HERE
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    @property
    def conversations(self) -> Conversations:
        return Conversations(self.store, self.explain_collection, self.now)

    async def resolved(self, question: PaperQuestion) -> ResolvedQuestion:
        """The question with its choices made: its own, else its conversation's or its collection's.

        Raises `NotFound` for a collection or a paper that there is not, `InvalidInput` for a choice that cannot be, and
        `Conflict` for a conversation with another collection.
        """
        collections = Collections(self.store, self.explain_collection)
        kept = await collections.settings(question.collection)
        graphs = await collections.require(question.collection)
        asked = replace(question, engine=question.engine or kept.engine)
        self.model_use.chosen(asked.engine)
        method, alpha = asked.method or HYBRID, {"alpha": asked.alpha}
        await self.retriever.accept(
            RetrievalRequest(asked.text, method=method, parameters=alpha if method == HYBRID else {})
        )
        rerank = asked.rerank or reranker_unasked(self.rerankers, asked.engine)
        reranker_named(self.rerankers, rerank)
        catalogue = PaperCatalogue(self.store, graphs)
        papers = {paper.iri: paper for paper in await catalogue.papers()}
        named = [paper.iri for paper in await catalogue.chosen(asked.papers or ())]
        conversation, before = None, Remembered()
        if asked.conversation:
            conversation = await self.conversations.joined(asked.conversation, asked.collection)
            before = await self.conversations.remembered(conversation)
        chosen = [paper for paper in before.papers if paper in papers] if asked.papers is None else named
        return ResolvedQuestion(asked, papers, tuple(chosen), conversation, before.questions, rerank)

    def plan(self, question: ResolvedQuestion) -> SearchPlan:
        use = replace(self.model_use, model=self.model_use.chosen(question.asked.engine))
        candidates = CandidateSearch(self.store, self.retriever)
        return SearchPlan(candidates, use, reranker_named(self.rerankers, question.rerank))

    def writer(self, question: ResolvedQuestion, exchanges: list[Exchange]) -> Writer:
        naming = NamingWriter(question.papers)
        use = self.model_use
        model = use.chosen(question.asked.engine)
        if model is None:
            return naming
        prompt = read_prompt("research-answer", PLACES, use.prompts)
        return ModelWriter(model, prompt, use.max_output_tokens, exchanges, naming)

    def answer(self, question: ResolvedQuestion) -> AsyncGenerator[Event]:
        """The events of one session, `Finished` last; how it ends, `SessionRecord.events` tells."""
        session = _Session(self, question)
        return session.record.events(session.steps())


class _Session:
    """The steps of one question, under the names of one trace."""

    def __init__(self, services: Research, question: ResolvedQuestion) -> None:
        self._services = services
        self._question = question
        self.record = SessionRecord.of(services, RESEARCH, question.asked.collection)

    async def steps(self) -> AsyncGenerator[Event]:
        question, services, scope = self._question, self._services, self.record.scope
        asked, names = question.asked, scope.names
        yield await self.record.explained(names.session, self._begun())

        before = carried(asked.text, question.earlier)
        grounding = tuple(dict.fromkeys((*concepts(asked.text), *before)))
        grounded = trace.grounding_quads(scope, grounding)
        yield await self.record.explained(names.step("grounding"), grounded)

        search = PaperSearch(services.plan(question), self.record, question)
        async with aclosing(search.events(" ".join((asked.text, *before)), grounding)) as found:
            async for step in found:
                yield step

        selection = self._selected(search)
        chosen = [replace(each, rerank_score=search.scores.get(each.chunk)) for each in selection.told()]
        focus = document_trace.chunk_selection_quads(scope, chosen, search.origins)
        yield await self.record.explained(names.step("selection"), focus)

        writer = services.writer(question, self.record.accounts.exchanges)
        answering = partial(writer.answer, _with_earlier(question), selection)
        passed = [replace(each, retrieval=search.origins[0]) for each in selection.passed_over]
        told_of = partial(ending, scope, (*passed, *search.aside))
        async with aclosing(tell(self.record, answering, told_of)) as told:
            async for event in told:
                yield event

    def _begun(self) -> list[Quad]:
        question, asked, scope = self._question, self._question.asked, self.record.scope
        settings = [f"method={asked.method}"] if asked.method else []
        settings += [] if asked.corrective else ["corrective=false"]
        return [
            *research_session_quads(scope, asked.text, asked.collection, self._services.now()),
            *circumstance_quads(scope, Circumstances(tuple(settings))),
            *asked_papers_quads(scope, question.chosen, question.conversation),
        ]

    def _selected(self, search: PaperSearch) -> Selection:
        found = search.found
        return selected(found.weights, found.passages, self._question.asked.chunk_limit)


def _with_earlier(question: ResolvedQuestion) -> str:
    """The question as a model reads it, after those before."""
    if not question.earlier:
        return question.asked.text
    earlier = "\n".join(f"- {asked}" for asked in question.earlier)
    return f"{question.asked.text}\n\nEarlier questions of this conversation:\n{earlier}"
