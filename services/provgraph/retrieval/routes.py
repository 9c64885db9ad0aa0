"""HTTP face of retrieval: `POST /api/v1/retrieve`."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter

from provgraph.catalogue.collections import Collections
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult, Retriever
from provgraph.rdf.terms import triple_to_json
from provgraph.wire.answer import question_text
from provgraph.wire.retrieve import (
    ChunkTerm,
    RankedChunk,
    RankedDocument,
    RankedEdge,
    RankedSeed,
    Retrieved,
    RetrieveRequest,
)


def retrieval_router(retriever: Retriever, collections: Collections) -> APIRouter:
    router = APIRouter(prefix="/api/v1", tags=["retrieval"])

    @router.post("/retrieve")
    async def retrieve(body: RetrieveRequest) -> Retrieved:
        """Candidate edges, chunks and documents for a question, ranked; no answer, no trace."""
        question = question_text(body.query)
        await collections.require(body.collection)
        request = RetrievalRequest(
            question, collection=body.collection, method=body.method, chunks=body.limit
        )
        return _told(await retriever.retrieve(request), body.limit)

    return router


def _told(found: RetrievalResult, limit: int) -> Retrieved:
    return Retrieved(
        edges=[
            RankedEdge(
                triple=triple_to_json(edge.triple),
                labels=asdict(edge.labels),
                score=edge.score,
                terms=list(edge.terms),
                path=list(edge.path),
                confidence=edge.confidence,
                support=edge.support,
            )
            for edge in found.edges[:limit]
        ],
        chunks=[
            RankedChunk(
                id=chunk.chunk.value,
                document=chunk.document.value,
                title=chunk.title,
                score=chunk.score,
                terms=[ChunkTerm(text=text, score=score) for text, score in chunk.terms],
                text=chunk.text,
            )
            for chunk in found.chunks[:limit]
        ],
        documents=[
            RankedDocument(id=hit.document.value, title=hit.title, score=hit.score)
            for hit in found.documents[:limit]
        ],
        seeds=[
            RankedSeed(id=seed.entity.value, label=seed.label, score=seed.score, how=seed.how)
            for seed in found.seeds[:limit]
        ],
    )
