"""A disk that takes no more: a client is told, and nothing half-done stays."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest

from api.running import CURIE, QUESTION, STREAM, running
from crash.comparison import told, without_questions
from crash.corpus import Sent, corpus
from e2e.commands import PATIENCE_S, PROGRAMS, invoke, serving
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.ports.quad_store import QuadPattern, QuadStore
from servers.direct import DIRECT
from servers.full_disk import full_disk, largest_file
from servers.openai_server import Answer, Asked, OpenAIServer
from servers.provgraph_server import ProvGraphServer
from servers.served_process import started

pytestmark = pytest.mark.slow

T = TypeVar("T")

NO_ROOM = "urn:provgraph:problem:no-room"
ROOM = 10_000
"""Bytes that a file may still grow by: the first writes of a document find room."""
DOCUMENTS = (Sent("curie.txt", CURIE.encode()), corpus(1, 80)[0])

ROOM_KB = 1_500
"""Of one file: enough for an empty store, and not for a large upload."""


def test_a_document_that_finds_no_room_is_refused_whole_and_accepted_when_there_is(tmp_path: Path) -> None:
    data = tmp_path / "data"
    large = "\n\n".join(f"Person{number} founded Town{number} in 1900." for number in range(60_000))
    serve = f'ulimit -f {ROOM_KB}; exec "$0" serve --port 0 --data "$1"'
    limited: list[str | Path] = ["bash", "-c", serve, PROGRAMS / "provgraph", data]
    with (
        serving(data, command=limited) as service,
        httpx2.Client(base_url=service.url, timeout=60, **DIRECT) as client,
    ):
        refused = client.post("/api/v1/documents", json={"text": large, "name": "towns.txt"})
        assert refused.status_code == 503, refused.text
        assert "Free some space" in refused.json()["detail"]
        assert client.get("/api/v1/documents").json() == []
        done = invoke("queue", "--url", service.url)
        assert "documents: 0 tasks waiting, 0 under way, 0 given up" in done.output
        service.stop()
    (tmp_path / "curie.txt").write_text("Marie Curie discovered polonium in 1898.")
    assert invoke("ingest", "--data", data, tmp_path / "curie.txt").exit_code == 0
    assert [file for file in (data / "queue" / "files").rglob("*") if file.is_file()] == []


def test_one_process_waits_for_room_and_goes_on_without_a_new_start(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    data = tmp_path / "data"
    model = {"OPENAI_BASE_URL": model_server.url, "PROVGRAPH_LLM_MODEL": "tiny"}
    server = ProvGraphServer(data, settings={**model, "PROVGRAPH_EXTRACTION_PROCESSES": "0"})
    small, large = DOCUMENTS
    with started(server), httpx2.Client(base_url=server.url, timeout=60, **DIRECT) as client:
        _until_done(client, _sent(client, small))
        session = _failed_for_room(client, server, model_server)
        assert _until(lambda: _outcome(client, session)) == "failed"
        with full_disk(server, largest_file(data / "store") + ROOM):
            job = _sent(client, large)
            waits = _until(lambda: client.get(f"/api/v1/jobs/{job}").json().get("waits_for"))
            assert (waits["type"], "Free some space on its disk" in waits["detail"]) == (NO_ROOM, True)
            refused = client.post("/api/v1/collections", json={"collection": "another"})
            assert (refused.status_code, refused.json()["type"]) == (503, NO_ROOM)
            assert len(client.get("/api/v1/documents").json()) == 1
        _until_done(client, job)
        assert client.get("/api/v1/queue/dead").json() == []
    assert asyncio.run(_kept(data)) == asyncio.run(_undisturbed(tmp_path / "undisturbed"))


def _failed_for_room(client: httpx2.Client, server: ProvGraphServer, model: OpenAIServer) -> str:
    """The UUID of a session that had begun when its disk became full. The client was told; the store was not."""
    is_full = threading.Event()

    def answer(_: Asked) -> Answer:
        is_full.wait(PATIENCE_S)
        return Answer("Marie Curie")

    model.answer(answer)
    with client.stream("POST", "/api/v1/graph-rag", json={"query": QUESTION}, headers=STREAM) as response:
        messages = (json.loads(event.data) for event in httpx2.EventSource(response, max_event_size=None))
        session = str(next(messages)["explain_id"]).rpartition(":")[2]
        with full_disk(server):
            is_full.set()
            *_, last = messages
            assert NO_ROOM.endswith(last["error"]["type"]), last
            assert _outcome(client, session) is None
    return session


def _outcome(client: httpx2.Client, session: str) -> str | None:
    found: str | None = client.get(f"/api/v1/traces/{session}").json().get("outcome")
    return found


def _sent(client: httpx2.Client, document: Sent) -> str:
    sent = client.post("/api/v1/documents", json=_body(document))
    assert sent.status_code == 202, sent.text
    return str(sent.json()["id"])


def _body(document: Sent) -> dict[str, Any]:
    return {"name": document.name, "text": document.content.decode(), "extractors": ["model-free"]}


def _until_done(client: httpx2.Client, job: str) -> None:
    def state() -> str:
        found = str(client.get(f"/api/v1/jobs/{job}").json()["state"])
        return "" if found in ("queued", "running") else found

    assert _until(state) == "done"


def _until(found: Callable[[], T]) -> T:
    until = time.monotonic() + PATIENCE_S
    while not (what := found()):
        assert time.monotonic() < until
        time.sleep(0.1)
    return what


async def _kept(data: Path) -> Counter[str]:
    """What a folder holds that nobody serves any more."""
    store = OxigraphQuadStore(data / "store")
    try:
        return await _told(store)
    finally:
        await store.close()


async def _undisturbed(data: Path) -> Counter[str]:
    async with running(data) as service:
        for document in DOCUMENTS:
            sent = await service.client.post("/api/v1/documents", json=_body(document))
            await service.finished(sent.json()["id"])
        return await _told(service.assembly.store)


async def _told(store: QuadStore) -> Counter[str]:
    (quads,) = await store.match([QuadPattern()])
    return told(without_questions(quads))
