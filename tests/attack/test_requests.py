"""Requests of somebody who has a token: bodies that unfold or never end, work that nobody waits for."""

from __future__ import annotations

import json
import select
import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from attack.attacked import TOKEN, Attacked, others_go_on

HEAD = "POST /api/v1/documents HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n{more}\r\n"


def begun(service: Attacked, more: str) -> socket.socket:
    connection = socket.create_connection(service.address, timeout=20)
    connection.sendall(HEAD.format(token=TOKEN, more=more).encode())
    return connection


def is_refused(connection: socket.socket, body: bytes) -> bool:
    """Whether a part of a body is answered before the rest has come, or ends the connection."""
    try:
        connection.sendall(body)
    except OSError:
        return True
    answered, _, _ = select.select([connection], [], [], 0.3)
    return bool(answered) and b" 503 " in connection.recv(200).partition(b"\r\n")[0]


def sent_until_closed(connection: socket.socket, piece: bytes, most: int) -> int:
    """Bytes that the service took before it closed the connection; `most` where it did not."""
    sent = 0
    with suppress(OSError):
        while sent < most:
            connection.sendall(piece)
            sent += len(piece)
    return sent


def test_unfinished_bodies_do_not_fill_the_memory(service: Attacked) -> None:
    more = "Content-Type: application/json\r\nContent-Length: 95000000\r\n"
    with others_go_on(service) as seen, ExitStack() as opened:
        refused = 0
        for _ in range(5):
            connection = opened.enter_context(begun(service, more))
            refused += is_refused(connection, b" " * 94_000_000)
        assert refused
        time.sleep(0.5)
    assert seen.memory_mb < 800


@pytest.mark.parametrize("chunk", [b"1\r\n \r\n", b"9\r\n         \r\n"])
@pytest.mark.parametrize("together", [16_000, 200_000])
def test_chunks_of_a_few_bytes_are_refused(service: Attacked, chunk: bytes, together: int) -> None:
    more = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    with others_go_on(service), begun(service, more) as connection:
        assert sent_until_closed(connection, chunk * (together // len(chunk)), most=20_000_000) < 20_000_000


@pytest.mark.parametrize("body", ["[" + "{}," * 10_000_000 + "{}]", "[" + "1," * 20_000_000 + "1]"])
def test_json_of_nothing_but_structure_is_refused(service: Attacked, body: str) -> None:
    with others_go_on(service):
        told = service.client.post(
            "/api/v1/graph-rag", content=body, headers={"Content-Type": "application/json"}
        )
    assert told.status_code == 413, told.text
    assert "objects and lists" in told.json()["detail"]


def test_work_ends_when_its_client_hangs_up(service: Attacked) -> None:
    text = "Marie Curie discovered polonium in 1898 and radium in Paris. " * 16_000
    body = json.dumps({"text": text}).encode()
    head = (
        f"POST /api/v1/extract HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    with others_go_on(service):
        for _ in range(15):
            with socket.create_connection(service.address, timeout=20) as connection:
                connection.sendall(head + body)
        time.sleep(0.5)
        begun_at = time.monotonic()
        service.ask()
        assert time.monotonic() - begun_at < 5


def test_many_collections_do_not_stay_open(service: Attacked) -> None:
    with others_go_on(service):
        for number in range(36):
            name = f"collection-{number}"
            service.client.post("/api/v1/collections", json={"collection": name})
            asked = {"query": "Who discovered polonium?", "collection": name}
            assert service.client.post("/api/v1/graph-rag", json=asked).status_code == 200
    process = Path(f"/proc/{service.process}")
    assert len(list((process / "task").iterdir())) < 300
    assert len(list((process / "fd").iterdir())) < 250


@pytest.mark.parametrize("columns", [20_000])
def test_very_many_facts_of_one_text_are_told_beside_the_loop(service: Attacked, columns: int) -> None:
    table = f"{'|a' * columns}|\n{'|-' * columns}|\n{'|b' * columns}|\n"
    with others_go_on(service):
        told = service.client.post("/api/v1/extract", json={"text": table}, timeout=120)
    assert told.status_code == 200, told.text
    assert "facts" in told.json()


def test_more_text_than_facts_are_extracted_of_at_once_is_refused(service: Attacked) -> None:
    with others_go_on(service):
        for body in ({"text": "|a" * 600_000}, {"texts": ["|a" * 60] * 9_000}):
            told = service.client.post("/api/v1/extract", json=body)
            assert told.status_code == 413, told.text
