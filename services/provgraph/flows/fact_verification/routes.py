"""HTTP face of fact verification: `POST` and `GET /api/v1/verify`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from provgraph.flows.fact_verification.pipeline import Claim, FactVerification
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.responses import Answers, Asked, asked
from provgraph.flows.runner.sessions import SessionHub
from provgraph.late_routes import LateRouter
from provgraph.wire.answer import Answer, VerifyRequest, claim_text


def fact_verification_router(service: FactVerification, hub: SessionHub) -> APIRouter:
    """Routes over one service; `hub` owns the sessions that run."""
    router = LateRouter(prefix="/api/v1", tags=["fact-verification"])
    answers = Answers(hub, service.explain_collection)

    @router.post("/verify", response_model=Answer)
    async def verify(body: VerifyRequest, how: Annotated[Asked, Depends(asked)]) -> Response:
        """Judge a claim by the documents of a collection, as a stream with `Accept: text/event-stream`."""
        return await answers.response(how, lambda: _begun(service, body))

    @router.get("/verify", response_model=Answer)
    async def verify_by_get(
        body: Annotated[VerifyRequest, Query()], how: Annotated[Asked, Depends(asked)]
    ) -> Response:
        """The same, for `EventSource`, which can only GET."""
        return await answers.response(how, lambda: _begun(service, body))

    return router


async def _begun(service: FactVerification, body: VerifyRequest) -> AsyncGenerator[Event]:
    """A wrong choice is told before there is a session."""
    claim = Claim(
        claim_text(body.claim),
        body.collection,
        body.method,
        body.doc_limit,
        body.engine,
        body.time_limit,
    )
    return service.verify(await service.resolved(claim))
