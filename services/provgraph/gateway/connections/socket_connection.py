"""A WebSocket over one connection: small frames only, and the place of one who is idle, until a token was accepted."""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from typing import Any, Final, cast

from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.http11 import Request

from provgraph.gateway.connections.admission import ADMITTED, Admission

FIRST_FRAME: Final = 4096
"""Bytes of the frame that brings a token."""


class SocketConnection(WebSocketsSansIOProtocol):
    """Uvicorn's own; `admission` is shared by all connections of the server."""

    admission: Admission

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.conn.max_message_size = FIRST_FRAME

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def leave(self) -> None:
        self.transport.close()

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        if not self.admission.open(self):
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.admission.closed(self)
        super().connection_lost(exc)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            cast("dict[str, Any]", self.scope["extensions"])[ADMITTED] = self._admitted

    def _admitted(self) -> None:
        self.conn.max_message_size = self.config.ws_max_size
        self.admission.busy(self)


def socket_connections(admission: Admission) -> type[SocketConnection]:
    """The protocol of a server whose connections `admission` counts."""
    return type("AdmittedSocketConnection", (SocketConnection,), {"admission": admission})
