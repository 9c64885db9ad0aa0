"""TLS before HTTP: a connection has its place, and its deadline, before it has shown that it speaks TLS at all.

Asyncio's own TLS servers know a connection only after its handshake, so those who never begin one would be counted by
nobody.
"""

from __future__ import annotations

import asyncio
import ssl
from functools import partial
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.server import ServerState

from provgraph.gateway.connections.admission import Admission
from provgraph.gateway.connections.http_connection import HttpConnection, http_connections

_FIRST_BYTES: Final = 65_536
"""What may come before the handshake has been noticed to be over; TLS stops reading from the network long before."""

_FAREWELL_S: Final = 2.0
"""How long the other side has to agree that a connection ends; it has no place any more meanwhile."""


class TlsConnection(asyncio.Protocol):
    """Shakes hands, and leaves its place to an `HttpConnection` that speaks over the encrypted transport."""

    context: ssl.SSLContext
    admission: Admission
    http: type[HttpConnection]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._server_state = server_state
        self._make_http = partial(self.http, config, server_state, app_state, _loop)
        self._transport: asyncio.Transport | None = None
        self._shaking: asyncio.Task[None] | None = None
        self._came = b""

    @property
    def address(self) -> str:
        peer = self._transport.get_extra_info("peername") if self._transport else None
        return str(peer[0]) if peer else ""

    def leave(self) -> None:
        if self._transport:
            self._transport.abort()

    shutdown = leave
    """What uvicorn calls when the service ends."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if self._shaking or not isinstance(transport, asyncio.Transport):
            return
        self._transport = transport
        if not self.admission.open(self):
            transport.abort()
            return
        self._server_state.connections.add(self)  # type: ignore[arg-type]
        # Its first step comes before anything is read: start_tls takes the transport over there and then.
        self._shaking = asyncio.get_running_loop().create_task(self._shake_hands(transport))

    def data_received(self, data: bytes) -> None:
        """What comes with the last message of the handshake."""
        self._came += data
        if len(self._came) > _FIRST_BYTES:
            self.leave()

    def connection_lost(self, _exc: Exception | None) -> None:
        self._forget()

    async def _shake_hands(self, transport: asyncio.Transport) -> None:
        seconds = self.admission.limits.idle_s
        try:
            encrypted = await asyncio.get_running_loop().start_tls(
                transport,
                self,
                self.context,
                server_side=True,
                ssl_handshake_timeout=seconds,
                ssl_shutdown_timeout=_FAREWELL_S,
            )
        except (OSError, asyncio.CancelledError):  # OSError is the parent of what ssl raises
            transport.abort()
            self._forget()
            return
        self._forget()
        if encrypted is None or encrypted.is_closing():
            return
        http = self._make_http()
        encrypted.set_protocol(http)
        http.connection_made(encrypted)
        if self._came:
            http.data_received(self._came)

    def _forget(self) -> None:
        self.admission.closed(self)
        self._server_state.connections.discard(self)


def connections(admission: Admission, context: ssl.SSLContext | None) -> type[asyncio.Protocol]:
    """The protocol of a server whose connections `admission` counts: HTTP, over TLS where there is a `context`.

    Uvicorn itself is told nothing of TLS.
    """
    http = http_connections(admission)
    if context is None:
        return http
    return type(
        "AdmittedTlsConnection", (TlsConnection,), {"context": context, "admission": admission, "http": http}
    )
