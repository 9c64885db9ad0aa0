"""A store on a server, when servers, networks and other processes do what they do."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import BaseDirection, Literal, NamedNode, Quad, Triple

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.remote_store import connection
from provgraph.adapters.remote_store.connection import StoreConnection, store_address
from provgraph.adapters.remote_store.pattern_queries import pattern_queries
from provgraph.adapters.remote_store.store import SparqlHttpQuadStore
from provgraph.errors import InvalidInput, NoRoom, NotProvided, Unavailable
from provgraph.ports.quad_store import QuadPattern, StoreChange, StoreReader, WriteUnit
from servers.direct import DIRECT
from servers.faulty_proxy import Fault, FaultyProxy, faulty_proxy
from servers.full_disk import full_disk, hearing_of_errors
from servers.oxigraph_server import OxigraphServer, oxigraph_server
from servers.served_process import free_port
from servers.served_process import started as running_server

G = NamedNode("urn:graph:g")
P = NamedNode("urn:p")
COUNT = NamedNode("urn:count")
PATHS = "query update store"
SOME_FAULTS = (Fault.NONE, Fault.REQUEST_LOST, Fault.REPLY_LOST, Fault.BUSY)

COUNTER = """
import asyncio, sys
from unit.adapters.test_remote_store import count_up, opened

async def main():
    async with opened(sys.argv[1]) as store:
        for _ in range(int(sys.argv[2])):
            await store.transact(count_up)
            print("counted", flush=True)

