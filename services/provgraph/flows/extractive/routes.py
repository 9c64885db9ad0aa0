"""HTTP face of extraction: `POST` and `GET /api/v1/extractive`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from provgraph.flows.extractive.evidence import EvidenceLimits
from provgraph.flows.extractive.pipeline import Extractive, ExtractiveQuestion
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.responses import Answers, Asked, asked
from provgraph.flows.runner.sessions import SessionHub
from provgraph.late_routes import LateRouter
from provgraph.wire.answer import Answer, AskExtractiveRequest, PostedAskExtractiveRequest, question_text


def extractive_router(service: Extractive, hub: SessionHub) -> APIRouter:
    """Routes over one service; `hub` owns the sessions that run."""
    router = LateRouter(prefix="/api/v1", tags=["extractive"])
    answers = Answers(hub, service.explain_collection)

    @router.post("/extractive", response_model=Answer, summary="Answer from quotations")
    async def ask_extractive(
        body: PostedAskExtractiveRequest, how: Annotated[Asked, Depends(asked)]
    ) -> Response:
        """Answer a question in sentences of the documents, with everything counted for it as `highlights`; as a stream
        with `Accept: text/event-stream`."""
        return await answers.response(how, lambda: _begun(service, body, body.parameters))

    @router.get("/extractive", response_model=Answer)
    async def ask_extractive_by_get(
        body: Annotated[AskExtractiveRequest, Query()], how: Annotated[Asked, Depends(asked)]
    ) -> Response:
        """The same, for `EventSource`, which can only GET."""
        return await answers.response(how, lambda: _begun(service, body, {}))

    return router


async def _begun(
    service: Extractive, body: AskExtractiveRequest, parameters: dict[str, float]
) -> AsyncGenerator[Event]:
    """A wrong choice is told before there is a session."""
    question = ExtractiveQuestion(
        question_text(body.query),
        body.collection,
        body.method,
        parameters,
        body.chunk_limit,
        EvidenceLimits(body.doc_limit, body.evidence_limit, body.sentence_limit),
    )
    return service.answer(await service.resolved(question))
