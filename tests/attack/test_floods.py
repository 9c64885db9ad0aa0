"""Very many of what is harmless once: pings, watchers, names, messages, small files, entries of metadata."""

from __future__ import annotations

import json
import socket
import time
from contextlib import ExitStack, suppress
from typing import Any

import pytest

from attack.attacked import QUESTION, TOKEN, Attacked, finished, memory_mb, others_go_on
from attack.test_without_a_token import frame, web_socket

PING = bytes([0x89, 0x80 | 125]) + bytes(4) + bytes(125)


@pytest.mark.parametrize("has_token", [False, True])
def test_pings_whose_pongs_nobody_reads_fill_no_memory(service: Attacked, has_token: bool) -> None:
    before = memory_mb(service.process)
    with others_go_on(service) as seen, web_socket(service) as (connection, _):
        if has_token:
            connection.sendall(frame(json.dumps({"type": "auth", "token": TOKEN}).encode()))
            assert b"auth-ok" in connection.recv(1000)
        connection.settimeout(2)
        with suppress(OSError):
            for _ in range(40):
                connection.sendall(PING * 2_000)
    assert seen.memory_mb < before + 60


def test_who_reads_no_stream_of_an_answer_takes_no_memory_of_others(service: Attacked) -> None:
    before = memory_mb(service.process)
    body = json.dumps({"query": QUESTION}).encode()
    head = (
        f"POST /api/v1/graph-rag HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Accept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    with others_go_on(service) as seen, ExitStack() as opened:
        for _ in range(60):
            connection = opened.enter_context(socket.create_connection(service.address, timeout=20))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            connection.sendall(head + body)
        assert service.ask()
    assert seen.memory_mb < before + 150


@pytest.mark.parametrize(
    "metadata",
    [
        {f"key {number}": "radium" for number in range(50_000)},
        {"key": "radium " * 200_000},
        {"a" * 1_000_000: "radium"},
    ],
    ids=["entries", "value", "key"],
)
def test_metadata_beyond_all_measure_is_refused_or_kept_in_time(
    service: Attacked, metadata: dict[str, str]
) -> None:
    with others_go_on(service):
        told = service.client.post(
            "/api/v1/documents",
            files={"file": ("curie.txt", b"Curie found radium.")},
            data={"metadata": json.dumps(metadata)},
        )
        assert told.status_code < 500, told.text
        if told.status_code == 202:
            finished(service.client, told.json()["id"])


@pytest.mark.parametrize(
    "more",
    [
        {"documents": [f"urn:document:{number}" for number in range(50_000)]},
        {"documents": ["a" * 1_000_000]},
        {"collection": "a" * 1_000_000},
        {"method": "a" * 1_000_000},
        {"session": "a" * 1_000_000, "follows": "a" * 1_000_000},
    ],
    ids=["documents", "document", "collection", "method", "session"],
)
def test_a_question_with_names_beyond_all_measure_holds_nobody_up(
    service: Attacked, more: dict[str, Any]
) -> None:
    with others_go_on(service):
        for path in ("graph-rag", "retrieve", "extractive"):
            told = service.client.post(f"/api/v1/{path}", json={"query": QUESTION, **more})
            assert told.status_code < 500, told.text[:1000]


BLANKS = " " * 2_000


@pytest.mark.parametrize(
    ("messages", "status"),
    [
        ([{"role": "user", "content": f"Who found radium {number}?"} for number in range(200)], 200),
        ([{"role": "user", "content": f"Who found radium {number}?"} for number in range(20_000)], 400),
        ([{"role": "user", "content": "Who found radium? " * 50_000}], 413),
        ([{"role": "user", "content": f"### Task:\n<chat_history>{BLANKS} {{{BLANKS}"}], 200),
        (
            [
                {"role": "user", "content": each}
                for each in (BLANKS, "Who found radium?", f"And{BLANKS}she{BLANKS}x")
            ],
            200,
        ),
        ([{"role": "user", "content": each} for each in ("Who found radium?", f"And{BLANKS[:250]}x")], 200),
    ],
    ids=["most", "too many", "too long", "task", "long follow-up", "follow-up"],
)
def test_a_conversation_holds_nobody_up(
    service: Attacked, messages: list[dict[str, str]], status: int
) -> None:
    with others_go_on(service):
        asked = {"model": "provgraph/default", "messages": messages}
        told = service.client.post("/v1/chat/completions", json=asked)
        assert told.status_code == status, told.text[:1000]
        assert status != 200 or told.json()["choices"][0]["message"]["content"]


def test_very_many_small_files_at_once_keep_no_question_waiting(service: Attacked) -> None:
    with others_go_on(service):
        parts = [("file", (f"{number}.txt", f"Otter {number} eats fish.".encode())) for number in range(900)]
        sent = service.client.post("/api/v1/documents", files=parts)
        assert sent.status_code < 500, sent.text
        begun = time.monotonic()
        service.ask()
        assert time.monotonic() - begun < 5
        if sent.status_code == 202:
            service.client.delete(f"/api/v1/jobs/{sent.json()['id']}")
