"""What every `WorkQueue` keeps to, whatever it stands on; another opening of it stands for another process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest
import pytest_asyncio

from provgraph.adapters.disk_queue import DiskWorkQueue
from provgraph.adapters.nats_queue.queue import NatsWorkQueue
from provgraph.errors import NotFound
from provgraph.ports.work_queue import Delivery, QueueDepth, Task, WorkQueue
from provgraph.wire.tasks import CHUNKS, DOCUMENTS
from servers.nats_server import NatsServer, nats_server

PATIENCE_S = 0.5


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    with nats_server(tmp_path_factory.mktemp("nats")) as server:
        yield server


Opened = Callable[[], WorkQueue]


@pytest.fixture(params=["on the disk", "on a broker"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """Opens the queue; how often is up to the test."""
    if request.param == "on the disk":
        return lambda: DiskWorkQueue(tmp_path / "work.sqlite", PATIENCE_S)
    server: NatsServer = request.getfixturevalue("broker")
    server.empty()
    return lambda: NatsWorkQueue(server.url, PATIENCE_S, wait_s=20)


@pytest_asyncio.fixture
async def queue(opened: Opened) -> AsyncIterator[WorkQueue]:
    made = opened()
    yield made
    await made.close()


def task(number: int, kind: str = DOCUMENTS, body: bytes = b"\x00\xff") -> Task:
    return Task(f"job-{number}", "job", kind, body)


async def test_tasks_are_taken_by_kind_in_their_order_and_each_by_one_worker(queue: WorkQueue) -> None:
    tasks = [task(number) for number in range(5)]
    await queue.put([*tasks, task(9, CHUNKS)])
    await queue.put(tasks)  # once more: nothing is put twice
    taken = [*await queue.take(DOCUMENTS, 2, 5), *await queue.take(DOCUMENTS, 10, 5)]
    assert [(each.task, each.attempt) for each in taken] == [(each, 1) for each in tasks]
    assert await queue.depth(DOCUMENTS) == QueueDepth(waiting=0, under_way=5)
    assert await queue.depth(CHUNKS) == QueueDepth(waiting=1)
    for each in taken:
        await each.done()
    assert await queue.depth(DOCUMENTS) == QueueDepth()
    assert await queue.take(DOCUMENTS, 1, 0.1) == []


async def test_what_a_dead_worker_had_is_given_to_another_and_what_lives_keeps_its_own(
    queue: WorkQueue,
) -> None:
    await queue.put([task(0), task(1)])
    silent, alive = await queue.take(DOCUMENTS, 2, 5)
    (again,) = await _while_alive(alive, queue.take(DOCUMENTS, 2, 10))
    assert (again.task, again.attempt) == (silent.task, 2)
    await again.done()
    await alive.done()
    assert await queue.take(DOCUMENTS, 1, 2 * PATIENCE_S) == []


async def _while_alive(delivery: Delivery, taking: Awaitable[list[Delivery]]) -> list[Delivery]:
    async def live() -> None:
        while True:
            await delivery.sign_of_life()
            await asyncio.sleep(PATIENCE_S / 5)

    living = asyncio.create_task(live())
    try:
        return await taking
    finally:
        living.cancel()


async def test_what_was_put_and_not_done_outlives_the_process(opened: Opened) -> None:
    first = opened()
    await first.put([task(0), task(1), task(2)])
    done, dead, _ = await first.take(DOCUMENTS, 3, 5)
    await done.done()
    await dead.bury("no good")
    await first.note("job", "state", b"half")
    await first.close()
    second = opened()
    (left,) = await second.take(DOCUMENTS, 3, 10)
    assert (left.task, left.attempt) == (task(2), 2)
    assert [each.task.id for each in await second.dead()] == ["job-1"]
    assert await second.notes("job") == {"state": b"half"}
    await second.close()


async def test_a_task_that_is_given_back_comes_again(queue: WorkQueue) -> None:
    await queue.put([task(0)])
    (given,) = await queue.take(DOCUMENTS, 1, 5)
    await given.give_back()
    (again,) = await queue.take(DOCUMENTS, 1, 5)
    assert again.attempt == 2
    await again.give_back(after_s=0.2)
    (third,) = await queue.take(DOCUMENTS, 1, 10)
    assert third.attempt == 3


async def test_the_dead_are_listed_with_their_reason_and_replayed_or_discarded_one_by_one(
    queue: WorkQueue,
) -> None:
    await queue.put([task(0, CHUNKS, b"poison"), task(1)])
    for kind in (CHUNKS, DOCUMENTS):
        (taken,) = await queue.take(kind, 1, 5)
        await taken.bury(f"it is\npoison – {kind}")
    first, second = await queue.dead()
    assert (first.task, first.attempts) == (task(0, CHUNKS, b"poison"), 1)
    assert first.reason.startswith("it is")
    assert first.at <= second.at
    assert (await queue.depth(CHUNKS)).dead == 1
    assert await queue.replay("job-0") == first.task
    assert await queue.discard("job-1") == second.task
    (again,) = await queue.take(CHUNKS, 1, 5)
    assert (again.task, again.attempt) == (first.task, 1)
    assert await queue.dead() == []
    for gone in (queue.replay, queue.discard):
        with pytest.raises(NotFound):
            await gone("job-0")


async def test_who_watches_a_job_reads_what_was_noted_and_hears_what_is_noted_elsewhere(
    queue: WorkQueue,
) -> None:
    await queue.note("other", "a", b"0")
    await queue.note("job", "a", b"1")
    await queue.note("job", "a", b"2")
    seen: dict[str, bytes] = {}
    async with asyncio.timeout(20), aclosing(queue.watch("job")) as watched:
        seen |= await anext(watched)
        assert seen == {"a": b"2"}
        await queue.note("job", "b", b"3")
        await queue.note("job", "a", b"4")
        async for news in watched:
            seen |= news
            if seen == {"a": b"4", "b": b"3"}:
                break
    assert await queue.notes("job") == seen
    assert [await queue.noted("job", key) for key in "abc"] == [b"4", b"3", None]
    assert sorted(await queue.jobs("a")) == ["job", "other"]
    assert await queue.jobs("b") == ["job"]
    await queue.forget("job")
    assert await queue.notes("job") == {}
    assert await queue.jobs("a") == ["other"]


async def test_a_queue_bears_many_workers_at_once(opened: Opened) -> None:
    """Each of 200 tasks is done by just one of several workers of one opening."""
    queue = opened()
    await queue.put([task(number, CHUNKS) for number in range(200)])
    done: list[str] = []

    async def work() -> None:
        while taken := await queue.take(CHUNKS, 7, 0.2):
            for each in taken:
                await each.done()
                done.append(each.task.id)

    await asyncio.gather(*(work() for _ in range(4)))
    assert sorted(done) == sorted(task(number).id for number in range(200))
    await queue.close()
