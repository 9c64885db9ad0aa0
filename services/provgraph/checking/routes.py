"""HTTP face of checking: `POST /api/v1/check`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from typing import Annotated, Final

from fastapi import APIRouter, Header, Response
from fastapi.responses import JSONResponse

from provgraph.attestation.chain import Trust
from provgraph.catalogue.collections import Collections
from provgraph.checking.pipeline import Checker, CheckEvent, CheckScope
from provgraph.errors import Forbidden
from provgraph.late_routes import LateRouter
from provgraph.wire.event_stream import EventNames, event_stream, numbered, wants_stream
from provgraph.wire.service import CheckFinding, CheckProgress, CheckReport, CheckRequest, CheckSummary

_NAMES: Final[EventNames] = {CheckProgress: "progress", CheckFinding: "finding", CheckSummary: "summary"}


def checking_router(checker: Checker, collections: Collections, limits: Collection[str] = ()) -> APIRouter:
    """`limits` are the only collections that may be checked, all where none is named."""
    router = LateRouter(prefix="/api/v1", tags=["check"])

    @router.post("/check", response_model=CheckReport)
    async def check(body: CheckRequest, accept: Annotated[str, Header()] = "*/*") -> Response:
        """Check what is stored. `Accept: text/event-stream` streams progress, findings and the summary."""
        await collections.require(body.collection)
        if limits and body.collection not in limits:
            raise Forbidden(f"This token may check {', '.join(sorted(limits))} only.")
        if limits and body.signatures:
            raise Forbidden(
                "Signed records are of all collections, and this token is for some. Check without them, or ask "
                "whoever keeps this service."
            )
        if wants_stream(accept):
            return event_stream(numbered(_events(checker, body), _NAMES))
        return JSONResponse((await _report(checker, body)).model_dump(mode="json"))

    return router


def _events(checker: Checker, body: CheckRequest) -> AsyncGenerator[CheckEvent]:
    trust = Trust(frozenset(body.keys), body.head) if body.signatures else None
    return checker.check(body.collection, scope=CheckScope(body.everything, trust, body.extract_again))


async def _report(checker: Checker, body: CheckRequest) -> CheckReport:
    findings: list[CheckFinding] = []
    async with aclosing(_events(checker, body)) as events:
        async for event in events:
            if isinstance(event, CheckFinding):
                findings.append(event)
            if isinstance(event, CheckSummary):
                return CheckReport(summary=event, findings=findings)
    raise AssertionError("a check ends with its summary")
