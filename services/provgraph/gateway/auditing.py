"""What the audit log is told of each request: who asked for what, how it was answered, and what it was about."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote

from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph.access.audit import AuditLog
from provgraph.access.principals import Right
from provgraph.access.rights import required_right

_CONCERNS: Final = (
    *("collection", "id", "session", "document", "documents", "document-id", "document_id"),
    *("name", "readers"),
)
"""Fields of a query or a body that name things; no words of a question are kept."""
_PARTS: Final = ("params", "arguments")
"""Fields that hold what a tool of agents is called with."""
NOTE: Final = "provgraph.note"
"""In the scope of a WebSocket whose requests are to be noted one by one: a `NoteRequest`."""
_BODY_BYTES: Final = 1 << 16
_NAME_LENGTH: Final = 300
_SESSION: Final = re.compile(r"urn:trustgraph:session:[0-9a-f-]{36}")
_UNSEEN: Final = frozenset({Right.OPEN})


@dataclass
class AuditedRequest:
    """One request on its way: what it sends and is sent goes through `receive` and `send`. Of one that `begins_session`
    the reply names the session."""

    scope: Scope
    receive_: Receive
    send_: Send
    begins_session: bool
    status: int = 0
    sessions: list[str] = field(default_factory=list)
    _body: bytes = b""

    async def receive(self) -> Message:
        message = await self.receive_()
        if message["type"] == "http.request" and len(self._body) <= _BODY_BYTES:
            self._body += message.get("body", b"")
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif message["type"] == "http.response.body" and self.begins_session and not self.sessions:
            self.sessions += _SESSION.findall(
                message.get("body", b"")[:_BODY_BYTES].decode(errors="replace")
            )[:1]
        elif message["type"] == "websocket.accept":
            self.status = 101
        await self.send_(message)

    @property
    def concerns(self) -> list[str]:
        """Each thing once, without what is no name."""
        query = QueryParams(self.scope["query_string"])
        asked = [value for name in _CONCERNS for value in query.getlist(name)]
        return _distinct([*asked, *_named(self._json()), *self.sessions])

    def _json(self) -> dict[str, Any]:
        kind = Headers(scope=self.scope).get("content-type", "")
        if "json" not in kind or len(self._body) > _BODY_BYTES:
            return {}
        try:
            body = json.loads(self._body)
        except (ValueError, RecursionError):
            return {}
        return body if isinstance(body, dict) else {}


def _named(body: object) -> Iterator[str]:
    """What the fields of a body name."""
    if not isinstance(body, dict):
        return
    for name in _CONCERNS:
        value = body.get(name)
        yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str))
    for name in _PARTS:
        yield from _named(body.get(name))


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name[:_NAME_LENGTH] for name in names if name))


NoteRequest = Callable[[str, int, Mapping[str, Any], str], Awaitable[None]]
"""Notes a request within a WebSocket: the service that it asked, the status of its answer, its body, and the session
that answered it, if any."""


@dataclass(frozen=True)
class Auditing:
    """Notes what is answered in `log`, as long as `is_on`: while anybody has a token of their own."""

    log: AuditLog
    is_on: Callable[[], Awaitable[bool]]

    async def answer(self, app: ASGIApp, by: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer, and note it, also where the client has gone away."""
        method = "WS" if scope["type"] == "websocket" else scope["method"]
        right = required_right(method, scope["path"])
        if right in _UNSEEN or not await self.is_on():
            await app(scope, receive, send)
            return
        told = f"{method} {unquote(scope['path'])[:_NAME_LENGTH]}"

        async def note(service: str, status: int, body: Mapping[str, Any], session: str) -> None:
            concerns = _distinct([*_named(body), session])
            await self.log.record(by, right.value, f"{told} {service[:_NAME_LENGTH]}", status, concerns)

        if method == "WS":
            scope[NOTE] = note
        request = AuditedRequest(scope, receive, send, right is Right.ASK)
        try:
            await app(scope, request.receive, request.send)
        finally:
            await self.log.record(by, right.value, told, request.status, request.concerns)
