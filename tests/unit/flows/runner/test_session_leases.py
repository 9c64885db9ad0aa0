"""Sessions of several processes over one store: only those of a process that is no more are ended by another one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest
from pyoxigraph import NamedNode

from api.retrievers import EmptyRetriever
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.documents.library import Library
from provgraph.errors import Unavailable
from provgraph.flows.graph_rag.flow import GraphQuestion, GraphRag
from provgraph.flows.runner.events import Event
from provgraph.flows.runner.runner import Runner, Session, one_by_one
from provgraph.flows.runner.services import FlowServices
from provgraph.flows.runner.session_leases import GRAPH, Patience, SessionWatch
from provgraph.flows.runner.sessions import SessionHub
from provgraph.ports.quad_store import QuadPattern, StoreChange
from provgraph.provenance.trace import SessionOutcome
from provgraph.traces.reader import Traces

T = TypeVar("T")

ONE, OTHER = NamedNode("urn:trustgraph:process:one"), NamedNode("urn:trustgraph:process:other")


class StoreThatGoes(OxigraphQuadStore):
    """While it is away it takes no decision."""

    away = False

    async def transact(self, decide: Callable[[Any], StoreChange[T]]) -> T:
        if self.away:
            raise Unavailable("The store is away.")
        return await super().transact(decide)


class Shared:
    """A store over which two processes answer."""

    def __init__(self, folder: Path) -> None:
        self.store = StoreThatGoes()
        self.library = Library(FolderContentStore(folder))

    def session(self, process: NamedNode) -> Session:
        services = FlowServices(self.store, self.library, EmptyRetriever(), "explainability", process=process)
        return Runner(GraphRag(), services).session(GraphQuestion("Who?"))

    def asking(self, process: NamedNode) -> aclosing[AsyncGenerator[Event]]:
        return aclosing(one_by_one(self.session(process)))

    def watch(self, process: NamedNode, dead_after_s: float = 1000.0, *, busy: bool = True) -> SessionWatch:
        patience = Patience(dead_after_s=dead_after_s)
        return SessionWatch(
            self.store, "explainability", process, lambda: datetime.now(UTC), lambda: busy, patience
        )

    async def outcomes(self) -> list[str]:
        return [
            session.outcome for session in await Traces(self.store, self.library, "explainability").sessions()
        ]

    async def notes(self) -> int:
        (found,) = await self.store.match([QuadPattern(graph=GRAPH)])
        return len(found)


@pytest.fixture
def shared(tmp_path: Path) -> Shared:
    return Shared(tmp_path)


async def test_a_start_leaves_the_sessions_of_another_process_alone(shared: Shared) -> None:
    async with shared.asking(OTHER) as answer:
        await anext(answer)
        assert await shared.watch(ONE).close_interrupted(alone=False) == 0
        async for _ in answer:
            pass
    assert await shared.outcomes() == [SessionOutcome.REFUSED]
    assert await shared.notes() == 0


async def test_a_start_ends_what_its_own_crash_left_open(shared: Shared) -> None:
    async with shared.asking(ONE) as mine, shared.asking(OTHER) as theirs:
        await anext(mine)
        await anext(theirs)
        assert await shared.watch(ONE).close_interrupted(alone=False) == 1
        assert sorted(await shared.outcomes()) == ["", SessionOutcome.INTERRUPTED]
        async for _ in theirs:
            pass
    assert sorted(await shared.outcomes()) == [SessionOutcome.INTERRUPTED, SessionOutcome.REFUSED]
    assert await shared.notes() == 0


async def test_who_gives_no_sign_is_taken_for_dead_and_ended_once(shared: Shared) -> None:
    patient, impatient = shared.watch(ONE), shared.watch(ONE, 0.0)
    async with shared.asking(OTHER) as answer:
        await anext(answer)
        assert await patient.look() == 0
        assert await impatient.look() == 1
        assert await impatient.look() == 0
        async for _ in answer:
            pass
    assert await shared.outcomes() == [SessionOutcome.INTERRUPTED]


async def test_a_sign_is_as_good_as_a_new_start_of_the_watch(shared: Shared) -> None:
    watching, living = shared.watch(ONE), shared.watch(OTHER)
    async with shared.asking(OTHER) as answer:
        await anext(answer)
        await watching.look()
        (before,) = watching._since
        signs = await living._signed([])
        await watching.look()
        (after,) = watching._since
        assert before != after
        assert await shared.watch(OTHER, busy=False)._signed(signs) == []
    assert await shared.notes() == 0


async def test_a_session_whose_end_could_not_be_written_is_ended_as_it_did_when_it_can(
    shared: Shared,
) -> None:
    hub = SessionHub(grace_s=0)
    watch = replace(shared.watch(ONE), ended_badly=hub.ended_badly)
    shared.store.away = True
    _ = [event async for event in hub.read(hub.start(shared.session(ONE)))]
    with pytest.raises(Unavailable):
        await watch.look()
    shared.store.away = False
    assert await shared.outcomes() == [""]
    await replace(shared.watch(OTHER), ended_badly=hub.ended_badly).look()
    assert await shared.outcomes() == [""]
    await watch.look()
    assert await shared.outcomes() == [SessionOutcome.FAILED]
    assert await shared.notes() == 0


async def test_a_process_that_is_alone_records_an_end_as_soon_as_the_store_takes_it_and_asks_nothing_else(
    shared: Shared,
) -> None:
    hub = SessionHub(grace_s=0)
    watch = replace(shared.watch(ONE), patience=Patience(between_s=0), ended_badly=hub.ended_badly)
    watching = asyncio.create_task(watch.run_alone())
    _ = [event async for event in hub.read(hub.start(shared.session(ONE)))]
    assert (await shared.outcomes(), hub.ended_badly) == ([SessionOutcome.REFUSED], {})
    shared.store.away = True
    _ = [event async for event in hub.read(hub.start(shared.session(ONE)))]
    assert len(hub.ended_badly) == 1
    assert sorted(await shared.outcomes()) == ["", SessionOutcome.REFUSED]
    shared.store.away = False
    async with asyncio.timeout(60):
        while not watch._settled:
            await asyncio.sleep(0)
    assert sorted(await shared.outcomes()) == [SessionOutcome.FAILED, SessionOutcome.REFUSED]
    assert await shared.notes() == 0
    watching.cancel()


async def test_each_part_of_a_store_gets_the_ends_of_its_own_sessions_when_it_takes_them(
    shared: Shared, tmp_path: Path
) -> None:
    hub, elsewhere = SessionHub(grace_s=0), Shared(tmp_path / "elsewhere")
    there, here = (replace(part.watch(ONE), ended_badly=hub.ended_badly) for part in (elsewhere, shared))
    shared.store.away = True
    _ = [event async for event in hub.read(hub.start(shared.session(ONE)))]
    await there.settle()
    with pytest.raises(Unavailable):
        await here.settle()
    shared.store.away = False
    await there.settle()
    assert await shared.outcomes() == [""]
    await here.settle()
    assert (await shared.outcomes(), await elsewhere.outcomes()) == ([SessionOutcome.FAILED], [])
