"""Bulk transfer: WebSockets that take triples in, or give all facts of a collection out.

What these clients load beside triples is not needed here (contexts of entities, which are read from the triples) or
not provided (vectors, rows), and then the socket is closed with the reason.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from typing import Final

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.gateway.trustgraph.connection import POLICY_VIOLATION
from provgraph.gateway.trustgraph.fields import Body, wire_quad
from provgraph.gateway.trustgraph.loads import Loads
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION

logger = logging.getLogger(__name__)

CLOSED_PROPERLY: Final = (1000, 1001)
MOST_OF_REASON: Final = 120
"""Bytes that a close frame has for its reason, less a little (RFC 6455, section 5.5)."""


def bulk_router(loads: Loads) -> APIRouter:
    router = LateRouter(prefix="/api/v1/flow/{flow}", tags=["trustgraph"])

    @router.websocket("/import/triples")
    async def import_triples(socket: WebSocket) -> None:
        await _import_triples(socket, loads)

    @router.websocket("/import/entity-contexts")
    async def import_contexts(socket: WebSocket) -> None:
        await socket.accept()
        with suppress(WebSocketDisconnect, InvalidInput):
            async for _ in _frames(socket):
                continue

    @router.websocket("/export/triples")
    async def export_triples(socket: WebSocket, collection: str = DEFAULT_COLLECTION) -> None:
        await _export_triples(socket, loads, collection)

    @router.websocket("/import/{kind}")
    @router.websocket("/export/{kind}")
    async def not_provided(socket: WebSocket, kind: str) -> None:
        await socket.accept()
        await _close(socket, f"{kind[:40]} are not provided here. See docs/trustgraph.md.")

    return router


async def _import_triples(socket: WebSocket, loads: Loads) -> None:
    await socket.accept()
    load = loads.begin()
    try:
        async for frame in _frames(socket):
            load.take(frame)
    except WebSocketDisconnect:
        logger.warning("a load broke off after %d triples; nothing of it is kept", load.count)
    except ProvGraphError as error:
        await _close(socket, str(error))
    else:
        await loads.finish(load)


async def _export_triples(socket: WebSocket, loads: Loads, collection: str) -> None:
    await socket.accept()
    try:
        for quad in await loads.facts(collection):
            await socket.send_text(json.dumps(wire_quad(quad)))
        await socket.close()
    except WebSocketDisconnect:
        return
    except ProvGraphError as error:
        await _close(socket, str(error))


async def _frames(socket: WebSocket) -> AsyncGenerator[Body]:
    """The frames up to the proper end. Raises `WebSocketDisconnect` where the connection ended without the client
    closing it, and `InvalidInput` for a frame that is no JSON object."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            code = message.get("code", 1006)
            if code not in CLOSED_PROPERLY:
                raise WebSocketDisconnect(code)
            return
        try:
            frame = json.loads(message.get("text") or message.get("bytes") or "")
        except (ValueError, RecursionError) as error:
            raise InvalidInput("A frame is not JSON. Send one JSON object in each frame.") from error
        if not isinstance(frame, Mapping):
            raise InvalidInput("A frame is not a JSON object. Send one in each frame.")
        yield frame


async def _close(socket: WebSocket, reason: str) -> None:
    shortened = reason.encode()[:MOST_OF_REASON].decode(errors="ignore")
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(POLICY_VIOLATION, shortened)
