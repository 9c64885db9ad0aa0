"""Work whose client is gone ends; who takes nothing is gone; each route is known to ask or to change."""

from __future__ import annotations

import json
import socket
import time

from attack.attacked import TOKEN, Attacked, others_go_on
from provgraph.gateway.request_time import ASKING

CHANGES = {
    "POST /api/build_graph",
    "POST /api/v1/archive",
    "POST /api/v1/collections",
    "POST /api/v1/compact",
    "POST /api/v1/documents",
    "POST /api/v1/documents/reread",
    "POST /api/v1/documents/retry",
    "POST /api/v1/entities/decisions",
    "POST /api/v1/import",
    "POST /api/v1/kgqa/build",
    "POST /api/v1/queue/dead/{task_id}/replay",
    "POST /api/v1/reindex",
    "POST /api/v1/research/build",
    "POST /api/v1/sessions/{session}/stop",
    "POST /api/v1/subscriptions",
    "POST /api/v1/tokens",
    "POST /api/v1/tokens/{name}/rotate",
}
"""What goes on to its end, whoever waits for it."""


def test_every_route_is_known_to_ask_or_to_change(service: Attacked) -> None:
    posts = {
        path
        for path, operations in service.client.get("/openapi.json").json()["paths"].items()
        if "post" in operations
    }
    assert {f"POST {path}" for path in posts - ASKING} == CHANGES
    assert posts >= ASKING - {"/mcp"}  # which the reference of routes leaves out


def test_a_check_that_nobody_waits_for_ends(service: Attacked) -> None:
    text = "Curie discovered polonium in 1898 and she lived in Paris. " * 300
    source = {"id": "1", "text": "Marie Curie discovered polonium. " * 3000}
    body = json.dumps({"text": text[:19_000], "sources": [source]}).encode()
    head = (
        f"POST /api/v1/attribution HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    with others_go_on(service):
        for _ in range(10):
            with socket.create_connection(service.address, timeout=20) as connection:
                connection.sendall(head + body)
                time.sleep(0.05)
        begun = time.monotonic()
        told = service.client.post(
            "/api/v1/attribution",
            json={"text": "Curie discovered polonium.", "sources": [{"id": "1", "text": "A text."}]},
        )
        assert told.status_code == 200, told.text
        assert time.monotonic() - begun < 10
