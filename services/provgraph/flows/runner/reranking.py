"""Candidates scored a second time before the selection: who scores them, and how that is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from provgraph.flows.runner.engines import MODEL_FREE
from provgraph.flows.runner.events import Explained
from provgraph.flows.runner.record import SessionRecord
from provgraph.flows.runner.usage import Account, ModelCall
from provgraph.ports.language_model import Exchange
from provgraph.ports.reranker import NOBODY, Reranker, Scores
from provgraph.provenance.candidates import CandidateKind, reranking_quads
from provgraph.provenance.model_calls import Usage, ignored_quads


@dataclass(frozen=True)
class Candidates:
    """What the step `retrieval` found, as the texts that a reranker reads."""

    kind: CandidateKind
    retrieval: str
    texts: Sequence[str]


def reranker_unasked(rerankers: Mapping[str, Reranker], engine: str) -> str:
    """Who reranks where the question does not say: never at a price that it avoids."""
    free = (name for name, each in rerankers.items() if not (each.by_language_model and engine == MODEL_FREE))
    return next(free, NOBODY)


async def reranked(
    record: SessionRecord, reranker: Reranker, question: str, candidates: Candidates
) -> tuple[Scores, Explained]:
    """The scores, and the step that tells of them, with a warning where some are missing."""
    scope, accounts = record.scope, record.accounts
    kind, origin, by = candidates.kind, candidates.retrieval, reranker.name
    accounts.begin("reranking", reranking_quads(scope, kind, 0, by, origin))
    scores = await reranker.score(question, candidates.texts, accounts.exchanges)
    account = Account(_call(scores, by, accounts.exchanges), scores.warnings)
    quads = [
        *reranking_quads(scope, kind, scores.given, by, origin),
        *ignored_quads(scope.names, "reranking", scores.ignored, scope.graph),
        *await accounts.keep("reranking", account),
    ]
    return scores, await record.explained(scope.names.step("reranking"), quads)


def left_behind(score: float | None, by: str, kept: int) -> str:
    """Why a candidate does not go on."""
    said = "Not scored" if score is None else f"Scored {score:g} of 10"
    return f"{said} by {by}; the best {kept} went on to the selection."


def _call(scores: Scores, model: str, exchanges: Sequence[Exchange]) -> ModelCall | None:
    """What was asked of a language model, if anything was."""
    usage = scores.usage
    counted = Usage(model, usage.in_tokens, usage.out_tokens, usage.duration_ms)
    return ModelCall(tuple(exchanges), counted) if exchanges else None
