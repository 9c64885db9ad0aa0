"""HTTP face of the indexes: `POST /api/v1/reindex`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Header, Response
from fastapi.responses import JSONResponse

from provgraph.catalogue.collections import Collections
from provgraph.late_routes import LateRouter
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.wire.event_stream import StreamedMessage, event_stream, wants_stream
from provgraph.wire.service import Reindexed, ReindexProgress, ReindexRequest


def index_router(retriever: GraphRetriever, collections: Collections) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["retrieval"])

    @router.post("/reindex", response_model=Reindexed)
    async def reindex(body: ReindexRequest, accept: Annotated[str, Header()] = "*/*") -> Response:
        """Build the indexes anew from store and library. `Accept: text/event-stream` streams how far it is."""
        await collections.require(body.collection)
        told = _told(retriever, body.collection)
        if wants_stream(accept):
            return event_stream(told)
        async with aclosing(told):
            last = [message async for message in told][-1]
        return JSONResponse(last.data.model_dump(mode="json"))

    return router


async def _told(retriever: GraphRetriever, collection: str) -> AsyncGenerator[StreamedMessage]:
    message_id = total = 0
    async with aclosing(retriever.reindex(collection)) as steps:
        async for step in steps:
            message_id, total = message_id + 1, max(total, step.total)
            progress = ReindexProgress(doing=step.doing, done=step.done, total=step.total)
            yield StreamedMessage(message_id, "progress", progress)
    yield StreamedMessage(message_id + 1, "reindexed", Reindexed(collection=collection, documents=total))
