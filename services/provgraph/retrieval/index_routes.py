"""HTTP face of the indexes: `POST /api/v1/reindex` and `GET /api/v1/embedding`, as a stream of events or one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Header, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from provgraph.catalogue.collections import Collections
from provgraph.late_routes import LateRouter
from provgraph.retrieval.index_sync import Indexed
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.wire.event_stream import StreamedMessage, event_stream, wants_stream
from provgraph.wire.reindex import Embedded, Reindexed, ReindexProgress, ReindexRequest


def index_router(retriever: GraphRetriever, collections: Collections) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["retrieval"])

    @router.post("/reindex", response_model=Reindexed)
    async def reindex(body: ReindexRequest, accept: Annotated[str, Header()] = "*/*") -> Response:
        """Build the indexes anew from store and library. `Accept: text/event-stream` streams how far it is."""
        await collections.require(body.collection)
        steps, named = retriever.reindex(body.collection), body.collection
        return await _response(_told(steps, lambda total: ("reindexed", _reindexed(named, total))), accept)

    @router.get("/embedding", response_model=Embedded)
    async def embedding(collection: str = "default", accept: Annotated[str, Header()] = "*/*") -> Response:
        """Wait until the sentences of all that was ingested are embedded. `Accept: text/event-stream` streams how far
        it is."""
        await collections.require(collection)
        steps = retriever.embedding(collection)
        return await _response(_told(steps, lambda total: ("embedded", _embedded(collection, total))), accept)

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


async def _told(
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
