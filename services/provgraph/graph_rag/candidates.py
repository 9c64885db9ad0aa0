"""The candidates of one question: retrieved, and where it is wanted checked, retrieved once more, and scored again.

The check is that of Corrective RAG (Yan et al. 2024, "Corrective Retrieval Augmented Generation"), with the documents
in place of the web: where the candidates are found not relevant, the question is put in other words and asked once
more. It never makes an answer worse than it was without: where the second retrieval is found not relevant either, the
first one stands, with a warning.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pyoxigraph import NamedNode, Triple

from provgraph.answering.accounts import Account, ModelCall
from provgraph.answering.events import Explained
from provgraph.answering.grounding import concepts
from provgraph.answering.record import SessionRecord
from provgraph.graph_rag.engine import Checked, Engine, Sources
from provgraph.graph_rag.identities import resolution_uses
from provgraph.graph_rag.selection import Selection
from provgraph.ports.reranker import Reranker, Scores
from provgraph.ports.retriever import CandidateEdge, RetrievalRequest, RetrievalResult, Retriever
from provgraph.provenance import trace
from provgraph.provenance.candidates import check_quads, reformulation_quads, reranking_quads
from provgraph.provenance.model_calls import Usage, ignored_quads
from provgraph.provenance.resolution import resolution_quads
from provgraph.provenance.trace import PassedOver
from provgraph.provenance.ways import RankedBy, Way

MOST_RERANKED: Final = 100
KEPT: Final = 30
"""How many of the reranked edges go on to the selection, or as many as it may select, if that is more."""

SECOND: Final = ":1"


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
        self.found, told = await self._retrieved(request, "")
        yield told
        if self._plan.corrective:
            async for event in self._checked(engine, request):
                yield event
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

    async def _retrieved(self, request: RetrievalRequest, number: str) -> tuple[RetrievalResult, Explained]:
        scope = self._record.scope
        found = await self._plan.retriever.retrieve(request)
        self._ways = {edge.triple: Way(edge.how, edge.path) for edge in found.edges} | self._ways
        seeds = [seed.entity for seed in found.seeds]
        ranked = RankedBy(found.method, found.parameters)
        quads = trace.retrieval_quads(scope, len(found.edges), seeds, number, ranked)
        step = f"retrieval{number}"
        resolved = resolution_quads(scope, await resolution_uses(found, self._plan.sources), number)
        accounted = await self._record.accounts.keep(step, Account(warnings=found.warnings))
        return found, await self._record.explained(scope.names.step(step), [*quads, *resolved, *accounted])

    async def _checked(self, engine: Engine, request: RetrievalRequest) -> AsyncGenerator[Explained]:
        checked = await self._check(engine, request.question, self.found, "")
        verdict = checked.verdict
        words = "" if checked.words.casefold() == request.question.casefold() else checked.words
        if verdict is None or verdict.relevant or not words:
            yield await self._told(_warned(checked), "")
            return
        reformulated = reformulation_quads(self._record.scope, words, verdict.agent)
        yield await self._told(checked, "")
        yield await self._record.explained(self._node("reformulation"), reformulated)
        yield await self._grounded(words)
        again = replace(request, question=words, concepts=concepts(words))
        second, told = await self._retrieved(again, SECOND)
        yield told
        checked = await self._check(engine, request.question, second, SECOND)
        yield await self._told(_warned(checked), SECOND)
        if checked.verdict and not checked.verdict.relevant:
            reason = (
                f"Retrieved for the reformulated question, and not relevant as {checked.verdict.agent} found."
            )
            self._set_aside(second.edges, self.found.edges, reason, f"retrieval{SECOND}")
        else:
            reason = f"Retrieved for the question as it was asked, and not relevant as {verdict.agent} found."
            self._set_aside(self.found.edges, second.edges, reason, "retrieval")
            self.found, self.origins = second, [f"retrieval{SECOND}"]

    async def _check(self, engine: Engine, question: str, found: RetrievalResult, number: str) -> Checked:
        self._record.accounts.begin(f"check{number}", check_quads(self._record.scope, None, number))
        return await engine.check(question, found)

    async def _told(self, checked: Checked, number: str) -> Explained:
        step = f"check{number}"
        quads = check_quads(self._record.scope, checked.verdict, number)
        accounted = await self._record.accounts.keep(step, checked.account)
        return await self._record.explained(self._node(step), [*quads, *accounted])

    async def _grounded(self, words: str) -> Explained:
        step = f"grounding{SECOND}"
        origin = self._node("reformulation")
        quads = trace.grounding_quads(self._record.scope, concepts(words), step, origin)
        return await self._record.explained(self._node(step), quads)

    async def _reranked(self, reranker: Reranker, question: str) -> Explained:
        scope, accounts = self._record.scope, self._record.accounts
        (origin,) = self.origins
        edges = self.found.edges[:MOST_RERANKED]
        accounts.begin("reranking", reranking_quads(scope, (), reranker.name, origin))
        scores = await reranker.score(question, [_words(edge) for edge in edges], accounts.exchanges)
        call = None
        if accounts.exchanges:
            usage = scores.usage
            counted = Usage(reranker.name, usage.in_tokens, usage.out_tokens, usage.duration_ms)
            call = ModelCall(tuple(accounts.exchanges), counted)
        accounted = await accounts.keep("reranking", Account(call, _missing(scores)))
        self._order(edges, scores, reranker.name)
        return await self._record.explained(
            self._node("reranking"),
            [
                *reranking_quads(scope, scores.values, reranker.name, origin),
                *ignored_quads(scope.names, "reranking", scores.ignored, scope.graph),
                *accounted,
            ],
        )

    def _order(self, edges: Sequence[CandidateEdge], scores: Scores, agent: str) -> None:
        """The best scores first, then what has none in its old order; what is left over is set aside."""
        scored = [
            (score, edge) for edge, score in zip(edges, scores.values, strict=True) if score is not None
        ]
        if not scored:
            return
        self._scores = {edge.triple: score for score, edge in scored}
        self.origins.append("reranking")
        best = [edge for _, edge in sorted(scored, key=lambda each: -each[0])]
        ordered = [*best, *(edge for edge in self.found.edges if edge.triple not in self._scores)]
        kept, left = ordered[: self._plan.kept], ordered[self._plan.kept :]
        for edge in left:
            score = self._scores.get(edge.triple)
            said = "Not scored" if score is None else f"Scored {score:g} of 10"
            reason = f"{said} by {agent}; the best {len(kept)} went on to the selection."
            self._aside.append(PassedOver(edge.triple, edge.score, reason, score, self.origins[0]))
        self.found = replace(self.found, edges=tuple(kept))

    def _set_aside(
        self, edges: Iterable[CandidateEdge], but: Iterable[CandidateEdge], reason: str, retrieval: str
    ) -> None:
        kept = {edge.triple for edge in but}
        self._aside += [
            PassedOver(edge.triple, edge.score, reason, retrieval=retrieval)
            for edge in edges
            if edge.triple not in kept
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
    return (
        f"{scores.failure} Until then {without} of {len(scores.values)} candidates keep their first rank.",
    )


def _words(edge: CandidateEdge) -> str:
    return f"{edge.labels.subject} {edge.labels.relation} {edge.labels.object}"
