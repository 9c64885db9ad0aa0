"""kgqa: a question answered from the graph of question-answer pairs alone: groups of edges, in words, the five best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import anyio.to_thread

from provgraph.errors import ModelUnavailable, NotFound
from provgraph.flows.kgqa.by_model import PLACES, PROMPT, paraphrase
from provgraph.flows.kgqa.graph import PairGraph, PairGraphs
from provgraph.flows.kgqa.group_search import FoundGroups, find_groups, with_senses
from provgraph.flows.kgqa.question_analysis import AnalysedQuestion, analysed
from provgraph.flows.kgqa.ranking import RankedWordings, Wording, chosen, ranked, wordings
from provgraph.flows.kgqa.selection import select_wordings
from provgraph.flows.kgqa.sense import likeness_of_groups
from provgraph.flows.runner.flow import Flow
from provgraph.flows.runner.question import Question
from provgraph.flows.runner.reranking import scored
from provgraph.flows.runner.run import Run
from provgraph.flows.runner.services import MODEL_FREE, FlowServices
from provgraph.ports.reranker import HIGHEST, Reranker
from provgraph.ports.similarity import NodeSimilarity
from provgraph.prompts import read_prompt
from provgraph.provenance import trace
from provgraph.provenance.candidates import rejected_edge_quads
from provgraph.provenance.flows import KGQA
from provgraph.provenance.trace import RankedBy
from provgraph.rdf.graphs import collection_graphs
from provgraph.wire.documents import CollectionSettings
from provgraph.wire.flow_requests import AskKgqaRequest, PostedAskKgqaRequest, reranker_name

MOST_SEEDS = 50
BY_NAME_ONLY = "Nodes were sought by name only, and wordings ranked without vectors."


@dataclass(frozen=True)
class KgqaQuestion(Question):
    """`rerank` names who scores the wordings."""

    rerank: str = ""


@dataclass(frozen=True)
class Kgqa(Flow[KgqaQuestion]):
    """`similarity` tells which nodes are like words, `graphs` holds the graphs of the collections that were asked."""

    similarity: NodeSimilarity
    graphs: PairGraphs

    name = KGQA
    path = "kgqa"
    summary = "Answer from the graph alone"
    description = (
        "Answer a question from the graph of question-answer pairs, with the clauses cited; as a stream with "
        "`Accept: text/event-stream`."
    )
    query = AskKgqaRequest
    body = PostedAskKgqaRequest
    inherited = ("engine",)

    def question(self, request: AskKgqaRequest) -> KgqaQuestion:
        return KgqaQuestion(
            request.question,
            request.collection,
            engine=request.engine,
            rerank=reranker_name(request.rerank),
        )

    async def resolved(
        self,
        question: KgqaQuestion,
        settings: CollectionSettings,  # noqa: ARG002 (the runner took what this flow inherits)
        services: FlowServices,
    ) -> KgqaQuestion:
        model = services.model_use.chosen(question.engine)
        services.reranker(question.rerank)
        graphs = collection_graphs(question.collection, services.explain_collection)
        graph = await self.graphs.current(graphs)
        if not graph.groups:
            raise NotFound(
                f"The collection {question.collection} has no question-answer pairs yet. Build them with "
                f"'provgraph kgqa build -C {question.collection}', or POST /api/v1/kgqa/build."
            )
        engine = question.engine if model else MODEL_FREE
        return replace(question, rerank=question.rerank or services.default_reranker(engine))

    async def answer(self, run: Run, question: KgqaQuestion) -> None:
        scope, graph = run.scope, await self.graphs.current(run.graphs)
        analysis = analysed(question.text, graph)
        await run.explain("grounding", trace.grounding_quads(scope, analysis.concepts))

        senses = await likeness_of_groups(run, graph, question.text)
        groups = await self._found(run, analysis, graph, senses)
        edges = {edge.triple for index in groups.hits for edge in graph.groups[index].edges}
        seeds = groups.seeds[:MOST_SEEDS]
        await run.explain(
            "retrieval", trace.retrieval_quads(scope, len(edges), seeds, ranked=RankedBy("kgqa"))
        )

        run.begin("selection", trace.selection_quads(scope, ()))
        worded = await _paraphrased(run, wordings(analysis, graph, groups))
        best = await self._ranked(run, analysis, graph, worded, run.services.reranker(question.rerank))
        selection = await select_wordings(analysis, graph, best, run.reader)
        await run.explain("selection", trace.selection_quads(scope, selection.edges))

        await run.announce_answer()
        draft = await run.say_all(selection.answer)
        await run.finish(replace(draft, rejected=rejected_edge_quads(scope, selection.rejected)))

    async def _found(
        self, run: Run, analysis: AnalysedQuestion, graph: PairGraph, senses: Mapping[int, float]
    ) -> FoundGroups:
        """The groups that the question leads to, but those of documents, or of edges, that are left out."""
        try:
            groups = await find_groups(analysis, graph, self.similarity, run.question.collection)
        except ModelUnavailable as failure:
            run.warn(f"{BY_NAME_ONLY} {failure}")
            groups = await find_groups(analysis, graph, None, run.question.collection)
        groups = with_senses(groups, analysis, graph, senses)
        without = run.question.without
        documents, edges = {document.value for document in without.documents}, set(without.edges)
        hits = {
            index: ways
            for index, ways in groups.hits.items()
            if graph.groups[index].document not in documents
            and edges.isdisjoint(edge.triple for edge in graph.groups[index].edges)
        }
        return replace(groups, hits=hits)

    async def _ranked(
        self,
        run: Run,
        analysis: AnalysedQuestion,
        graph: PairGraph,
        worded: Sequence[Wording],
        reranker: Reranker | None,
    ) -> RankedWordings:
        similarity: dict[int, float] = {}
        try:
            texts = [wording.text for wording in worded]
            similarity = dict(enumerate(await self.similarity.texts(analysis.text, texts)))
        except ModelUnavailable as failure:
            if not any(warning.startswith(BY_NAME_ONLY) for warning in run.warnings):
                run.warn(f"{BY_NAME_ONLY} {failure}")
        best = await anyio.to_thread.run_sync(partial(ranked, analysis, graph, worded, similarity))
        return await _reranked(run, analysis, best, reranker) if reranker and best.answers else best


async def _paraphrased(run: Run, worded: list[Wording]) -> Sequence[Wording]:
    """In a model's words, where one is to word them."""
    model = run.model
    if model is None or not worded:
        return worded
    prompt = read_prompt(PROMPT, PLACES, run.services.model_use.prompts)
    return await paraphrase(run, model, prompt, run.question.text, worded)


async def _reranked(
    run: Run, analysis: AnalysedQuestion, best: RankedWordings, reranker: Reranker
) -> RankedWordings:
    """The order that a reranker gives; what it gives no score stays behind what it does."""
    every = [*best.answers, *best.others]
    scores = await scored(run, reranker, analysis.text, [wording.text for wording in every])
    if scores.failure:
        run.warn(f"{scores.failure} The wordings are in the order of what they meet.")
        return best
    given = [
        replace(wording, score=value / HIGHEST if value is not None else 0.0, rerank_score=value)
        for wording, value in zip(every, scores.values, strict=True)
    ]
    return chosen(analysis, sorted(given, key=lambda wording: -wording.score))
