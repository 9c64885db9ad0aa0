"""The endpoint with real children over a real store: nothing a query does outlives its limits."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Triple

from provgraph.adapters.child_frames import encoded
from provgraph.adapters.child_memory import held
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.sparql_processes.endpoint import SparqlLimits, SparqlProcesses
from provgraph.errors import Forbidden, InvalidInput, InvalidQuery, TimedOut, TooLarge, Unavailable
from provgraph.ports.sparql_endpoint import SparqlAnswer, SparqlRequest
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.vocabulary import TG
from provgraph.sparql.dataset import Dataset

GRAPHS = collection_graphs()
COUNTED = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
SORTED = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?f ?c"
DOUBLINGS = [f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(30)]
LIMITS = SparqlLimits(seconds=1, rows=2000, processes=2, waiting_seconds=5, memory_bytes=400 << 20)


def fact(name: str) -> Quad:
    return Quad(NamedNode(f"http://e/{name}"), NamedNode("http://e/p"), Literal(name), GRAPHS.knowledge)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[OxigraphQuadStore]:
    store = OxigraphQuadStore(tmp_path / "store")
    quoted = Triple(NamedNode("http://e/0"), NamedNode("http://e/p"), Literal("0"))
    await store.add([fact(str(number)) for number in range(1000)])
    await store.add([Quad(NamedNode("http://e/subgraph"), TG.contains, quoted, GRAPHS.source)])
    yield store
    await store.close()


@pytest.fixture
async def endpoint(store: OxigraphQuadStore, tmp_path: Path) -> AsyncIterator[SparqlProcesses]:
    endpoint = SparqlProcesses(store, tmp_path / "snapshots", LIMITS)
    yield endpoint
    await endpoint.close()
    assert children() == []


def children() -> list[int]:
    found = subprocess.run(
        ["pgrep", "-P", str(os.getpid()), "-f", "sparql_processes.worker"], capture_output=True, text=True
    )
    return [int(line) for line in found.stdout.split()]


async def run(endpoint: SparqlProcesses, query: str, **request: Any) -> SparqlAnswer:
    return await endpoint.run(SparqlRequest(query, Dataset.of(GRAPHS), **request))


async def rows(endpoint: SparqlProcesses, query: str, **request: Any) -> list[dict[str, dict[str, str]]]:
    answer = await run(endpoint, query, **request)
    found: list[dict[str, dict[str, str]]] = json.loads(answer.body)["results"]["bindings"]
    return found


async def test_a_query_sees_everything_written_before_it(
    endpoint: SparqlProcesses, store: OxigraphQuadStore
) -> None:
    for name in ("first", "second"):
        await store.add([fact(name)])
        assert json.loads((await run(endpoint, f"ASK {{ <http://e/{name}> ?p ?o }}")).body)["boolean"] is True


async def test_the_default_graph_is_the_union_and_each_graph_has_its_name(endpoint: SparqlProcesses) -> None:
    query = "SELECT ?g { { ?s a ?never } UNION { GRAPH ?g { ?s tg:contains ?t } ?s tg:contains ?t } }"
    assert [row["g"]["value"] for row in await rows(endpoint, query)] == [GRAPHS.source.value]


async def test_from_narrows_the_dataset_to_graphs_of_the_collection(endpoint: SparqlProcesses) -> None:
    count = "SELECT (COUNT(*) AS ?n) {} {{ ?s ?p ?o }}"
    assert (await rows(endpoint, count.format("FROM <urn:graph:source>")))[0]["n"]["value"] == "1"
    assert (await rows(endpoint, count.format("FROM NAMED <urn:graph:source>")))[0]["n"]["value"] == "0"
    assert (await rows(endpoint, count.format("")))[0]["n"]["value"] == "1001"
    with pytest.raises(InvalidInput, match="urn:graph:knowledge:other"):
        await run(endpoint, count.format("FROM <urn:graph:knowledge:other>"))


async def test_a_dataset_chosen_by_the_client_precedes_from(endpoint: SparqlProcesses) -> None:
    query = "SELECT (COUNT(*) AS ?n) FROM <urn:graph:source> { ?s ?p ?o }"
    knowledge = SparqlRequest(query, Dataset((GRAPHS.knowledge,), ()), dataset_is_chosen=True)
    assert json.loads((await endpoint.run(knowledge)).body)["results"]["bindings"][0]["n"]["value"] == "1000"


async def test_star_syntax_finds_the_contained_fact_and_says_so(endpoint: SparqlProcesses) -> None:
    query = "SELECT ?s { ?g tg:contains << ?s ?p ?o >> }"
    assert (await run(endpoint, query)).star_read
    assert [row["s"]["value"] for row in await rows(endpoint, query)] == ["http://e/0"]
    assert await rows(endpoint, query, star_syntax=False) == []


@pytest.mark.parametrize("query", [COUNTED, SORTED], ids=["counted", "sorted"])
async def test_a_runaway_query_is_ended_with_its_process(endpoint: SparqlProcesses, query: str) -> None:
    with pytest.raises((TimedOut, TooLarge)):
        await run(endpoint, query)
    assert children() == []
    assert (await rows(endpoint, "SELECT * { <http://e/1> ?p ?o }")) != []


async def test_others_are_answered_while_a_query_runs_away(store: OxigraphQuadStore, tmp_path: Path) -> None:
    patient = SparqlProcesses(store, tmp_path / "snapshots", replace(LIMITS, seconds=60))
    runaway = asyncio.create_task(run(patient, COUNTED))
    answers = [await rows(patient, "SELECT * { <http://e/1> ?p ?o }") for _ in range(5)]
    assert all(answers)
    assert not runaway.done()
    runaway.cancel()
    await asyncio.wait([runaway])
    await patient.close()


async def test_a_caller_that_leaves_takes_its_query_with_it(endpoint: SparqlProcesses) -> None:
    leaving = asyncio.create_task(run(endpoint, COUNTED))
    while not children():
        await asyncio.sleep(0.01)
    leaving.cancel()
    await asyncio.wait([leaving])
    assert leaving.cancelled()
    assert children() == []


async def test_waiting_for_a_turn_is_bounded(store: OxigraphQuadStore, tmp_path: Path) -> None:
    limits = SparqlLimits(seconds=2, rows=10, processes=1, waiting_seconds=0.2)
    endpoint = SparqlProcesses(store, tmp_path / "snapshots", limits)
    runaway = asyncio.create_task(run(endpoint, COUNTED))
    await asyncio.sleep(0)
    with pytest.raises(Unavailable, match="Too many"):
        await run(endpoint, "ASK {}")
    runaway.cancel()
    await asyncio.wait([runaway])
    await endpoint.close()


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT ?x30 {{ BIND('0123456789' AS ?x0) {' '.join(DOUBLINGS)} }}",
        f"ASK {{ FILTER({'(' * 30_000}1{')' * 30_000}) }}",
    ],
    ids=["a result beyond the memory", "nesting beyond the stack"],
)
async def test_memory_is_bounded(store: OxigraphQuadStore, tmp_path: Path, query: str) -> None:
    limits = SparqlLimits(seconds=30, rows=10, processes=1, memory_bytes=200 << 20)
    endpoint = SparqlProcesses(store, tmp_path / "snapshots", limits)
    with pytest.raises(TooLarge, match="memory"):
        await run(endpoint, query)
    assert await rows(endpoint, "SELECT * { <http://e/1> ?p ?o }")
    await endpoint.close()


async def test_rows_are_cut_at_the_limit(endpoint: SparqlProcesses) -> None:
    answer = await run(endpoint, "SELECT * { ?a ?b ?c . ?d ?e ?f }", accept="text/csv")
    assert answer.truncated
    assert answer.body.count(b"\r\n") == LIMITS.rows + 1


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("SELEC * { ?s ?p ?o }", (1, 1)),
        ("SELECT *\n{ ?s ex:p ?o }", (2, 6)),
        ("ASK { ?g tg:contains << ?s ?p ?o >> . # é\n ?x ?y }", (2, 8)),
        ("ASK { ?s <relative> ?o }", (1, 10)),
        ("SELECT * { ?s ?p ?o ", (1, 21)),
        ("ASK { '''a\nb''' } }", (2, 6)),
    ],
)
async def test_a_syntax_error_is_told_where_the_user_made_it(
    endpoint: SparqlProcesses, query: str, place: tuple[int, int]
) -> None:
    with pytest.raises(InvalidQuery) as raised:
        await run(endpoint, query)
    assert (raised.value.line, raised.value.column) == place


async def test_updates_and_service_are_refused(endpoint: SparqlProcesses) -> None:
    for query in ("DROP ALL", "ASK { SERVICE <http://e/> { ?s ?p ?o } }"):
        with pytest.raises(Forbidden):
            await run(endpoint, query)


async def test_one_snapshot_is_kept_and_leftovers_are_deleted(
    store: OxigraphQuadStore, tmp_path: Path
) -> None:
    folder = tmp_path / "snapshots"
    (folder / "1").mkdir(parents=True)
    endpoint = SparqlProcesses(store, folder, LIMITS)
    for number in range(3):
        await store.add([fact(f"new{number}")])
        await asyncio.gather(*(run(endpoint, "ASK {}") for _ in range(4)))
        assert len(list(folder.iterdir())) == 1
    await endpoint.close()
    assert not folder.exists()


async def test_a_dead_child_is_replaced(endpoint: SparqlProcesses) -> None:
    await run(endpoint, "ASK {}")
    (child,) = children()
    os.kill(child, signal.SIGKILL)
    while child in children():
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)  # until the loop has heard of it
    await run(endpoint, "ASK {}")
    assert len(children()) == 1
    assert child not in children()


def test_a_child_ends_with_its_service_also_while_a_query_runs(tmp_path: Path) -> None:
    store = OxigraphQuadStore(tmp_path / "store")
    asyncio.run(store.add([fact(str(number)) for number in range(1000)]))
    asyncio.run(store.backup(tmp_path / "snapshot"))
    task = {
        "snapshot": str(tmp_path / "snapshot"),
        "query": COUNTED,
        "default_graphs": [GRAPHS.knowledge.value],
        "named_graphs": [],
        "dataset_is_chosen": False,
        "star_syntax": True,
        "accept": "*/*",
        "rows": 1,
        "bytes": 1,
    }
    command = [sys.executable, "-m", "provgraph.adapters.sparql_processes.worker", str(1 << 30), "0"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        child.stdin.write(encoded(task))
        child.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.5)
        child.stdin.close()
        assert child.wait(10) == 0


async def test_all_queries_together_have_little_memory(store: OxigraphQuadStore, tmp_path: Path) -> None:
    limits = SparqlLimits(seconds=30, rows=10, processes=4)
    endpoint = SparqlProcesses(store, tmp_path / "snapshots", limits)
    largest = 0.0

    async def watch() -> None:
        nonlocal largest
        while True:
            largest = max(largest, sum(map(held, children())) / 1e6)
            await asyncio.sleep(0.02)

    watching = asyncio.create_task(watch())
    query = f"SELECT ?x30 {{ BIND('0123456789' AS ?x0) {' '.join(DOUBLINGS)} }}"
    ended = await asyncio.gather(*(run(endpoint, query) for _ in range(4)), return_exceptions=True)
    watching.cancel()
    assert all(isinstance(error, TooLarge) for error in ended), ended
    assert largest < 700
    await endpoint.close()
