"""One question as events, over a real store that may fail while the answer is made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
import pytest_asyncio
from pyoxigraph import Quad

from api.retrievers import EmptyRetriever
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.documents.library import Library
from provgraph.errors import Unavailable
from provgraph.flows.graph_rag.flow import GraphQuestion, GraphRag
from provgraph.flows.runner.events import Explained, Finished
from provgraph.flows.runner.runner import Runner
from provgraph.flows.runner.services import FlowServices
from provgraph.flows.runner.session_leases import HERE, SessionWatch
from provgraph.ports.quad_store import QuadStore, StoreChange
from provgraph.provenance.trace import SessionOutcome
from provgraph.traces.reader import Traces

T = TypeVar("T")
QUESTION = GraphQuestion("Who discovered polonium?")
LIMIT = "The disk is full. Free some space."


class LimitedStore(OxigraphQuadStore):
    """A store on a disk that is full after a number of writes, for ever or for a number of tries."""

    def __init__(self, writes: int, refusals: int = 100) -> None:
        super().__init__()
        self._full = range(writes, writes + refusals)
        self._tried = -1

    async def add(self, quads: Sequence[Quad]) -> None:
        self._try()
        await super().add(quads)

    async def transact(self, decide: Callable[[Any], StoreChange[T]]) -> T:
        self._try()
        return await super().transact(decide)

    def _try(self) -> None:
        self._tried += 1
        if self._tried in self._full:
            raise Unavailable(LIMIT)


@pytest_asyncio.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    yield Library(FolderContentStore(tmp_path))


def answering(store: OxigraphQuadStore, library: Library) -> Runner[GraphQuestion]:
    return Runner(GraphRag(), FlowServices(store, library, EmptyRetriever(), "explainability"))


def traces(store: OxigraphQuadStore, library: Library) -> Traces:
    return Traces(store, library, "explainability")


def watch(store: QuadStore) -> SessionWatch:
    return SessionWatch(store, "explainability", HERE, lambda: datetime.now(UTC))


@pytest.mark.parametrize("writes", range(6))
async def test_a_full_disk_ends_the_answer_once_and_with_an_error(library: Library, writes: int) -> None:
    store = LimitedStore(writes)
    async with aclosing(answering(store, library).answer(QUESTION)) as answer:
        events = [event async for event in answer]
    assert [type(event) for event in events[:writes]] == [Explained] * min(writes, 5)
    last = events[-1]
    assert isinstance(last, Finished)
    assert [event for event in events if isinstance(event, Finished)] == [last]
    assert str(last.error) == LIMIT
    assert last.outcome == SessionOutcome.FAILED


async def test_an_end_that_could_not_be_written_is_written_as_a_failure(library: Library) -> None:
    store = LimitedStore(5, refusals=1)
    async with aclosing(answering(store, library).answer(QUESTION)) as answer:
        assert [event async for event in answer]
    (session,) = await traces(store, library).sessions()
    assert session.outcome == SessionOutcome.FAILED
    assert session.failure == LIMIT


async def test_what_a_full_disk_left_open_is_closed_at_the_next_start(library: Library) -> None:
    store = LimitedStore(3, refusals=2)
    async with aclosing(answering(store, library).answer(QUESTION)) as answer:
        assert [event async for event in answer]
    (session,) = await traces(store, library).sessions()
    assert session.outcome == ""
    assert await watch(store).close_interrupted(alone=True) == 1
    (session,) = await traces(store, library).sessions()
    assert session.outcome == SessionOutcome.INTERRUPTED
    assert session.ended
    assert await watch(store).close_interrupted(alone=True) == 0


async def test_an_answer_that_is_not_read_to_its_end_is_cut_off_once(library: Library) -> None:
    store = OxigraphQuadStore()
    for count in range(1, 9):
        async with aclosing(answering(store, library).answer(QUESTION)) as answer:
            for _ in range(count):
                last = await anext(answer)
        outcomes = [session.outcome for session in await traces(store, library).sessions()]
        ended = count > len(["session", "grounding", "retrieval", "selection", "answer", "text"])
        assert outcomes[0] == (SessionOutcome.REFUSED if ended else SessionOutcome.CUT_OFF)
    assert isinstance(last, Finished)


async def test_the_sessions_of_one_second_are_told_in_their_order(library: Library) -> None:
    store = OxigraphQuadStore()
    at = datetime(2026, 1, 2, 3, 4, 5, 750_000, tzinfo=UTC)
    for microseconds in (1_000, 0, 200, 250_000):
        clock = partial(at.__add__, timedelta(microseconds=microseconds))
        service = Runner(
            GraphRag(), FlowServices(store, library, EmptyRetriever(), "explainability", now=clock)
        )
        async with aclosing(service.answer(GraphQuestion(f"{microseconds}"))) as answer:
            assert [event async for event in answer]
    told = [session.query for session in await traces(store, library).sessions()]
    assert told == ["250000", "1000", "200", "0"]
