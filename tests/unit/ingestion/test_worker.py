"""A worker over a queue on the disk: what it tries again, what it gives up, and what it waits for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from provgraph.adapters.disk_queue import DiskWorkQueue
from provgraph.errors import InvalidInput, NoRoom, Unavailable
from provgraph.ingestion.queued_jobs import CANCELLED
from provgraph.ingestion.worker import CHUNKS_AHEAD, RetryLimits, Worker
from provgraph.ports.work_queue import Delivery, Task
from provgraph.wire.problem import Problem
from provgraph.wire.tasks import CHUNKS, DOCUMENTS


@dataclass
class ScriptedWork:
    """Fails as it is told, one failure a time; then it waits until it may go on."""

    failures: list[Exception] = field(default_factory=list)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)
    begun: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    given_up: list[tuple[str, str]] = field(default_factory=list)
    waited_for: list[str] = field(default_factory=list)

    async def do(self, delivery: Delivery) -> None:
        self.begun.append(delivery.task.id)
        if self.failures:
            raise self.failures.pop(0)
        await self.may_end.wait()
        self.ended.append(delivery.task.id)

    async def wait(self, task: Task, problem: Problem) -> None:  # noqa: ARG002
        self.waited_for.append(problem.detail)

    async def give_up(self, task: Task, problem: Problem | None = None) -> None:
        self.given_up.append((task.id, problem.detail if problem else ""))


def task(number: int = 0, kind: str = DOCUMENTS) -> Task:
    return Task(f"job-{number}", "job", kind, b"")


@asynccontextmanager
async def at_work(
    folder: Path, work: ScriptedWork, patience: RetryLimits, queue_patience_s: float = 30.0
) -> AsyncIterator[DiskWorkQueue]:
    queue = DiskWorkQueue(folder / "work.sqlite", queue_patience_s)
    worker = Worker(queue, {DOCUMENTS: work, CHUNKS: work}, patience, at_once=0)
    async with asyncio.timeout(30):
        worker.start()
        yield queue
        await worker.close()
    await queue.close()


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


async def test_what_fails_as_often_as_it_may_is_put_among_the_dead_with_its_reason(tmp_path: Path) -> None:
    work = ScriptedWork([ValueError("one"), ValueError("two")])
    async with at_work(tmp_path, work, RetryLimits(attempts=2)) as queue:
        await queue.put([task()])
        await until(lambda: work.given_up)
        while not (dead := await queue.dead()):
            await asyncio.sleep(0.01)
        assert "two" in dead[0].reason
        assert work.given_up == [("job-0", dead[0].reason)]
        assert len(work.begun) == 2


async def test_what_can_never_succeed_is_not_tried_again(tmp_path: Path) -> None:
    work = ScriptedWork([InvalidInput("no such extractor")])
    async with at_work(tmp_path, work, RetryLimits(attempts=5)) as queue:
        await queue.put([task()])
        while not (dead := await queue.dead()):
            await asyncio.sleep(0.01)
        assert (dead[0].reason, dead[0].attempts) == ("no such extractor", 1)


async def test_a_task_waits_while_what_it_needs_is_away_and_that_counts_as_no_attempt(tmp_path: Path) -> None:
    work = ScriptedWork([Unavailable("the store is away")] * 3)
    work.may_end.set()
    away = [Unavailable("still away")] * 3

    async def probe() -> None:
        if away:
            raise away.pop()

    async with at_work(tmp_path, work, RetryLimits(1, [probe], pause_s=0.01)) as queue:
        await queue.put([task()])
        await until(lambda: work.ended)
        assert work.given_up == []
    assert len(work.begun) == 4


async def test_a_task_waits_for_room_as_long_as_there_is_none_and_says_so(tmp_path: Path) -> None:
    work = ScriptedWork([NoRoom("the disk is full")] * 3)
    work.may_end.set()
    async with at_work(tmp_path, work, RetryLimits(1, pause_s=0.01)) as queue:
        await queue.put([task()])
        await until(lambda: work.ended)
        assert (work.given_up, await queue.dead()) == ([], [])
    assert work.waited_for == ["the disk is full"] * 3


async def test_long_work_keeps_its_task_by_signs_of_life(tmp_path: Path) -> None:
    work = ScriptedWork()
    async with at_work(tmp_path, work, RetryLimits(5), queue_patience_s=0.2) as queue:
        await queue.put([task()])
        await until(lambda: work.begun)
        assert await queue.take(DOCUMENTS, 1, 1.0) == []
        work.may_end.set()
        await until(lambda: work.ended)
    assert (work.begun, work.given_up) == (["job-0"], [])


async def test_cancelling_a_job_ends_the_work_that_is_under_way_and_what_waits(tmp_path: Path) -> None:
    work = ScriptedWork()
    async with at_work(tmp_path, work, RetryLimits(5)) as queue:
        await queue.put([task(0), task(1)])
        await until(lambda: work.begun)
        await queue.note("job", CANCELLED, b"")
        await until(lambda: len(work.given_up) == 2)
        assert (work.begun, work.ended) == (["job-0"], [])
        assert work.given_up == [("job-0", ""), ("job-1", "")]


async def test_no_more_documents_are_read_while_many_chunks_wait(tmp_path: Path) -> None:
    work = ScriptedWork()
    work.may_end.set()
    queue = DiskWorkQueue(tmp_path / "work.sqlite")
    await queue.put([task(number, CHUNKS) for number in range(CHUNKS_AHEAD + 1)])
    await queue.close()
    async with at_work(tmp_path, work, RetryLimits(5, pause_s=0.01)) as queue:
        await queue.put([Task("other-0", "other", DOCUMENTS, b"")])
        (left_alone,) = await queue.take(DOCUMENTS, 1, 5)
        await left_alone.give_back()
        await asyncio.sleep(0.2)  # in which a worker that did not wait would have taken it
        assert work.begun == []
        (first,) = await queue.take(CHUNKS, 1, 5)  # one that is under way does not wait
        await until(lambda: work.begun)
        assert work.begun == ["other-0"]
        await first.done()


async def test_a_task_that_no_worker_survives_is_given_up(tmp_path: Path) -> None:
    queue = DiskWorkQueue(tmp_path / "work.sqlite")
    await queue.put([task()])
    for _ in range(2):  # two workers that die with it
        await queue.take(DOCUMENTS, 1, 1)
        await queue.close()
        queue = DiskWorkQueue(tmp_path / "work.sqlite")
    await queue.close()
    work = ScriptedWork()
    async with at_work(tmp_path, work, RetryLimits(attempts=2)) as queue:
        while not (dead := await queue.dead()):
            await asyncio.sleep(0.01)
        assert "no worker came to its end" in dead[0].reason
        assert work.begun == []


@dataclass
class UntidyWork(ScriptedWork):
    """Cannot clear up when it is cut off for the first time, as where the store is away."""

    async def do(self, delivery: Delivery) -> None:
        try:
            await super().do(delivery)
        finally:
            if len(self.begun) == 1:
                raise Unavailable("the store is away")


async def test_a_worker_ends_though_its_task_cannot_clear_up(tmp_path: Path) -> None:
    work = UntidyWork()

    async def away() -> None:
        raise Unavailable("the store is away")

    async with at_work(tmp_path, work, RetryLimits(attempts=2, probes=[away], pause_s=0)) as queue:
        await queue.put([task()])
        await until(lambda: work.begun)
    assert not work.ended
    assert not work.given_up
