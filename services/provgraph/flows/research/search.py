"""The steps from a question's concepts to the passages that it is answered from: retrieved, checked, scored again."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from provgraph.flows.research.candidates import CandidateSearch, Found
from provgraph.flows.research.checking import PLACES, ModelCheck, measured
from provgraph.flows.research.question import ResolvedQuestion
from provgraph.flows.runner.correction import Checked, CorrectiveSearch
from provgraph.flows.runner.engines import ModelUse
from provgraph.flows.runner.events import Explained
from provgraph.flows.runner.passages import Passage, QuestionWeights
from provgraph.flows.runner.record import SessionRecord
from provgraph.flows.runner.reranking import Candidates, left_behind, reranked
from provgraph.flows.runner.usage import Account
from provgraph.ports.reranker import Reranker, best_first
from provgraph.prompts import read_prompt
from provgraph.provenance.candidates import CandidateKind
from provgraph.provenance.document_trace import PassedOverChunk
from provgraph.provenance.extractive_trace import document_retrieval_quads
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import TG


@dataclass(frozen=True)
class SearchPlan:
    """`model_use.model` checks where it is there; `reranker` is None where nobody scores the passages again."""

    candidates: CandidateSearch
    model_use: ModelUse
    reranker: Reranker | None = None


class PaperSearch:
    """`found` is what the selection chooses from, `origins` the steps it comes from, once `events` are over.

    `scores` are those of the reranking; `aside` is what was retrieved and goes no further.
    """

    def __init__(self, plan: SearchPlan, record: SessionRecord, question: ResolvedQuestion) -> None:
        self.found: Found
        self.origins: list[str] = []
        self.scores: dict[NamedNode, float] = {}
        self.aside: list[PassedOverChunk] = []
        self._plan = plan
        self._record = record
        self._question = question
        self._weights: QuestionWeights | None = None
        self._told_papers = 0

    async def events(self, text: str, grounding: tuple[str, ...]) -> AsyncGenerator[Explained]:
        """`text` is the question with what it takes over from those before it."""
        check = self._check if self._question.asked.corrective else None
        search = CorrectiveSearch(self._record, self._retrieved, check)
        async with aclosing(search.events(text, grounding)) as steps:
            async for step in steps:
                yield step
        self.found, self.origins = search.found, [search.step]
        if lost := search.lost:
            kept = {passage.hit.chunk for passage in self.found.passages}
            left = (passage for passage in lost.found.passages if passage.hit.chunk not in kept)
            self.aside = [_passed_over(passage, lost.reason, lost.step) for passage in left]
        if self._plan.reranker and self.found.passages:
            yield await self._reranked(self._plan.reranker, text)

    async def _retrieved(self, text: str, grounding: tuple[str, ...], number: str) -> tuple[Found, Explained]:
        """What is found for other words is weighed by those of the question all the same."""
        scope, step = self._record.scope, f"retrieval{number}"
        found = await self._plan.candidates.found(self._question, text, grounding)
        self._weights = self._weights or found.weights
        node = scope.names.step(step)
        quads = document_retrieval_quads(
            scope, len(found.passages), found.ranked, found.papers, number, self._told_papers
        )
        self._told_papers += len(found.papers)
        around = [Quad(node, TG.entity, entity, scope.graph) for entity in found.related]
        accounted = await self._record.accounts.keep(step, Account(warnings=found.warnings))
        told = await self._record.explained(node, [*quads, *around, *accounted])
        return replace(found, weights=self._weights), told

    async def _check(self, text: str, found: Found) -> Checked:
        use = self._plan.model_use
        if use.model is None:
            return measured(text, found)
        prompt = read_prompt("passages-relevance", PLACES, use.prompts)
        check = ModelCheck(use.model, prompt, use.max_output_tokens, self._record.accounts.exchanges)
        return await check.checked(text, found)

    async def _reranked(self, reranker: Reranker, text: str) -> Explained:
        """The best scores go on, as many as an answer reads; where there are none, all go on as they were."""
        passages, (retrieval,) = self.found.passages, self.origins
        texts = [f"{passage.hit.title}\n{passage.hit.text}" for passage in passages]
        candidates = Candidates(CandidateKind.CHUNKS, retrieval, texts)
        scores, told = await reranked(self._record, reranker, text, candidates)
        if scores.given:
            best, most = best_first(passages, scores.values), self._question.asked.chunk_limit
            kept, left = best[:most], best[most:]
            for passage, score in left:
                reason = left_behind(score, reranker.name, len(kept))
                self.aside.append(_passed_over(passage, reason, retrieval))
            self.scores = {passage.hit.chunk: score for passage, score in best if score is not None}
            self.origins.append("reranking")
            self.found = replace(self.found, passages=tuple(passage for passage, _ in kept))
        return told


def _passed_over(passage: Passage, reason: str, retrieval: str) -> PassedOverChunk:
    return PassedOverChunk(passage.hit.chunk, passage.hit.score, reason, retrieval)
