"""A collection of papers that is built while other processes read, build and delete over the same store and library."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio

from api.running import CURIE, Running, running_as, searching
from provgraph.ports.paper_search import FoundPaper, PaperSearch, Waits, no_notice
from servers.arxiv_server import ArxivServer, arxiv_server
from servers.oxigraph_server import OxigraphServer
from servers.papers import ALL

ROUTE: Final = "/api/v1/research"
PAPERS: Final = {"https://arxiv.org/abs/2101.00001", "https://arxiv.org/abs/2102.00002"}
Meanwhile = Callable[[], Awaitable[None]]


@dataclass
class SlowSearch:
    """Before its second paper comes, something else is done: the first is in the library, and not yet in the store."""

    search_: PaperSearch
    meanwhile: Meanwhile | None = None
    fetched: int = 0

    async def search(self, topic: str, most: int, waits: Waits = no_notice) -> Any:
        return await self.search_.search(topic, most, waits)

    async def pdf(self, paper: FoundPaper, waits: Waits = no_notice) -> bytes:
        self.fetched += 1
        if self.fetched == 2 and self.meanwhile:
            await self.meanwhile()
        return await self.search_.pdf(paper, waits)

    async def close(self) -> None:
        await self.search_.close()


@dataclass(frozen=True)
class Beside:
    """Two processes; `search` is that of the first."""

    building: Running
    other: Running
    search: SlowSearch


@pytest.fixture(scope="module")
def arxiv() -> Iterator[ArxivServer]:
    with arxiv_server(ALL[:2]) as server:
        yield server


@pytest_asyncio.fixture
async def beside(tmp_path: Path, arxiv: ArxivServer, oxigraph: OxigraphServer) -> AsyncIterator[Beside]:
    shared = {"store_url": oxigraph.url, "library_url": f"file://{tmp_path / 'library'}"}
    async with AsyncExitStack() as stack:
        one = searching(tmp_path / "one", arxiv.url, **shared)
        search = SlowSearch(one.search)
        one.search = search
        building = await stack.enter_async_context(running_as(one))
        other = await stack.enter_async_context(
            running_as(searching(tmp_path / "other", arxiv.url, **shared))
        )
        yield Beside(building, other, search)


async def built(service: Running) -> dict[str, Any]:
    job: dict[str, Any] = (await service.events("POST", f"{ROUTE}/build", {"topic": "document"}))[-1].data
    assert (job["state"], job["refused"]) == ("done", []), job
    return job


async def whole(service: Running, documents: set[str]) -> bool:
    """Whether there are these documents, in the store as in the library."""
    answer = await service.client.post("/api/v1/check", json={})
    assert (answer.status_code, answer.json()["findings"]) == (200, [])
    return {each["id"] for each in await service.get("/api/v1/documents")} == documents


async def test_what_a_build_has_kept_stays_while_another_process_reads(beside: Beside) -> None:
    async def read() -> None:
        job = await beside.other.ingest(CURIE, id="https://example.org/curie")
        assert job["state"] == "done"

    beside.search.meanwhile = read
    await built(beside.building)
    assert await whole(beside.building, {*PAPERS, "https://example.org/curie"})


async def test_the_same_build_twice_at_once_and_a_deletion_during_it_leave_whole_papers(
    beside: Beside,
) -> None:
    async def build_and_delete() -> None:
        await built(beside.other)
        deleted = await beside.other.client.delete("/api/v1/documents", params={"id": min(PAPERS)})
        assert deleted.status_code == 200

    beside.search.meanwhile = build_and_delete
    await built(beside.building)
    assert await whole(beside.building, PAPERS)
    (likeness,) = (await beside.building.get(f"{ROUTE}/papers"))["likenesses"]
    assert set(likeness["papers"]) == PAPERS
