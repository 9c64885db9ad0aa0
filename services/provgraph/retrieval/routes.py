"""HTTP face of retrieval, `POST /api/v1/retrieve`, and of its indexes, `reindex` and `embedding`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, replace
from typing import Annotated

from fastapi import APIRouter, Header, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.document_names import narrowed_documents
from provgraph.catalogue.sources import MOST_SOURCES, ChunkOnPage, SourceReader
from provgraph.late_routes import LateRouter
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.ports.retriever import (
    CandidateEdge,
    ChunkHit,
    DocumentHit,
    RetrievalLimits,
    RetrievalRequest,
    RetrievalResult,
    Retriever,
    Without,
)
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.json_terms import triple_to_json
from provgraph.rdf.terms import Literal, NamedNode
from provgraph.rdf.vocabulary import DC
from provgraph.retrieval.index_sync import Indexed
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.traces.views import source_view
from provgraph.wire.event_stream import StreamedMessage, event_stream, wants_stream
from provgraph.wire.flow_requests import question_text, reranker_name
from provgraph.wire.retrieve import (
    ChunkTerm,
    EdgeText,
    RankedChunk,
    RankedDocument,
    RankedEdge,
    RankedSeed,
    Retrieved,
    RetrieveRequest,
)
from provgraph.wire.service import Embedded, Reindexed, ReindexProgress, ReindexRequest


def retrieval_router(retriever: Retriever, collections: Collections) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["retrieval"])

    @router.post("/retrieve")
    async def retrieve(body: RetrieveRequest) -> Retrieved:
        """Candidate edges, chunks and documents for a question, ranked; no answer, no trace."""
        request = _request(body)
        graphs = await collections.require(body.collection)
        narrowed = await narrowed_documents(collections.store, graphs, body)
        request = replace(request, without=Without(narrowed.others))
        result = await retriever.retrieve(request)
        reader = SourceReader(collections.store, graphs.source)
        shown = result.chunks[: body.limit]
        places = await reader.chunk_places((hit.chunk for hit in shown), (hit.document for hit in shown))
        files = await _files(collections.store, graphs, result.documents[: body.limit])
        told = _told(result, body.limit, places, files)
        if body.sources:
            told.edges = await _with_sources(reader, result.edges[: body.limit], told.edges)
        return told

    return router


def _request(body: RetrieveRequest) -> RetrievalRequest:
    return RetrievalRequest(
        question=question_text(body.query),
        collection=body.collection,
        method=body.method,
        limits=RetrievalLimits(
            entities=body.entity_limit,
            triples_per_entity=body.triple_limit,
            subgraph=body.max_subgraph_size,
            path_length=body.max_path_length,
        ),
        chunks=body.limit,
        parameters=body.parameters,
        rerank=reranker_name(body.rerank),
    )


async def _files(
    store: QuadStore, graphs: CollectionGraphs, documents: Iterable[DocumentHit]
) -> dict[NamedNode, str]:
    """The names of the documents' files, where they have some."""
    patterns = [QuadPattern(hit.document, DC.source, None, graphs.source) for hit in documents]
    read = [quad for quads in await store.match(patterns) for quad in quads]
    return {
        quad.subject: quad.object.value
        for quad in read
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, Literal)
    }


def _told(
    result: RetrievalResult,
    limit: int,
    places: Mapping[NamedNode, ChunkOnPage],
    files: Mapping[NamedNode, str],
) -> Retrieved:
    return Retrieved(
        method=result.method,
        parameters=dict(result.parameters),
        edges=[_edge(edge) for edge in result.edges[:limit]],
        chunks=[_chunk(hit, places.get(hit.chunk)) for hit in result.chunks[:limit]],
        documents=[
            RankedDocument(
                id=hit.document.value,
                title=hit.title,
                source=files.get(hit.document, ""),
                score=hit.score,
            )
            for hit in result.documents[:limit]
        ],
        seeds=[
            RankedSeed(id=seed.entity.value, label=seed.label, score=seed.score, how=seed.how)
            for seed in result.seeds[:limit]
        ],
        warnings=list(result.warnings),
    )


