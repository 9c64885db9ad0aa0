"""Documents accepted by one process and read by another, over a real broker, store and library."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from api.model_service import by_model
from api.running import CURIE, Running, running, settings
from crash.comparison import files_of, told
from provgraph.assembly import assemble
from provgraph.ports.quad_store import QuadPattern
from provgraph.ports.work_queue import Task
from provgraph.roles import Role
from provgraph.wire.tasks import CHUNKS, DOCUMENTS
from servers.bounded_bucket import Refusal, bounded_bucket
from servers.nats_server import NatsServer, nats_server
from servers.openai_server import Answer, OpenAIServer
from servers.oxigraph_server import OxigraphServer
from servers.served_process import free_port

NO_ROOM = "urn:provgraph:problem:no-room"
QUOTE = "Marie Curie discovered polonium in 1898."
FACT = json.dumps(
    {"facts": [{"subject": "Marie Curie", "relation": "found", "object": "polonium", "quote": QUOTE}]}
)
LONG = "\n\n".join(f"{QUOTE} She wrote {number} letters about it to her sister." * 12 for number in range(12))


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    with nats_server(tmp_path_factory.mktemp("nats")) as server:
        yield server


class Shared:
    """A gateway with a worker in it, and any number of workers beside it."""

    def __init__(self, folder: Path, broker: NatsServer, store: OxigraphServer, model: OpenAIServer) -> None:
        broker.empty()
        self.folder = folder
        self.library = folder / "library"
        self.settings: dict[str, Any] = {
            "queue_url": broker.url,
            "store_url": store.url,
            "library_url": f"file://{self.library}",
            "retrieval_url": f"http://127.0.0.1:{free_port()}",
            "queue_attempts": 1,
            **by_model(model),
        }

    @asynccontextmanager
    async def served(self) -> AsyncIterator[Running]:
        async with asyncio.timeout(60), running(self.folder / "all", **self.settings) as service:
            yield service

    @asynccontextmanager
    async def worker(self) -> AsyncIterator[None]:
        app = assemble(settings(**self.settings), self.folder / "worker", Role.EXTRACTION).app()
        async with app.router.lifespan_context(app):
            yield


@pytest.fixture
def shared(
    tmp_path: Path, broker: NatsServer, oxigraph: OxigraphServer, model_server: OpenAIServer
) -> Shared:
    model_server.answer(Answer(FACT))
    return Shared(tmp_path, broker, oxigraph, model_server)


async def told_by(service: Running) -> Any:
    (quads,) = await service.assembly.store.match([QuadPattern()])
    return told(quads)


async def test_what_several_workers_do_and_do_again_is_what_one_process_does(
    shared: Shared, tmp_path: Path, model_server: OpenAIServer
) -> None:
    async with running(tmp_path / "alone", **by_model(model_server)) as alone:
        expected = await alone.ingest(LONG, id="urn:letters")
        quads = await told_by(alone)
    async with shared.served() as service, shared.worker():
        job = await service.ingest(LONG, id="urn:letters")
        told_of_it = {key: job[key] for key in ("state", "documents", "failed", "refused", "chunks_done")}
        assert told_of_it == {key: expected[key] for key in told_of_it}
        assert job["model"]["calls"] == expected["model"]["calls"]
        assert await told_by(service) == quads
        queue = service.assembly.work.queue
        again = await asyncio.gather(*(service.ingest(LONG, id="urn:letters") for _ in range(3)))
        assert [each["documents"][0]["new_chunks"] for each in again] == [0, 0, 0]
        assert await told_by(service) == quads
        assert files_of(shared.library) == files_of(tmp_path / "alone" / "library")
        assert (await queue.depth(DOCUMENTS)).waiting == (await queue.depth(CHUNKS)).waiting == 0


async def test_a_job_is_seen_and_cancelled_where_other_processes_do_it(
    shared: Shared, model_server: OpenAIServer
) -> None:
    model_server.answer(Answer(FACT, delay_s=30))
    async with shared.served() as service, shared.worker():
        sent = await service.client.post("/api/v1/documents", json={"text": LONG, "name": "letters.txt"})
        job = sent.json()["id"]
        while not model_server.asked:
            await asyncio.sleep(0.01)
        seen: dict[str, Any] = {"chunks_total": 0}
        while not seen["chunks_total"]:
            seen = await service.get(f"/api/v1/jobs/{job}")
        assert (seen["state"], seen["chunks_done"]) == ("running", 0)
        assert (await service.client.delete(f"/api/v1/jobs/{job}")).json()["state"] == "cancelled"
        assert (await service.finished(job))["state"] == "cancelled"
        while not model_server.hung_up:
            await asyncio.sleep(0.01)
        depths = [{"under_way": 1}]
        while any(depth["under_way"] or depth["waiting"] for depth in depths):
            depths = await service.get("/api/v1/queue")
        assert not [key for key in files_of(shared.library) if key.startswith(".waiting")]


async def test_poison_is_put_aside_and_told_while_the_rest_goes_on(shared: Shared) -> None:
    async with shared.served() as service:
        queue = service.assembly.work.queue
        await queue.put([Task("0a-0", "0a", DOCUMENTS, b"poison"), Task("0b-0", "0b", CHUNKS, b"\xff")])
        job = await service.ingest(CURIE)
        assert job["state"] == "done"
        while len(dead := await service.get("/api/v1/queue/dead")) < 2:
            await asyncio.sleep(0.01)
        assert {each["id"]: each["files"] for each in dead} == {"0a-0": [], "0b-0": []}
        replayed = await service.client.post("/api/v1/queue/dead/0a-0/replay")
        assert replayed.json() == {"id": "0a-0", "job": "0a"}
        while len(dead := await service.get("/api/v1/queue/dead")) < 2:  # it is poison still
            await asyncio.sleep(0.01)
        for each in dead:
            await service.client.delete(f"/api/v1/queue/dead/{each['id']}")
        assert await service.get("/api/v1/queue/dead") == []
        unknown = await service.client.post("/api/v1/queue/dead/0a-0/replay")
        assert (unknown.status_code, "provgraph queue dead" in unknown.text) == (404, True)


@pytest.mark.slow
async def test_how_much_waits_is_among_the_figures_and_the_broker_is_a_condition(
    shared: Shared, broker: NatsServer
) -> None:
    async with shared.served() as service:
        ready = await service.get("/ready")
        assert ready["dependencies"]["queue"] == "answers"
        sample = 'provgraph_queue_tasks{kind="documents",state="waiting"} 0.0'
        while sample not in (await service.client.get("/metrics")).text:
            await asyncio.sleep(0.01)
        broker.kill()
        try:
            refused = await service.client.get("/ready")
            assert refused.status_code == 503
            assert "message broker" in refused.json()["detail"]
        finally:
            broker.start()
        assert (await service.ingest(CURIE))["state"] == "done"


@pytest.mark.slow
async def test_a_worker_waits_for_room_in_an_object_store_with_its_task_in_hand(
    shared: Shared, s3_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bounded_bucket(os.environ["AWS_ENDPOINT_URL"]) as bucket:
        monkeypatch.setenv("AWS_ENDPOINT_URL", bucket.url)
        shared.settings["library_url"] = s3_url
        async with shared.served() as service:
            bucket.refusal = Refusal(403, "QuotaExceeded")
            refused = await service.client.post("/api/v1/documents", json={"text": CURIE})
            assert (refused.status_code, refused.json()["type"]) == (503, NO_ROOM)
            bucket.but_for = ".waiting"
            sent = await service.client.post("/api/v1/documents", json={"text": CURIE, "name": "curie.txt"})
            job = f"/api/v1/jobs/{sent.json()['id']}"
            while not (waits := (state := await service.get(job)).get("waits_for")):
                assert state["state"] in ("queued", "running")
                await asyncio.sleep(0.05)
            assert (waits["type"], "QuotaExceeded" in waits["detail"]) == (NO_ROOM, True)
            bucket.refusal = None
            done = await service.finished(sent.json()["id"])
            assert (done["state"], done.get("waits_for")) == ("done", None)
            assert await service.get("/api/v1/queue/dead") == []
            (document,) = await service.get("/api/v1/documents")
            content = await service.client.get("/api/v1/documents/content", params={"id": document["id"]})
            assert content.text == CURIE
