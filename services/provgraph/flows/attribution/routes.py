"""HTTP face of checking what others wrote: `POST /api/v1/attribution`, as a stream of events or as one JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Response
from pydantic import BaseModel, ValidationError

from provgraph.disconnects import while_connected
from provgraph.errors import InvalidInput, ProvGraphError, Unavailable
from provgraph.flows.attribution.claims import summary
from provgraph.flows.attribution.deadline import Deadline
from provgraph.flows.attribution.flow import Attribution, CheckedText
from provgraph.flows.attribution.given_sources import GivenSourcesCheck
from provgraph.flows.runner.events import Event, Explained, Finished, TextAdded
from provgraph.flows.runner.reading_passages import topic
from provgraph.flows.runner.requests import RequestReader
from provgraph.flows.runner.routes import Answers, Form
from provgraph.flows.runner.runner import Runner
from provgraph.flows.runner.sessions import SessionHub
from provgraph.late_routes import LateRouter
from provgraph.rdf.iris import SessionNames
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.syntax import Parser
from provgraph.verdicts.answers import split_answer
from provgraph.verdicts.judgement import EvidenceText
from provgraph.wire.attribution import (
    AttributedClaim,
    AttributionProgress,
    AttributionReport,
    AttributionRequest,
    AttributionSummary,
    CheckedTextRequest,
    GivenSourceRequest,
    bounded_sources,
    bounded_text,
)
from provgraph.wire.event_stream import StreamedMessage, event_stream, json_reply, wants_stream
from provgraph.wire.problem import Problem

DOING: Final = "claims"
_SESSION: Final = SessionNames("").session.value


@dataclass(frozen=True)
class AttributionEncoding:
    """Of a text with `total` sentences, checked against a collection."""

    total: int
    collection: str

    def message(self, event: Event) -> tuple[str, BaseModel] | None:
        match event:
            case Explained():
                begins = event.entity.value.startswith(_SESSION)
                return ("progress", progress(self.total)) if begins else None
            case TextAdded():
                return ("claim", event.claim) if event.claim else None
            case Finished():
                return (
                    ("problem", Problem.of(event.error)) if event.error else ("summary", self._summary(event))
                )

    def whole(self, events: Sequence[Event]) -> AttributionReport:
        """Raises the error of a session that failed, `Unavailable` for one cut off."""
        last = events[-1] if events else None
        if not isinstance(last, Finished):
            raise Unavailable("The check ended before the last claim was judged. Send the text again.")
        if last.error:
            raise last.error
        return AttributionReport(claims=list(last.attribution), summary=self._summary(last))

    def _summary(self, last: Finished) -> AttributionSummary:
        return summary(last.attribution, collection=self.collection, session=last.session.value)


def progress(total: int) -> AttributionProgress:
    return AttributionProgress(doing=DOING, done=0, total=total)


def attribution_router(runner: Runner[CheckedText], reader: RequestReader, hub: SessionHub) -> APIRouter:
    """`hub` owns the sessions of checks against a collection; those of given sources have none."""
    router = LateRouter(prefix="/api/v1", tags=["attribution"])
    flow = runner.flow
    assert isinstance(flow, Attribution)
    parser, turns = flow.parser, flow.turns

    @router.post("/attribution", response_model=AttributionReport)
    async def attribution(body: AttributionRequest, form: Form) -> Response:
        """Check a text claim by claim: against sources given here, which are not stored, or against a collection.

        `Accept: text/event-stream` streams each claim as soon as it is judged.
        """
        if body.sources is None:
            asked = _asked(body)
            split = await to_thread.run_sync(split_answer, asked.question)
            encoding = AttributionEncoding(len(split.claims), asked.collection)
            return await Answers(hub, encoding).response(form, lambda: reader.session(runner, asked))
        check = await to_thread.run_sync(_given, body, body.sources, parser)
        if wants_stream(form.accept):
            return event_stream(_streamed(check, turns))
        report = await while_connected(form.request, lambda: _report(check, turns))
        return await json_reply(lambda: report)

    return router


def _asked(body: AttributionRequest) -> CheckedTextRequest:
    """What the runner is asked, where a collection is to say."""
    assert body.collection is not None
    return CheckedTextRequest(
        text=body.text,
        collection=body.collection,
        answers=body.question,
        agent=body.agent,
        **body.narrowing,
    )


def _given(body: AttributionRequest, sources: list[GivenSourceRequest], parser: Parser) -> GivenSourcesCheck:
    bounded_sources(sources)
    answer = split_answer(bounded_text(body.text))
    texts = [EvidenceText(source.id, source.text, topic(source.title, source.text)) for source in sources]
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
    yield "progress", progress(len(check.answer.claims)).model_dump(mode="json")
    claims: list[AttributedClaim] = []
    for claim in check.each_claim():
        claims.append(claim)
        yield "claim", claim.model_dump(mode="json", exclude_none=True)
    yield "summary", summary(claims, len(check.sources)).model_dump(mode="json", exclude_none=True)


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
    yield "progress", progress(len(check.answer.claims))
    claims: list[AttributedClaim] = []
    async with aclosing(check.claims(turns)) as judged:
        async for claim in judged:
            claims.append(claim)
            yield "claim", claim
    yield "summary", summary(claims, len(check.sources))