async def _with_sources(
    reader: SourceReader, edges: Sequence[CandidateEdge], ranked_edges: Sequence[RankedEdge]
) -> list[RankedEdge]:
    """The edges as they are told, each with the sentences that say it and who read them."""
    sources = await reader.sources([edge.triple for edge in edges], most=MOST_SOURCES)
    extractions = await reader.extractions(source.subgraph for of in sources.values() for source in of)
    return [
        each.model_copy(
            update={
                "sources": [
                    source_view(source, extractions.get(source.subgraph))
                    for source in sources.get(edge.triple, ())
                ]
            }
        )
        for edge, each in zip(edges, ranked_edges, strict=True)
    ]


def _edge(edge: CandidateEdge) -> RankedEdge:
    return RankedEdge(
        triple=triple_to_json(edge.triple),
        labels=EdgeText(**asdict(edge.labels)),
        score=edge.score,
        terms=list(edge.terms),
        coverage=edge.coverage,
        how=edge.how,
        path=list(edge.path),
        confidence=edge.confidence,
        support=edge.support,
        rerank_score=edge.rerank_score,
    )


def _chunk(hit: ChunkHit, lies: ChunkOnPage | None) -> RankedChunk:
    place = lies.place if lies else None
    return RankedChunk(
        id=hit.chunk.value,
        document=hit.document.value,
        title=hit.title,
        source="" if place is None else place.source,
        page="" if place is None else place.page.value,
        page_number=None if place is None else place.page_number,
        start=lies.offset if lies else None,
        end=lies.offset + len(hit.text) if lies else None,
        score=hit.score,
        terms=[ChunkTerm(text=text, score=score) for text, score in hit.terms],
        how=hit.how,
        text=hit.text,
        rerank_score=hit.rerank_score,
    )


def index_router(retriever: GraphRetriever, collections: Collections) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["retrieval"])

    @router.post("/reindex", response_model=Reindexed)
    async def reindex(body: ReindexRequest, accept: Annotated[str, Header()] = "*/*") -> Response:
        """Build the indexes anew from store and library. `Accept: text/event-stream` streams how far it is."""
        await collections.require(body.collection)
        steps, named = retriever.reindex(body.collection), body.collection
        return await _response(
            _steps_told(steps, lambda total: ("reindexed", _reindexed(named, total))), accept
        )

    @router.get("/embedding", response_model=Embedded)
    async def embedding(collection: str = "default", accept: Annotated[str, Header()] = "*/*") -> Response:
        """Wait until the sentences of all that was ingested are embedded. `Accept: text/event-stream` streams how far
        it is."""
        await collections.require(collection)
        steps = retriever.embedding(collection)
        return await _response(
            _steps_told(steps, lambda total: ("embedded", _embedded(collection, total))), accept
        )

    return router


def _embedded(collection: str, total: int) -> Embedded:
    return Embedded(collection=collection, documents=total)


def _reindexed(collection: str, total: int) -> Reindexed:
    return Reindexed(collection=collection, documents=total)


async def _response(told: AsyncGenerator[StreamedMessage], accept: str) -> Response:
    if wants_stream(accept):
        return event_stream(told)
    async with aclosing(told):
        last = [message async for message in told][-1]
    return JSONResponse(last.data.model_dump(mode="json"))


async def _steps_told(
    steps: AsyncGenerator[Indexed], ended: Callable[[int], tuple[str, BaseModel]]
) -> AsyncGenerator[StreamedMessage]:
    """Each step, and in the end what `ended` makes of the number of documents."""
    message_id = total = 0
    async with aclosing(steps):
        async for step in steps:
            message_id, total = message_id + 1, max(total, step.total)
            progress = ReindexProgress(doing=step.doing, done=step.done, total=step.total)
            yield StreamedMessage(message_id, "progress", progress)
    yield StreamedMessage(message_id + 1, *ended(total))
