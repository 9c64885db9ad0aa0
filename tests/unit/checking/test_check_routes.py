"""`POST /api/v1/check`, over ASGI: as a stream, and as one JSON."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio
from fastapi import FastAPI

from provgraph.catalogue.collections import Collections
from provgraph.checking.routes import checking_router
from provgraph.errors import NotFound
from provgraph.late_routes import add_routers
from unit.checking.stored_collection import FACT, PAPERS, StoredCollection, stated, stored_collection


@pytest_asyncio.fixture
async def stored(tmp_path: Path) -> AsyncIterator[StoredCollection]:
    made = await stored_collection(tmp_path)
    await Collections(made.store, "explainability").make("papers", datetime.now(UTC))
    yield made
    await made.store.close()


@pytest_asyncio.fixture
async def client(stored: StoredCollection) -> AsyncIterator[httpx2.AsyncClient]:
    app = FastAPI()
    add_routers(
        app,
        [
            checking_router(
                stored.checker, Collections(stored.checker.store, stored.checker.explain_collection)
            )
        ],
    )
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


async def test_a_check_comes_as_one_json(stored: StoredCollection, client: httpx2.AsyncClient) -> None:
    await stored.store.remove([stated(FACT, PAPERS.knowledge)])
    report = (await client.post("/api/v1/check", json={"collection": "papers"})).json()
    assert [finding["rule"] for finding in report["findings"]] == ["asserted"]
    assert report["summary"]["passed"] is False
    assert report["summary"]["units"] == 3


async def test_a_check_streams_its_progress_and_ends_with_its_summary(client: httpx2.AsyncClient) -> None:
    accept = {"Accept": "text/event-stream"}
    body = (await client.post("/api/v1/check", json={"collection": "papers"}, headers=accept)).text
    lines = body.splitlines()
    names = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    data = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    assert set(names[:-1]) == {"progress"}
    assert names[-1] == "summary"
    assert data[-1]["passed"] is True


async def test_everything_is_checked_on_request(client: httpx2.AsyncClient) -> None:
    request = {"collection": "papers", "everything": True}
    for _ in range(2):
        assert (await client.post("/api/v1/check", json=request)).json()["summary"]["units"] == 3


async def test_a_collection_that_is_not_there_cannot_be_checked(client: httpx2.AsyncClient) -> None:
    with pytest.raises(NotFound, match="no collection 'absent'"):
        await client.post("/api/v1/check", json={"collection": "absent"})
