"""Requests that another service answers, passed on as they come and answered as that one answers: nothing waits here.

Whoever may not come in has been turned away before; what is passed on carries the token of the services, not the
client's. A client that goes away ends the request on the other side. A stream of events that breaks off on the other
side is given an end here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

import anyio
import httpx2
from fastapi.sse import format_sse_event
from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph.errors import ProvGraphError
from provgraph.gateway.problems import problem_response
from provgraph.peers.service import SILENCE_S, PeerService, timeouts
from provgraph.wire.answer import AnswerError, AnswerMessage
from provgraph.wire.event_stream import MEDIA_TYPE
from provgraph.wire.problem import Problem

logger = logging.getLogger(__name__)

_OF_ONE_LINE: Final = frozenset(
    "connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade".split()
)
_KEPT_BACK: Final = _OF_ONE_LINE | {"host", "authorization", "origin", "cookie", "expect", "content-length"}
_NOT_FOUND: Final = 404

WHOLE_ANSWER_S: Final = 900.0
"""How long an answer that is not streamed may take: nothing is heard of it before it is whole."""


@dataclass(frozen=True)
class Forwarded:
    """Routes that `service` answers; `ending` makes of an error the last event of a stream that breaks off."""

    routes: Sequence[BaseRoute]
    service: PeerService
    ending: Callable[[ProvGraphError], bytes]


def answer_ending(error: ProvGraphError) -> bytes:
    """The last message of an answer that broke off."""
    message = AnswerMessage(
        message_type="chunk",
        response="",
        end_of_stream=True,
        end_of_session=True,
        error=AnswerError(type=error.slug, message=str(error)),
    )
    return format_sse_event(event="chunk", data_str=message.model_dump_json(exclude_none=True))


def problem_ending(error: ProvGraphError) -> bytes:
    return format_sse_event(event="problem", data_str=Problem.of(error).model_dump_json(exclude_none=True))


class Forwarding:
    """ASGI middleware that passes on the requests to `forwarded` routes, and lets all others through."""

    def __init__(self, app: ASGIApp, forwarded: Sequence[Forwarded]) -> None:
        self._app = app
        self._forwarded = forwarded

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            for forwarded in self._forwarded:
                for route in forwarded.routes:
                    if route.matches(scope)[0] is Match.FULL:
                        scope["route"] = route  # for what counts requests by route
                        await _while_connected(forwarded, scope, receive, send)
                        return
        await self._app(scope, receive, send)


async def _while_connected(forwarded: Forwarded, scope: Scope, receive: Receive, send: Send) -> None:
    try:
        body = await _body_of(receive)
    except ProvGraphError as error:
        await problem_response(error)(scope, receive, send)
        return
    if body is None:
        return
    request = _Request(scope, body)
    async with anyio.create_task_group() as group:
        group.start_soon(_cancel_when_gone, receive, group.cancel_scope)
        try:
            await _forward(forwarded, request, send)
        except ProvGraphError as error:
            await problem_response(error)(scope, receive, send)
        group.cancel_scope.cancel()


async def _body_of(receive: Receive) -> bytes | None:
    """All of a body, or None where the client went away; a question is short, and whole it can be sent once more."""
    pieces: list[bytes] = []
    message = await receive()
    while message["type"] == "http.request":
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(pieces)
        message = await receive()
    return None


async def _cancel_when_gone(receive: Receive, scope: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
    scope.cancel()


class _Request:
    """A request as it has come in."""

    def __init__(self, scope: Scope, body: bytes) -> None:
        headers = Headers(scope=scope)
        self.method = scope["method"]
        self.body = body
        self.headers = [(name, value) for name, value in headers.items() if name not in _KEPT_BACK]
        if "x-forwarded-host" not in headers:  # by which addresses in answers are those that the client knows
            own = {"x-forwarded-host": headers.get("host", ""), "x-forwarded-proto": scope["scheme"]}
            self.headers += own.items()
        self.patience_s = SILENCE_S if MEDIA_TYPE in headers.get("accept", "") else WHOLE_ANSWER_S
        self.of_a_session = "last-event-id" in headers or "/sessions/" in scope["path"]
        self._path = scope.get("raw_path") or scope["path"].encode()
        self._query = scope["query_string"]

    def url(self, replica: str) -> str:
        path, query = self._path.decode("latin-1").partition("?")[0], self._query.decode("latin-1")
        return f"{replica}{path}?{query}" if query else f"{replica}{path}"


async def _forward(forwarded: Forwarded, request: _Request, send: Send) -> None:
    """The answer of a replica. A session is known to one of them only, and looked for until it is found."""
    service, refusal = forwarded.service, None
    replicas = service.replicas()
    for url in (*replicas, replicas[0]):  # a line that was kept may have died since: once more, on a new one
        sent = service.client.build_request(
            request.method,
            request.url(url),
            headers=request.headers,
            content=request.body,
            timeout=timeouts(request.patience_s),
        )
        try:
            response = await service.client.send(sent, stream=True)
        except httpx2.ReadTimeout as error:  # it may still be at work, and is not to be asked twice
            raise service.unreachable(url, error) from error
        except httpx2.TransportError as error:
            refusal = service.unreachable(url, error)
            continue
        async with aclosing(response):
            if response.status_code == _NOT_FOUND and request.of_a_session and url != replicas[-1]:
                continue
            await _answer(forwarded, response, url, send)
            return
    assert refusal
    raise refusal


async def _answer(forwarded: Forwarded, response: httpx2.Response, url: str, send: Send) -> None:
    if response.status_code == httpx2.codes.UNAUTHORIZED:
        raise forwarded.service.refused(response)
    raw = [(name.lower(), value) for name, value in response.headers.raw]
    headers = [(name, value) for name, value in raw if name.decode("latin-1") not in _OF_ONE_LINE]
    start = {"type": "http.response.start", "status": response.status_code, "headers": headers}
    if response.headers.get("content-type", "").startswith(MEDIA_TYPE):
        await send(start)
        await _pass_on_events(forwarded, response, url, send)
        await send(_body(b"", more=False))
    else:
        body = await _complete_body(forwarded, response, url)
        await send(start)
        await send(_body(body, more=False))


async def _complete_body(forwarded: Forwarded, response: httpx2.Response, url: str) -> bytes:
    """All of an answer that is no stream: one that breaks off is told as a problem, not passed on by half."""
    try:
        return b"".join([piece async for piece in response.aiter_raw()])
    except httpx2.TransportError as error:
        raise forwarded.service.unreachable(url, error) from error


async def _pass_on_events(forwarded: Forwarded, response: httpx2.Response, url: str, send: Send) -> None:
    """Whole events only, each as soon as it is there: half of one could not be told from its end."""
    held = b""
    try:
        async for piece in response.aiter_raw():
            whole, end, held = (held + piece).rpartition(b"\n\n")
            if end:
                await send(_body(whole + end))
    except httpx2.TransportError as error:
        failure = forwarded.service.unreachable(url, error)
        logger.warning("a stream broke off: %s", failure)
        await send(_body(forwarded.ending(failure)))


def _body(piece: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": piece, "more_body": more}
