"""The ports of likeness over HTTP, while the vectors that a call needs are still being made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from contract.over_http import retrieval_at, served
from provgraph.adapters.http_retriever import HttpDocumentSimilarity, HttpNodeSimilarity
from provgraph.peers import service as peers
from provgraph.peers.service import PeerService, result_of
from provgraph.ports.similarity import SearchWords
from provgraph.retrieval.port_routes import similarity_port_router
from provgraph.retrieval.vector_similarity import VectorDocumentSimilarity, VectorNodeSimilarity
from provgraph.retrieval.vectors.index_sync import VectorSettings
from provgraph.wire.retrieval_port import SIMILARITY_PATH, sought_to_json
from servers.direct import DIRECT
from unit.retrieval.taught_collection import CURIE, OTTER
from unit.retrieval.vectors.embedded_collection import CountingEmbedder, EmbeddedCollection

PATIENCE_S = 30
SOUGHT = SearchWords(("Marie Curie",), ("entity",))
CALLS: dict[str, tuple[Callable[[PeerService], Coroutine[Any, Any, Any]], dict[str, Any]]] = {
    "nodes": (
        lambda service: HttpNodeSimilarity(service).likest("default", SOUGHT),
        {"collection": "default", "sought": sought_to_json(SOUGHT)},
    ),
    "texts": (
        lambda service: HttpNodeSimilarity(service).texts("Otters?", ["Otters eat fish."]),
        {"question": "Otters?", "texts": ["Otters eat fish."]},
    ),
    "documents": (
        lambda service: HttpDocumentSimilarity(service).likest("default", 1, -1.0),
        {"collection": "default", "neighbours": 1, "least": -1.0},
    ),
}
"""Each route: how its adapter calls it, and with what."""


@dataclass(frozen=True)
class Held:
    """A retrieval service whose embedder makes no vectors until it may."""

    url: str
    service: PeerService
    embedder: CountingEmbedder


@pytest_asyncio.fixture
async def held(tmp_path: Path) -> AsyncIterator[Held]:
    """None of the collection's vectors are there yet."""
    taught = EmbeddedCollection(tmp_path, VectorSettings(rest_s=0, at_once=False))
    await taught.learn("Marie Curie", *CURIE)
    await taught.learn("Otters", *OTTER)
    taught.embedder.hold()
    router = similarity_port_router(
        VectorNodeSimilarity(taught.vectors), VectorDocumentSimilarity(taught.vectors)
    )
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(served(router))
        service = await stack.enter_async_context(retrieval_at(url))
        yield Held(url, service, taught.embedder)
        taught.embedder.go_on.set()
    await taught.retriever.close()


@pytest.mark.parametrize("route", CALLS)
async def test_who_waits_for_vectors_gets_signs_of_life_and_then_the_answer(
    held: Held, route: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "SIGN_OF_LIFE_S", 0.01)
    call, body = CALLS[route]
    waiting = asyncio.create_task(call(held.service))
    asked = f"{held.url}{SIMILARITY_PATH}/{route}"
    async with (
        asyncio.timeout(PATIENCE_S),
        httpx2.AsyncClient(timeout=PATIENCE_S, **DIRECT) as client,
        client.stream("POST", asked, json=body) as response,
    ):
        lines = response.aiter_lines()
        assert [await anext(lines) for _ in range(3)] == [""] * 3
        assert not waiting.done()
        held.embedder.go_on.set()
        (last,) = [line async for line in lines if line]
    assert result_of(last)
    assert await waiting == await call(held.service)


@pytest.mark.parametrize("route", CALLS)
async def test_who_hangs_up_ends_the_making_of_vectors(held: Held, route: str) -> None:
    call, _ = CALLS[route]
    waiting = asyncio.create_task(call(held.service))
    async with asyncio.timeout(PATIENCE_S):
        await held.embedder.begun.wait()
        assert held.embedder.cut_off == 0
        waiting.cancel()
        while not held.embedder.cut_off:
            await asyncio.sleep(0.01)
