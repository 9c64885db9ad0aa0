"""Users' queries on a server: within the graphs of the collection, within their limits, and never its end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pyoxigraph import Literal, NamedNode, Quad

from provgraph.adapters.remote_store.connection import store_address
from provgraph.adapters.remote_store.sparql import ForwardedSparql
from provgraph.adapters.remote_store.store import SparqlHttpQuadStore
from provgraph.adapters.sparql_processes.endpoint import SparqlLimits
from provgraph.errors import Forbidden, InvalidInput, InvalidQuery, TimedOut, TooLarge, Unavailable
from provgraph.ports.sparql_endpoint import SparqlAnswer, SparqlRequest
from provgraph.rdf.graphs import collection_graphs, knowledge_graph
from provgraph.sparql.dataset import Dataset
from servers.oxigraph_server import OxigraphServer, oxigraph_server
from servers.served_process import free_port

GRAPHS = collection_graphs()
PATHS = "query update store"
LIMITS = SparqlLimits(seconds=20, rows=200, processes=2)
CROSS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


def fact(name: str, graph: NamedNode = GRAPHS.knowledge) -> Quad:
    return Quad(NamedNode(f"http://e/{name}"), NamedNode("http://e/p"), Literal(name), graph)


@pytest.fixture
async def store(oxigraph: OxigraphServer) -> AsyncIterator[SparqlHttpQuadStore]:
    async with filled(oxigraph) as store:
        yield store


@pytest.fixture
async def overworked(tmp_path: Path) -> AsyncIterator[SparqlHttpQuadStore]:
    """On a server of its own that goes with the test, or it would work for ever on what nobody waits for."""
    with oxigraph_server(tmp_path / "overworked") as server:
        async with filled(server) as store:
            yield store


@asynccontextmanager
async def filled(server: OxigraphServer) -> AsyncIterator[SparqlHttpQuadStore]:
    store = SparqlHttpQuadStore(store_address(server.url, PATHS, 10))
    await store.add([fact(str(number)) for number in range(300)])
    await store.add([fact("other", knowledge_graph("other"))])
    yield store
    await store.close()


@pytest.fixture
async def endpoint(store: SparqlHttpQuadStore, tmp_path: Path) -> AsyncIterator[ForwardedSparql]:
    endpoint = ForwardedSparql(store.connection, LIMITS, tmp_path / "empty")
    yield endpoint
    await endpoint.close()


async def run(endpoint: ForwardedSparql, query: str, **request: Any) -> SparqlAnswer:
    return await endpoint.run(SparqlRequest(query, Dataset.of(GRAPHS), **request))


async def counted(endpoint: ForwardedSparql, query: str) -> str:
    found: str = json.loads((await run(endpoint, query)).body)["results"]["bindings"][0]["n"]["value"]
    return found


async def test_only_the_graphs_of_the_collection_are_read(endpoint: ForwardedSparql) -> None:
    everywhere = "{ { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"
    assert await counted(endpoint, f"SELECT (COUNT(DISTINCT ?s) AS ?n) {everywhere}") == "300"
    with pytest.raises(InvalidInput, match="knowledge:other"):
        await run(endpoint, "ASK FROM <urn:graph:knowledge:other> { ?s ?p ?o }")
    assert await counted(endpoint, "SELECT (COUNT(*) AS ?n) FROM <urn:graph:source> { ?s ?p ?o }") == "0"


async def test_rows_are_cut_at_the_limit(endpoint: ForwardedSparql) -> None:
    answer = await run(endpoint, "SELECT * { ?a ?b ?c }", accept="text/csv")
    assert answer.truncated
    assert answer.body.count(b"\r\n") == LIMITS.rows + 1
    graph = await run(endpoint, "CONSTRUCT WHERE { ?a ?b ?c }", accept="application/n-triples")
    assert graph.truncated
    assert graph.body.count(b"\n") == LIMITS.rows


async def test_bytes_are_cut_at_the_limit(store: SparqlHttpQuadStore, tmp_path: Path) -> None:
    limits = SparqlLimits(seconds=20, rows=1000, processes=1, result_bytes=5_000)
    endpoint = ForwardedSparql(store.connection, limits, tmp_path / "small")
    answer = await run(endpoint, "SELECT * { ?a ?b ?c }")
    assert answer.truncated
    assert 0 < len(json.loads(answer.body)["results"]["bindings"]) < 300
    with pytest.raises(TooLarge):
        await run(endpoint, "CONSTRUCT WHERE { ?a ?b ?c }")
    await endpoint.close()


async def test_updates_and_service_are_refused(endpoint: ForwardedSparql) -> None:
    for query in ("DROP ALL", "ASK { SERVICE <http://e/> { ?s ?p ?o } }"):
        with pytest.raises(Forbidden):
            await run(endpoint, query)
    assert await counted(endpoint, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }") == "300"


async def test_a_syntax_error_is_told_where_the_user_made_it(endpoint: ForwardedSparql) -> None:
    with pytest.raises(InvalidQuery) as raised:
        await run(endpoint, "SELECT *\n{ ?s ex:p ?o }")
    assert (raised.value.line, raised.value.column) == (2, 6)


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        f"ASK {{ FILTER({'(' * 30_000}1{')' * 30_000}) }}",
        f"ASK {{ {'{' * 30_000}?s ?p ?o{'}' * 30_000} }}",
        f"ASK {{ {{}} {'UNION {}' * 20_000} }}",
        f"ASK {{ ?s {'/'.join(['<p>'] * 30_000)} ?o }}",
        f"ASK {{ FILTER({'||'.join(['?a'] * 40_000)}) }}",
        f"ASK {{ FILTER({'!' * 100_000}?a) }}",
    ],
    ids=["brackets", "groups", "unions", "paths", "alternatives", "negations"],
)
async def test_no_query_ends_the_server(
    endpoint: ForwardedSparql, store: SparqlHttpQuadStore, query: str
) -> None:
    with suppress(TooLarge, InvalidQuery, TimedOut):
        await run(endpoint, query)
    await store.answers(30)
    assert await counted(endpoint, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }") == "300"


async def test_a_query_ends_at_its_time_limit(overworked: SparqlHttpQuadStore, tmp_path: Path) -> None:
    endpoint = ForwardedSparql(overworked.connection, SparqlLimits(2, 10, 1), tmp_path / "short")
    with pytest.raises(TimedOut):
        await run(endpoint, CROSS)
    await endpoint.close()


async def test_a_query_may_be_silent_for_longer_than_what_we_ask_ourselves(
    overworked: SparqlHttpQuadStore, tmp_path: Path
) -> None:
    overworked.connection.client.timeout = httpx2.Timeout(0.2)
    endpoint = ForwardedSparql(overworked.connection, SparqlLimits(1, 10, 1), tmp_path / "empty")
    with pytest.raises(TimedOut):
        await endpoint.run(SparqlRequest(CROSS, Dataset.of(GRAPHS)))
    await endpoint.close()


async def test_a_query_that_the_server_ends_is_told_as_ended(tmp_path: Path) -> None:
    with oxigraph_server(tmp_path / "store", "--timeout-s", "1") as server:
        store = SparqlHttpQuadStore(store_address(server.url, PATHS, 10))
        await store.add([fact(str(number)) for number in range(300)])
        endpoint = ForwardedSparql(store.connection, LIMITS, tmp_path / "empty")
        with pytest.raises(TimedOut, match="its server"):
            await run(endpoint, "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a = ?i) }")
        await endpoint.close()
        await store.close()


async def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    store = SparqlHttpQuadStore(store_address(f"http://127.0.0.1:{free_port()}", PATHS, 0))
    endpoint = ForwardedSparql(store.connection, LIMITS, tmp_path / "empty")
    with pytest.raises(Unavailable, match="PROVGRAPH_STORE_URL"):
        await run(endpoint, "ASK {}")
    await endpoint.close()
    await store.close()


async def test_who_leaves_lets_the_next_one_in(overworked: SparqlHttpQuadStore, tmp_path: Path) -> None:
    endpoint = ForwardedSparql(overworked.connection, SparqlLimits(60, 10, 1), tmp_path / "one")
    leaving = asyncio.create_task(run(endpoint, "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?i"))
    await run(endpoint, "ASK {}")  # waits for the first to leave the taster, or comes before it
    leaving.cancel()
    await asyncio.wait([leaving])
    assert json.loads((await run(endpoint, "ASK { ?s ?p ?o }")).body)["boolean"] is True
    await endpoint.close()