asyncio.run(main())
"""


@asynccontextmanager
async def opened(url: str, patience_s: float = 20, **options: Any) -> AsyncIterator[SparqlHttpQuadStore]:
    store = SparqlHttpQuadStore(store_address(url, PATHS, patience_s), **options)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
async def store(oxigraph: OxigraphServer) -> AsyncIterator[SparqlHttpQuadStore]:
    async with opened(oxigraph.url) as made:
        yield made


@pytest.fixture
def proxy(oxigraph: OxigraphServer) -> Iterator[FaultyProxy]:
    with faulty_proxy(oxigraph.url) as made:
        yield made


def quad(name: str, value: str = "1") -> Quad:
    return Quad(NamedNode(f"urn:node:{name}"), P, Literal(value), G)


def counted(reader: StoreReader) -> list[Quad]:
    (found,) = reader.match([QuadPattern(COUNT, graph=G)])
    return found


def count_up(reader: StoreReader) -> StoreChange[None]:
    found = counted(reader)
    count = sum(int(each.object.value) for each in found if isinstance(each.object, Literal))
    return StoreChange(None, found, [Quad(COUNT, P, Literal(str(count + 1)), G)])


async def count(store: SparqlHttpQuadStore) -> list[str]:
    (found,) = await store.match([QuadPattern(COUNT, graph=G)])
    return [each.object.value for each in found if isinstance(each.object, Literal)]


def notes(server: OxigraphServer) -> list[Any]:
    """What writers have left in the default graph."""
    query = {"query": "SELECT * { ?s ?p ?o }"}
    headers = {"Accept": "application/sparql-results+json"}
    found = httpx2.post(f"{server.url}/query", data=query, headers=headers, **DIRECT).json()
    rows: list[Any] = found["results"]["bindings"]
    return rows


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
LITERALS = st.one_of(
    TEXTS.map(Literal),
    TEXTS.map(lambda text: Literal(text, language="en-gb")),
    TEXTS.map(lambda text: Literal(text, language="ar", direction=BaseDirection.RTL)),
    st.integers().map(Literal),
)
NODES = TEXTS.map(lambda text: NamedNode("urn:n:" + "".join(f"{ord(each):x}é" for each in text)))
OBJECTS = st.recursive(
    LITERALS | NODES, lambda inner: st.builds(lambda s, o: Triple(s, P, o), NODES, inner), max_leaves=3
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(objects=st.lists(OBJECTS, min_size=1, max_size=5, unique=True))
def test_every_term_comes_back_as_from_an_embedded_store(
    oxigraph: OxigraphServer, objects: list[Any]
) -> None:
    quads = [Quad(NamedNode(f"urn:s:{at}"), P, each, G) for at, each in enumerate(objects)]
    patterns = [QuadPattern(), *(QuadPattern(object=each) for each in objects)]

    async def told(store: SparqlHttpQuadStore | OxigraphQuadStore) -> list[set[Quad]]:
        await store.add(quads)
        return [set(found) for found in await store.match(patterns)]

    async def both() -> None:
        oxigraph.update("DROP ALL")
        embedded = OxigraphQuadStore()
        async with opened(oxigraph.url) as store:
            assert await told(store) == await told(embedded)
            assert await store.contains(quads) == await embedded.contains(quads)

    asyncio.run(both())


async def test_many_patterns_of_all_shapes_find_what_each_asks_for(store: SparqlHttpQuadStore) -> None:
    quads = [quad(str(number), str(number % 7)) for number in range(1300)]
    await store.add(quads)
    patterns = [QuadPattern(each.subject, graph=G) for each in quads if isinstance(each.subject, NamedNode)]
    patterns += [QuadPattern(predicate=P, object=Literal(str(number))) for number in range(8)]
    found = await store.match(patterns)
    assert found[:1300] == [[each] for each in quads]
    assert [len(each) for each in found[1300:]] == [186, 186, 186, 186, 186, 185, 185, 0]
    assert [len(each) for each in await store.match(patterns, limit=2)] == [1] * 1300 + [2] * 7 + [0]


def test_long_texts_are_asked_for_in_one_request() -> None:
    long = [QuadPattern(object=Literal(f"{number}" * 2_000)) for number in range(9)]
    assert len(list(pattern_queries(long, None))) == 1
    assert len(list(pattern_queries(long, None, "urn:graph:"))) == len(
        long
    )  # a table of Virtuoso has no room


async def test_a_server_that_is_not_up_yet_is_waited_for(tmp_path: Path) -> None:
    server = OxigraphServer(tmp_path / "store", free_port())
    async with opened(server.url) as store:
        adding = asyncio.create_task(store.add([quad("a")]))
        await asyncio.sleep(0)
        server.start(wait=False)
        try:
            await adding
            assert await store.contains([quad("a")]) == [True]
        finally:
            server.kill()


async def test_a_server_that_cannot_be_reached_is_told_with_what_to_do() -> None:
    async with opened(f"http://nobody:secret@127.0.0.1:{free_port()}", patience_s=0.2) as store:
        with pytest.raises(
            Unavailable, match=r"cannot be reached.*Start it, or correct PROVGRAPH_STORE_URL"
        ) as raised:
            await store.match([QuadPattern()])
        assert "secret" not in str(raised.value)
        for write in (store.add([quad("a")]), store.transact(count_up), store.clear([G])):
            with pytest.raises(Unavailable):
                await write
        with pytest.raises(Unavailable):
            await store.answers(1)


class CountingConnection(StoreConnection):
    """Counts how often it waits before it tries again."""

    waited = 0

    def pause(self, seconds: float) -> None:
        self.waited += 1
        super().pause(seconds)


@pytest.mark.parametrize("waits_again", [True, False])
def test_a_server_that_others_can_do_without_is_waited_for_in_vain_once_until_it_answers(
    waits_again: bool, tmp_path: Path
) -> None:
    with oxigraph_server(tmp_path / "store") as server:
        address = replace(store_address(server.url, PATHS, 0.3), waits_again=waits_again)
        connection = CountingConnection(address)

        def waits() -> bool:
            before = connection.waited
            with pytest.raises(Unavailable):
                connection.holds("ASK { }")
            return connection.waited > before

        server.kill()
        assert (waits(), waits()) == (True, waits_again)
        server.start()
        connection.answers_now(10)
        server.kill()
        assert waits()
        connection.close()


async def test_something_else_at_the_address_is_told(oxigraph: OxigraphServer) -> None:
    async with opened(f"{oxigraph.url}/elsewhere") as store:
        with pytest.raises(Unavailable, match="404"):
            await store.match([QuadPattern()])


@pytest.mark.parametrize("url", ["localhost:7878", "ftp://host", "http://", "what"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="PROVGRAPH_STORE_URL"):
        store_address(url, PATHS, 1)
    with pytest.raises(InvalidInput, match="PROVGRAPH_STORE_PATHS"):
        store_address("http://host", "query", 1)


async def test_what_was_written_survives_a_killed_server_and_is_written_on(tmp_path: Path) -> None:
    with oxigraph_server(tmp_path / "store") as server:
        async with opened(server.url) as store:
            await store.transact(count_up)
            server.kill()
            counting = asyncio.create_task(store.transact(count_up))
            reading = asyncio.create_task(store.match([QuadPattern(COUNT)]))
            await asyncio.sleep(0)
            server.start()
            await asyncio.gather(counting, reading)
            assert await count(store) == ["2"]


async def test_a_write_whose_reply_is_lost_is_done_once(proxy: FaultyProxy) -> None:
    async with opened(proxy.url) as store:
        proxy.fail([Fault.REPLY_LOST], only="/update")
        await store.add([quad("a")])
        await store.transact(count_up)
        proxy.fail([Fault.NONE, Fault.REPLY_LOST], only="/update")  # the claim, then the change itself
        await store.transact(count_up)
        assert await count(store) == ["2"]


async def test_a_lost_addition_is_not_sent_again_after_it_was_taken_back(
    proxy: FaultyProxy, oxigraph: OxigraphServer
) -> None:
    """What another process removed between the write and the question for its receipt stays removed."""
    async with opened(proxy.url) as store:
        proxy.fail([Fault.REPLY_LOST, Fault.BUSY, Fault.BUSY])
        adding = asyncio.create_task(store.add([quad("a")]))
        async with opened(oxigraph.url) as other:
            while (await other.contains([quad("a")])) == [False]:
                await asyncio.sleep(0)
            await other.remove([quad("a")])
        await adding
        assert await store.contains([quad("a")]) == [False]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
async def test_whatever_is_lost_on_the_way_every_decision_takes_place_once(
    proxy: FaultyProxy, seed: int
) -> None:
    chosen = random.Random(seed)
    async with opened(proxy.url) as store:
        for number in range(4):
            proxy.fail(chosen.choices(SOME_FAULTS, k=5))
            await store.transact(count_up)
            proxy.fail(chosen.choices(SOME_FAULTS, k=4))
            unit = WriteUnit(quad(str(number)), (quad(str(number), "more"),))
            assert await store.add_absent([unit]) == [True]
        proxy.fail([])
        assert await count(store) == ["4"]
        assert len((await store.match([QuadPattern(object=Literal("more"))]))[0]) == 4


async def test_an_answer_that_ends_in_the_middle_is_asked_for_again(proxy: FaultyProxy) -> None:
    async with opened(proxy.url) as store:
        await store.add([quad(str(number)) for number in range(50)])
        proxy.fail([Fault.CUT_OFF])
        assert len((await store.match([QuadPattern()]))[0]) == 50


async def test_answers_that_always_end_in_the_middle_are_told(proxy: FaultyProxy) -> None:
    async with opened(proxy.url) as store:
        await store.add([quad(str(number)) for number in range(50)])
        proxy.fail([Fault.CUT_OFF] * 10)
        with pytest.raises(Unavailable, match="--timeout-s"):
            await store.match([QuadPattern()])
        proxy.fail([Fault.CUT_OFF])
        with pytest.raises(Unavailable, match="--timeout-s"):
            _ = [batch async for batch in store.scan(QuadPattern(), 10)]


@pytest.mark.slow
async def test_several_processes_decide_one_after_another(
    oxigraph: OxigraphServer, store: SparqlHttpQuadStore
) -> None:
    processes, own = [started(oxigraph.url, 20) for _ in range(3)], 0
    while any(process.poll() is None for process in processes):
        await store.transact(count_up)
        own += 1
    for process in processes:
        _, told = await asyncio.to_thread(process.communicate)
        assert process.returncode == 0, told
    assert await count(store) == [str(60 + own)]


@pytest.mark.slow
async def test_a_process_that_is_killed_while_it_decides_holds_nobody_up_for_ever(
    oxigraph: OxigraphServer,
) -> None:
    async with opened(oxigraph.url, put_aside_after_s=0.5) as store:
        process = started(oxigraph.url, 10_000)
        assert process.stdout is not None
        for _ in range(3):
            await asyncio.to_thread(process.stdout.readline)
        process.kill()
        before = len(process.communicate()[0].splitlines()) + 3
        oxigraph.update('INSERT DATA { <urn:provgraph:claim:dead> <urn:provgraph:claims> "0" }')
        await store.transact(count_up)
        (after,) = await count(store)
        assert int(after) in (before + 1, before + 2)  # the last write may have been told to nobody
        assert [row for row in notes(oxigraph) if row["p"]["value"].endswith("claims")] == []


async def test_a_full_disk_is_told_and_who_was_deciding_meanwhile_holds_nobody_up_afterwards(
    tmp_path: Path,
) -> None:
    server = OxigraphServer(tmp_path / "store", free_port())
    server.command = hearing_of_errors(server.command)

    def without_room(reader: StoreReader) -> StoreChange[None]:
        disk.enter_context(full_disk(server))
        return count_up(reader)

    with running_server(server), ExitStack() as disk:
        async with opened(server.url, put_aside_after_s=3600) as store:
            await store.transact(count_up)
            with pytest.raises(NoRoom, match="Free some space"):
                await store.transact(without_room)
            assert await count(store) == ["1"]
            server.kill()
            server.start()
            await store.transact(count_up)
            assert await count(store) == ["2"]


async def test_a_server_that_says_nothing_is_told_and_what_was_asked_of_it_is_done_once_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_SILENCE_S", 0.3)
    with oxigraph_server(tmp_path / "store") as server:
        async with opened(server.url, patience_s=0.2) as store:
            await store.transact(count_up)
            server.running.send_signal(signal.SIGSTOP)
            os.waitpid(server.running.pid, os.WUNTRACED)  # it may take a moment to stand still
            with pytest.raises(Unavailable, match="cannot be reached"):
                await store.match([QuadPattern()])
            with pytest.raises(Unavailable):
                await store.transact(count_up)
            with pytest.raises(Unavailable):
                await store.add([quad("a")])
            server.running.send_signal(signal.SIGCONT)
        async with opened(server.url, put_aside_after_s=0.5) as store:
            await store.transact(count_up)
            assert await count(store) == ["2"]


async def test_who_was_taken_for_dead_decides_anew(proxy: FaultyProxy, oxigraph: OxigraphServer) -> None:
    """Its signs of life do not arrive; another puts its claim aside, and decides."""
    calls = []

    def overtaken(reader: StoreReader) -> StoreChange[None]:
        change = count_up(reader)
        calls.append(change)
        if len(calls) == 1:
            proxy.fail([Fault.BUSY] * 100, only="/update")
            Event().wait(1.2)
            oxigraph.update("DELETE WHERE { ?claim <urn:provgraph:claims> ?order }")
            oxigraph.update(f'INSERT DATA {{ GRAPH {G} {{ {COUNT} {P} "40" }} }}')
            proxy.fail([])
        return change

    async with opened(proxy.url, put_aside_after_s=2) as store:
        await store.transact(overtaken)
        assert await count(store) == ["41"]
        assert len(calls) == 2


async def test_writers_leave_no_notes_and_show_none(oxigraph: OxigraphServer) -> None:
    async with opened(oxigraph.url) as store:
        await store.add([quad("a")])
        await store.transact(count_up)
        await store.clear([NamedNode("urn:graph:other")])
        assert notes(oxigraph) != []
        assert await store.graph_names() == [G]
        assert len((await store.match([QuadPattern()]))[0]) == 2
    assert notes(oxigraph) == []


async def test_a_copy_in_a_folder_holds_the_same(store: SparqlHttpQuadStore, tmp_path: Path) -> None:
    quads = {quad("a"), Quad(NamedNode("urn:s"), P, Triple(COUNT, P, Literal("1")), NamedNode("urn:graph:h"))}
    await store.add(list(quads))
    await store.backup(tmp_path / "copy")
    copy = OxigraphQuadStore.reading(tmp_path / "copy")
    assert set((await copy.match([QuadPattern()]))[0]) == quads
    assert await copy.graph_names() == await store.graph_names()
    await copy.close()


async def test_its_files_cannot_be_written_anew_from_here(store: SparqlHttpQuadStore) -> None:
    with pytest.raises(NotProvided, match="oxigraph dump"):
        await store.rewrite()


async def test_closing_ends_what_waits_for_a_server(tmp_path: Path) -> None:
    store = SparqlHttpQuadStore(store_address(f"http://127.0.0.1:{free_port()}", PATHS, 3600))
    waiting = asyncio.create_task(store.match([QuadPattern()]))
    await asyncio.sleep(0)
    await store.close()
    with pytest.raises(Unavailable):
        await waiting


def started(url: str, times: int) -> subprocess.Popen[str]:
    """A process that counts up so many times."""
    tests = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", COUNTER, url, str(times)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tests,
    )
