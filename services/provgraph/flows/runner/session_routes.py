"""HTTP face of sessions at work, whatever way was asked: watched from anywhere, and stopped."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from provgraph.flows.runner.responses import Answers, Asked, asked
from provgraph.flows.runner.sessions import SessionHub
from provgraph.late_routes import LateRouter


def session_router(hub: SessionHub, explain_collection: str) -> APIRouter:
    """Routes over the sessions of one process, each by its IRI or its UUID."""
    router = LateRouter(prefix="/api/v1/sessions", tags=["sessions"])
    answers = Answers(hub, explain_collection)

    @router.get("/{session}/events")
    async def watch(session: str, how: Annotated[Asked, Depends(asked)]) -> Response:
        """The messages of a session that is at work or has just ended, from the first, as a stream of events."""
        return answers.watched(how, _uuid(session))

    @router.post("/{session}/stop", status_code=204)
    async def stop(session: str) -> None:
        """End a session now. It is recorded as cut off; one that has ended stays as it is."""
        await hub.stop(_uuid(session))

    return router


def _uuid(session: str) -> str:
    return session.rpartition(":")[2]
