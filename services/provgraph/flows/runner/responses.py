"""HTTP face of every way of answering: a stream of events that can be continued, or one JSON."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Final

import anyio
from fastapi import Header, Request, Response
from fastapi.responses import JSONResponse

from provgraph.errors import InvalidInput
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.messages import message, whole
from provgraph.flows.runner.sessions import RunningSession, SessionHub
from provgraph.wire.event_stream import StreamedMessage, event_stream, wants_stream

_MESSAGE_ID: Final = re.compile(r"[0-9]{1,24}")


@dataclass(frozen=True)
class Asked:
    """What of an HTTP request matters beside its question."""

    request: Request
    accept: str
    last_event_id: str


async def asked(
    request: Request,
    accept: Annotated[str, Header()] = "*/*",
    last_event_id: Annotated[str, Header()] = "",
) -> Asked:
    return Asked(request, accept, last_event_id)


@dataclass(frozen=True)
class Answers:
    """`hub` owns the sessions that run; `explain_collection` is where their traces are kept."""

    hub: SessionHub
    explain_collection: str

    async def response(self, asked: Asked, begun: Callable[[], Awaitable[AsyncGenerator[Event]]]) -> Response:
        """What is asked for: the rest of a stream that broke, or the answer that `begun` starts.

        Raises the errors of `begun`, before there is a session.
        """
        if asked.last_event_id and wants_stream(asked.accept):
            return self._resumed(asked.last_event_id)
        session = self.hub.start(await begun())
        if wants_stream(asked.accept):
            return event_stream(self._messages(session, 0))
        return await self._whole(session, asked.request)

    def watched(self, asked: Asked, uuid: str) -> Response:
        """A session that somebody else may have started: from its first message, or from the one last seen.

        Raises `InvalidInput` where the message last seen is of another session.
        """
        if asked.last_event_id:
            return self._resumed(asked.last_event_id, uuid)
        return event_stream(self._messages(self.hub.session(uuid), 0))

    def _resumed(self, last_event_id: str, uuid: str | None = None) -> Response:
        session, position = self.hub.resume(_message_id(last_event_id))
        if uuid not in (None, session.uuid):
            raise InvalidInput(
                "Last-Event-ID is of another session. Leave the header out to see this one from its first message."
            )
        if session.finished and position >= len(session.events):
            return Response(status_code=204)
        return event_stream(self._messages(session, position))

    async def _messages(self, session: RunningSession, position: int) -> AsyncGenerator[StreamedMessage]:
        async with aclosing(self.hub.read(session, position)) as events:
            async for message_id, event in events:
                sent = message(event, self.explain_collection)
                yield StreamedMessage(message_id, sent.message_type, sent)

    async def _whole(self, session: RunningSession, request: Request) -> Response:
        events: list[Event] = []
        async with anyio.create_task_group() as group:
            group.start_soon(_cancel_when_gone, request, group.cancel_scope)
            async with aclosing(self.hub.read(session)) as numbered:
                events = [event async for _, event in numbered]
            group.cancel_scope.cancel()
        answer = whole(events, self.explain_collection)
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
