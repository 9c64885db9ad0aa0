"""HTTP face of questions to papers: `POST` and `GET /api/v1/research`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from provgraph.flows.research.pipeline import Research
from provgraph.flows.research.question import PaperQuestion
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.responses import Answers, Asked, asked
from provgraph.flows.runner.sessions import SessionHub
from provgraph.late_routes import LateRouter
from provgraph.wire.answer import Answer, question_text, reranker_name
from provgraph.wire.research import AskPapersRequest


def research_router(service: Research, hub: SessionHub) -> APIRouter:
    """Routes over one service; `hub` owns the sessions that run."""
    router = LateRouter(prefix="/api/v1", tags=["research"])
    answers = Answers(hub, service.explain_collection)

    @router.post("/research", response_model=Answer, summary="Answer from papers")
    async def ask_papers(body: AskPapersRequest, how: Annotated[Asked, Depends(asked)]) -> Response:
        """Answer a question from papers, all or some, naming them; a stream with `Accept: text/event-stream`."""
        return await answers.response(how, lambda: begun(service, body))

    @router.get("/research", response_model=Answer)
    async def ask_papers_by_get(
        body: Annotated[AskPapersRequest, Query()], how: Annotated[Asked, Depends(asked)]
    ) -> Response:
        """The same, for `EventSource`, which can only GET."""
        return await answers.response(how, lambda: begun(service, body))

    return router


async def begun(service: Research, body: AskPapersRequest) -> AsyncGenerator[Event]:
    """The events of a question; a wrong choice is told before there is a session."""
    question = PaperQuestion(
        text=question_text(body.query),
        collection=body.collection,
        papers=None if body.papers is None else tuple(body.papers),
        conversation=body.conversation.strip(),
        method=body.method,
        alpha=body.alpha,
        engine=body.engine,
        corrective=body.corrective,
        rerank=reranker_name(body.rerank),
        chunk_limit=body.doc_limit,
        fetch_limit=max(body.fetch_limit, body.doc_limit),
    )
    return service.answer(await service.resolved(question))
