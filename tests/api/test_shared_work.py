"""Documents accepted by one process and read by others, over a real broker, store and library."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.model_service import by_model
from api.running import CURIE, running
from servers.nats_server import NatsServer, nats_server
from servers.openai_server import Answer, OpenAIServer
from servers.oxigraph_server import OxigraphServer

FACT = '{"facts": [{"subject": "Marie Curie", "relation": "discovered", "object": "polonium"}]}'


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    with nats_server(tmp_path_factory.mktemp("nats")) as server:
        yield server


async def test_a(
    tmp_path: Path, broker: NatsServer, oxigraph: OxigraphServer, model_server: OpenAIServer
) -> None:
    model_server.answer(Answer(FACT))
    shared = {
        "queue_url": broker.url,
        "store_url": oxigraph.url,
        "library_url": f"file://{tmp_path}/library",
        **by_model(model_server),
    }
    async with asyncio.timeout(60), running(tmp_path / "data", **shared) as service:
        job = await service.ingest(CURIE)
        print(job)
        print(await service.get("/api/v1/queue"))
        assert job["state"] == "done"
