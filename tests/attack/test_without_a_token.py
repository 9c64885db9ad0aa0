"""What somebody without a token can do: nothing that others notice."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import httpx2
import pytest

from attack.attacked import TOKEN, Attacked, attacked, others_go_on
from attack.test_requests import sent_until_closed
from provgraph.gateway.connections.http_connection import MOST_READ_OVER
from servers.direct import DIRECT
from servers.openai_server import OpenAIServer

SOCKETS = 1100
HANDSHAKE = (
    "GET /api/v1/socket HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{more}\r\n"
)
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate\r\n"


def test_a_deflated_first_frame_is_not_inflated(service: Attacked) -> None:
    bomb = zlib.compressobj(9, wbits=-15)
    packed = bomb.compress(json.dumps([{}] * 4_000_000).encode()) + bomb.flush(zlib.Z_SYNC_FLUSH)
    with others_go_on(service), ExitStack() as opened:
        for _ in range(20):
            connection, reply = opened.enter_context(web_socket(service, DEFLATE))
            assert "permessage-deflate" not in reply
            connection.sendall(frame(packed[:-4], compressed=True))
            assert connection.recv(1000)[0] == 0x88


def test_a_first_frame_beyond_4_kb_ends_the_connection(service: Attacked) -> None:
    with others_go_on(service), ExitStack() as opened:
        for _ in range(20):
            connection, _ = opened.enter_context(web_socket(service))
            connection.sendall(frame(b"[" + b"{}," * 300_000)[:60_000])
            assert closed(connection) == 1009


def test_who_brings_a_token_may_send_more(service: Attacked) -> None:
    with web_socket(service) as (connection, _):
        connection.sendall(frame(json.dumps({"type": "auth", "token": TOKEN}).encode()))
        assert b"auth-ok" in connection.recv(1000)
        connection.sendall(frame(json.dumps({"id": "1", "service": "x" * 100_000, "request": {}}).encode()))
        assert b'"id": "1"' in connection.recv(10_000)


def test_idle_connections_keep_nobody_out(service: Attacked) -> None:
    with others_go_on(service), ExitStack() as opened:
        for _ in range(SOCKETS):
            opened.enter_context(socket.create_connection(service.address))
        assert service.ask()
        time.sleep(1)


def test_idle_web_sockets_keep_nobody_out(service: Attacked) -> None:
    with others_go_on(service), ExitStack() as opened:
        for _ in range(SOCKETS // 2):
            connection = opened.enter_context(socket.create_connection(service.address))
            connection.sendall(handshake())
        assert service.ask()
        time.sleep(1)


def test_readiness_asks_no_model_and_lines_of_the_log_that_repeat_are_collapsed(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    env = {"PROVGRAPH_LLM_MODEL": "m", "OPENAI_BASE_URL": model_server.url, "OPENAI_API_KEY": "key"}
    with attacked(tmp_path / "data", env) as service:
        calls = len(model_server.asked)
        with httpx2.Client(base_url=service.url, **DIRECT) as stranger, others_go_on(service):
            for _ in range(100):
                assert stranger.get("/ready").status_code == 200
            assert stranger.get("/ready?models=true").status_code == 401
            assert len(model_server.asked) == calls
        for _ in range(100):
            with socket.create_connection(service.address) as connection:
                connection.sendall(b"no http at all\r\n\r\n")
                connection.recv(1000)
        log = service.serving.stop().err
    assert 0 < log.count("Invalid HTTP request") < 20


@contextmanager
def web_socket(service: Attacked, more: str = "") -> Iterator[tuple[socket.socket, str]]:
    """A connection whose handshake is done, with the service's reply to it."""
    with socket.create_connection(service.address, timeout=10) as connection:
        connection.sendall(handshake(more))
        yield connection, connection.recv(4000).decode()


def handshake(more: str = "") -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    return HANDSHAKE.format(host="localhost", key=key, more=more).encode()


def frame(content: bytes, compressed: bool = False) -> bytes:
    """A text frame of a client, masked with zeros (RFC 6455, section 5.2)."""
    head = bytes([0x81 | (0x40 if compressed else 0)])
    if len(content) < 126:
        size = bytes([0x80 | len(content)])
    elif len(content) < 65_536:
        size = bytes([0xFE]) + struct.pack("!H", len(content))
    else:
        size = bytes([0xFF]) + struct.pack("!Q", len(content))
    return head + size + bytes(4) + content


def closed(connection: socket.socket) -> int:
    """The code of the close frame that comes (RFC 6455, section 7.4)."""
    came = connection.recv(1000)
    assert came[0] == 0x88, came
    code: int = struct.unpack("!H", came[2:4])[0]
    return code


def test_who_is_refused_before_the_body_has_come_may_ask_again_on_the_same_connection(
    service: Attacked,
) -> None:
    with closing(HTTPConnection(*service.address, timeout=20)) as connection:
        connection.putrequest("POST", "/api/v1/documents")
        connection.putheader("Content-Length", "2000000")
        connection.endheaders(b"x" * 20_000)
        with connection.getresponse() as told:
            assert told.status == 401
            told.read()
        connection.send(b"x" * 1_980_000)
        connection.request("GET", "/health")
        assert connection.getresponse().status == 200


@pytest.mark.parametrize(
    ("framing", "piece", "most"),
    [
        ("Content-Length: 90000000000", b" " * 1_000_000, 3 * MOST_READ_OVER),
        ("Transfer-Encoding: chunked", b"10000\r\n" + b" " * 65_536 + b"\r\n", 3 * MOST_READ_OVER),
        ("Transfer-Encoding: chunked", b"1\r\n \r\n" * 2600, 20_000_000),
    ],
)
def test_who_goes_on_sending_a_body_that_was_refused_is_cut_off(
    service: Attacked, framing: str, piece: bytes, most: int
) -> None:
    with others_go_on(service), socket.create_connection(service.address, timeout=20) as connection:
        head = f"POST /api/v1/documents HTTP/1.1\r\nHost: localhost\r\n{framing}\r\n\r\n"
        connection.sendall(head.encode())
        assert b" 401 " in connection.recv(4000).partition(b"\r\n")[0]
        assert sent_until_closed(connection, piece, most) < most


def seconds_until_closed(connection: socket.socket, piece: bytes) -> float:
    """How long the service took a piece every fifth of a second; 30 where it went on."""
    begun_at = time.monotonic()
    with suppress(OSError):
        while time.monotonic() - begun_at < 30:
            connection.sendall(piece)
            time.sleep(0.2)
    return time.monotonic() - begun_at


def test_headers_that_never_end_and_refused_bodies_that_come_slowly_are_given_up(service: Attacked) -> None:
    """All within the same ten seconds."""
    begun = b"POST /api/v1/documents HTTP/1.1\r\nHost: localhost\r\n"
    with others_go_on(service), ExitStack() as opened:
        connect = partial(socket.create_connection, service.address, timeout=20)
        asking = [opened.enter_context(connect()) for _ in range(50)]
        for connection in asking:
            connection.sendall(begun)
        connection = opened.enter_context(connect())
        connection.sendall(
            b"POST /api/v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n"
        )
        assert b" 401 " in connection.recv(4000).partition(b"\r\n")[0]
        assert seconds_until_closed(connection, b" ") < 20
        for each in asking:
            each.settimeout(5)
            assert each.recv(1000) == b""


@pytest.fixture(autouse=True)
def _many_files() -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
