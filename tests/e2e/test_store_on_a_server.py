"""All commands with the graph on an Oxigraph server: what a person sees is what a folder shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from e2e.commands import Done, run_here, serving
from servers.direct import DIRECT
from servers.oxigraph_server import OxigraphServer, oxigraph_server
from servers.served_process import free_port

CURIE = """# The Curies

Marie Curie discovered polonium in 1898. She was born in Warsaw.
Pierre Curie discovered polonium with Marie Curie.
"""
QUESTION = "Who discovered polonium?"
ID = "https://example.org/curie"


@dataclass(frozen=True)
class Place:
    """A data folder for library and indexes, and the server that has the graph."""

    data: Path
    server: OxigraphServer

    def run(self, *arguments: str | Path, **more: str) -> Done:
        return run_here(*arguments, "--data", self.data, env=self.env(**more))

    def env(self, **more: str) -> dict[str, str]:
        return {"PROVGRAPH_STORE_URL": self.server.url, **more}

    def rows(self, query: str) -> list[dict[str, Any]]:
        done = self.run("sparql", "--format", "json", query)
        assert done.status == 0, done.err
        rows: list[dict[str, Any]] = json.loads(done.out)["results"]["bindings"]
        return rows


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("on-a-server")
    (folder / "curie.md").write_text(CURIE)
    with oxigraph_server(folder / "store") as server:
        made = Place(folder / "data", server)
        done = made.run("ingest", "--id", ID, folder / "curie.md")
        assert done.status == 0, done.err
        yield made


def test_a_document_is_read_asked_traced_checked_and_taken_back(place: Place, tmp_path: Path) -> None:
    asked = place.run("ask", "--format", "json", QUESTION)
    answer = json.loads(asked.out)
    assert "Marie Curie" in answer["response"]
    trace = place.run("trace", answer["session"])
    assert "Marie Curie discovered polonium in 1898." in trace.out
    assert ID in place.run("documents").out
    assert place.run("check", "--all").status == 0
    assert [
        row["s"]["value"] for row in place.rows("SELECT ?s { ?s tg:contains << ?a ?b ?c >> } LIMIT 1")
    ] != []
    again = place.run("ingest", "--id", ID, place.data.parent / "curie.md")
    assert "0 new facts" in again.out + again.err

    backup = place.run("backup", tmp_path)
    assert backup.status == 0, backup.err
    (file,) = tmp_path.glob("*.zip")
    assert run_here("restore", "--data", tmp_path / "restored", file).status == 0
    assert "Marie Curie" in run_here("ask", "--data", tmp_path / "restored", QUESTION).out

    deleted = place.run("delete", ID, "--yes")
    assert deleted.status == 0, deleted.err
    assert place.run("trace", answer["session"]).status == 0
    assert place.rows("SELECT ?s { GRAPH <urn:graph:knowledge> { ?s ?p ?o } }") == []
    restored = place.run("ingest", "--id", ID, place.data.parent / "curie.md")
    assert restored.status == 0, restored.err


def test_the_graph_is_on_the_server_and_not_in_the_folder(place: Place) -> None:
    assert not (place.data / "store").exists()
    assert (place.data / "library").exists()


def test_compacting_says_where_it_has_to_be_done(place: Place) -> None:
    refused = place.run("compact")
    assert refused.status != 0
    assert "oxigraph dump" in refused.err


def test_a_store_that_is_not_there_is_told_in_one_sentence(tmp_path: Path) -> None:
    env = {"PROVGRAPH_STORE_URL": f"http://127.0.0.1:{free_port()}", "PROVGRAPH_STORE_RETRY_S": "0.2"}
    done = run_here("documents", "--data", tmp_path, env=env)
    assert done.status != 0
    assert "cannot be reached" in done.err
    assert "PROVGRAPH_STORE_URL" in done.err


@pytest.mark.slow
def test_a_folder_has_one_process_also_without_a_store_in_it(place: Place) -> None:
    with serving(place.data, env=place.env()) as service:
        other = run_here("ask", QUESTION, "--data", place.data, env=place.env())
        assert other.status == 0  # through the service that has the folder
        (place.data / "serving.json").unlink()
        refused = run_here(
            "ask", QUESTION, "--data", place.data, env=place.env(PROVGRAPH_FOLDER_WAIT_S="0.3")
        )
        assert refused.status != 0
        assert "another provgraph process is using" in refused.err
        service.stop()


@pytest.mark.slow
def test_a_service_tells_when_its_store_is_gone_and_goes_on_when_it_is_back(place: Place) -> None:
    with serving(place.data, env=place.env(PROVGRAPH_STORE_RETRY_S="0.3")) as service:
        client = httpx2.Client(base_url=service.url, timeout=60, **DIRECT)
        assert client.get("/ready").json()["status"] == "ready"
        place.server.kill()
        unready = client.get("/ready")
        assert unready.status_code == 503
        assert "cannot be reached" in unready.json()["detail"]
        assert client.get("/health").status_code == 200
        failed = client.get("/api/v1/documents")
        assert failed.status_code == 503
        place.server.start()
        assert client.get("/ready").status_code == 200
        answer = client.post("/api/v1/graph-rag", json={"query": QUESTION})
        assert "Marie Curie" in answer.json()["response"]
        client.close()


@pytest.mark.slow
def test_the_log_of_a_service_can_be_lines_of_json(place: Place) -> None:
    with serving(place.data, env=place.env(PROVGRAPH_LOG_FORMAT="json")) as service:
        answer = httpx2.post(
            f"{service.url}/api/v1/graph-rag", json={"query": QUESTION}, timeout=60, **DIRECT
        ).json()
        done = service.stop()
    lines = [json.loads(line) for line in done.err.splitlines() if line.startswith("{")]
    (ended,) = [line for line in lines if line["message"] == "session ended"]
    assert (ended["session"], ended["outcome"]) == (answer["session"], "answered")
