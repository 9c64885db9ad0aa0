"""HTTP face of the flows: each by GET and by POST, as a stream of events that can be continued or as one JSON; and
the sessions that are running, which can be watched from anywhere and stopped."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any, Final, Protocol

import anyio
from fastapi import APIRouter, Depends, Header, Query, Request, Response
from pydantic import BaseModel

from provgraph.errors import InvalidInput
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.messages import message, whole
from provgraph.flows.runner.requests import RequestReader
from provgraph.flows.runner.runner import Runner, Session
from provgraph.flows.runner.sessions import RunningSession, SessionHub
from provgraph.late_routes import LateRouter
from provgraph.rdf.iris import SessionNames
from provgraph.wire.answer import Answer
from provgraph.wire.event_stream import StreamedMessage, event_stream, json_reply, wants_stream

HAS_PROVENANCE: Final = "http://www.w3.org/ns/prov#has_provenance"
_MESSAGE_ID: Final = re.compile(r"[0-9]{1,24}")


@dataclass(frozen=True)
class ReplyForm:
    """In what form a client wants its answer: `last_event_id` is the last message that it has of a broken stream."""

    request: Request
    accept: str
    last_event_id: str


async def reply_form(
    request: Request,
    accept: Annotated[str, Header()] = "*/*",
    last_event_id: Annotated[str, Header()] = "",
) -> ReplyForm:
    return ReplyForm(request, accept, last_event_id)


Form = Annotated[ReplyForm, Depends(reply_form)]


class Encoding(Protocol):
    """How clients are told of the events of a session."""

    def message(self, event: Event) -> tuple[str, BaseModel] | None:
        """The name and the data of one message of a stream; None for what is not told."""

    def whole(self, events: Sequence[Event]) -> BaseModel:
        """A finished session in one reply; raises the error of one that failed."""


@dataclass(frozen=True)
class AnswerEncoding:
    """The messages of an answer; `explain_collection` is where traces are kept."""

    explain_collection: str

    def message(self, event: Event) -> tuple[str, BaseModel]:
        sent = message(event, self.explain_collection)
        return sent.message_type, sent

    def whole(self, events: Sequence[Event]) -> BaseModel:
        return whole(events, self.explain_collection)


@dataclass(frozen=True)
class Answers:
    """`hub` owns the sessions that run."""

    hub: SessionHub
    encoding: Encoding

    async def response(self, form: ReplyForm, ready: Callable[[], Awaitable[Session]]) -> Response:
        """The rest of a stream that broke, or the answer of the session that `ready` makes.

        Raises the errors of `ready`, before there is a session.
        """
        if form.last_event_id and wants_stream(form.accept):
            return self._resumed(form.last_event_id)
        session = self.hub.start(await ready())
        if wants_stream(form.accept):
            uuid = await session.begun()
            return provenance_linked(event_stream(self._messages(session, 0)), uuid)
        return provenance_linked(await self._whole(session, form.request), session.uuid)

    def watched(self, form: ReplyForm, uuid: str) -> Response:
        """A session that somebody else may have started: from its first message, or from the one last seen.

        Raises `InvalidInput` where the message last seen is of another session.
        """
        if form.last_event_id:
            return self._resumed(form.last_event_id, uuid)
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
                if sent := self.encoding.message(event):
                    yield StreamedMessage(message_id, *sent)

    async def _whole(self, session: RunningSession, request: Request) -> Response:
        events = await read_whole(self.hub, session, request)
        return await json_reply(lambda: self.encoding.whole(events))


def provenance_linked(answer: Response, uuid: str) -> Response:
    """The response with the address of its trace (PROV-AQ, section 3.1, "Resource accessed by HTTP"), if it has one."""
    if not uuid:
        return answer
    trace, anchor = f"/api/v1/traces/{uuid}", SessionNames(uuid).answer_text.value
    answer.headers["Link"] = f'<{trace}>; rel="{HAS_PROVENANCE}"; anchor="{anchor}"'
    return answer


async def read_whole(hub: SessionHub, session: RunningSession, request: Request) -> list[Event]:
    """All events of a session for a client that waits for its end; none where the client goes away before."""
    events: list[Event] = []
    async with anyio.create_task_group() as group:
        group.start_soon(_cancel_when_gone, request, group.cancel_scope)
        async with aclosing(hub.read(session)) as numbered:
            events = [event async for _, event in numbered]
        group.cancel_scope.cancel()
    return events


async def _cancel_when_gone(request: Request, scope: anyio.CancelScope) -> None:
    """A client that goes away ends the reading of its answer; its body was read before."""
    while (await request.receive())["type"] != "http.disconnect":
        continue
    scope.cancel()


def _message_id(last_event_id: str) -> int:
    if not _MESSAGE_ID.fullmatch(last_event_id):
        raise InvalidInput("Last-Event-ID is not an id of this service. Leave the header out to ask again.")
    return int(last_event_id)


def flow_router(runners: Iterable[Runner[Any]], reader: RequestReader, hub: SessionHub) -> APIRouter:
    """The routes of all flows; `hub` owns the sessions that run, `reader` knows what a request means."""
    router = LateRouter(prefix="/api/v1")
    for runner in runners:
        _add_routes(router, runner, reader, Answers(hub, AnswerEncoding(runner.services.explain_collection)))
    return router


def _add_routes(router: APIRouter, runner: Runner[Any], reader: RequestReader, answers: Answers) -> None:
    """`POST` with everything that a flow accepts, and `GET` for `EventSource`, which can do nothing else.

    The handlers get the request models of the flow as annotations: FastAPI reads them from there.
    """
    flow = runner.flow

    async def by_post(body: Any, form: Form) -> Response:
        return await answers.response(form, lambda: reader.session(runner, body))

    async def by_get(body: Any, form: Form) -> Response:
        return await answers.response(form, lambda: reader.session(runner, body))

    by_post.__annotations__ = {"body": flow.body, "form": Form, "return": Response}
    by_get.__annotations__ = {"body": Annotated[flow.query, Query()], "form": Form, "return": Response}
    for method, handler, summary, description in (
        ("POST", by_post, flow.summary, flow.description),
        ("GET", by_get, None, "The same, for `EventSource`, which can only GET."),
    ):
        router.add_api_route(
            f"/{flow.path}",
            handler,
            methods=[method],
            response_model=Answer,
            summary=summary or f"{flow.name.label}",
            description=description,
            name=f"{flow.path}-by-{method.lower()}",
            tags=[flow.name.agent],
        )


def session_router(hub: SessionHub, explain_collection: str) -> APIRouter:
    """Routes over the running sessions of one process, each by its IRI or its UUID."""
    router = LateRouter(prefix="/api/v1/sessions", tags=["sessions"])
    answers = Answers(hub, AnswerEncoding(explain_collection))

    @router.get("/{session}/events")
    async def watch(session: str, form: Form) -> Response:
        """The messages of a session that is running or has just ended, from the first, as a stream of events."""
        return answers.watched(form, _uuid(session))

    @router.post("/{session}/stop", status_code=204)
    async def stop(session: str) -> None:
        """End a session now. It is recorded as cut off; one that has ended stays as it is."""
        await hub.stop(_uuid(session))

    return router


def _uuid(session: str) -> str:
    return session.rpartition(":")[2]
