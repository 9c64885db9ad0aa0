"""HTTP face of the graph of pairs: `POST` and `GET /api/v1/kgqa`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from provgraph.flows.kgqa.pipeline import Kgqa, KgqaQuestion
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.responses import Answers, Asked, asked
from provgraph.flows.runner.sessions import SessionHub
from provgraph.late_routes import LateRouter
from provgraph.wire.answer import Answer, question_text, reranker_name
from provgraph.wire.kgqa import AskKgqaRequest


def kgqa_router(service: Kgqa, hub: SessionHub) -> APIRouter:
    """Routes over one service; `hub` owns the sessions that run."""
    router = LateRouter(prefix="/api/v1", tags=["kgqa"])
    answers = Answers(hub, service.explain_collection)

    @router.post("/kgqa", response_model=Answer, summary="Answer from the graph alone")
    async def ask_graph(body: AskKgqaRequest, how: Annotated[Asked, Depends(asked)]) -> Response:
        """Answer a question from the graph of question-answer pairs, with the clauses cited; as a stream with
        `Accept: text/event-stream`."""
        return await answers.response(how, lambda: _begun(service, body))

    @router.get("/kgqa", response_model=Answer)
    async def ask_graph_by_get(
        body: Annotated[AskKgqaRequest, Query()], how: Annotated[Asked, Depends(asked)]
    ) -> Response:
        """The same, for `EventSource`, which can only GET."""
        return await answers.response(how, lambda: _begun(service, body))

    return router


async def _begun(service: Kgqa, body: AskKgqaRequest) -> AsyncGenerator[Event]:
    """A wrong choice is told before there is a session."""
    question = KgqaQuestion(
        question_text(body.query), body.collection, body.engine, reranker_name(body.rerank)
    )
    return service.answer(await service.resolved(question))
