"""HTTP face of graph-rag: `POST` and `GET /api/v1/graph-rag`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from provgraph.flows.graph_rag.asking import Asker
from provgraph.flows.graph_rag.pipeline import GraphRag
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.responses import Answers, Asked, asked
from provgraph.flows.runner.sessions import SessionHub
from provgraph.late_routes import LateRouter
from provgraph.wire.answer import Answer, AskRequest, PostedAskRequest


def graph_rag_router(service: GraphRag, hub: SessionHub, asker: Asker) -> APIRouter:
    """Routes over one service; `hub` owns the sessions that run, `asker` knows what a request means."""
    router = LateRouter(prefix="/api/v1", tags=["graph-rag"])
    answers = Answers(hub, service.explain_collection)

    @router.post("/graph-rag", response_model=Answer, summary="Answer from facts")
    async def ask(body: PostedAskRequest, how: Annotated[Asked, Depends(asked)]) -> Response:
        """Answer a question. `Accept: text/event-stream` streams it, else it comes as one JSON."""
        return await answers.response(how, lambda: _begun(service, asker, body))

    @router.get("/graph-rag", response_model=Answer)
    async def ask_by_get(
        body: Annotated[AskRequest, Query()], how: Annotated[Asked, Depends(asked)]
    ) -> Response:
        """The same, for `EventSource`, which can only GET."""
        return await answers.response(how, lambda: _begun(service, asker, body))

    return router


async def _begun(service: GraphRag, asker: Asker, body: AskRequest) -> AsyncGenerator[Event]:
    """A wrong choice is told before there is a session."""
    return service.answer(await service.resolved(await asker.question(body)))
