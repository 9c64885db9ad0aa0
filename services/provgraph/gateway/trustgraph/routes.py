"""Where the services are reached: one WebSocket for all of them, each by REST, and the few routes beside them.

A WebSocket brings its token in the first frame, then requests side by side, each known by its id.

The published client reads an error from a body of status 200 and shows of any other status only its number, so that
is how the services' routes tell errors.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    aclosing,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import dataclass
from typing import Any, Final

import anyio
from fastapi import APIRouter, Request, Response, WebSocket
from starlette.types import ASGIApp
from starlette.websockets import WebSocketDisconnect

from provgraph.errors import InvalidInput, ProvGraphError, Unauthorized
from provgraph.gateway.access_control import OPENED
from provgraph.gateway.auditing import NOTE
from provgraph.gateway.body_limit import require_little_structure
from provgraph.gateway.connections.admission import FIRST_FRAME, tell_admitted
from provgraph.gateway.document_routes import DOWNLOAD
from provgraph.gateway.trustgraph.fields import Body, json_object, part, text
from provgraph.gateway.trustgraph.services import FLOW, ServiceCall, Services, error_fields, unforeseen
from provgraph.late_routes import LateRouter
from provgraph.rdf.iris import given_iri
from provgraph.rdf.terms import NamedNode
from provgraph.wire.addresses import LOGIN, SOCKET

logger = logging.getLogger(__name__)

PROCESSORS: Final = "processor_info"


def service_router(services: Services, admits: Callable[[str], bool], opened: Opened) -> APIRouter:
    """`admits` tells whether a token opens the service; other routes are guarded by the service. `opened` gives the
    services of what a token opens at this moment."""
    router = LateRouter(tags=["trustgraph"], include_in_schema=False)

    @router.websocket(SOCKET)
    async def socket(socket: WebSocket) -> None:
        await Connection(socket, services, admits, opened).serve()

    @router.post("/api/v1/flow/{flow}/service/{service}")
    async def of_flow(flow: str, service: str, request: Request) -> Mapping[str, Any]:
        return await _answered(services, request, service, flow)

    for name in (*services.of_workspace, *services.absent):
        router.post(f"/api/v1/{name}")(_workspace_route(services, name))
    router.post("/api/v1/auth/change-password")(_workspace_route(services, "iam"))

    async def login() -> Mapping[str, Any]:
        return await _answered(services, None, "iam", "")

    for path in LOGIN:
        router.post(path)(login)
    return router


def side_router(content: Callable[[NamedNode], Awaitable[bytes]], processors: Mapping[str, str]) -> APIRouter:
    """The bytes of a document, and which parts of the service run (`processors`, with what each does)."""
    router = LateRouter(tags=["trustgraph"], include_in_schema=False)

    @router.get("/api/v1/document-stream")
    async def document(request: Request) -> Response:
        wanted = request.query_params.get("document-id", "")
        if not wanted:
            raise InvalidInput("There is no document-id. Name the document.")
        return Response(
            await content(given_iri(wanted)), media_type="application/octet-stream", headers=DOWNLOAD
        )

    @router.get("/api/metrics/query")
    async def metrics(query: str = "") -> Mapping[str, Any]:
        """As Prometheus tells an instant query, for the two metrics that say what runs."""
        known = processors if query == PROCESSORS or _is_of_flow(query) else {}
        results = [
            {"metric": {"job": "provgraph", "processor": name, "does": does}, "value": [0, "1"]}
            for name, does in known.items()
        ]
        return {"status": "success", "data": {"resultType": "vector", "result": results}}

    return router


def _is_of_flow(query: str) -> bool:
    return query.startswith("consumer_state{") and f'flow="{FLOW}"' in query


def _workspace_route(services: Services, name: str) -> Callable[[Request], Any]:
    async def of_workspace(request: Request) -> Mapping[str, Any]:
        return await _answered(services, request, name, "")

    return of_workspace


async def _answered(
    services: Services, request: Request | None, service: str, flow: str
) -> Mapping[str, Any]:
    """The answer to what the body of a request asks, or where there is none, to an empty one."""
    try:
        body = await _body(request) if request else {}
        return await services.only_reply(ServiceCall(service, flow, body))
    except ProvGraphError as error:
        return {"error": error_fields(error)}
    except Exception as error:
        logger.exception("a request failed in a way that nobody foresaw")
        return {"error": error_fields(unforeseen(error))}


async def _body(request: Request) -> Body:
    """The request without `streaming`, which REST does not do."""
    return {**json_object(await request.body(), "body"), "streaming": False}


AUTH_TIMEOUT_S: Final = 10.0
AT_ONCE: Final = 32
"""Requests of one connection that run side by side; further frames wait unread."""
POLICY_VIOLATION: Final = 1008


Opened = Callable[[ASGIApp], AbstractAsyncContextManager[Services]]
"""The services of what a token opens, kept open for as long as they answer."""


@dataclass
class _NotedFrame:
    """How a request ended, 0 where the client went away before, and the session that answered it, if any."""

    status: int = 0
    session: str = ""


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
        return json_object(raw, "frame")

    async def _answer(self, frame: Body) -> None:
        named = {"id": frame["id"]} if isinstance(frame.get("id"), str | int) else {}
        try:
            async with self._noted(frame) as noted:
                with self._claimed(frame.get("id")):
                    await self._stream(frame, named, noted)
        except WebSocketDisconnect:
            return  # the reading ends too, and with it the connection
        except ProvGraphError as error:
            await self._tell(named, error)
        except Exception as error:
            logger.exception("a request failed in a way that nobody foresaw")
            await self._tell(named, unforeseen(error))
        finally:
            self._slots.release()

    @asynccontextmanager
    async def _noted(self, frame: Body) -> AsyncGenerator[_NotedFrame]:
        """Note the request in the audit log, if there is one, however it ends."""
        noted = _NotedFrame()
        try:
            yield noted
        except ProvGraphError as error:
            noted.status = error.status
            raise
        finally:
            if note := self._socket.scope.get(NOTE):
                body = frame.get("request")
                with anyio.CancelScope(shield=True):
                    await note(
                        str(frame.get("service", "")),
                        noted.status,
                        body if isinstance(body, dict) else {},
                        noted.session,
                    )

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

    async def _stream(self, frame: Body, named: dict[str, Any], noted: _NotedFrame) -> None:
        call = ServiceCall(text(frame, "service"), text(frame, "flow", ""), part(frame, "request"))
        async with self._open() as services, aclosing(services.replies(call)) as replies:
            async for reply in replies:
                noted.session = reply.session
                await self._send({**named, "response": reply.response, "complete": reply.complete})
        noted.status = 200

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
            await self._send({**named, "error": error_fields(error), "complete": True})

    async def _send(self, message: Mapping[str, Any]) -> None:
        async with self._sending:
            await self._socket.send_text(json.dumps(message))
