"""Retrieval whose passages and edges are scored a second time, where a request asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from provgraph.ports.reranker import NOBODY, Reranker, RerankingScores, best_first, reranker_named
from provgraph.ports.retriever import (
    CandidateEdge,
    ChunkHit,
    DocumentHit,
    RetrievalRequest,
    RetrievalResult,
    Retriever,
)
from provgraph.rdf.terms import NamedNode

MOST_CHUNKS: Final = 30
MOST_EDGES: Final = 50
"""Candidates of each kind that are scored again; what stood behind them keeps its place behind them."""

Candidate = TypeVar("Candidate", CandidateEdge, ChunkHit)


class RerankingRetriever:
    """`Retriever` around another: `rerankers` by the name that a request calls them by."""

    def __init__(self, retriever: Retriever, rerankers: Mapping[str, Reranker]) -> None:
        self._retriever = retriever
        self._rerankers = rerankers

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        """Raises `InvalidInput` for a reranker that there is not, and what the other retriever raises."""
        reranker = reranker_named(self._rerankers, request.rerank or NOBODY)
        if reranker is None:
            return await self._retriever.retrieve(request)
        result = await self._retriever.retrieve(replace(request, chunks=max(request.chunks, MOST_CHUNKS)))
        chunks, edges = result.chunks[:MOST_CHUNKS], result.edges[:MOST_EDGES]
        texts = [
            *(f"{chunk.title}\n{chunk.text}" for chunk in chunks),
            *(edge.labels.words for edge in edges),
        ]
        scores = await reranker.score(request.question, texts)
        return _ordered(result, request.chunks, scores)

    async def accept(self, request: RetrievalRequest) -> None:
        reranker_named(self._rerankers, request.rerank or NOBODY)
        await self._retriever.accept(request)

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        await self._retriever.follow(collection, documents)

    async def forget(self, collection: str) -> None:
        await self._retriever.forget(collection)

    async def rewrite(self, collection: str) -> None:
        await self._retriever.rewrite(collection)


def _ordered(result: RetrievalResult, wanted: int, scores: RerankingScores) -> RetrievalResult:
    """What was found by the new scores; documents by their best chunk."""
    shown = min(len(result.chunks), MOST_CHUNKS)
    chunks = _rescored(result.chunks, scores.values[:shown])
    edges = _rescored(result.edges, scores.values[shown:])
    return replace(
        result,
        chunks=tuple(chunks[:wanted]),
        edges=tuple(edges),
        documents=tuple(_documents(chunks, result.documents)),
        warnings=(*result.warnings, *scores.warnings),
    )


def _rescored(candidates: Sequence[Candidate], scores: Sequence[float | None]) -> list[Candidate]:
    return [replace(each, rerank_score=score) for each, score in best_first(candidates, scores)]


def _documents(chunks: Sequence[ChunkHit], ranked: Sequence[DocumentHit]) -> list[DocumentHit]:
    place = {document: at for at, document in enumerate(dict.fromkeys(chunk.document for chunk in chunks))}
    return sorted(ranked, key=lambda hit: place.get(hit.document, len(place)))
