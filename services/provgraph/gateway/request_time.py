"""How long a request's work goes on: not when its client is gone, and not beyond a deadline.

What only asks is ended at its next step; what computes in a thread, at the next one that it tells of
(`provgraph.disconnects`). What changes something goes on to its end, whoever waits for it: half a deletion would be
worse than one that nobody heard the end of; after the deadline its client is told so, and only so many are under way at
once. Ingests and builds are jobs, which have nobody waiting for them.
"""

from __future__ import annotations

import asyncio
import math
from typing import Final

from anyio import CancelScope
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph.errors import TimedOut, Unavailable
from provgraph.gateway.problems import problem_response

ASKING: Final = frozenset(
    {
        "/mcp",
        "/sparql",
        "/api/agent_action",
        "/api/v1/attribution",
        "/api/v1/check",
        "/api/v1/document-rag",
        "/api/v1/documents/readers/test",
        "/api/v1/extract",
        "/api/v1/extractive",
        "/api/v1/graph-rag",
        "/api/v1/kgqa",
        "/api/v1/passages",
        "/api/v1/research",
        "/api/v1/retrieve",
        "/api/v1/verify",
        "/v1/chat/completions",
        "/v1/responses",
    }
)
"""Paths at which a POST changes nothing but the trace of its answer. A GET never does.

A tool of `/mcp` that changes something calls a route of its own for that, which is not cancelled (`OwnRoutes`)."""


MOST_CHANGES: Final = 64
"""Requests that change something and are under way at once, those counted that nobody waits for any more."""


class RequestTime:
    """ASGI middleware: who asks has `seconds` until the response begins, then as long as the client takes it."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds
        self._changes: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif only_asks(scope["method"], scope["path"]):
            await _Timed(self._app, self._seconds).run(scope, receive, send)
        elif len(self._changes) >= MOST_CHANGES:
            full = Unavailable(f"{MOST_CHANGES} changes are under way. Send yours again in a moment.")
            await problem_response(full)(scope, receive, send)
        else:
            await self._change(scope, receive, send)

    async def _change(self, scope: Scope, receive: Receive, send: Send) -> None:
        change = _Change(receive, send)
        work = asyncio.ensure_future(self._app(scope, change.receive, change.send))
        self._changes.add(work)
        work.add_done_callback(self._changes.discard)
        try:
            if not await change.is_late(work, self._seconds):
                await work
                return
        except asyncio.CancelledError:
            work.cancel()
            raise
        late = TimedOut(
            f"It was not done within {self._seconds:.0f} seconds. It goes on to its end: see what is stored before you "
            "send it again, or raise PROVGRAPH_REQUEST_TIMEOUT_S where the service is started."
        )
        await problem_response(late)(scope, receive, send)


class _Change:
    """One request that changes something; when its client was told that it is late, nothing more is sent."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._last = asyncio.get_running_loop().time()
        self._has_begun = self._is_late = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._last = asyncio.get_running_loop().time()
        return message

    async def send(self, message: Message) -> None:
        if not self._is_late:
            self._has_begun = True
            await self._send(message)

    async def is_late(self, work: asyncio.Future[None], seconds: float) -> bool:
        """Whether no answer has begun so long after the last of what the client sent."""
        while (left := self._last + seconds - asyncio.get_running_loop().time()) > 0:
            await asyncio.wait({work}, timeout=left)
            if work.done() or self._has_begun:
                return False
        self._is_late = not self._has_begun
        return self._is_late


def only_asks(method: str, path: str) -> bool:
    return method in ("GET", "HEAD", "OPTIONS") or (method == "POST" and path in ASKING)


class _Timed:
    """One request. What the client sends is read one message ahead of the app, so that its leaving is seen."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds
        self._scope = CancelScope(deadline=asyncio.get_running_loop().time() + seconds)
        self._coming: asyncio.Queue[Message] = asyncio.Queue(maxsize=1)
        self._has_begun = self._is_whole = False

    async def run(self, scope: Scope, receive: Receive, send: Send) -> None:
        reading = asyncio.create_task(self._read(receive))
        try:
            with self._scope:
                await self._app(scope, self._coming.get, self._sending(send))
        finally:
            reading.cancel()
        is_late = self._scope.cancelled_caught and math.isfinite(self._scope.deadline)
        if is_late and not self._has_begun:
            late = TimedOut(
                f"There was no answer within {self._seconds:.0f} seconds. Ask for less, or raise "
                "PROVGRAPH_REQUEST_TIMEOUT_S where the service is started."
            )
            await problem_response(late)(scope, receive, send)

    async def _read(self, receive: Receive) -> None:
        while (message := await receive())["type"] != "http.disconnect":
            await self._coming.put(message)
        if not self._is_whole:
            self._scope.deadline = math.inf
            self._scope.cancel()

    def _sending(self, send: Send) -> Send:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._has_begun, self._scope.deadline = True, math.inf
            elif message["type"] == "http.response.body" and not message.get("more_body", False):
                self._is_whole = True  # who has heard all may go
            await send(message)

        return sent
