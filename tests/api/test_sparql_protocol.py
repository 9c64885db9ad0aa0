"""SPARQL 1.1 Protocol over HTTP, with a real store behind it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import rdflib
import uvicorn
from fastapi import FastAPI
from httpx2 import ASGITransport, AsyncClient
from pyoxigraph import Literal, NamedNode, Quad, Triple
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.remote_store.connection import StoreAddress, store_address
from provgraph.adapters.remote_store.sparql import ForwardedSparql
from provgraph.adapters.remote_store.store import SparqlHttpQuadStore
from provgraph.adapters.sparql_processes.endpoint import SparqlLimits, SparqlProcesses
from provgraph.errors import NotFound
from provgraph.gateway.problems import add_problem_responses
from provgraph.gateway.sparql import sparql_router
from provgraph.late_routes import add_routers
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.sparql_endpoint import SparqlAnswer, SparqlEndpoint, SparqlRequest
from provgraph.rdf.graphs import CollectionGraphs, collection_graphs
from provgraph.rdf.vocabulary import PROV, TG

GRAPHS = collection_graphs()
CURIE, DISCOVERED, POLONIUM = (NamedNode(f"http://e/{name}") for name in ("Curie", "discovered", "Polonium"))
SUBGRAPH, CHUNK = NamedNode("http://e/subgraph"), NamedNode("http://e/chunk")
QUADS = [
    Quad(CURIE, DISCOVERED, POLONIUM, GRAPHS.knowledge),
    Quad(CURIE, NamedNode("http://e/born"), Literal(1867), GRAPHS.knowledge),
    Quad(SUBGRAPH, TG.contains, Triple(CURIE, DISCOVERED, POLONIUM), GRAPHS.source),
    Quad(SUBGRAPH, PROV.was_derived_from, CHUNK, GRAPHS.source),
]
STAR = "SELECT ?s { ?g tg:contains << ?s ?p ?o >> }"
COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"


async def graphs(collection: str) -> CollectionGraphs:
    if collection != "default":
        raise NotFound(f"There is no collection {collection!r}. Use default.")
    return GRAPHS


def app_of(folder: Path, address: StoreAddress | None = None) -> tuple[FastAPI, QuadStore, SparqlEndpoint]:
    """An app over an embedded store, or over one on a server."""
    limits = SparqlLimits(seconds=5, rows=3, processes=2)
    store: QuadStore
    endpoint: SparqlEndpoint
    if address:
        remote = SparqlHttpQuadStore.opened(address)
        store, endpoint = remote, ForwardedSparql(remote.connection, limits, folder / "snapshots")
    else:
        own = OxigraphQuadStore(folder / "store")
        store, endpoint = own, SparqlProcesses(own, folder / "snapshots", limits)
    app = FastAPI()
    add_routers(app, [sparql_router(endpoint, graphs)])
    add_problem_responses(app)
    return app, store, endpoint


def address_of(kind: str, request: pytest.FixtureRequest) -> StoreAddress | None:
    if kind == "in a folder":
        return None
    url = request.getfixturevalue("oxigraph").url
    return store_address(url, "query update store", patience_s=10, is_rdf_1_1=kind == "in RDF 1.1")


@pytest.fixture(params=["in a folder", "on a server", "in RDF 1.1"])
async def client(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[AsyncClient]:
    app, store, endpoint = app_of(tmp_path, address_of(request.param, request))
    await store.add(QUADS)
    async with AsyncClient(transport=ASGITransport(app), base_url="http://localhost") as client:
        yield client
    await endpoint.close()
    await store.close()


async def test_a_query_comes_in_three_ways(client: AsyncClient) -> None:
    by_get = await client.get("/sparql", params={"query": COUNT})
    by_form = await client.post("/sparql", data={"query": COUNT})
    by_body = await client.post(
        "/sparql", content=COUNT, headers={"Content-Type": "application/sparql-query; charset=utf-8"}
    )
    for response in (by_get, by_form, by_body):
        assert response.status_code == 200
        assert response.headers["Content-Type"] == "application/sparql-results+json"
        assert response.json()["results"]["bindings"][0]["n"]["value"] == "4"
        assert float(response.headers["ProvGraph-Data-Age"]) >= 0


async def test_the_format_is_negotiated_or_named(client: AsyncClient) -> None:
    construct = "CONSTRUCT WHERE { ?s ?p ?o }"
    csv = await client.get("/sparql", params={"query": COUNT}, headers={"Accept": "text/csv"})
    turtle = await client.get("/sparql", params={"query": construct}, headers={"Accept": "text/turtle"})
    named = await client.get("/sparql", params={"query": construct, "format": "jsonld"})
    neither = await client.get("/sparql", params={"query": construct}, headers={"Accept": "text/csv"})
    assert csv.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert turtle.headers["Content-Type"] == "text/turtle; charset=utf-8"
    assert named.headers["Content-Type"] == "application/ld+json"
    assert neither.status_code == 406
    assert "text/turtle" in neither.json()["detail"]


async def test_star_syntax_is_understood_and_said(client: AsyncClient) -> None:
    read = await client.get("/sparql", params={"query": STAR})
    assert read.headers["ProvGraph-Syntax"] == "sparql-star read as triple terms"
    assert len(read.json()["results"]["bindings"]) == 1


@pytest.mark.parametrize("client", ["in a folder", "on a server"], indirect=True)
async def test_star_syntax_may_be_what_it_is_in_rdf_1_2(client: AsyncClient) -> None:
    strict = await client.get("/sparql", params={"query": STAR, "syntax": "rdf-1.2"})
    assert "ProvGraph-Syntax" not in strict.headers
    assert strict.json()["results"]["bindings"] == []


@pytest.mark.parametrize("client", ["in RDF 1.1"], indirect=True)
async def test_what_a_store_of_rdf_1_1_cannot_be_asked_is_told(client: AsyncClient) -> None:
    strict = await client.get("/sparql", params={"query": STAR, "syntax": "rdf-1.2"})
    assert strict.status_code == 501
    assert "rdf:reifies <<( ?s ?p ?o )>>" in strict.json()["detail"]


async def test_a_cut_result_says_so(client: AsyncClient) -> None:
    cut = await client.get("/sparql", params={"query": "SELECT * { ?s ?p ?o }"})
    whole = await client.get("/sparql", params={"query": "SELECT * { ?s ?p ?o } LIMIT 3"})
    assert "ProvGraph-Truncated" in cut.headers
    assert "ProvGraph-Truncated" not in whole.headers
    assert cut.json() == whole.json()


async def test_the_dataset_of_the_request_is_honoured(client: AsyncClient) -> None:
    knowledge, source = GRAPHS.knowledge.value, GRAPHS.source.value

    async def count(query: str, **parameters: str | list[str]) -> str:
        response = await client.post("/sparql", data={"query": query, **parameters})
        return str(response.json()["results"]["bindings"][0]["n"]["value"])

    named = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"
    from_source = f"SELECT (COUNT(*) AS ?n) FROM <{source}> {{ ?s ?p ?o }}"
    by_url = await client.get("/sparql", params={"query": COUNT, "default-graph-uri": source})
    assert by_url.json()["results"]["bindings"][0]["n"]["value"] == "2"
    assert await count(COUNT, **{"default-graph-uri": [knowledge, source]}) == "4"
    assert await count(COUNT, **{"named-graph-uri": knowledge}) == "0"
    assert await count(named, **{"named-graph-uri": knowledge}) == "2"
    assert await count(from_source, **{"default-graph-uri": knowledge}) == "2"


@pytest.mark.parametrize(
    ("parameters", "status"),
    [
        ({"query": COUNT, "default-graph-uri": "urn:graph:knowledge:other"}, 400),
        ({"query": COUNT, "collection": "other"}, 404),
        ({"query": "SELECT nothing"}, 400),
        ({"query": "DROP ALL"}, 403),
        ({"query": "ASK { SERVICE <http://e/> {} }"}, 403),
        ({"update": "DROP ALL"}, 403),
        ({"query": [COUNT, COUNT]}, 400),
        ({"query": COUNT, "syntax": "sparql-9"}, 400),
        ({"query": COUNT, "format": "docx"}, 400),
        ({"query": "#" * 200_001}, 413),
        ({}, 400),
    ],
)
async def test_what_cannot_be_answered_is_a_problem(
    client: AsyncClient, parameters: dict[str, str | list[str]], status: int
) -> None:
    response = await client.post("/sparql", data=parameters, headers={"Content-Type": FORM})
    assert response.status_code == status
    assert response.json()["detail"].endswith(".")


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("media_type", "body", "status"),
    [
        ("application/sparql-update", b"DROP ALL", 403),
        ("application/json", b"{}", 415),
        ("application/sparql-query", b"ASK { ?s ?p '\xff' }", 400),
        (FORM, b"query=%FF", 400),
        ("application/sparql-query", b"#" * 3_000_000, 413),
    ],
)
async def test_bodies_that_are_not_a_query_are_refused(
    client: AsyncClient, media_type: str, body: bytes, status: int
) -> None:
    response = await client.post("/sparql", content=body, headers={"Content-Type": media_type})
    assert response.status_code == status


async def test_a_syntax_error_has_its_line_and_column(client: AsyncClient) -> None:
    problem = (await client.get("/sparql", params={"query": "ASK {\n ?s ?p }"})).json()
    assert "line 2, column 8" in problem["detail"]


async def test_without_a_query_the_endpoint_describes_itself(client: AsyncClient) -> None:
    described = await client.get("/sparql", headers={"Accept": "text/turtle"})
    read = rdflib.Graph().parse(data=described.text, format="turtle")
    names = set(read.objects(None, rdflib.URIRef("http://www.w3.org/ns/sparql-service-description#name")))
    assert names == {rdflib.URIRef(graph.value) for graph in GRAPHS}
    page = await client.get("/sparql", headers={"Accept": "text/html,*/*;q=0.8"})
    assert "<textarea" in page.text
    mistyped = await client.get("/sparql", params={"qeury": COUNT})
    assert mistyped.status_code == 400


async def test_a_client_that_leaves_cancels_its_query() -> None:
    class Endless:
        """A `SparqlEndpoint` whose queries end when they are cancelled, and no sooner."""

        def __init__(self) -> None:
            self.running = asyncio.Event()
            self.cancelled = asyncio.Event()

        async def run(self, _: SparqlRequest) -> SparqlAnswer:
            self.running.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.cancelled.set()
            raise AssertionError

        async def forget(self) -> None: ...

        async def close(self) -> None: ...

    endpoint = Endless()
    app = FastAPI()
    add_routers(app, [sparql_router(endpoint, graphs)])
    left = asyncio.Event()

    async def receive() -> dict[str, object]:
        if not endpoint.running.is_set():
            return {"type": "http.request", "body": b"", "more_body": False}
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(_: object) -> None: ...

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/sparql",
        "query_string": b"query=ASK{}",
        "headers": [],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("localhost", 80),
    }
    request = asyncio.create_task(app(scope, receive, send))
    await endpoint.running.wait()
    left.set()
    await request
    assert endpoint.cancelled.is_set()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The endpoint on loopback, for clients that bring their own HTTP."""
    ready = threading.Event()
    server: list[uvicorn.Server] = []
    ports: list[int] = []

    async def serve() -> None:
        app, store, endpoint = app_of(tmp_path)
        await store.add(QUADS)
        server.append(uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", lifespan="off")))
        running = asyncio.create_task(server[0].serve())
        while not server[0].started:
            await asyncio.sleep(0.01)
        ports.append(server[0].servers[0].sockets[0].getsockname()[1])
        ready.set()
        await running
        await endpoint.close()
        await store.close()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(20)
    yield f"http://127.0.0.1:{ports[0]}/sparql"
    server[0].should_exit = True
    thread.join()


@pytest.mark.parametrize(("method", "returned"), [("GET", "json"), ("POST", "xml"), ("POST_FORM", "csv")])
def test_rdflib_reads_it_as_a_remote_store(served: str, method: str, returned: str) -> None:
    remote = rdflib.Graph(SPARQLStore(served, method=method, returnFormat=returned))
    found = remote.query("SELECT ?o WHERE { ?s <http://e/born> ?o }")
    assert [str(binding[rdflib.Variable("o")]) for binding in found.bindings] == ["1867"]
