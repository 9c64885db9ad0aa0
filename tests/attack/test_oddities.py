"""Names, headers, addresses, archives, pictures and queries that are formed as nobody would form them."""

from __future__ import annotations

import json
import socket
import time
from contextlib import ExitStack
from typing import Any

import httpx2
import pytest

from attack import bombs
from attack.attacked import TOKEN, Attacked, finished, others_go_on
from attack.grown import FILES, QUERIES, png
from provgraph.gateway.request_time import MOST_CHANGES
from servers.direct import DIRECT

NAMES = [
    "../../../etc/passwd",
    "..\\..\\a.txt",
    "/etc/passwd",
    "a\x00.txt",
    "\u202etxt.exe",
    "a" * 5000,
    ".",
    "..",
    "\n.txt",
    "CON",
]


def sent(service: Attacked, name: str, content: bytes) -> httpx2.Response:
    return service.client.post("/api/v1/documents", files={"file": (name, content)})


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_name_of_a_file_leads_nowhere(service: Attacked, name: str) -> None:
    told = sent(service, name, b"Curie found radium.")
    assert told.status_code < 500, told.text
    if told.status_code == 202:
        assert finished(service.client, told.json()["id"])["state"] in ("done", "failed")


@pytest.mark.parametrize(
    "name",
    [
        "laughs.docx",
        "zeros.docx",
        "members.docx",
        "other.epub",
        "wide.png",
        "nested.xlsx",
        "sheets.xlsx",
        "merged.xlsx",
    ],
)
def test_archives_and_pictures_that_unfold_are_refused(service: Attacked, name: str) -> None:
    with others_go_on(service):
        told = sent(service, name, FILES[name](500_000))
        assert told.status_code < 500
        if told.status_code == 202:
            finished(service.client, told.json()["id"], within_s=60)


def test_a_picture_of_ten_thousand_million_pixels_is_refused(service: Attacked) -> None:
    with others_go_on(service):
        told = sent(service, "large.png", png(100_000, 100_000))
        if told.status_code == 202:
            job: Any = finished(service.client, told.json()["id"], within_s=60)
            assert job["failed"] or job["refused"] or job["state"] == "failed", job


@pytest.mark.parametrize(
    "body", ['{"a":' * 50_000 + "1" + "}" * 50_000, "[" * 100_000 + "]" * 100_000, "9" * 1_000_000]
)
def test_json_that_is_deep_or_long_is_refused(service: Attacked, body: str) -> None:
    with others_go_on(service):
        told = service.client.post(
            "/api/v1/verify", content=body, headers={"Content-Type": "application/json"}
        )
    assert 400 <= told.status_code < 500, told.text


def test_headers_beyond_all_measure_are_refused(service: Attacked) -> None:
    with others_go_on(service), ExitStack() as opened:
        for _ in range(10):
            connection = opened.enter_context(socket.create_connection(service.address, timeout=20))
            head = b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + b"X-A: " + b"a" * 2_000_000
            try:
                connection.sendall(head)
                assert b" 400 " in connection.recv(1000)
            except ConnectionError:
                continue


@pytest.mark.parametrize("value", ["-1", "9" * 400, "\u00e9", "x-1", "%00", "1;DROP", ".."])
def test_a_last_event_id_or_range_that_is_none_does_no_harm(service: Attacked, value: str) -> None:
    headers = {
        b"Last-Event-ID": value.encode(),
        b"Range": b"bytes=" + value.encode(),
        b"Accept": b"text/event-stream",
    }
    told = service.client.get("/api/v1/graph-rag?query=Curie", headers=headers)
    assert told.status_code < 500, told.text


def test_fields_that_come_a_thousand_times_are_refused_or_read_once(service: Attacked) -> None:
    border = "x"
    field = f'--{border}\r\nContent-Disposition: form-data; name="collection"\r\n\r\ndefault\r\n'
    file = f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nCurie.\r\n'
    for body in (field * 20_000, file * 3000, field * 3 + file * 2):
        with others_go_on(service):
            told = service.client.post(
                "/api/v1/documents",
                content=(body + f"--{border}--\r\n").encode(),
                headers={"Content-Type": f"multipart/form-data; boundary={border}"},
            )
        assert told.status_code < 500, told.text


