"""A store over several: which store has what, and what no two of them can do in one step."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad

from provgraph.adapters.divided_store.placement import MAIN, Placement, read_places
from provgraph.adapters.divided_store.store import DividedStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.remote_store.connection import store_address
from provgraph.adapters.remote_store.store import SparqlHttpQuadStore
from provgraph.errors import InvalidInput, NotProvided, Unavailable
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader, WriteUnit
from provgraph.rdf.graphs import collection_graphs, knowledge_graph, retrieval_graph, source_graph
from servers.served_process import free_port

PLACEMENT = Placement({"papers": 1, "cases": 2})
GRAPHS = [
    *(
        graph
        for name in ("default", "notes", "papers", "cases")
        for graph in list(collection_graphs(name))[:2]
    ),
    retrieval_graph(),
    NamedNode("urn:graph:at-work"),
]
SHARED = GRAPHS[-2:]
AWAY = f"http://127.0.0.1:{free_port()}"
EVERYTHING = [QuadPattern()]


def quad(name: str, graph: NamedNode) -> Quad:
    return Quad(NamedNode(f"urn:{name}"), NamedNode("urn:p"), Literal("said"), graph)


def divided() -> tuple[DividedStore, list[OxigraphQuadStore]]:
    stores = [OxigraphQuadStore() for _ in range(3)]
    return DividedStore(stores, PLACEMENT), stores


async def held(store: QuadStore) -> set[Quad]:
    (found,) = await store.match(EVERYTHING)
    assert len(found) == len(set(found))
    return set(found)


QUADS = st.builds(quad, st.sampled_from("abc"), st.sampled_from(GRAPHS))
SOME = st.lists(QUADS, max_size=6)
UNITS = st.lists(st.builds(lambda marker, other: (marker, other), QUADS, QUADS), max_size=3)
WRITES = st.one_of(
    st.tuples(st.just("add"), SOME),
    st.tuples(st.just("remove"), SOME),
    st.tuples(st.just("clear"), st.lists(st.sampled_from(GRAPHS), max_size=2)),
    st.tuples(st.just("unit"), QUADS),
    st.tuples(st.just("decide"), QUADS),
)


async def write(store: QuadStore, what: str, of: object) -> object:
    """One write, and what it told."""
    match what, of:
        case "add" | "remove", list(quads):
            return await getattr(store, what)(quads)
        case "clear", list(graphs):
            await store.clear(graphs)
            return None
        case "unit", Quad() as marker:
            return await store.add_absent([WriteUnit(marker, (marker, quad("with-it", _graph(marker))))])
        case _, Quad() as turned:

            def decide(reader: StoreReader) -> StoreChange[bool]:
                (is_there,) = reader.contains([turned])
                return StoreChange(is_there, [turned] if is_there else [], [] if is_there else [turned])

            return await store.transact(decide)
    raise AssertionError(what)


def _graph(of: Quad) -> NamedNode:
    assert isinstance(of.graph_name, NamedNode)
    return of.graph_name


@pytest.mark.slow
@given(st.lists(WRITES, max_size=12))
def test_whatever_is_written_the_whole_is_what_one_store_would_be_and_each_has_its_own_collections(
    writes: list[tuple[str, object]],
) -> None:
    async def scenario() -> None:
        (whole, stores), one = divided(), OxigraphQuadStore()
        for what, of in writes:
            assert await write(whole, what, of) == await write(one, what, of)
        assert await held(whole) == await held(one)
        patterns = [QuadPattern(graph=graph) for graph in GRAPHS]
        for limit in (None, 2):
            counted = [len(quads) for quads in await whole.match(patterns, limit)]
            assert counted == [len(quads) for quads in await one.match(patterns, limit)]
        assert set(await whole.graph_names()) == set(await one.graph_names())
        scanned = [quad async for batch in whole.scan(QuadPattern(), 2) for quad in batch]
        assert len(scanned) == len(set(scanned)) == len(await held(one))
        for number, store in enumerate(stores):
            assert all(PLACEMENT.of_graph(each.graph_name) in (None, number) for each in await held(store))

    asyncio.run(scenario())


@given(st.sampled_from(["default", "notes", "papers", "cases"]), QUADS)
def test_what_is_written_beside_a_collection_lies_in_its_store_and_is_taken_away_wherever_it_lies(
    collection: str, said: Quad
) -> None:
    async def scenario() -> None:
        whole, stores = divided()
        await whole.of(collection).add([said])
        at = PLACEMENT.of_graph(said.graph_name)
        expected = PLACEMENT.of_collection(collection) if at is None else at
        assert [number for number, store in enumerate(stores) if await held(store)] == [expected]
        assert await whole.contains([said]) == [True]
        await whole.remove([said])
        assert await held(whole) == set()

    asyncio.run(scenario())


async def test_what_two_stores_say_alike_is_read_once_and_gone_with_one_removal() -> None:
    whole, _ = divided()
    agent = quad("agent", SHARED[0])
    for name in ("papers", "cases", "notes"):
        await whole.of(name).add([agent])
    assert await whole.match([QuadPattern(graph=SHARED[0])]) == [[agent]]
    assert [batch async for batch in whole.scan(QuadPattern(graph=SHARED[0]), 5)] == [[agent]]
    await whole.remove([agent])
    assert await held(whole) == set()


async def test_a_part_does_not_see_what_other_collections_share_with_all() -> None:
    whole, _ = divided()
    note = quad("note", SHARED[0])
    await whole.of("papers").add([note])
    assert await whole.of("cases").match([QuadPattern(graph=SHARED[0])]) == [[]]
    assert await whole.of("cases").contains([note]) == [False]
    await whole.of("cases").remove([note])
    assert await held(whole) == {note}


async def test_each_collection_has_one_part_whichever_part_is_asked_for_it() -> None:
    whole, _ = divided()
    assert whole.of("papers") is whole.shards[1]
    assert whole.of("cases").of("papers") is whole.shards[1]
    assert whole.of("notes").shards == [whole.of("default")]


async def test_a_decision_takes_place_where_what_it_reads_lies_and_its_notes_stand_beside() -> None:
    whole, stores = divided()
    fact, note = quad("fact", knowledge_graph("papers")), quad("note", SHARED[0])
    await whole.add([fact])

    def decide(reader: StoreReader) -> StoreChange[int]:
        (found,) = reader.match([QuadPattern(graph=knowledge_graph("papers"))])
        return StoreChange(len(found), found, [note])

    assert await whole.transact(decide) == 1
    assert [await held(store) for store in stores] == [set(), {note}, set()]


@pytest.mark.parametrize("reads_first", [True, False])
async def test_a_decision_about_collections_of_two_stores_is_refused_and_changes_nothing(
    reads_first: bool,
) -> None:
    whole, _ = divided()
    here, there = quad("here", source_graph("papers")), quad("there", source_graph("cases"))
    await whole.add([here, there])

    def reads(reader: StoreReader) -> StoreChange[None]:
        reader.contains([here])
        reader.contains([there])
        return StoreChange(None, [here])

    def writes(reader: StoreReader) -> StoreChange[None]:
        reader.contains([here])
        return StoreChange(None, [here], [quad("new", source_graph("cases"))])

    with pytest.raises(NotProvided, match="one collection at a time"):
        await whole.transact(reads if reads_first else writes)
    assert await held(whole) == {here, there}


async def test_a_unit_of_two_stores_is_refused_before_anything_is_written() -> None:
    whole, _ = divided()
    marker = quad("marker", source_graph("papers"))
    apart = WriteUnit(marker, (quad("fact", knowledge_graph("cases")),))
    sound = WriteUnit(quad("other", source_graph()), ())
    with pytest.raises(NotProvided):
        await whole.add_absent([sound, apart])
    assert await held(whole) == set()


async def test_units_of_several_stores_are_told_in_their_order() -> None:
    whole, _ = divided()
    units = [
        WriteUnit(quad(name, source_graph(where)), ())
        for name, where in (("a", "papers"), ("b", "default"), ("a", "papers"), ("c", "cases"))
    ]
    assert await whole.add_absent(units) == [True, True, False, True]


async def test_a_query_goes_to_the_store_of_the_graphs_it_names_and_to_all_where_it_names_none() -> None:
    whole, _ = divided()
    quads = [quad("a", source_graph("papers")), quad("b", source_graph()), quad("c", SHARED[0])]
    await whole.add(quads[:2])
    await whole.of("cases").add(quads[2:])
    named = f"SELECT ?s WHERE {{ GRAPH {source_graph('papers')} {{ ?s ?p ?o }} }}"
    assert [row["s"] for row in await whole.select(named)] == [quads[0].subject]
    bound = await whole.select("SELECT ?s ?g WHERE { GRAPH ?g { ?s ?p ?o } }", {"g": SHARED[0]})
    assert [row["s"] for row in bound] == [quads[2].subject]
    assert len(await whole.select("SELECT ?s WHERE { GRAPH ?g { ?s ?p ?o } }")) == 3
    both = f"SELECT ?s WHERE {{ GRAPH {source_graph('papers')} {{ ?s ?p ?o }} GRAPH {source_graph()} {{ ?s ?p ?o }} }}"
    with pytest.raises(NotProvided):
        await whole.select(both)


def away() -> SparqlHttpQuadStore:
    """A store whose server does not run."""
    return SparqlHttpQuadStore(store_address(AWAY, "query update store", patience_s=0))


@pytest.mark.parametrize("missing", [MAIN, 1])
async def test_a_store_that_is_away_keeps_nobody_from_another_ones_collections(missing: int) -> None:
    stores: list[OxigraphQuadStore | SparqlHttpQuadStore] = [OxigraphQuadStore() for _ in range(3)]
    stores[missing] = away()
    whole, fact, note = (
        DividedStore(stores, PLACEMENT),
        quad("a", source_graph("cases")),
        quad("n", SHARED[1]),
    )
    await whole.add_absent([WriteUnit(fact, ())])
    await whole.of("cases").add([note])
    assert await whole.contains([fact]) == [True]
    assert await whole.transact(lambda reader: StoreChange(reader.contains([fact])[0], [fact])) is True
    assert await whole.of("cases").contains([note]) == [True]
    missed: list[Callable[[], Awaitable[object]]] = [
        lambda: whole.match(EVERYTHING),
        whole.graph_names,
        lambda: whole.remove([note]),
    ]
    for call in missed:
        with pytest.raises(Unavailable, match=AWAY):
            await call()


async def test_the_copy_of_a_part_asks_no_other_store(tmp_path: Path) -> None:
    stores: list[OxigraphQuadStore | SparqlHttpQuadStore] = [
        OxigraphQuadStore(),
        OxigraphQuadStore(tmp_path / "store"),
        away(),
    ]
    whole, fact = DividedStore(stores, PLACEMENT), quad("a", source_graph("papers"))
    await whole.add([fact, quad("b", source_graph())])
    await whole.of("papers").backup(tmp_path / "copy")
    copy = OxigraphQuadStore.reading(tmp_path / "copy")
    assert await held(copy) == {fact}
    await copy.close()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("papers", "not NAME=ADDRESS"),
        ("papers=", "not NAME=ADDRESS"),
        ("=http://b:7878", "not NAME=ADDRESS"),
        ("papers=http://b, papers=http://c", "twice"),
        ("a b=http://b:7878", "not a collection name"),
        ("explainability=http://b:7878", "not a collection"),
    ],
)
def test_a_setting_that_places_nothing_is_told_with_what_to_write(said: str, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        read_places(said, "explainability")


def test_a_setting_places_each_collection_at_its_address() -> None:
    places = read_places(" papers = http://b:7878 ,cases=http://me:a=b@c:7878/x, ", "explainability")
    assert places == {"papers": "http://b:7878", "cases": "http://me:a=b@c:7878/x"}
