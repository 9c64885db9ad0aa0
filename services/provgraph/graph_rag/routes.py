"""HTTP face of graph-rag: `POST` and `GET /api/v1/graph-rag`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from provgraph.answering.events import Event
from provgraph.answering.responses import Answers, Asked, asked
from provgraph.answering.sessions import SessionHub
from provgraph.graph_rag.pipeline import GraphRag, Question
from provgraph.ports.retriever import RetrievalLimits
from provgraph.wire.answer import Answer, AskRequest, question_text


def graph_rag_router(service: GraphRag, hub: SessionHub) -> APIRouter:
    """Routes over one service; `hub` owns the sessions that run."""
    router = APIRouter(prefix="/api/v1", tags=["graph-rag"])
    answers = Answers(hub, service.explain_collection)

    @router.post("/graph-rag", response_model=Answer)
    async def ask(body: AskRequest, how: Annotated[Asked, Depends(asked)]) -> Response:
        """Answer a question. `Accept: text/event-stream` streams it, else it comes as one JSON."""
        return await answers.response(how, lambda: _begun(service, body))

    @router.get("/graph-rag", response_model=Answer)
    async def ask_by_get(
        body: Annotated[AskRequest, Query()], how: Annotated[Asked, Depends(asked)]
    ) -> Response:
        """The same, for `EventSource`, which can only GET."""
        return await answers.response(how, lambda: _begun(service, body))

    return router


async def _begun(service: GraphRag, body: AskRequest) -> AsyncGenerator[Event]:
    """A wrong choice is told before there is a session."""
    return service.answer(await service.resolved(_question(body)))


def _question(body: AskRequest) -> Question:
    limits = RetrievalLimits(
        entities=body.entity_limit,
        triples_per_entity=body.triple_limit,
        subgraph=body.max_subgraph_size,
        path_length=body.max_path_length,
    )
    return Question(
        question_text(body.query),
        body.collection,
        body.method,
        limits,
        body.edge_limit,
        body.engine,
        body.corrective,
        body.rerank,
    )
