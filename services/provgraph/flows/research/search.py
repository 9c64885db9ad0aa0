"""The steps from a question's concepts to the passages that it is answered from: retrieved, checked, scored again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from provgraph.flows.research.candidates import PaperCandidates, find_candidates
from provgraph.flows.research.checking import PLACES, measured_check, model_check
from provgraph.flows.runner.correction import CorrectiveSearch, RelevanceCheck
from provgraph.flows.runner.passages import QuestionWeights, RetrievedPassage
from provgraph.flows.runner.reranking import RerankedTexts, rejection_reason, rerank
from provgraph.flows.runner.run import Run
from provgraph.ports.reranker import Reranker, best_first
from provgraph.ports.retriever import RetrievalRequest
from provgraph.prompts import read_prompt
from provgraph.provenance.candidates import CandidateKind
from provgraph.provenance.document_trace import RejectedChunk, document_retrieval_quads
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import TG


@dataclass(frozen=True)
class PaperSearchPlan:
    """`reranker` is None where nobody scores the passages again; `kept` of them go on then."""

    corrective: bool
    reranker: Reranker | None
    kept: int


class PassageSearch:
    """After `search`, `candidates` are what the selection chooses from, and `origins` the steps they come from.

    `scores` are those of the reranking; `rejected` is what was retrieved and goes no further.
    """

    def __init__(self, run: Run, plan: PaperSearchPlan) -> None:
        self.candidates: PaperCandidates
        self.origins: list[str] = []
        self.scores: dict[NamedNode, float] = {}
        self.rejected: list[RejectedChunk] = []
        self._run = run
        self._plan = plan
        self._weights: QuestionWeights | None = None
        self._paper_count = 0

    async def search(self, request: RetrievalRequest) -> None:
        """The text of `request` is the question with what it takes over from those before it."""

        async def retrieve(text: str, concepts: tuple[str, ...], number: str) -> PaperCandidates:
            return await self._retrieve(replace(request, question=text, concepts=concepts), number)

        search = CorrectiveSearch(self._run, retrieve, self._check if self._plan.corrective else None)
        await search.search(request.question, request.concepts)
        self.candidates, self.origins = search.candidates, [search.step]
        if rejected := search.rejected:
            kept = {passage.hit.chunk for passage in self.candidates.passages}
            left = (passage for passage in rejected.candidates.passages if passage.hit.chunk not in kept)
            self.rejected = [_rejected(passage, rejected.reason, rejected.step) for passage in left]
        if self._plan.reranker and self.candidates.passages:
            await self._rerank(self._plan.reranker, request.question)

    async def _retrieve(self, request: RetrievalRequest, number: str) -> PaperCandidates:
        """What is found for other words is weighed by those of the question all the same."""
        run, step = self._run, f"retrieval{number}"
        candidates = await find_candidates(run, request)
        self._weights = self._weights or candidates.weights
        node, papers = run.names.step(step), candidates.papers
        quads = document_retrieval_quads(
            run.scope, len(candidates.passages), candidates.ranked, papers, number, self._paper_count
        )
        self._paper_count += len(papers)
        around = [Quad(node, TG.entity, entity, run.scope.graph) for entity in candidates.related]
        await run.explain(step, [*quads, *around])
        return replace(candidates, weights=self._weights)

    async def _check(self, text: str, candidates: PaperCandidates) -> RelevanceCheck:
        model = self._run.model
        if model is None:
            return await measured_check(text, candidates)
        prompt = read_prompt("passages-relevance", PLACES, self._run.services.model_use.prompts)
        return await model_check(self._run, model, prompt, text, candidates)

    async def _rerank(self, reranker: Reranker, text: str) -> None:
        """The best scores go on, as many as an answer reads; where there are none, all go on as they were."""
        passages, (retrieval,) = self.candidates.passages, self.origins
        texts = [f"{passage.hit.title}\n{passage.hit.text}" for passage in passages]
        scores = await rerank(
            self._run, reranker, text, RerankedTexts(CandidateKind.CHUNKS, retrieval, texts)
        )
        if not scores.given:
            return
        best = best_first(passages, scores.values)
        kept, left = best[: self._plan.kept], best[self._plan.kept :]
        self._reject(left, reranker.name, len(kept))
        self.scores = {passage.hit.chunk: score for passage, score in best if score is not None}
        self.origins.append("reranking")
        self.candidates = replace(self.candidates, passages=tuple(passage for passage, _ in kept))

    def _reject(self, left: Sequence[tuple[RetrievedPassage, float | None]], by: str, kept: int) -> None:
        for passage, score in left:
            self.rejected.append(_rejected(passage, rejection_reason(score, by, kept), self.origins[0]))


def _rejected(passage: RetrievedPassage, reason: str, retrieval: str) -> RejectedChunk:
    return RejectedChunk(passage.hit.chunk, passage.hit.score, reason, retrieval)
