"""All that a person sees, with the graph on Virtuoso, which knows neither triple terms nor base directions."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2
import pytest

from e2e.commands import run_here, serving
from servers.direct import DIRECT
from servers.virtuoso_server import PATHS, VirtuosoServer

CURIE = "# The Curies\n\nMarie Curie discovered polonium in 1898. She was born in Warsaw.\n"
MEITNER = "# Lise Meitner\n\nLise Meitner discovered protactinium in 1917. She was born in Vienna.\n"
ADDRESS = "https://example.org/curie"
OTHER = "https://example.org/meitner"
QUOTED = "SELECT ?s ?p ?o { ?subgraph tg:contains <<( ?s ?p ?o )>> FILTER(CONTAINS(STR(?o), 'polonium')) }"
ANNOTATED = (
    "SELECT ?s ?text { ?quotation rdf:reifies ?edge ; tg:sourceText ?text BIND(SUBJECT(?edge) AS ?s) }"
)


@pytest.mark.slow
def test_documents_are_read_asked_traced_checked_and_taken_back_on_virtuoso(
    virtuoso: VirtuosoServer, tmp_path: Path
) -> None:
    (tmp_path / "curie.md").write_text(CURIE)
    (tmp_path / "meitner.md").write_text(MEITNER)
    env = {
        "PROVGRAPH_STORE_URL": virtuoso.url,
        "PROVGRAPH_STORE_PATHS": PATHS,
        "PROVGRAPH_STORE_RDF": "1.1",
    }
    data = tmp_path / "data"
    with serving(data, env=env) as service:
        for name, file in ((ADDRESS, "curie.md"), (OTHER, "meitner.md")):
            done = run_here("ingest", "--id", name, tmp_path / file, "--data", data, env=env)
            assert done.status == 0, done.err
        client = httpx2.Client(base_url=service.url, timeout=60, **DIRECT)
        asked = run_here("ask", "--format", "json", "Who discovered polonium?", "--data", data, env=env)
        answer = json.loads(asked.out)
        assert "Marie Curie" in answer["response"]
        trace = run_here("trace", answer["session"], "--data", data, env=env)
        assert "Marie Curie discovered polonium in 1898." in trace.out

        def rows(query: str) -> list[dict[str, dict[str, str]]]:
            found = client.post("/sparql", data={"query": query}, headers={"Accept": "application/json"})
            assert found.status_code == 200, found.text
            result: list[dict[str, dict[str, str]]] = found.json()["results"]["bindings"]
            return result

        edges = rows("SELECT ?edge { GRAPH ?g { ?selected tg:edge ?edge } }")
        assert {edge["edge"]["type"] for edge in edges} == {"triple"}
        assert rows(QUOTED)
        assert {row["text"]["value"] for row in rows(ANNOTATED)} >= {
            "Marie Curie discovered polonium in 1898."
        }
        saved = run_here(
            *("sparql", "--saved", "edges-of-answer", "--param", f"session={answer['session']}"),
            *("--data", data),
            env=env,
        )
        assert "polonium" in saved.out, saved.err
        assert run_here("check", "--all", "--data", data, env=env).status == 0

        deleted = run_here("delete", ADDRESS, "--yes", "--data", data, env=env)
        assert deleted.status == 0, deleted.err
        assert rows(QUOTED) == []
        assert rows("SELECT ?s { GRAPH <urn:graph:knowledge> { ?s rdfs:label ?label } }") != []
        assert run_here("check", "--all", "--data", data, env=env).status == 0
        client.close()
        service.stop()
    orphans = "FILTER NOT EXISTS { GRAPH ?g { ?user ?link ?s } }"
    assert virtuoso.rows(f"SELECT ?s {{ GRAPH <urn:provgraph:quotations> {{ ?s ?p ?o }} {orphans} }}") == []
