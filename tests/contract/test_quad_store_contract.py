"""What every `QuadStore` keeps to, whatever it stands on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Triple

from provgraph.adapters.divided_store.placement import Placement
from provgraph.adapters.divided_store.store import DividedStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.recorded_store import RecordedStore
from provgraph.adapters.remote_store.connection import store_address
from provgraph.adapters.remote_store.store import SparqlHttpQuadStore
from provgraph.adapters.signing_key import InstallationKey
from provgraph.attestation.records import Signing
from provgraph.errors import InvalidQuery, NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader, WriteUnit
from provgraph.rdf.graphs import knowledge_graph
from servers.oxigraph_server import OxigraphServer
from servers.virtuoso_server import PATHS as VIRTUOSO_PATHS

G, H = knowledge_graph("g"), knowledge_graph("h")
SHARED = NamedNode("urn:graph:shared")
P, Q = NamedNode("urn:p"), NamedNode("urn:q")


def node(name: str) -> NamedNode:
    return NamedNode(f"urn:node:{name}")


def quad(name: str, value: str = "1", graph: NamedNode = G) -> Quad:
    return Quad(node(name), P, Literal(value), graph)


def unit(name: str, *values: str) -> WriteUnit:
    return WriteUnit(quad(name, "marker"), (quad(name, "marker"), *(quad(name, value) for value in values)))


def opened(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> QuadStore:
    if kind == "on a server":
        return on_a_server(request.getfixturevalue("oxigraph"))
    if kind == "on a server, in RDF 1.1":
        return in_rdf_1_1(request.getfixturevalue("oxigraph").url, "query update store")
    if kind == "on Virtuoso":
        return in_rdf_1_1(request.getfixturevalue("virtuoso").url, VIRTUOSO_PATHS)
    if kind == "on two servers":
        servers = [request.getfixturevalue(name) for name in ("oxigraph", "other_oxigraph")]
        return DividedStore([on_a_server(server) for server in servers], Placement({"h": 1}))
    if kind == "divided in memory":
        return DividedStore([OxigraphQuadStore() for _ in range(3)], Placement({"h": 1, "other": 2}))
    if kind == "recorded":
        signing = Signing(InstallationKey(tmp_path / "signing-key"))
        return RecordedStore(OxigraphQuadStore(tmp_path / "store"), signing)
    return OxigraphQuadStore(tmp_path / "store" if kind == "in a folder" else None)


def on_a_server(server: OxigraphServer) -> SparqlHttpQuadStore:
    return SparqlHttpQuadStore(store_address(server.url, "query update store", patience_s=10))


def in_rdf_1_1(url: str, paths: str) -> SparqlHttpQuadStore:
    return SparqlHttpQuadStore.opened(store_address(url, paths, patience_s=10, is_rdf_1_1=True))


@pytest.fixture(
    params=[
        "in memory",
        "in a folder",
        "on a server",
        "on a server, in RDF 1.1",
        pytest.param("on Virtuoso", marks=pytest.mark.slow),
        "divided in memory",
        "on two servers",
        "recorded",
    ]
)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[QuadStore]:
    made = opened(request.param, request, tmp_path)
    yield made
    await made.close()


async def everything(store: QuadStore) -> set[Quad]:
    (found,) = await store.match([QuadPattern()])
    return set(found)


async def test_what_is_added_is_found_by_every_part_of_it(store: QuadStore) -> None:
    added = quad("a")
    await store.add([added, quad("b", "2", H)])
    patterns = [
        QuadPattern(subject=node("a")),
        QuadPattern(object=Literal("1")),
        QuadPattern(predicate=P, graph=G),
        QuadPattern(subject=node("a"), graph=H),
    ]
    assert await store.match(patterns) == [[added], [added], [added], []]


async def test_a_triple_term_is_found_as_it_was_added(store: QuadStore) -> None:
    said = Quad(node("subgraph"), Q, Triple(node("a"), P, Literal("1")), G)
    await store.add([said])
    assert await store.match([QuadPattern(object=said.object)]) == [[said]]


async def test_each_pattern_gives_at_most_its_limit(store: QuadStore) -> None:
    await store.add([quad("a", str(number)) for number in range(5)] + [quad("b")])
    found = await store.match([QuadPattern(subject=node("a")), QuadPattern(subject=node("b"))], limit=3)
    assert [len(quads) for quads in found] == [3, 1]


async def test_a_scan_gives_all_as_it_was_when_it_began_in_batches(store: QuadStore) -> None:
    quads = {quad(str(number)) for number in range(25)}
    await store.add([*quads, quad("elsewhere", graph=H)])
    scan = store.scan(QuadPattern(graph=G), 10)
    batches = [await anext(scan)]
    await store.add([quad("late")])
    await store.remove(list(quads))
    batches += [batch async for batch in scan]
    assert [len(batch) for batch in batches] == [10, 10, 5]
    assert {found for batch in batches for found in batch} == quads


async def test_each_part_of_a_store_is_a_store_and_all_of_them_have_what_it_has(store: QuadStore) -> None:
    await store.add([quad("a"), quad("b", "1", H), quad("c", "1", SHARED)])
    found = [await everything(part) for part in store.shards]
    assert set().union(*found) == await everything(store)
    for part in store.shards:
        assert await part.contains([quad("a"), quad("b", "1", H)]) == [True, True]


async def test_what_is_written_beside_a_collection_to_a_graph_that_all_share_is_found_there_and_in_the_whole(
    store: QuadStore,
) -> None:
    note = quad("note", "1", SHARED)
    await store.of("h").add([note])
    assert await store.of("h").contains([note]) == [True]
    assert [note] in await store.match([QuadPattern(graph=SHARED)])
    await store.of("h").transact(
        lambda reader: StoreChange(None, reader.match([QuadPattern(graph=SHARED)])[0])
    )
    assert await everything(store) == set()


async def test_a_scan_that_is_left_ends_quietly(store: QuadStore) -> None:
    await store.add([quad(str(number)) for number in range(25)])
    scan = store.scan(QuadPattern(), 10)
    await anext(scan)
    await scan.aclose()
    assert await store.contains([quad("1")]) == [True]


async def test_containment_is_told_quad_by_quad(store: QuadStore) -> None:
    await store.add([quad("a")])
    assert await store.contains([quad("a"), quad("a", "1", H), quad("b")]) == [True, False, False]


async def test_a_unit_is_written_once_and_tells_whether_it_was(store: QuadStore) -> None:
    assert await store.add_absent([unit("a", "first"), unit("b")]) == [True, True]
    before = await everything(store)
    assert await store.add_absent([unit("a", "second"), unit("c")]) == [False, True]
    assert await everything(store) == before | {quad("c", "marker")}


async def test_of_two_equal_units_in_one_write_the_first_wins(store: QuadStore) -> None:
    assert await store.add_absent([unit("a", "first"), unit("a", "second")]) == [True, False]
    assert await everything(store) == {quad("a", "marker"), quad("a", "first")}


async def test_of_many_writers_of_one_unit_exactly_one_writes_it(store: QuadStore) -> None:
    written = await asyncio.gather(*(store.add_absent([unit("a", str(number))]) for number in range(20)))
    winners = [number for number, (was_written,) in enumerate(written) if was_written]
    assert len(winners) == 1
    assert await everything(store) == {quad("a", "marker"), quad("a", str(winners[0]))}


async def test_a_write_that_fails_leaves_nothing_of_itself(store: QuadStore) -> None:
    broken = WriteUnit(quad("b", "marker"), (quad("b", "marker"), "no quad"))  # type: ignore[arg-type]
    with pytest.raises((TypeError, AttributeError)):
        await store.add_absent([unit("a"), broken])
    assert await everything(store) == set()


async def test_equal_revisions_mean_an_unchanged_store(store: QuadStore) -> None:
    revisions = [store.revision]
    await store.add([quad("a")])
    revisions.append(store.revision)
    await store.add_absent([unit("b")])
    revisions.append(store.revision)
    await store.remove([quad("a")])
    revisions.append(store.revision)
    await store.clear([G])
    revisions.append(store.revision)
    assert len(set(revisions)) == 5
    await store.match([QuadPattern()])
    assert store.revision == revisions[-1]


async def test_removing_takes_these_quads_and_no_others(store: QuadStore) -> None:
    term = Quad(node("a"), Q, Triple(node("a"), P, Literal('say "so"\n')), G)
    await store.add([quad("a"), quad("a", "1", H), term])
    await store.remove([quad("a"), term, quad("never-there")])
    assert await everything(store) == {quad("a", "1", H)}


async def test_removing_nothing_changes_nothing(store: QuadStore) -> None:
    await store.add([quad("a")])
    await store.remove([])
    await store.clear([])
    assert await everything(store) == {quad("a")}


async def test_clearing_graphs_leaves_the_others(store: QuadStore) -> None:
    await store.add([quad("a"), quad("b", "1", H)])
    await store.clear([G, NamedNode("urn:graph:never-there")])
    assert await everything(store) == {quad("b", "1", H)}
    assert await store.graph_names() == [H]


async def test_a_graph_whose_last_quad_is_removed_is_no_longer_named(store: QuadStore) -> None:
    await store.add([quad("a"), quad("b", "1", H)])
    await store.remove([quad("a")])
    assert await store.graph_names() == [H]


async def test_select_replaces_bound_variables_by_their_terms(store: QuadStore) -> None:
    await store.add([quad("a", "1"), quad("b", "2")])
    rows = await store.select("SELECT ?s ?o WHERE { GRAPH ?g { ?s ?p ?o } }", {"s": node("b")})
    assert [row["o"] for row in rows] == [Literal("2")]


async def test_select_leaves_out_what_is_not_bound(store: QuadStore) -> None:
    await store.add([quad("a")])
    (row,) = await store.select(
        f"SELECT ?s ?x WHERE {{ GRAPH {G} {{ ?s ?p ?o }} OPTIONAL {{ ?s <urn:no> ?x }} }}"
    )
    assert dict(row) == {"s": node("a")}


async def test_a_query_that_does_not_parse_is_told_as_such(store: QuadStore) -> None:
    with pytest.raises(InvalidQuery):
        await store.select("SELECT ?s WHERE {")


async def test_a_variable_cannot_be_bound_to_sparql(store: QuadStore) -> None:
    await store.add([quad("a"), quad("b")])
    rows = await store.select("SELECT ?o WHERE { GRAPH ?g { ?s ?p ?o } }", {"o": Literal('1" } DROP ALL #')})
    assert rows == []
    assert len(await everything(store)) == 2


async def test_a_unit_is_written_only_where_what_it_requires_is_there(store: QuadStore) -> None:
    above, below, orphan = unit("a"), unit("b"), unit("c")
    units = [
        above,
        WriteUnit(below.marker, below.quads, requires=above.marker),
        WriteUnit(orphan.marker, orphan.quads, requires=quad("never-there")),
    ]
    assert await store.add_absent(units) == [True, True, False]
    assert await everything(store) == {above.marker, below.marker}
    assert await store.add_absent([WriteUnit(orphan.marker, orphan.quads, requires=above.marker)]) == [True]


async def test_a_transaction_does_what_it_makes_of_the_store(store: QuadStore) -> None:
    term = Quad(node("a"), Q, Triple(node("a"), P, Literal('say "so"\n\\')), G)
    await store.add([quad("a"), quad("b"), term])

    def decide(reader: StoreReader) -> StoreChange[int]:
        (found,) = reader.match([QuadPattern(subject=node("a"))])
        assert reader.contains([quad("b"), quad("c")]) == [True, False]
        return StoreChange(len(found), found, [quad("c"), quad("a", "new")])

    assert await store.transact(decide) == 2
    assert await everything(store) == {quad("b"), quad("c"), quad("a", "new")}


async def test_a_transaction_that_raises_changes_nothing(store: QuadStore) -> None:
    await store.add([quad("a")])

    def decide(reader: StoreReader) -> StoreChange[None]:
        raise NotFound("There is none.")

    with pytest.raises(NotFound):
        await store.transact(decide)
    assert await everything(store) == {quad("a")}


async def test_no_write_comes_between_what_a_transaction_reads_and_what_it_writes(store: QuadStore) -> None:
    await store.add([quad("count", "0")])

    def count_up(reader: StoreReader) -> StoreChange[None]:
        ((found,),) = reader.match([QuadPattern(subject=node("count"))])
        assert isinstance(found.object, Literal)
        return StoreChange(None, [found], [quad("count", str(int(found.object.value) + 1))])

    await asyncio.gather(*(store.transact(count_up) for _ in range(20)))
    assert await everything(store) == {quad("count", "20")}


@pytest.mark.parametrize("store", ["in memory", "in a folder", "divided in memory"], indirect=True)
async def test_a_store_written_anew_holds_the_same_and_can_be_written_and_read(store: QuadStore) -> None:
    await store.add([quad("a"), quad("b", "1", H), Quad(node("a"), Q, Triple(node("a"), P, Literal("1")), G)])
    before = await everything(store)
    reads, _ = await asyncio.gather(
        asyncio.gather(*(store.match([QuadPattern()]) for _ in range(20))), store.rewrite()
    )
    assert all(set(found) == before for (found,) in reads)
    assert await everything(store) == before
    await store.add([quad("c")])
    assert await everything(store) == before | {quad("c")}


async def test_a_backup_opens_as_the_store_was_and_has_no_later_write(
    store: QuadStore, tmp_path: Path
) -> None:
    await store.add([quad("a"), quad("b", "1", H)])
    await store.backup(tmp_path / "copy")
    await store.add([quad("late")])
    copy = store.open_backup(tmp_path / "copy")
    assert await everything(copy) == {quad("a"), quad("b", "1", H)}
    await copy.close()
