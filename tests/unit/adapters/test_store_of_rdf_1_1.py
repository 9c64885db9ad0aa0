"""The graph on stores that know SPARQL 1.1 and RDF 1.1: Oxigraph's server, taken for one, and Virtuoso."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import BaseDirection, Literal, NamedNode, Quad, Triple

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.remote_store.connection import StoreConnection, store_address
from provgraph.adapters.remote_store.quotations import Quotations
from provgraph.adapters.remote_store.rdf_1_1 import QUOTATIONS, descriptions, written_term
from provgraph.adapters.remote_store.store import SparqlHttpQuadStore
from provgraph.adapters.remote_store.turns import ReceiptedWrites
from provgraph.errors import InvalidInput, Unavailable
from provgraph.ports.quad_store import QuadPattern, StoreChange, StoreReader
from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import PREFIXES
from provgraph.sparql.quad_data import quad_data
from servers.faulty_proxy import Fault, faulty_proxy
from servers.oxigraph_server import OxigraphServer
from servers.virtuoso_server import PATHS as VIRTUOSO_PATHS
from servers.virtuoso_server import virtuoso_server

G, H = NamedNode("urn:graph:g"), NamedNode("urn:graph:h")
S, P, Q = (NamedNode(f"urn:{name}") for name in ("s", "p", "q"))
FACT = Triple(S, P, Literal("said", language="en"))
OUTER = Triple(S, Q, FACT)
ORPHANS = f"SELECT ?t {{ GRAPH {QUOTATIONS} {{ ?t ?p ?o }} FILTER NOT EXISTS {{ GRAPH ?g {{ ?u ?l ?t }} }} }}"

STAGED = 'SELECT ?s { GRAPH ?g { ?s ?p ?o } FILTER(STRSTARTS(STR(?g), "urn:provgraph:stage:")) }'


class Server(Protocol):
    url: str

    def update(self, text: str) -> None: ...


@dataclass
class Place:
    """A server and the paths of its endpoints."""

    server: Server
    paths: str

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[SparqlHttpQuadStore]:
        store = SparqlHttpQuadStore.opened(store_address(self.server.url, self.paths, 10, is_rdf_1_1=True))
        try:
            yield store
        finally:
            await store.close()

    def count(self, query: str) -> int:
        """How many solutions a query has that is put to the server as it is."""
        connection = StoreConnection(store_address(self.server.url, self.paths, 10, is_rdf_1_1=True))
        found = len(connection.solutions(query))
        connection.close()
        return found

    @property
    def described(self) -> int:
        return self.count(f"SELECT DISTINCT ?t {{ GRAPH {QUOTATIONS} {{ ?t ?p ?o }} }}")


@pytest.fixture(params=["Oxigraph", pytest.param("Virtuoso", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest) -> Place:
    if request.param == "Virtuoso":
        return Place(request.getfixturevalue("virtuoso"), VIRTUOSO_PATHS)
    return Place(request.getfixturevalue("oxigraph"), "query update")


@pytest.fixture
async def store(place: Place) -> AsyncIterator[SparqlHttpQuadStore]:
    async with place.opened() as opened:
        yield opened


def typed(value: str, name: str) -> Literal:
    return Literal(value, datatype=NamedNode(PREFIXES["xsd"] + name))


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
VALUES = [
    *(typed(value, "integer") for value in ("0", "-7", "+05", "9" * 18, "-" + "9" * 30, "no number")),
    *(typed(value, "decimal") for value in ("0.5", "1.0", "-0.123456", "123456789012345.678901", "1e5")),
    *(typed(value, "double") for value in ("1.5E0", "0.1", "-1e300", "INF", "NaN", "0.12345678901234567")),
    *(typed(value, "float") for value in ("1.5", "3.4e38", "0.1")),
    *(typed(value, "boolean") for value in ("true", "false", "1", "0", "yes")),
    *(typed(value, "dateTime") for value in ("2024-01-02T03:04:05Z", "2024-01-02T03:04:05.123456789+14:00")),
    *(typed(value, "dateTime") for value in ("-0044-03-15T12:00:00", "12024-01-02T00:00:00Z", "soon")),
    *(typed(value, "date") for value in ("1903-12-10", "1903-12-10Z", "0476-09-04", "-0044-03-15", "never")),
    *(typed(value, "gYear") for value in ("1903", "-0044", "0001", "12024")),
    *(typed("1903-12", "gYearMonth"), typed("P1DT2H", "duration"), typed("03:04:05", "time")),
    *(typed("ff", "hexBinary"), typed("a b", "anyURI"), typed("5", "nonNegativeInteger"), typed("7", "byte")),
    Literal("4.5 %", datatype=NamedNode("https://trustgraph.ai/ns/quantity")),
    Literal("x", datatype=NamedNode("urn:provgraph:literal:urn:provgraph:text:en--ltr")),
    Literal("x", datatype=NamedNode("urn:provgraph:text:en--ltr")),
    Literal("é" * 3_000),
]
LITERALS = st.one_of(
    TEXTS.map(Literal),
    TEXTS.map(lambda text: Literal(text, language="en-gb")),
    TEXTS.map(lambda text: Literal(text, language="ar", direction=BaseDirection.RTL)),
    st.sampled_from(VALUES),
)
NODES = TEXTS.map(lambda text: NamedNode("urn:n:" + "".join(f"{ord(each):x}é" for each in text)))
OBJECTS = st.recursive(
    LITERALS | NODES, lambda inner: st.builds(lambda s, o: Triple(s, P, o), NODES, inner), max_leaves=3
)


def empty(place: Place) -> None:
    for graph in (G, QUOTATIONS):
        place.server.update(f"DROP SILENT GRAPH {graph}")


async def kept(store: SparqlHttpQuadStore | OxigraphQuadStore, objects: list[Term]) -> list[Any]:
    quads = [Quad(NamedNode(f"urn:s:{at}"), P, each, G) for at, each in enumerate(objects)]
    await store.add(quads)
    by_subject = await store.match([QuadPattern(NamedNode(f"urn:s:{at}")) for at in range(len(quads))])
    scanned = {quad async for batch in _closing(store, 3) for quad in batch}
    there = await store.contains(quads)
    await store.remove(quads)
    return [by_subject, scanned, there, (await store.match([QuadPattern()]))[0]]


async def _closing(store: SparqlHttpQuadStore | OxigraphQuadStore, size: int) -> AsyncIterator[list[Quad]]:
    async for batch in store.scan(QuadPattern(graph=G), size):
        yield batch


@pytest.mark.parametrize("place", ["Oxigraph"], indirect=True)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(objects=st.lists(OBJECTS, min_size=1, max_size=5, unique=True))
def test_every_term_comes_back_as_from_an_embedded_store(place: Place, objects: list[Term]) -> None:
    async def both() -> None:
        empty(place)
        async with place.opened() as store:
            assert await kept(store, objects) == await kept(OxigraphQuadStore(), objects)

    asyncio.run(both())


async def test_every_kind_of_value_comes_back_as_from_an_embedded_store(store: SparqlHttpQuadStore) -> None:
    for values in (VALUES, [Triple(S, P, value) for value in VALUES]):
        assert await kept(store, list(values)) == await kept(OxigraphQuadStore(), list(values))


EQUAL = [
    *(typed("5", name) for name in ("integer", "decimal", "double", "float", "string")),
    *(typed("1903", "gYear"), typed("1903-01", "gYearMonth"), typed("1903-01-01", "date")),
    *(typed(f"1903-01-01T00:00:00{zone}", "dateTime") for zone in ("", "Z", "+02:00", "-02:00")),
    *(typed("1902-12-31T22:00:00Z", "dateTime"), typed("1903-12", "gYearMonth"), typed("1903-12-01", "date")),
]


async def test_values_that_are_equal_stay_apart(store: SparqlHttpQuadStore) -> None:
    quads = [Quad(S, P, value, G) for value in EQUAL]
    await store.add(quads)
    assert set((await store.match([QuadPattern(S)]))[0]) == set(quads)
    assert await store.match([QuadPattern(S, object=value) for value in EQUAL]) == [[quad] for quad in quads]
    await store.remove(quads[::2])
    assert set((await store.match([QuadPattern(S)]))[0]) == set(quads[1::2])


def test_an_iri_that_stores_would_cut_is_refused() -> None:
    assert written_term(NamedNode("urn:" + "é" * 898)) is not None
    with pytest.raises(InvalidInput, match="at most 1800 bytes"):
        written_term(NamedNode("urn:" + "é" * 899))


async def test_an_iri_that_would_be_read_as_an_edge_is_refused(store: SparqlHttpQuadStore) -> None:
    """It would be taken for an edge that nothing describes, and nothing of its graph could be read."""
    node = NamedNode("urn:provgraph:triple:0")
    for object_ in (node, Triple(S, P, node)):
        with pytest.raises(InvalidInput, match="cannot be written"):
            await store.add([Quad(S, Q, object_, G)])
    assert await store.match([QuadPattern()]) == [[]]


async def test_an_edge_that_is_quoted_twice_is_described_until_both_are_gone(
    place: Place, store: SparqlHttpQuadStore
) -> None:
    here, there = Quad(S, Q, FACT, G), Quad(S, Q, FACT, H)
    await store.add([here, there])
    assert place.described == 1
    await store.remove([here])
    assert await store.match([QuadPattern(S)]) == [[there]]
    await store.add([here])
    await store.clear([H])
    assert await store.match([QuadPattern(object=FACT)]) == [[here]]
    await store.clear([G, H])
    assert place.described == 0


async def test_an_edge_inside_another_is_described_as_long_as_either_is_quoted(
    place: Place, store: SparqlHttpQuadStore
) -> None:
    outer, inner = Quad(S, Q, OUTER, G), Quad(S, P, FACT, G)
    await store.add([outer, inner])
    await store.remove([inner])
    assert (place.described, await store.match([QuadPattern()])) == (2, [[outer]])
    await store.remove([outer])
    assert place.described == 0
    await store.add([outer])
    await store.clear([G])
    assert place.described == 0


async def test_what_is_removed_and_added_in_one_transaction_stays_described(
    place: Place, store: SparqlHttpQuadStore
) -> None:
    before, after = Quad(S, Q, FACT, G), Quad(P, Q, FACT, G)
    await store.add([before])
    await store.transact(lambda _: StoreChange(None, [before], [after]))
    assert (place.described, await store.match([QuadPattern()])) == (1, [[after]])


async def test_the_encoding_is_in_no_graph_and_no_scan(place: Place, store: SparqlHttpQuadStore) -> None:
    quad = Quad(S, Q, OUTER, G)
    place.server.update('INSERT DATA { GRAPH <http://somebody/else> { <urn:their:s> <urn:p> "theirs" } }')
    await store.add([quad])
    assert await store.graph_names() == [G]
    assert [batch async for batch in store.scan(QuadPattern(), 10)] == [[quad]]
    assert await store.match([QuadPattern(), QuadPattern(predicate=P)], limit=5) == [[quad], []]
    place.server.update("DROP SILENT GRAPH <http://somebody/else>")


async def test_a_copy_in_a_folder_is_a_store_of_rdf_1_2(store: SparqlHttpQuadStore, tmp_path: Path) -> None:
    quads = {Quad(S, Q, OUTER, G), Quad(S, P, Literal("x", language="ar", direction=BaseDirection.RTL), H)}
    await store.add(list(quads))
    await store.backup(tmp_path / "copy")
    copy = OxigraphQuadStore.reading(tmp_path / "copy")
    assert set((await copy.match([QuadPattern()]))[0]) == quads
    await copy.close()


async def test_edges_that_are_quoted_and_let_go_at_the_same_moment_stay_described(
    place: Place, store: SparqlHttpQuadStore
) -> None:
    """One removes the last use of an edge while another process adds the next."""
    facts = [Triple(S, P, Literal(str(number))) for number in range(40)]

    async with place.opened() as other:
        for fact in facts:
            await store.add([Quad(S, Q, fact, G)])
            await asyncio.gather(store.remove([Quad(S, Q, fact, G)]), other.add([Quad(S, Q, fact, H)]))
    assert place.described == len(facts)


async def test_a_description_that_an_addition_overtook_is_put_back(
    place: Place, store: SparqlHttpQuadStore
) -> None:
    """As when another process takes it for unused between two writes."""
    await store.add([Quad(S, Q, FACT, G)])
    place.server.update(f"DELETE DATA {{ {quad_data(descriptions([FACT]))} }}")
    await store.add([Quad(P, Q, FACT, H)])
    assert place.described == 1
    connection = StoreConnection(store.connection.address)
    place.server.update(f"DELETE DATA {{ {quad_data(descriptions([FACT]))} }}")
    Quotations(connection).restore([FACT], writes := ReceiptedWrites(connection))
    writes.settle_all()
    connection.close()
    assert place.described == 1


async def test_an_edge_that_nothing_describes_is_told(place: Place, store: SparqlHttpQuadStore) -> None:
    await store.add([Quad(S, Q, FACT, G)])
    place.server.update(f"DROP SILENT GRAPH {QUOTATIONS}")
    async with place.opened() as other:  # which has not seen it yet
        with pytest.raises(Unavailable, match="does not say what urn:provgraph:triple:"):
            await other.match([QuadPattern()])


async def test_a_description_that_somebody_changed_is_not_believed(
    place: Place, store: SparqlHttpQuadStore
) -> None:
    await store.add([Quad(S, Q, FACT, G)])
    node, forged = written_term(FACT), f"GRAPH {QUOTATIONS}"
    place.server.update(f"DELETE WHERE {{ {forged} {{ {node} <{PREFIXES['rdf']}object> ?o }} }}")
    place.server.update(f'INSERT DATA {{ {forged} {{ {node} <{PREFIXES["rdf"]}object> "other" }} }}')
    async with place.opened() as other:
        with pytest.raises(Unavailable, match="restore a backup"):
            await other.match([QuadPattern()])


def counting_up(reader: StoreReader) -> StoreChange[None]:
    (found,) = reader.match([QuadPattern(S, graph=G)])
    count = sum(int(each.object.value) for each in found if isinstance(each.object, Literal))
    return StoreChange(None, found, [Quad(S, P, Literal(str(count + 1)), G)])


async def test_processes_decide_one_after_another(place: Place, store: SparqlHttpQuadStore) -> None:
    async with place.opened() as other:
        await asyncio.gather(*(each.transact(counting_up) for each in (store, other) * 8))
    assert await store.match([QuadPattern(S)]) == [[Quad(S, P, Literal("16"), G)]]


async def test_a_large_change_is_written_and_taken_back_whole(
    place: Place, store: SparqlHttpQuadStore
) -> None:
    quads = [Quad(NamedNode(f"urn:n:{at}"), P, Literal(f"value {at}"), G) for at in range(2_000)]
    quads += [Quad(S, Q, Triple(S, P, Literal(str(at))), G) for at in range(300)]
    await store.transact(lambda _: StoreChange(None, (), quads))
    assert {quad async for batch in store.scan(QuadPattern(), 1_000) for quad in batch} == set(quads)
    assert set((await store.match([QuadPattern(S)]))[0]) == set(quads[2_000:])
    await store.remove(quads[:-100])
    assert (place.described, set((await store.match([QuadPattern()]))[0])) == (100, set(quads[-100:]))
    await store.clear([G])
    assert (place.described, place.count(STAGED)) == (0, 0)


async def test_a_large_change_whose_turn_was_taken_away_is_decided_anew(oxigraph: OxigraphServer) -> None:
    """Its signs of life do not arrive; another puts its claim aside, and decides."""
    calls: list[list[Quad]] = []

    def decide(reader: StoreReader) -> StoreChange[None]:
        (found,) = reader.match([QuadPattern(S)])
        calls.append(found)
        if len(calls) == 1:
            proxy.fail([Fault.BUSY] * 100, only="/update")
            threading.Event().wait(1.2)
            claims = "GRAPH <urn:provgraph:writers> { ?claim <urn:provgraph:claims> ?order }"
            oxigraph.update(f"DELETE WHERE {{ {claims} }}")
            oxigraph.update(f"INSERT DATA {{ {quad_data([Quad(S, P, Literal('between'), G)])} }}")
            proxy.fail([])
        many = [Quad(NamedNode(f"urn:n:{at}:{len(calls)}"), P, FACT, G) for at in range(300)]
        return StoreChange(None, found, many)

    with faulty_proxy(oxigraph.url) as proxy:
        address = store_address(proxy.url, "query update", 20, is_rdf_1_1=True)
        store = SparqlHttpQuadStore(address, put_aside_after_s=2)
        await store.transact(decide)
        assert [len(found) for found in calls] == [0, 1]
        (found,) = await store.match([QuadPattern()])
        assert {str(quad.subject)[-3:] for quad in found} == {":2>"}
        assert Place(oxigraph, "query update").count(STAGED) == 0
        await store.close()


async def test_what_a_killed_process_has_put_down_goes_when_the_store_is_opened(place: Place) -> None:
    alive, dead = (f"urn:provgraph:stage:{name}:0" for name in ("alive", "dead"))
    async with place.opened() as store:
        claim = "GRAPH <urn:provgraph:writers> { <urn:provgraph:claim:alive> <urn:provgraph:claims> '1' }"
        place.server.update(f"INSERT DATA {{ {claim} }}")
        for graph in (alive, dead):
            place.server.update(f"INSERT DATA {{ GRAPH <{graph}> {{ {S} {Q} {written_term(FACT)} }} }}")
        assert await store.graph_names() == []
        assert await store.match([QuadPattern()]) == [[]]
    async with place.opened():
        assert place.count(STAGED) == 1
    place.server.update(f"DROP SILENT GRAPH <{alive}> ; DELETE DATA {{ {claim} }}")


async def test_writers_leave_no_notes(place: Place) -> None:
    async with place.opened() as store:
        await store.add([Quad(S, Q, FACT, G)])
        await store.transact(counting_up)
        await store.clear([H])
    assert place.count("SELECT ?s { GRAPH <urn:provgraph:writers> { ?s ?p ?o } }") == 1  # the version of RDF


@pytest.mark.slow
async def test_a_virtuoso_that_leaves_solutions_out_or_is_killed_while_it_writes(tmp_path: Path) -> None:
    with virtuoso_server(tmp_path / "store", "ResultSetMaxRows = 1000") as server:
        place = Place(server, VIRTUOSO_PATHS)
        async with place.opened() as store:
            quads = [Quad(NamedNode(f"urn:n:{at}"), P, Literal(str(at)), G) for at in range(12_000)]
            await store.add(quads[:1500])
            with pytest.raises(Unavailable, match="ResultSetMaxRows and MaxQueryExecutionTime"):
                await store.match([QuadPattern()])
            with pytest.raises(Unavailable, match="left solutions out"):
                _ = [batch async for batch in store.scan(QuadPattern(), 10)]
            writing = asyncio.create_task(store.add([Quad(S, Q, FACT, H), *quads[1500:]]))
            await asyncio.sleep(0.2)
            server.kill()
            server.start()
            await writing  # it is sent again where it was not done
            (row,) = server.rows(f"SELECT (COUNT(*) AS ?n) {{ GRAPH {G} {{ ?s ?p ?o }} }}")
            assert row["n"] == "12000"
            assert await store.match([QuadPattern(S)]) == [[Quad(S, Q, FACT, H)]]
