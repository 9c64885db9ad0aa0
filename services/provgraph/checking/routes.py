"""HTTP face of checking: `POST /api/v1/check`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict
from typing import Annotated, assert_never

from fastapi import APIRouter, Header, Response
from fastapi.responses import JSONResponse

from provgraph.attestation.chain import Trust
from provgraph.catalogue.collections import Collections
from provgraph.checking.events import CheckEvent, Finding, Progress, Summary
from provgraph.checking.pipeline import Checker, CheckScope
from provgraph.late_routes import LateRouter
from provgraph.wire.event_stream import StreamedMessage, event_stream, wants_stream
from provgraph.wire.service import (
    CheckedSignatures,
    CheckFinding,
    CheckProgress,
    CheckReport,
    CheckRequest,
    CheckSummary,
)

CheckMessage = CheckProgress | CheckFinding | CheckSummary


def checking_router(checker: Checker) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["check"])

    @router.post("/check", response_model=CheckReport)
    async def check(body: CheckRequest, accept: Annotated[str, Header()] = "*/*") -> Response:
        """Check what is stored. `Accept: text/event-stream` streams progress, findings and the summary."""
        await Collections(checker.store, checker.explain_collection).require(body.collection)
        if wants_stream(accept):
            return event_stream(_streamed(checker, body))
        return JSONResponse((await _report(checker, body)).model_dump(mode="json"))

    return router


def _events(checker: Checker, body: CheckRequest) -> AsyncGenerator[CheckEvent]:
    trust = Trust(frozenset(body.keys), body.head) if body.signatures else None
    return checker.check(body.collection, scope=CheckScope(body.everything, trust, body.extract_again))


async def _streamed(checker: Checker, body: CheckRequest) -> AsyncGenerator[StreamedMessage]:
    message_id = 0
    async with aclosing(_events(checker, body)) as events:
        async for event in events:
            message_id += 1
            yield StreamedMessage(message_id, type(event).__name__.lower(), _message(event))


async def _report(checker: Checker, body: CheckRequest) -> CheckReport:
    findings: list[CheckFinding] = []
    async with aclosing(_events(checker, body)) as events:
        async for event in events:
            match message := _message(event):
                case CheckFinding():
                    findings.append(message)
                case CheckSummary():
                    return CheckReport(summary=message, findings=findings)
    raise AssertionError("a check ends with its summary")


def _message(event: CheckEvent) -> CheckMessage:
    match event:
        case Progress():
            return CheckProgress(doing=event.doing, done=event.done, total=event.total)
        case Finding():
            return CheckFinding(rule=event.rule, subject=event.subject, sentence=event.sentence)
        case Summary():
            return CheckSummary(
                collection=event.collection,
                passed=event.passed,
                units=event.units,
                unchanged=event.unchanged,
                findings=event.findings,
                truncated=list(event.truncated),
                extracted=event.extracted,
                signatures=CheckedSignatures(**asdict(event.signatures)) if event.signatures else None,
            )
    assert_never(event)
