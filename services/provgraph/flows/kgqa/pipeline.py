"""One question, answered from the graph of pairs: an async generator of typed events, each recorded before it is told.

Knows nothing of HTTP. The order of events is that of graph-rag: session, grounding, retrieval, selection, answer →
text → answer again → finished.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.sources import SourceReader
from provgraph.documents.library import Library
from provgraph.errors import ModelUnavailable, NotFound
from provgraph.flows.kgqa.account import Selection, Statement, selection_of
from provgraph.flows.kgqa.asked import Asked, asked
from provgraph.flows.kgqa.by_model import PLACES, PROMPT, ModelParaphraser, Paraphrased
from provgraph.flows.kgqa.finding import Found, found_groups
from provgraph.flows.kgqa.graph import PairGraph, PairGraphs
from provgraph.flows.kgqa.ranking import Ranked, Wording, chosen, ranked, wordings
from provgraph.flows.runner.answer_stream import REFUSAL, Ending, Parts, Told, tell
from provgraph.flows.runner.engines import MODEL_FREE, ModelUse
from provgraph.flows.runner.events import CitedSentence, Event
from provgraph.flows.runner.record import SessionRecord
from provgraph.flows.runner.reranking import reranker_unasked
from provgraph.flows.runner.session_leases import HERE
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.reranker import HIGHEST, NOBODY, Reranker, reranker_named
from provgraph.ports.similarity import NodeLikeness
from provgraph.prompts import read_prompt
from provgraph.provenance import trace
from provgraph.provenance.flows import KGQA
from provgraph.provenance.kgqa_trace import kgqa_session_quads
from provgraph.provenance.retrieval_paths import RankedBy
from provgraph.rdf.terms import NamedNode

MOST_SEEDS = 50
NO_LIKENESS = "Nodes were sought by name only, and wordings ranked without vectors."


@dataclass(frozen=True)
class KgqaQuestion:
    text: str
    collection: str = "default"
    engine: str = ""
    rerank: str = ""


@dataclass(frozen=True)
class Kgqa:
    """The services that answering needs; `explain_collection` is where traces are kept."""

    store: QuadStore
    library: Library
    likeness: NodeLikeness
    explain_collection: str
    model_use: ModelUse = ModelUse()
    rerankers: Mapping[str, Reranker] = field(default_factory=dict)
    process: NamedNode = HERE
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    graphs: PairGraphs = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "graphs", PairGraphs(self.store))

    async def resolved(self, question: KgqaQuestion) -> KgqaQuestion:
        """The question with its choices made: its own, else its collection's, else the service's.

        Raises `NotFound` for a collection that there is not, or that has no pairs, and `InvalidInput` for a choice
        that cannot be.
        """
        collections = Collections(self.store, self.explain_collection)
        kept = await collections.settings(question.collection)
        resolved = replace(question, engine=question.engine or kept.engine)
        model = self.model_use.chosen(resolved.engine)
        reranker_named(self.rerankers, question.rerank or NOBODY)
        graph = await self.graphs.current(await collections.require(question.collection))
        if not graph.groups:
            raise NotFound(
                f"The collection {question.collection} has no question-answer pairs yet. Build them with "
                f"'provgraph kgqa build -C {question.collection}', or POST /api/v1/kgqa/build."
            )
        engine = resolved.engine if model else MODEL_FREE
        return replace(resolved, rerank=question.rerank or reranker_unasked(self.rerankers, engine))

    def paraphraser(self, engine: str) -> ModelParaphraser | None:
        use = self.model_use
        model = use.chosen(engine or MODEL_FREE if use.model is None else engine)
        if model is None:
            return None
        return ModelParaphraser(model, read_prompt(PROMPT, PLACES, use.prompts), use.max_output_tokens)

    def answer(self, question: KgqaQuestion) -> AsyncGenerator[Event]:
        """The events of one session, `Finished` last; how it ends, `SessionRecord.events` tells."""
        session = _Session(self, question)
        return session.record.events(session.steps())


class _Session:
    """The steps of one question, under the names of one trace."""

    def __init__(self, services: Kgqa, question: KgqaQuestion) -> None:
        self._services = services
        self._question = question
        self._warnings: list[str] = []
        self.record = SessionRecord.of(services, KGQA, question.collection)

    async def steps(self) -> AsyncGenerator[Event]:
        question, services, scope = self._question, self._services, self.record.scope
        names, accounts = scope.names, self.record.accounts
        begun = kgqa_session_quads(scope, question.text, question.collection, services.now())
        yield await self.record.explained(names.session, begun)

        graph = await services.graphs.current(self.record.graphs)
        put = asked(question.text, graph)
        grounded = trace.grounding_quads(scope, put.concepts)
        yield await self.record.explained(names.step("grounding"), grounded)

        found = await self._found(put, graph)
        edges = {edge.triple for index in found.hits for edge in graph.groups[index].edges}
        retrieved = trace.retrieval_quads(
            scope, len(edges), found.seeds[:MOST_SEEDS], ranked=RankedBy("kgqa")
        )
        yield await self.record.explained(names.step("retrieval"), retrieved)

        accounts.begin("selection", trace.selection_quads(scope, ()))
        made = await self._paraphrased(wordings(put, graph, found))
        best = await self._ranked(put, graph, made.wordings)
        reader = SourceReader(services.store, self.record.graphs.source)
        selection = await selection_of(put, graph, best, reader)
        accounted = await accounts.keep("selection", made.account(self._warnings))
        focus = [*trace.selection_quads(scope, selection.edges), *accounted]
        yield await self.record.explained(names.step("selection"), focus)

        ending = partial(self._ending, selection)
        async with aclosing(tell(self.record, partial(_parts, selection), ending)) as told:
            async for event in told:
                yield event

    async def _found(self, put: Asked, graph: PairGraph) -> Found:
        services = self._services
        try:
            return await found_groups(put, graph, services.likeness, self._question.collection)
        except ModelUnavailable as failure:
            self._warnings.append(f"{NO_LIKENESS} {failure}")
            return await found_groups(put, graph, None, self._question.collection)

    async def _paraphrased(self, made: list[Wording]) -> Paraphrased:
        paraphraser = self._services.paraphraser(self._question.engine)
        if paraphraser is None or not made:
            return Paraphrased(tuple(made))
        return await paraphraser.paraphrased(self._question.text, made, self.record.accounts.exchanges)

    async def _ranked(self, put: Asked, graph: PairGraph, made: tuple[Wording, ...]) -> Ranked:
        services, texts = self._services, [each.text for each in made]
        likeness: dict[int, float] = {}
        try:
            likeness = dict(enumerate(await services.likeness.texts(self._question.text, texts)))
        except ModelUnavailable as failure:
            if not self._warnings:
                self._warnings.append(f"{NO_LIKENESS} {failure}")
        best = ranked(put, graph, made, likeness)
        reranker = reranker_named(services.rerankers, self._question.rerank or NOBODY)
        return await self._reranked(put, best, reranker) if reranker and best.answers else best

    async def _reranked(self, put: Asked, best: Ranked, reranker: Reranker) -> Ranked:
        """The order that a reranker gives; what it gives no score stays behind what it does."""
        every = [*best.answers, *best.others]
        scores = await reranker.score(
            self._question.text, [each.text for each in every], self.record.accounts.exchanges
        )
        if scores.failure:
            self._warnings.append(f"{scores.failure} The wordings are in the order of what they meet.")
            return best
        given = [
            replace(each, score=value / HIGHEST if value is not None else 0.0, rerank_score=value)
            for each, value in zip(every, scores.values, strict=True)
        ]
        return chosen(put, sorted(given, key=lambda each: -each.score))

    def _ending(self, selection: Selection, told: Told[Statement]) -> Ending:
        scope = self.record.scope
        return Ending(
            trace.support_quads(scope, [each.support(scope.names) for each in told.statements]),
            trace.passed_over_quads(scope, selection.passed_over),
            tuple(
                CitedSentence(each.start, each.end, tuple(map(scope.names.edge, each.edges)), each.sources)
                for each in told.statements
            ),
        )


async def _parts(selection: Selection) -> Parts[Statement]:
    for index, statement in enumerate(selection.statements):
        yield f" {statement.text}" if index else statement.text
    if not selection.statements:
        yield REFUSAL
    yield Told(" ".join(each.text for each in selection.statements) or REFUSAL, selection.statements)
