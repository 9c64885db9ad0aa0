"""Collections on stores of their own: each server has what is its own and nothing else, and one that is away is missed
by its own collections alone."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from api.running import QUESTION, Running, assembled, running
from provgraph.errors import InvalidInput, ProvGraphError, Unavailable
from servers.direct import DIRECT
from servers.oxigraph_server import OxigraphServer, oxigraph_server
from servers.served_process import free_port

CURIE = "Marie Curie discovered polonium in 1898. She was born in Warsaw."
BELL = "Jocelyn Bell discovered pulsars in 1967. She was born in Lurgan."
BELL_ID = "https://example.org/bell"
PULSARS = "Who discovered pulsars?"
TRACES = "/api/v1/traces"


@dataclass(frozen=True)
class Place:
    """A data folder for library and indexes, the server of most collections, and that of `papers`."""

    data: Path
    main: OxigraphServer
    papers: OxigraphServer

    def settings(self, *, placed: bool = True, stores: str = "") -> dict[str, Any]:
        said = stores or (f"papers={self.papers.url}" if placed else "")
        return {"store_url": self.main.url, "store_retry_s": 0.3, "collection_stores": said}

    @asynccontextmanager
    async def running(self, *, placed: bool = True) -> AsyncIterator[Running]:
        async with running(self.data, **self.settings(placed=placed)) as service:
            yield service

    def refused(self, **how: Any) -> str:
        """Why a service does not start."""
        with pytest.raises(ProvGraphError) as told:
            assembled(self.data, **self.settings(**how))
        assert isinstance(told.value, InvalidInput | Unavailable)
        return str(told.value)


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[OxigraphServer, OxigraphServer]]:
    folder = tmp_path_factory.mktemp("placed")
    with oxigraph_server(folder / "main") as main, oxigraph_server(folder / "papers") as papers:
        yield main, papers


@pytest.fixture
def place(tmp_path: Path, two_servers: tuple[OxigraphServer, OxigraphServer]) -> Place:
    for server in two_servers:
        server.update("DROP ALL")
    return Place(tmp_path / "data", *two_servers)


@contextmanager
def away(server: OxigraphServer) -> Iterator[None]:
    server.kill()
    try:
        yield
    finally:
        server.start()


def graphs(server: OxigraphServer) -> dict[str, set[str]]:
    """What a server has, asked of itself: its graphs with their statements."""
    answer = httpx2.get(f"{server.url}/store", headers={"Accept": "application/n-quads"}, **DIRECT)
    held: dict[str, set[str]] = {}
    for line in answer.text.splitlines():
        if named := re.search(r" <(urn:graph:[^>]*)> \.$", line):
            held.setdefault(named[1], set()).add(line)
    return held


def says(server: OxigraphServer, word: str) -> bool:
    return any(word in line for lines in graphs(server).values() for line in lines)


async def test_each_server_has_its_own_collections_and_every_way_of_reading_finds_them(place: Place) -> None:
    async with place.running() as service:
        await service.ingest(CURIE)
        await service.ingest(BELL, collection="papers", id=BELL_ID)
        assert "Marie Curie" in (await service.ask())["response"]
        answer = await service.ask(PULSARS, collection="papers")
        assert "Jocelyn Bell" in answer["response"]
        here, there = graphs(place.main), graphs(place.papers)
        assert sorted(here) == ["urn:graph:knowledge", "urn:graph:retrieval", "urn:graph:source"]
        assert sorted(there) == [
            "urn:graph:knowledge:papers",
            "urn:graph:retrieval",
            "urn:graph:source:papers",
        ]
        assert not says(place.main, "ulsars")
        assert not says(place.papers, "olonium")

        counted = {"query": "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", "format": "json"}
        for collection, held in (("default", here), ("papers", there)):
            rows = await service.get("/sparql", collection=collection, **counted)
            assert int(rows["results"]["bindings"][0]["n"]["value"]) == sum(map(len, held.values()))
        own = await service.get(
            "/sparql", collection="papers", **counted | {"default-graph-uri": "urn:graph:retrieval"}
        )
        assert own["results"]["bindings"] != []
        saved = await service.get("/api/v1/queries/most-used-facts", collection="papers", format="json")
        assert "ulsars" in str(saved)
        assert len(await service.get(TRACES)) == 2
        assert [each["collection"] for each in await service.get("/api/v1/collections")] == [
            "default",
            "papers",
        ]
        exported = await service.client.get("/api/v1/export", params={"collection": "papers"})
        assert len(exported.text.splitlines()) == sum(map(len, there.values()))
        ready = (await service.get("/ready"))["dependencies"]
        assert (ready["store"], ready["store:papers"]) == ("answers", "answers")

        deleted = await service.client.delete(
            "/api/v1/documents", params={"id": BELL_ID, "collection": "papers"}
        )
        assert deleted.json()["stale"] == [answer["session"].rpartition(":")[2]]
        redacted = {"id": BELL_ID, "collection": "papers", "redact": "true"}
        assert (await service.client.delete("/api/v1/documents", params=redacted)).status_code == 200
        assert not says(place.papers, "Jocelyn")
        assert graphs(place.main) == here


async def test_a_server_that_dies_takes_its_own_collections_and_no_others(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provgraph.access.principals._FRESH_S", 0.0)  # every request reads who may come in
    async with place.running() as service:
        await service.ingest(CURIE)
        await service.ingest(BELL, collection="papers")
        await service.ask()
        answer = await service.ask(PULSARS, collection="papers")

        with away(place.papers):
            await _others_go_on(service, place.papers, answer["session"])
        with away(place.main):
            assert (await service.client.get("/ready")).status_code == 503
            assert "Jocelyn Bell" in (await service.ask(PULSARS, collection="papers"))["response"]
            read = await service.ingest("Vera Rubin studied galaxies.", collection="papers", name="rubin.txt")
            assert read["state"] == "done"
        assert len(await service.get(TRACES)) == 4


async def _others_go_on(service: Running, missing: OxigraphServer, session: str) -> None:
    again = await service.ask()
    assert "Marie Curie" in again["response"]
    assert (await service.get(f"{TRACES}/{again['session']}"))["outcome"] == "answered"
    assert (await service.ingest("Lise Meitner discovered protactinium in 1917."))["state"] == "done"
    checked = await service.client.post("/api/v1/check", json={"collection": "default"})
    assert checked.json()["findings"] == []
    archive = await service.client.get("/api/v1/archive")
    assert archive.content.startswith(b"PK")
    for missed in (
        service.client.post("/api/v1/graph-rag", json={"query": PULSARS, "collection": "papers"}),
        service.client.get(f"{TRACES}/{session}"),
        service.client.get(TRACES),
        service.client.get("/sparql", params={"query": "ASK { }", "collection": "papers"}),
    ):
        failed = await missed
        assert failed.status_code == 503
        assert missing.url in failed.json()["detail"]
        assert "PROVGRAPH_COLLECTION_STORES" in failed.json()["detail"]
    listed = {each["collection"]: each for each in await service.get("/api/v1/collections")}
    assert listed["default"]["unavailable"] == ""
    assert missing.url in listed["papers"]["unavailable"]
    ready = await service.get("/ready")
    assert "cannot be reached" in ready["dependencies"]["store:papers"]


async def test_a_question_to_a_placed_collection_that_a_crash_cut_off_is_ended_at_the_next_start(
    place: Place,
) -> None:
    async with place.running() as service:
        await service.ingest(BELL, collection="papers")
        await service.ask(PULSARS, collection="papers")
    ends = "?s <http://www.w3.org/ns/prov#endedAtTime> ?at ; <https://trustgraph.ai/ns/outcome> ?how"
    place.papers.update(f"DELETE WHERE {{ GRAPH <urn:graph:retrieval> {{ {ends} }} }}")
    async with place.running() as service:
        assert (await service.trace_of_only_session())["outcome"] == "interrupted"
    assert "urn:graph:at-work" not in graphs(place.papers)


def without_receipts(found: dict[str, set[str]]) -> dict[str, set[str]]:
    """Without what says that it came in an archive."""
    words = ("/receipt/", ":receipt:", "agent:archive-import")
    return {
        name: {line for line in lines if not any(word in line for word in words)}
        for name, lines in found.items()
    }


async def test_a_collection_moves_by_its_archive_and_nothing_is_hidden_before_it_has(place: Place) -> None:
    async with place.running(placed=False) as service:
        await service.ingest(BELL, collection="papers")
        session = (await service.ask(PULSARS, collection="papers"))["session"]
        archive = (await service.client.get("/api/v1/archive", params={"collection": "papers"})).content
        held = graphs(place.main)
    refused = place.refused()
    for named in (place.main.url, "'papers'", place.papers.url, "export --archive"):
        assert named in refused
    async with place.running(placed=False) as service:
        removed = await service.client.delete("/api/v1/collections", params={"collection": "papers"})
        assert removed.status_code == 200

    async with place.running() as service:
        headers = {"Content-Type": "application/zip"}
        for _ in range(2):
            imported = await service.client.post("/api/v1/archive", content=archive, headers=headers)
            assert imported.status_code < 300, imported.text
        assert without_receipts(graphs(place.papers)) == held
        assert all(
            "urn:trustgraph:agent:" in line for line in graphs(place.main).get("urn:graph:retrieval", ())
        )
        assert (await service.get(f"{TRACES}/{session}"))["outcome"] == "answered"
        assert "Jocelyn Bell" in (await service.ask(PULSARS, collection="papers"))["response"]
        copied = await service.client.post(
            "/api/v1/archive", params={"collection": "copy"}, content=archive, headers=headers
        )
        assert copied.status_code < 300, copied.text
        assert len(await service.get(TRACES)) == 2
    assert "does not place" in place.refused(stores=f"cases={place.papers.url}")


async def test_settings_that_cannot_be_are_told_at_the_start(place: Place) -> None:
    host = place.papers.url.replace("127.0.0.1", "localhost")
    wrong = {
        f"papers={place.main.url}": "Leave it out",
        f"papers={place.papers.url}, cases={host}": "are one server",
        f"papers={place.main.url.replace('127.0.0.1', 'localhost')}": "are one server",
        "papers=nowhere": "not an address such as",
        "papers": "not NAME=ADDRESS",
        f"papers=http://127.0.0.1:{free_port()}": "cannot be reached",
    }
    for said, told in wrong.items():
        refused = place.refused(stores=said)
        assert told in refused
        assert "PROVGRAPH_COLLECTION_STORES" in refused
    with pytest.raises(InvalidInput, match="PROVGRAPH_STORE_URL is not set"):
        assembled(place.data, collection_stores=f"papers={place.papers.url}")
    for server in (place.main, place.papers):
        held = httpx2.get(
            f"{server.url}/store",
            headers={"Accept": "application/n-quads"},
            **DIRECT,
        )
        assert held.text == ""


async def test_collections_of_one_address_share_a_store(place: Place) -> None:
    stores = f"papers={place.papers.url}, cases={place.papers.url}/"
    async with running(place.data, **place.settings(stores=stores)) as service:
        await service.ingest(BELL, collection="papers")
        await service.ingest(CURIE, collection="cases")
        assert "Marie Curie" in (await service.ask(QUESTION, collection="cases"))["response"]
        assert {"store", "store:papers", "store:cases"} <= (await service.get("/ready"))[
            "dependencies"
        ].keys()
    assert graphs(place.main) == {}
