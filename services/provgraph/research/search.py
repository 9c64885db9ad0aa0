"""The steps from a question's concepts to the passages that it is answered from: retrieved, checked, scored again.

The check is that of Corrective RAG (Yan et al. 2024), with the papers themselves in place of the web: passages that do
not meet the question are retrieved once more for other words, and the better of the two stands.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pyoxigraph import NamedNode, Quad

from provgraph.answering.accounts import Account, ModelCall
from provgraph.answering.engines import ModelUse
from provgraph.answering.events import Explained
from provgraph.answering.grounding import concepts
from provgraph.answering.passages import Passage
from provgraph.answering.record import SessionRecord
from provgraph.ports.reranker import Reranker, Scores
from provgraph.prompts import read_prompt
from provgraph.provenance import trace
from provgraph.provenance.candidates import check_quads, reformulation_quads
from provgraph.provenance.document_trace import PassedOverChunk, chunk_reranking_quads
from provgraph.provenance.extractive_trace import document_retrieval_quads
from provgraph.provenance.model_calls import Usage, ignored_quads
from provgraph.rdf.vocabulary import TG
from provgraph.research.candidates import CandidateSearch, Found
from provgraph.research.checking import PLACES, Checked, ModelCheck, measured
from provgraph.research.question import ResolvedQuestion

SECOND: Final = ":1"


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
        self.origins = ["retrieval"]
        self.scores: dict[NamedNode, float] = {}
        self.aside: list[PassedOverChunk] = []
        self._plan = plan
        self._record = record
        self._question = question
        self._told_papers = 0

    async def events(self, text: str, grounding: tuple[str, ...]) -> AsyncGenerator[Explained]:
        """`text` is the question with what it takes over from those before it."""
        self.found, told = await self._retrieved(text, grounding, "")
        yield told
        if self._question.asked.corrective:
            async for event in self._corrected(text):
                yield event
        if self._plan.reranker and self.found.passages:
            yield await self._reranked(self._plan.reranker, text)

    async def _retrieved(self, text: str, grounding: tuple[str, ...], number: str) -> tuple[Found, Explained]:
        scope, step = self._record.scope, f"retrieval{number}"
        found = await self._plan.candidates.found(self._question, text, grounding)
        node = scope.names.step(step)
        quads = document_retrieval_quads(
            scope, len(found.passages), found.ranked, found.papers, number, self._told_papers
        )
        self._told_papers += len(found.papers)
        around = [Quad(node, TG.entity, entity, scope.graph) for entity in found.related]
        accounted = await self._record.accounts.keep(step, Account(warnings=found.warnings))
        return found, await self._record.explained(node, [*quads, *around, *accounted])

    async def _corrected(self, text: str) -> AsyncGenerator[Explained]:
        checked = await self._check(text, self.found, "")
        verdict = checked.verdict
        words = "" if checked.words.casefold() == text.casefold() else checked.words
        if verdict is None or verdict.relevant or not words:
            yield await self._told(_warned(checked), "")
            return
        yield await self._told(checked, "")
        reformulated = reformulation_quads(self._record.scope, words, checked.by)
        yield await self._record.explained(self._node("reformulation"), reformulated)
        yield await self._grounded(words)
        second, told = await self._retrieved(words, concepts(words), SECOND)
        yield told
        second = replace(second, weights=self.found.weights)
        checked = await self._check(text, second, SECOND)
        yield await self._told(_warned(checked), SECOND)
        if checked.verdict and not checked.verdict.relevant:
            agent = checked.verdict.agent
            self._set_aside(second.passages, self.found.passages, f"retrieval{SECOND}", agent)
        else:
            self._set_aside(self.found.passages, second.passages, "retrieval", verdict.agent)
            self.found, self.origins = second, [f"retrieval{SECOND}"]

    async def _check(self, text: str, found: Found, number: str) -> Checked:
        self._record.accounts.begin(f"check{number}", check_quads(self._record.scope, None, number))
        use = self._plan.model_use
        if use.model is None:
            return measured(text, found)
        prompt = read_prompt("passages-relevance", PLACES, use.prompts)
        check = ModelCheck(use.model, prompt, use.max_output_tokens, self._record.accounts.exchanges)
        return await check.checked(text, found)

    async def _told(self, checked: Checked, number: str) -> Explained:
        step = f"check{number}"
        quads = check_quads(self._record.scope, checked.verdict, number)
        accounted = await self._record.accounts.keep(step, checked.account)
        return await self._record.explained(self._node(step), [*quads, *accounted])

    async def _grounded(self, words: str) -> Explained:
        step = f"grounding{SECOND}"
        quads = trace.grounding_quads(self._record.scope, concepts(words), step, self._node("reformulation"))
        return await self._record.explained(self._node(step), quads)

    async def _reranked(self, reranker: Reranker, text: str) -> Explained:
        scope, accounts, (origin,) = self._record.scope, self._record.accounts, self.origins
        accounts.begin("reranking", chunk_reranking_quads(scope, (), reranker.name, origin))
        texts = [f"{passage.hit.title}\n{passage.hit.text}" for passage in self.found.passages]
        scores = await reranker.score(text, texts, accounts.exchanges)
        call = None
        if accounts.exchanges:
            usage = scores.usage
            counted = Usage(reranker.name, usage.in_tokens, usage.out_tokens, usage.duration_ms)
            call = ModelCall(tuple(accounts.exchanges), counted)
        accounted = await accounts.keep("reranking", Account(call, _missing(scores)))
        self._order(scores, reranker.name)
        quads = chunk_reranking_quads(scope, scores.values, reranker.name, origin)
        ignored = ignored_quads(scope.names, "reranking", scores.ignored, scope.graph)
        return await self._record.explained(self._node("reranking"), [*quads, *ignored, *accounted])

    def _order(self, scores: Scores, agent: str) -> None:
        """The best scores go on, as many as an answer reads; where there are none, all go on as they were."""
        passages = self.found.passages
        values = {
            passage.hit.chunk: value
            for passage, value in zip(passages, scores.values, strict=True)
            if value is not None
        }
        if not values:
            return
        self.scores = values
        self.origins.append("reranking")
        best = sorted(passages, key=lambda passage: -values.get(passage.hit.chunk, -1.0))
        kept, left = best[: self._question.asked.chunk_limit], best[self._question.asked.chunk_limit :]
        for passage in left:
            score = values.get(passage.hit.chunk)
            said = "Not scored" if score is None else f"Scored {score:g} of 10"
            reason = f"{said} by {agent}; the best {len(kept)} went on to the selection."
            self.aside.append(PassedOverChunk(passage.hit.chunk, passage.hit.score, reason, self.origins[0]))
        self.found = replace(self.found, passages=tuple(kept))

    def _set_aside(
        self, passages: Sequence[Passage], but: Sequence[Passage], retrieval: str, agent: str
    ) -> None:
        kept = {passage.hit.chunk for passage in but}
        asked = "the reformulated question" if retrieval.endswith(SECOND) else "the question as it was asked"
        reason = f"Retrieved for {asked}, and not relevant as {agent} found."
        self.aside += [
            PassedOverChunk(passage.hit.chunk, passage.hit.score, reason, retrieval)
            for passage in passages
            if passage.hit.chunk not in kept
        ]

    def _node(self, step: str) -> NamedNode:
        return self._record.scope.names.step(step)


def _warned(checked: Checked) -> Checked:
    """With a warning where the verdict is that nothing is relevant, and nothing more is done about it."""
    verdict = checked.verdict
    if verdict is None or verdict.relevant:
        return checked
    warning = f"What was retrieved may not answer the question: {verdict.reasoning}"
    return replace(checked, account=replace(checked.account, warnings=(*checked.account.warnings, warning)))


def _missing(scores: Scores) -> tuple[str, ...]:
    if scores.failure is None:
        return ()
    without = sum(value is None for value in scores.values)
    return (f"{scores.failure} {without} of {len(scores.values)} passages keep their first rank.",)