@pytest.mark.parametrize("name", ["nested paths", "regex of counts", "doubling", "cross product", "optional"])
def test_a_query_that_never_ends_ends(service: Attacked, name: str) -> None:
    with others_go_on(service):
        for size in (25, 2000):
            query = QUERIES[name](size)
            told = service.client.post(
                "/sparql", content=query, headers={"Content-Type": "application/sparql-query"}
            )
            assert told.status_code != 500, told.text


def test_who_never_reads_the_answer_takes_no_memory_of_others(service: Attacked) -> None:
    with others_go_on(service), ExitStack() as opened:
        for _ in range(50):
            connection = opened.enter_context(socket.create_connection(service.address, timeout=20))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            connection.sendall(
                f"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
                * 20
            )
        time.sleep(1)


@pytest.mark.parametrize("path", ["graph-rag", "kgqa"])
def test_questions_that_are_given_up_in_their_midst_leave_nothing_behind(
    service: Attacked, path: str
) -> None:
    body = json.dumps({"query": "Who found " + "the child of " * 300 + "radium?"}).encode()
    head = (
        f"POST /api/v1/{path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Accept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    with others_go_on(service):
        for _ in range(10):
            with socket.create_connection(service.address, timeout=20) as connection:
                connection.sendall(head + body)
                connection.recv(10)
        begun = time.monotonic()
        service.ask()
        assert time.monotonic() - begun < 10


def test_files_of_one_colour_or_one_letter_are_read_in_time(service: Attacked) -> None:
    with others_go_on(service):
        for name in ("attributes.html", "open.html", "quotes.csv", "accents.txt", "turned.txt", "states.pdf"):
            told = sent(service, name, FILES[name](30_000))
            if told.status_code == 202:
                finished(service.client, told.json()["id"], within_s=60)


def test_an_address_of_any_letters_is_refused_in_a_sentence(service: Attacked) -> None:
    with httpx2.Client(
        base_url=service.url, headers={"Authorization": f"Bearer {TOKEN}"}, **DIRECT
    ) as client:
        for odd in (
            "%00",
            "%ff%fe",
            "%e2%80%ae",
            "a" * 8000,
            "..%2f..%2fetc%2fpasswd",
            "%f0%9f%98%80",
            "𝔭𝔞𝔤𝔢",
        ):
            for path in (
                "traces/{0}",
                "jobs/{0}",
                "web/{0}",
                "queries/{0}",
                "documents/content?document={0}",
            ):
                prefix = "/" if path.startswith("web") else "/api/v1/"
                told = client.get(prefix + path.format(odd))
                assert told.status_code < 500, (path, odd, told.text)


def test_a_docx_whose_member_is_none_is_refused(service: Attacked) -> None:
    told = sent(service, "none.docx", bombs.docx(b"\xff\xfe<a>"))
    if told.status_code == 202:
        job: Any = finished(service.client, told.json()["id"])
        assert job["failed"] or job["refused"], job


def test_agents_get_no_stream_that_would_keep_a_connection_for_ever(service: Attacked) -> None:
    for method in ("GET", "DELETE"):
        told = service.client.request(method, "/mcp", headers={"Accept": "text/event-stream"})
        assert told.status_code == 405, told.text
        assert told.headers["Allow"] == "POST"


def test_tools_of_agents_that_hang_up_keep_nobody_from_changing_something(service: Attacked) -> None:
    arguments = {
        "text": "Curie discovered polonium. " * 700,
        "sources": [{"id": "1", "text": "Marie Curie discovered polonium. " * 3000}],
    }
    call = {"name": "check_answer", "arguments": arguments}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
        "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode()
    with others_go_on(service):
        for _ in range(MOST_CHANGES + 6):
            with socket.create_connection(service.address, timeout=20) as connection:
                connection.sendall(head + body)
                time.sleep(0.02)
        made = service.client.post("/api/v1/collections", json={"collection": "of-others"})
        assert made.status_code == 201, made.text
