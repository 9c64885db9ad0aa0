"""The candidates of one question: retrieved, and where it is wanted checked, retrieved once more, and scored again."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from provgraph.flows.graph_rag.engine import Engine, Sources
from provgraph.flows.graph_rag.identities import resolution_uses
from provgraph.flows.graph_rag.selection import Selection
from provgraph.flows.runner.correction import CorrectiveSearch
from provgraph.flows.runner.events import Explained
from provgraph.flows.runner.record import SessionRecord
from provgraph.flows.runner.reranking import Candidates, left_behind, reranked
from provgraph.flows.runner.usage import Account
from provgraph.ports.reranker import Reranker, best_first
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult, Retriever
from provgraph.provenance import trace
from provgraph.provenance.candidates import CandidateKind
from provgraph.provenance.resolution import resolution_quads
from provgraph.provenance.retrieval_paths import RankedBy, Way
from provgraph.provenance.trace import PassedOver
from provgraph.rdf.terms import Triple

MOST_RERANKED: Final = 100
KEPT: Final = 30
"""How many of the reranked edges go on to the selection, or as many as it may select, if that is more."""


@dataclass(frozen=True)
class SearchPlan:
    """How candidates are found: `reranker` is None where nobody scores them again."""

    retriever: Retriever
    sources: Sources
    corrective: bool = False
    reranker: Reranker | None = None
    kept: int = KEPT


class CandidateSearch:
    """`found` is what the selection chooses from, `origins` the steps it comes from, once `events` are over."""

    def __init__(self, plan: SearchPlan, record: SessionRecord) -> None:
        self.found = RetrievalResult((), (), (), (), ())
        self.origins = ["retrieval"]
        self._plan = plan
        self._record = record
        self._aside: list[PassedOver] = []
        self._scores: dict[Triple, float] = {}
        self._ways: dict[Triple, Way] = {}

    async def events(self, engine: Engine, request: RetrievalRequest) -> AsyncGenerator[Explained]:
        check = engine.check if self._plan.corrective else None
        search = CorrectiveSearch(self._record, partial(self._retrieved, request), check)
        async with aclosing(search.events(request.question, request.concepts)) as steps:
            async for step in steps:
                yield step
        self.found, self.origins = search.found, [search.step]
        if lost := search.lost:
            kept = {edge.triple for edge in self.found.edges}
            left = (edge for edge in lost.found.edges if edge.triple not in kept)
            self._aside = [
                PassedOver(edge.triple, edge.score, lost.reason, retrieval=lost.step) for edge in left
            ]
        if self._plan.reranker and self.found.edges:
            yield await self._reranked(self._plan.reranker, request.question)

    def completed(self, selection: Selection) -> Selection:
        """The selection with the scores of the reranking, and with the edges that it was never shown.

        Each edge says what led the retrieval to it.
        """
        step = self.origins[0]
        choices = (
            replace(choice, selected=replace(choice.selected, **self._measured(choice.selected.edge)))
            for choice in selection.choices
        )
        passed = (
            replace(edge, retrieval=step, **self._measured(edge.edge)) for edge in selection.passed_over
        )
        aside = (replace(edge, way=self._ways.get(edge.edge, Way())) for edge in self._aside)
        return Selection(tuple(choices), (*passed, *aside))

    def _measured(self, edge: Triple) -> dict[str, Any]:
        return {"rerank_score": self._scores.get(edge), "way": self._ways.get(edge, Way())}

    async def _retrieved(
        self, request: RetrievalRequest, text: str, concepts: tuple[str, ...], number: str
    ) -> tuple[RetrievalResult, Explained]:
        scope, step = self._record.scope, f"retrieval{number}"
        found = await self._plan.retriever.retrieve(replace(request, question=text, concepts=concepts))
        self._ways = {edge.triple: Way(edge.how, edge.path) for edge in found.edges} | self._ways
        seeds = [seed.entity for seed in found.seeds]
        ranked = RankedBy(found.method, found.parameters)
        quads = trace.retrieval_quads(scope, len(found.edges), seeds, number, ranked)
        resolved = resolution_quads(scope, await resolution_uses(found, self._plan.sources), number)
        accounted = await self._record.accounts.keep(step, Account(warnings=found.warnings))
        return found, await self._record.explained(scope.names.step(step), [*quads, *resolved, *accounted])

    async def _reranked(self, reranker: Reranker, question: str) -> Explained:
        """The best scores first, then what has none in its old order; what is left over is set aside."""
        edges, (retrieval,) = self.found.edges, self.origins
        texts = [edge.labels.words for edge in edges[:MOST_RERANKED]]
        candidates = Candidates(CandidateKind.EDGES, retrieval, texts)
        scores, told = await reranked(self._record, reranker, question, candidates)
        if scores.given:
            best, most = best_first(edges, scores.values), self._plan.kept
            kept, left = best[:most], best[most:]
            for edge, score in left:
                reason = left_behind(score, reranker.name, len(kept))
                self._aside.append(PassedOver(edge.triple, edge.score, reason, score, retrieval))
            self._scores = {edge.triple: score for edge, score in best if score is not None}
            self.origins.append("reranking")
            self.found = replace(self.found, edges=tuple(edge for edge, _ in kept))
        return told
