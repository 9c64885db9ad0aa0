"""HTTP/1.1 over one connection that has to be worth its place: whole headers in time, a body that comes, chunks that
hold something. A client is told why its connection ends where it is still in a position to hear it.
"""

from __future__ import annotations

import asyncio
import json
from asyncio.transports import BaseTransport
from typing import Any, Final, cast

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.http11 import Request

from provgraph.errors import InvalidInput, ProvGraphError, TimedOut, Unavailable
from provgraph.gateway.connections.admission import ADMITTED, FIRST_FRAME, Admission
from provgraph.wire.problem import MEDIA_TYPE, Problem

_SLICE: Final = 16_384
"""Bytes that are read together: of chunks of one byte each, what is read at once holds others up for 40 ms."""

_LEAST_SHARE: Final = 3 / 4
"""Of the bytes of a body as it is sent, what has to be body and not the frame around chunks."""

_FRAME: Final = 3
"""Bytes of a chunk's frame for each of its two line ends, where its size has two digits."""

MOST_READ_OVER: Final = 100_000_000
"""Bytes of a body that come after its response; a client that sends more loses its connection."""


class HttpConnection(H11Protocol):
    """Uvicorn's own, with deadlines; `admission` is shared by all connections of the server."""

    admission: Admission

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._deadline: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._came = 0
        self._read_over = 0
        self._sent, self._framed = 0, 0
        self._is_idle = True

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def leave(self) -> None:
        self.transport.close()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.admission.open(self):
            self._wait_for_request()
        else:
            self._refuse(Unavailable("The service has as many connections as it can serve. Try again later."))

    def connection_lost(self, exc: Exception | None) -> None:
        self._no_deadline()
        self.resume_writing()
        self.admission.closed(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), _SLICE):
            piece = data[start : start + _SLICE]
            cycle, before = self.cycle, len(self.cycle.body) if self.cycle else 0
            super().data_received(piece)
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            self._came += len(piece)
            if self.cycle is not cycle or self.conn.their_state is not h11.SEND_BODY:
                self._read_over = self._sent = self._framed = 0
                continue
            self._weigh(piece, before)
            if self._is_hollow():
                self._refuse(InvalidInput("The body comes in chunks of a few bytes. Send larger ones."))
                return
            if self._read_over > MOST_READ_OVER:
                self.leave()
                return
        self._note_state()

    def on_response_complete(self) -> None:
        self.admission.idle(self)
        self._wait_for_request()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """More was sent than the client has taken; it has to take some in a while, or is taken for gone."""
        super().pause_writing()
        if self._reading is None:
            self._wait_for_reader()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading:
            self._reading.cancel()
            self._reading = None

    def _wait_for_reader(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._reading = self.loop.call_later(self.admission.limits.body_s, self._expect_reader, left)

    def _expect_reader(self, before: int) -> None:
        """Closing would wait for the client to take what is left."""
        if before - self.transport.get_write_buffer_size() >= self.admission.limits.body_bytes:
            self._wait_for_reader()
        else:
            self.transport.abort()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on it is the WebSocket's place."""
        self._no_deadline()
        self.admission.closed(self)
        super().handle_websocket_upgrade(event)

    def _weigh(self, piece: bytes, before: int) -> None:
        """Count a piece of a body, and what of it is frame; of one that nobody wants any more, by its line ends."""
        self._sent += len(piece)
        if not self.cycle.response_complete:
            self._framed += len(piece) - len(self.cycle.body) + before
            return
        self._read_over += len(piece)
        if any(name == b"transfer-encoding" for name, _ in self.headers):
            self._framed += _FRAME * piece.count(b"\r\n")

    def _is_hollow(self) -> bool:
        """Whether the last that came of a body, in however small pieces, was frame to a large part."""
        if self._sent < _SLICE:
            return False
        framed, sent = self._framed, self._sent
        self._sent = self._framed = 0
        return framed > sent * (1 - _LEAST_SHARE)

    def _note_state(self) -> None:
        """After bytes that came: whether a request is under way, and whether its body is."""
        if self.cycle is None or self.cycle.response_complete:
            return
        if self._is_idle:
            self._is_idle = False
            self._no_deadline()
            self.admission.busy(self)
        if not self.cycle.more_body:
            self._no_deadline()
        elif self._deadline is None:
            self._wait_for_body()

    def _wait_for_request(self) -> None:
        self._is_idle = True
        self._no_deadline()
        self._deadline = self.loop.call_later(self.admission.limits.idle_s, self.leave)

    def _wait_for_body(self) -> None:
        self._came = 0
        self._deadline = self.loop.call_later(self.admission.limits.body_s, self._expect_body)

    def _expect_body(self) -> None:
        limits = self.admission.limits
        if self._came >= limits.body_bytes or self.flow.read_paused:
            self._wait_for_body()
        else:
            self._refuse(
                TimedOut(f"The body stopped coming for {limits.body_s:.0f} seconds. Send it again."), 408
            )

    def _no_deadline(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, error: ProvGraphError, status: int | None = None) -> None:
        """Say why, where no response has begun, and close."""
        self._no_deadline()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json.dumps(Problem.of(error).model_dump(exclude_none=True)).encode()
            headers = [
                ("content-type", MEDIA_TYPE),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            response = h11.Response(status_code=status or error.status, headers=headers)
            for event in (response, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def http_connections(admission: Admission) -> type[HttpConnection]:
    """The protocol of a server whose connections `admission` counts."""
    return type("AdmittedHttpConnection", (HttpConnection,), {"admission": admission})


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
