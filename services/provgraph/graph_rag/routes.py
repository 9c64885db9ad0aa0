"""HTTP face of graph-rag: `POST` and `GET /api/v1/graph-rag`, as a stream of events or as one JSON."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Final

import anyio
from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.responses import JSONResponse

from provgraph.errors import InvalidInput
from provgraph.graph_rag.asking import Asker
from provgraph.graph_rag.events import Event
from provgraph.graph_rag.messages import message, whole
from provgraph.graph_rag.pipeline import GraphRag
from provgraph.graph_rag.sessions import RunningSession, SessionHub
from provgraph.wire.answer import Answer, AskRequest, PostedAskRequest
from provgraph.wire.event_stream import StreamedMessage, event_stream, wants_stream

_MESSAGE_ID: Final = re.compile(r"[0-9]{1,24}")


@dataclass(frozen=True)
class Asked:
    """What of an HTTP request matters beside its question."""

    request: Request
    accept: str
    last_event_id: str


async def _asked(
    request: Request,
    accept: Annotated[str, Header()] = "*/*",
    last_event_id: Annotated[str, Header()] = "",
) -> Asked:
    return Asked(request, accept, last_event_id)


def graph_rag_router(service: GraphRag, hub: SessionHub, asker: Asker) -> APIRouter:
    """Routes over one service; `hub` owns the sessions that run, `asker` knows what a request means."""
    router = APIRouter(prefix="/api/v1", tags=["graph-rag"])

    @router.post("/graph-rag", response_model=Answer)
    async def ask(body: PostedAskRequest, asked: Annotated[Asked, Depends(_asked)]) -> Response:
        """Answer a question. `Accept: text/event-stream` streams it, else it comes as one JSON."""
        return await respond(body, asked)

    @router.get("/graph-rag", response_model=Answer)
    async def ask_by_get(
        body: Annotated[AskRequest, Query()], asked: Annotated[Asked, Depends(_asked)]
    ) -> Response:
        """The same, for `EventSource`, which can only GET."""
        return await respond(body, asked)

    async def respond(body: AskRequest, asked: Asked) -> Response:
        if asked.last_event_id and wants_stream(asked.accept):
            return _continued(service, hub, asked.last_event_id)
        question = await asker.question(body)
        service.engines.chosen(question.engine)  # a wrong choice is told before there is a session
        session = hub.start(service.answer(question))
        if wants_stream(asked.accept):
            return event_stream(_messages(service, hub, session, 0))
        return await _whole(service, hub, session, asked.request)

    return router


def _continued(service: GraphRag, hub: SessionHub, last_event_id: str) -> Response:
    session, position = hub.resume(_message_id(last_event_id))
    if session.finished and position >= len(session.events):
        return Response(status_code=204)
    return event_stream(_messages(service, hub, session, position))


async def _messages(
    service: GraphRag, hub: SessionHub, session: RunningSession, position: int
) -> AsyncGenerator[StreamedMessage]:
    async with aclosing(hub.read(session, position)) as events:
        async for message_id, event in events:
            sent = message(event, service.explain_collection)
            yield StreamedMessage(message_id, sent.message_type, sent)


async def _whole(service: GraphRag, hub: SessionHub, session: RunningSession, request: Request) -> Response:
    events: list[Event] = []
    async with anyio.create_task_group() as group:
        group.start_soon(_cancel_when_gone, request, group.cancel_scope)
        async with aclosing(hub.read(session)) as numbered:
            events = [event async for _, event in numbered]
        group.cancel_scope.cancel()
    answer = whole(events, service.explain_collection)
    return JSONResponse(answer.model_dump(mode="json", exclude_none=True))


async def _cancel_when_gone(request: Request, scope: anyio.CancelScope) -> None:
    """A client that goes away ends the reading of its answer; its body was read before."""
    while (await request.receive())["type"] != "http.disconnect":
        continue
    scope.cancel()


def _message_id(last_event_id: str) -> int:
    if not _MESSAGE_ID.fullmatch(last_event_id):
        raise InvalidInput("Last-Event-ID is not an id of this service. Leave the header out to ask anew.")
    return int(last_event_id)
