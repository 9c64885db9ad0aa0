"""HTTP face of checking what others wrote: `POST /api/v1/attribution`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from typing import Annotated, Any, Final

from anyio import CapacityLimiter
from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ValidationError

from provgraph.disconnects import while_connected
from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.flows.attribution.claims import summary
from provgraph.flows.attribution.given_sources import Deadline, GivenSourcesCheck
from provgraph.flows.runner.reading_passages import topic
from provgraph.late_routes import LateRouter
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.syntax import Parser
from provgraph.verdicts.answers import split_answer
from provgraph.verdicts.judgement import EvidenceText
from provgraph.wire.attribution import (
    AttributedClaim,
    AttributionProgress,
    AttributionReport,
    AttributionRequest,
    GivenSourceRequest,
    bounded_sources,
    bounded_text,
)
from provgraph.wire.event_stream import StreamedMessage, event_stream, wants_stream
from provgraph.wire.problem import Problem

DOING: Final = "claims"


def attribution_router(parser: Parser | None = None) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["attribution"])
    used: Parser = BuiltInParser() if parser is None else parser
    turns = CapacityLimiter(1)  # one interpreter: others would only wait for it

    @router.post("/attribution", response_model=AttributionReport)
    async def attribution(
        body: AttributionRequest, request: Request, accept: Annotated[str, Header()] = "*/*"
    ) -> Response:
        """Check a text claim by claim: against sources given here, which are not stored, or against a collection.

        `Accept: text/event-stream` streams each claim as soon as it is judged.
        """
        check = _given(body, body.sources or [], used)
        if wants_stream(accept):
            return event_stream(_streamed(check, turns))
        report = await while_connected(request, lambda: _report(check, turns))
        return JSONResponse(report.model_dump(mode="json", exclude_none=True))

    return router


def _given(body: AttributionRequest, sources: list[GivenSourceRequest], parser: Parser) -> GivenSourcesCheck:
    bounded_sources(sources)
    answer = split_answer(bounded_text(body.text))
    texts = [EvidenceText(each.id, each.text, topic(each.title, each.text)) for each in sources]
    return GivenSourcesCheck(answer, body.question, texts, parser, Deadline())


def given_check(body: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The messages of a check of given sources, made in this thread. Raises as the route does."""
    try:
        asked = AttributionRequest.model_validate(body)
    except ValidationError as error:
        wrong = "; ".join(
            f"{each['loc'][-1] if each['loc'] else 'it'}: {each['msg']}" for each in error.errors()
        )
        raise InvalidInput(f"The text cannot be checked ({wrong}). Change what is named.") from error
    check = _given(asked, asked.sources or [], BuiltInParser())
    yield "progress", _progress(check).model_dump(mode="json")
    claims: list[AttributedClaim] = []
    for claim in check.each_claim():
        claims.append(claim)
        yield "claim", claim.model_dump(mode="json", exclude_none=True)
    yield "summary", summary(claims, len(check.sources)).model_dump(mode="json", exclude_none=True)


def _progress(check: GivenSourcesCheck) -> AttributionProgress:
    return AttributionProgress(doing=DOING, done=0, total=len(check.answer.claims))


async def _report(check: GivenSourcesCheck, turns: CapacityLimiter) -> AttributionReport:
    async with aclosing(check.claims(turns)) as judged:
        claims = [claim async for claim in judged]
    return AttributionReport(claims=claims, summary=summary(claims, len(check.sources)))


async def _streamed(check: GivenSourcesCheck, turns: CapacityLimiter) -> AsyncGenerator[StreamedMessage]:
    number = 0
    async with aclosing(_messages(check, turns)) as messages:
        try:
            async for name, message in messages:
                yield StreamedMessage(number, name, message)
                number += 1
        except ProvGraphError as error:
            yield StreamedMessage(number, "problem", Problem.of(error))


async def _messages(
    check: GivenSourcesCheck, turns: CapacityLimiter
) -> AsyncGenerator[tuple[str, BaseModel]]:
    """How many claims there are, each claim, and the summary."""
    yield "progress", _progress(check)
    claims: list[AttributedClaim] = []
    async with aclosing(check.claims(turns)) as judged:
        async for claim in judged:
            claims.append(claim)
            yield "claim", claim
    yield "summary", summary(claims, len(check.sources))
