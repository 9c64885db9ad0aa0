"""Candidates scored a second time before the selection: who scores them, and how the trace describes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provgraph.flows.runner.run import Run
from provgraph.ports.reranker import Reranker, RerankingScores
from provgraph.provenance.candidates import CandidateKind, reranking_quads
from provgraph.provenance.model_calls import Usage, ignored_quads


@dataclass(frozen=True)
class RerankedTexts:
    """The candidates of the step `retrieval`, as the texts that a reranker reads."""

    kind: CandidateKind
    retrieval: str
    texts: Sequence[str]


async def rerank(run: Run, reranker: Reranker, question: str, candidates: RerankedTexts) -> RerankingScores:
    """The scores, as a step of the trace, with a warning where some are missing."""
    kind, origin, by = candidates.kind, candidates.retrieval, reranker.name
    run.begin("reranking", reranking_quads(run.scope, kind, 0, by, origin))
    scores = await scored(run, reranker, question, candidates.texts)
    run.warn(*scores.warnings)
    await run.explain(
        "reranking",
        [
            *reranking_quads(run.scope, kind, scores.given, by, origin),
            *ignored_quads(run.names, "reranking", scores.ignored, run.scope.graph),
        ],
    )
    return scores


async def scored(run: Run, reranker: Reranker, question: str, texts: Sequence[str]) -> RerankingScores:
    """The scores, as a part of the step at hand, whose cost they are."""
    scores = await reranker.score(question, texts, run.exchanges)
    usage = scores.usage
    run.add_usage(Usage(reranker.name, usage.in_tokens, usage.out_tokens, usage.duration_ms))
    return scores


def rejection_reason(score: float | None, by: str, kept: int) -> str:
    """Why a reranked candidate does not go on."""
    scoring = "Not scored" if score is None else f"Scored {score:g} of 10"
    return f"{scoring} by {by}; the best {kept} went on to the selection."
