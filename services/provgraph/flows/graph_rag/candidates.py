"""The candidates of one question: retrieved, and where it is wanted checked, retrieved once more, and scored again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from provgraph.flows.graph_rag.engine import Engine
from provgraph.flows.graph_rag.selection import EdgeSelection
from provgraph.flows.runner.correction import FIRST, CorrectiveSearch
from provgraph.flows.runner.named_documents import named_documents, narrowed
from provgraph.flows.runner.reranking import RerankedTexts, rejection_reason, rerank
from provgraph.flows.runner.run import Run
from provgraph.ports.reranker import Reranker, best_first
from provgraph.ports.retriever import CandidateEdge, RetrievalRequest, RetrievalResult, TakenAsOne
from provgraph.provenance import trace
from provgraph.provenance.candidates import CandidateKind, RejectedEdge
from provgraph.provenance.resolution import ResolutionUse, resolution_quads
from provgraph.provenance.trace import RankedBy, RetrievalPath
from provgraph.rdf.terms import NamedNode, Triple

MOST_RERANKED: Final = 100
NOT_NAMED: Final = "No document says it that the question names."
KEPT: Final = 30
"""How many of the reranked edges go on to the selection, or as many as it may select, if that is more."""


@dataclass(frozen=True)
class SearchPlan:
    """How candidates are found: `reranker` is None where nobody scores them again."""

    corrective: bool = False
    reranker: Reranker | None = None
    kept: int = KEPT


class FactSearch:
    """After `search`, `candidates` are what the selection chooses from, and `origins` the steps they come from;
    `first` is what was retrieved for the question as it was asked, None where it is to be asked of fewer documents:
    `named`, by title."""

    def __init__(self, run: Run, plan: SearchPlan) -> None:
        self.candidates = RetrievalResult((), (), (), (), ())
        self.first: RetrievalResult | None = None
        self.named: Mapping[NamedNode, str] = {}
        self.origins = ["retrieval"]
        self._run = run
        self._plan = plan
        self._rejected: list[RejectedEdge] = []
        self._scores: dict[Triple, float] = {}
        self._paths: dict[Triple, RetrievalPath] = {}

    async def search(self, engine: Engine, request: RetrievalRequest) -> None:
        check = partial(engine.check, self._run) if self._plan.corrective else None
        search = CorrectiveSearch(self._run, partial(self._retrieve, request), check)
        await search.search(request.question, request.concepts)
        self.candidates, self.origins = search.candidates, [search.step]
        if rejected := search.rejected:
            kept = {edge.triple for edge in self.candidates.edges}
            self._rejected = [
                RejectedEdge(edge.triple, edge.score, rejected.reason, retrieval=rejected.step)
                for edge in rejected.candidates.edges
                if edge.triple not in kept
            ]
        if self._plan.reranker and self.candidates.edges:
            await self._rerank(self._plan.reranker, request.question)

    async def narrow(self, text: str) -> None:
        """Put the question to the long documents that it names, from here on, where it names any."""
        documents = await named_documents(self._run, text, self.candidates)
        self.named = documents.titles
        if not documents.left_out:
            return
        self._run.leave_out(documents.left_out)
        self.first = None
        before = self.candidates
        self.candidates = await narrowed(self._run, before)
        kept = {edge.triple for edge in self.candidates.edges}
        self._rejected += [
            RejectedEdge(edge.triple, edge.score, NOT_NAMED, retrieval=self.origins[0])
            for edge in before.edges
            if edge.triple not in kept
        ]

    @property
    def is_put_to_one(self) -> bool:
        """Whether the question names a long document."""
        return bool(self.named)

    def completed(self, selection: EdgeSelection) -> EdgeSelection:
        """The selection with the scores of the reranking, and with the edges that it was never shown.

        Each edge says what led the retrieval to it.
        """
        step = self.origins[0]
        choices = (
            replace(choice, selected=replace(choice.selected, **self._measured(choice.selected.edge)))
            for choice in selection.choices
        )
        rejected = (replace(edge, retrieval=step, **self._measured(edge.edge)) for edge in selection.rejected)
        others = (replace(edge, way=self._paths.get(edge.edge, RetrievalPath())) for edge in self._rejected)
        return EdgeSelection(tuple(choices), (*rejected, *others))

    def _measured(self, edge: Triple) -> dict[str, Any]:
        return {"rerank_score": self._scores.get(edge), "way": self._paths.get(edge, RetrievalPath())}

    async def _retrieve(
        self, request: RetrievalRequest, text: str, concepts: tuple[str, ...], number: str
    ) -> RetrievalResult:
        run = self._run
        result = await run.retrieve(replace(request, question=text, concepts=concepts))
        if number == FIRST:
            self.first = result
        self._paths = {edge.triple: RetrievalPath(edge.how, edge.path) for edge in result.edges} | self._paths
        seeds = [seed.entity for seed in result.seeds]
        ranked = RankedBy(result.method, result.parameters)
        quads = trace.retrieval_quads(run.scope, len(result.edges), seeds, number, ranked)
        uses = await _resolution_uses(run, result)
        await run.explain(f"retrieval{number}", [*quads, *resolution_quads(run.scope, uses, number)])
        return result

    async def _rerank(self, reranker: Reranker, question: str) -> None:
        """The best scores first, then what has none in its old order; what is left over is set aside."""
        edges, (retrieval,) = self.candidates.edges, self.origins
        texts = [edge.labels.words for edge in edges[:MOST_RERANKED]]
        reranked = RerankedTexts(CandidateKind.EDGES, retrieval, texts)
        scores = await rerank(self._run, reranker, question, reranked)
        if not scores.given:
            return
        best, most = best_first(edges, scores.values), self._plan.kept
        kept, left = best[:most], best[most:]
        self._reject(left, reranker.name, len(kept))
        self._scores = {edge.triple: score for edge, score in best if score is not None}
        self.origins.append("reranking")
        self.candidates = replace(self.candidates, edges=tuple(edge for edge, _ in kept))

    @property
    def is_ambiguous(self) -> bool:
        """Whether a name of the question was taken for several things."""
        return any(tie.is_one_of_several for edge in self.candidates.edges for tie in edge.ties)

    def _reject(self, left: Sequence[tuple[CandidateEdge, float | None]], by: str, kept: int) -> None:
        for edge, score in left:
            reason = rejection_reason(score, by, kept)
            self._rejected.append(RejectedEdge(edge.triple, edge.score, reason, score, self.origins[0]))


async def _resolution_uses(run: Run, result: RetrievalResult) -> list[ResolutionUse]:
    """Each pair of entities that was taken as one on the way to an edge, with every sentence that says so."""
    by_pair: dict[object, TakenAsOne] = {}
    for edge in result.edges:
        for tie in edge.ties:
            by_pair.setdefault((tie.entities, tie.rule), tie)
    sentences = await run.sources([tie.fact for tie in by_pair.values() if tie.fact])
    return [
        ResolutionUse(
            entities=tie.entities,
            rule=tie.rule,
            reasoning=f"{tie.told}.",
            quotations=tuple(source.quotation for source in sentences[tie.fact]) if tie.fact else (),
            decision=tie.decision,
        )
        for tie in by_pair.values()
    ]
