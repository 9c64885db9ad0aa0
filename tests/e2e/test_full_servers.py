"""Services apart whose store, broker or library takes no more: clients are told, nothing is lost, and the waiting work
is finished when there is room again."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pyoxigraph import Quad

from api.running import running
from crash.client import PatientClient
from crash.comparison import files_of, on_server, told
from crash.corpus import corpus, townsfolk
from crash.deployment import Deployment, deployed
from e2e.commands import PATIENCE_S
from provgraph.ports.quad_store import QuadPattern
from servers.direct import DIRECT
from servers.full_disk import full_disk, hearing_of_errors, largest_file
from servers.nats_server import NatsServer
from servers.openai_server import OpenAIServer, openai_server

pytestmark = pytest.mark.slow

NO_ROOM = "urn:provgraph:problem:no-room"
ROOM = 10_000
"""Bytes that a file of the store may still grow by: the first writes of a document find room."""
DOCUMENTS = dict(zip(("store", "broker", "library"), corpus(3, 40), strict=False))
"""A document for each of three collections, which are called as what is full."""


@dataclass(frozen=True)
class Kept:
    """What a store and a library hold."""

    quads: Sequence[Quad]
    files: Mapping[str, bytes]

    def quads_of(self, collection: str) -> Counter[str]:
        return told(quad for quad in self.quads if str(quad.graph_name).endswith(f":{collection}>"))

    def files_of(self, collection: str) -> Mapping[str, bytes]:
        return {key: content for key, content in self.files.items() if key.startswith(f"{collection}/")}

    def waiting(self) -> Sequence[str]:
        return [key for key in self.files if key.startswith(".waiting")]


@dataclass(frozen=True)
class Asking:
    """A gateway, a worker, and a model that reads what they have read."""

    deployment: Deployment
    model: OpenAIServer
    client: httpx2.Client
    expected: Kept

    def post(self, collection: str) -> httpx2.Response:
        """Send the document of a collection."""
        return self.client.post("/api/v1/documents", **_sent(collection))

    def send(self, collection: str) -> str:
        sent = self.post(collection)
        assert sent.status_code == 202, sent.text
        return str(sent.json()["id"])

    def job(self, job: str) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(f"/api/v1/jobs/{job}").json()
        return found

    def obstacle(self, job: str) -> str:
        """What the job says that it waits for, as soon as it does."""
        until = time.monotonic() + PATIENCE_S
        while not (waits := (state := self.job(job)).get("waits_for")):
            assert state["state"] in ("queued", "running"), state
            assert time.monotonic() < until, state
            time.sleep(0.1)
        assert waits["type"] == NO_ROOM
        return str(waits["detail"])

    def until_logged(self, service: str, words: str) -> None:
        log, until = self.deployment.library.parent / f"{service}.log", time.monotonic() + PATIENCE_S
        while words not in log.read_text():
            assert time.monotonic() < until
            time.sleep(0.1)

    def ended(self, job: str) -> str:
        url = str(self.client.base_url)
        return str(PatientClient(url, time.monotonic() + PATIENCE_S).ended(job)["state"])

    def is_as_undisturbed(self, collection: str) -> bool:
        """Whether nothing is lost or doubled of a collection, no task given up, and nothing left waiting."""
        dead = self.client.get("/api/v1/queue/dead").json()
        kept = Kept(on_server(self.deployment.store.url), files_of(self.deployment.library))
        assert (dead, kept.waiting()) == ([], [])
        assert len(self.expected.quads_of(collection)) > 500
        return kept.quads_of(collection) == self.expected.quads_of(collection) and (
            kept.files_of(collection) == self.expected.files_of(collection)
        )


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    folder = tmp_path_factory.mktemp("full")
    with openai_server() as model:
        model.answer(townsfolk(delay_s=0))
        expected = asyncio.run(_undisturbed(folder / "undisturbed", model))
        settings = {
            "OPENAI_BASE_URL": model.url,
            "PROVGRAPH_LLM_MODEL": "tiny",
            "PROVGRAPH_QUEUE_PATIENCE_S": "3",
            "PROVGRAPH_QUEUE_ATTEMPTS": "2",
        }
        with (
            deployed(folder / "apart", 1, False, **settings) as deployment,
            httpx2.Client(base_url=deployment.gateway.url, timeout=60, **DIRECT) as client,
        ):
            yield Asking(deployment, model, client, expected)


async def _undisturbed(data: Path, model: OpenAIServer) -> Kept:
    """What one process makes of all documents, with room for everything."""
    async with running(data, llm_model="tiny", OPENAI_BASE_URL=model.url) as service:
        for collection in DOCUMENTS:
            sent = await service.client.post("/api/v1/documents", **_sent(collection))
            await service.finished(sent.json()["id"])
        (quads,) = await service.assembly.store.match([QuadPattern()])
    return Kept(quads, files_of(data / "library"))


def _sent(collection: str) -> dict[str, Any]:
    file = DOCUMENTS[collection]
    return {"files": {"file": (file.name, file.content)}, "data": {"collection": collection}}


def test_a_worker_waits_for_room_in_the_store_and_says_so(apart: Asking) -> None:
    store = apart.deployment.store
    store.kill()
    store.command = hearing_of_errors(store.command)
    store.start()
    with full_disk(store, largest_file(apart.deployment.library.parent / "store") + ROOM):
        job = apart.send("store")
        assert "Free some space on its server's disk" in apart.obstacle(job)
        refused = apart.client.post("/api/v1/collections", json={"collection": "another"})
        assert (refused.status_code, refused.json()["type"]) == (503, NO_ROOM)
        assert apart.client.get("/api/v1/documents").status_code == 200
    store.kill()
    store.start()
    assert apart.ended(job) == "done"
    assert apart.is_as_undisturbed("store")


def test_a_broker_without_room_turns_clients_away_and_loses_nothing_that_is_under_way(apart: Asking) -> None:
    broker = apart.deployment.parts["broker"]
    assert isinstance(broker, NatsServer)
    apart.model.answer(townsfolk(delay_s=2))
    job, asked = apart.send("broker"), len(apart.model.asked)
    while len(apart.model.asked) == asked:
        assert apart.job(job)["state"] in ("queued", "running")
    broker.kill()
    broker.start_full()
    refused = apart.post("store")
    assert (refused.status_code, refused.json()["type"]) == (503, NO_ROOM)
    assert "let JetStream use more" in refused.json()["detail"]
    assert {
        key.split("/")[1] for key in files_of(apart.deployment.library) if key.startswith(".waiting")
    } <= {job}
    apart.until_logged("worker-0", "has no room for a message")
    broker.kill()
    broker.start()
    apart.model.answer(townsfolk(delay_s=0))
    assert apart.ended(job) == "done"
    assert apart.is_as_undisturbed("broker")


def test_a_library_without_room_takes_no_document_and_keeps_what_was_accepted_waiting(apart: Asking) -> None:
    gateway, worker = apart.deployment.gateway, apart.deployment.parts["worker-0"]
    with full_disk(gateway):
        refused = apart.post("library")
    assert (refused.status_code, refused.json()["type"]) == (503, NO_ROOM)
    assert "Free some space on its disk" in refused.json()["detail"]
    with full_disk(worker):
        job = apart.send("library")
        assert "The library folder" in apart.obstacle(job)
    assert apart.ended(job) == "done"
    assert apart.is_as_undisturbed("library")
