"""One WebSocket of a client: the token in its first frame, then requests side by side, each known by its id."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    aclosing,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from typing import Any, Final

import anyio
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from provgraph.errors import InvalidInput, ProvGraphError, Unauthorized
from provgraph.gateway.access_control import OPENED
from provgraph.gateway.body_limit import require_little_structure
from provgraph.gateway.connections.admission import tell_admitted
from provgraph.gateway.connections.socket_connection import FIRST_FRAME
from provgraph.gateway.trustgraph.fields import Body, part, text
from provgraph.gateway.trustgraph.services import ServiceCall, Services, told, unforeseen

logger = logging.getLogger(__name__)

AUTH_TIMEOUT_S: Final = 10.0
AT_ONCE: Final = 32
"""Requests of one connection that run side by side; further frames wait unread."""
POLICY_VIOLATION: Final = 1008


Opened = Callable[[ASGIApp], AbstractAsyncContextManager[Services]]
"""The services of what a token opens, kept open for as long as they answer."""


class Connection:
    """`admits` tells whether a token opens the service. What a token opens is asked anew with each request: rights and
    documents may have changed since the socket was opened, and the token may be worth nothing any more."""

    def __init__(
        self, socket: WebSocket, services: Services, admits: Callable[[str], bool], opened: Opened
    ) -> None:
        self._socket = socket
        self._services = services
        self._admits = admits
        self._opened = opened
        self._running: set[str] = set()
        self._slots = anyio.Semaphore(AT_ONCE)
        self._sending = anyio.Lock()

    async def serve(self) -> None:
        """Answer until the client goes, which ends what still runs for it."""
        await self._socket.accept()
        try:
            if await self._authenticated():
                async with anyio.create_task_group() as requests:
                    await self._read(requests)
                    requests.cancel_scope.cancel()
        except WebSocketDisconnect:
            return

    async def _authenticated(self) -> bool:
        problem = "no token came"
        with anyio.move_on_after(AUTH_TIMEOUT_S):
            try:
                first = await self._frame(FIRST_FRAME)
                if first.get("type") != "auth":
                    raise InvalidInput("the first frame has to be the token")
                if not self._admits(text(first, "token", "")):
                    raise Unauthorized("the token is not the one this service asks for")
            except ProvGraphError as error:
                problem = str(error)
            else:
                tell_admitted(self._socket.scope)
                await self._send({"type": "auth-ok", "default_workspace": "default"})
                return True
        await self._send({"type": "auth-failed", "error": problem})
        await self._socket.close(POLICY_VIOLATION)
        return False

    async def _read(self, requests: anyio.abc.TaskGroup) -> None:
        while True:
            try:
                frame = await self._frame()
            except InvalidInput as error:
                await self._tell({}, error)
                continue
            except WebSocketDisconnect:
                return
            await self._slots.acquire()
            requests.start_soon(self._answer, frame)

    async def _frame(self, most: int | None = None) -> Body:
        """The next frame as an object. Raises `InvalidInput` for one that is none, or has more than `most` bytes."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006))
        raw = message.get("text") or message.get("bytes") or ""
        if most is not None and len(raw) > most:
            raise InvalidInput(f"the first frame may have {most:,} bytes, and has to be the token")
        require_little_structure(raw)
        try:
            frame = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise InvalidInput("The frame is not JSON. Send one JSON object in each frame.") from error
        if not isinstance(frame, Mapping):
            raise InvalidInput("The frame is not a JSON object. Send one in each frame.")
        return frame

    async def _answer(self, frame: Body) -> None:
        named = {"id": frame["id"]} if isinstance(frame.get("id"), str | int) else {}
        try:
            with self._claimed(frame.get("id")):
                await self._stream(frame, named)
        except WebSocketDisconnect:
            return  # the reading ends too, and with it the connection
        except ProvGraphError as error:
            await self._tell(named, error)
        except Exception as error:
            logger.exception("a request failed in a way that nobody foresaw")
            await self._tell(named, unforeseen(error))
        finally:
            self._slots.release()

    @contextmanager
    def _claimed(self, request_id: object) -> Iterator[None]:
        """While a request runs, no other may have its id."""
        if not isinstance(request_id, str | int) or isinstance(request_id, bool) or request_id == "":
            raise InvalidInput("The request has no 'id', and its answer could not be told apart. Send one.")
        key = str(request_id)
        if key in self._running:
            raise InvalidInput(f"A request with the id {key[:80]!r} is still being answered. Use another id.")
        self._running.add(key)
        try:
            yield
        finally:
            self._running.discard(key)

    async def _stream(self, frame: Body, named: dict[str, Any]) -> None:
        call = ServiceCall(text(frame, "service"), text(frame, "flow", ""), part(frame, "request"))
        async with self._open() as services, aclosing(services.replies(call)) as replies:
            async for reply in replies:
                await self._send({**named, "response": reply.response, "complete": reply.complete})

    @asynccontextmanager
    async def _open(self) -> AsyncGenerator[Services]:
        """What may be asked now. Raises `Unauthorized` where the token opens nothing any more."""
        opened = self._socket.scope.get(OPENED)
        if opened is None:
            yield self._services
            return
        app = await opened()
        if app is None:
            raise Unauthorized("The token of this connection is not valid any more. Connect with another.")
        async with self._opened(app) as services:
            yield services

    async def _tell(self, named: dict[str, Any], error: ProvGraphError) -> None:
        with suppress(WebSocketDisconnect):
            await self._send({**named, "error": told(error), "complete": True})

    async def _send(self, message: Mapping[str, Any]) -> None:
        async with self._sending:
            await self._socket.send_text(json.dumps(message))
