"""A worker: takes tasks from the queue, one of documents and some of chunks at a time, and ends each after its write.

A worker may die at any moment. What it had is given to another one, to whom the store says what is done.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Protocol

from provgraph.errors import BudgetSpent, ModelUnavailable, NoRoom, ProvGraphError, Unavailable
from provgraph.ingestion.queued_jobs import CANCELLED
from provgraph.ports.work_queue import Delivery, Task, WorkQueue
from provgraph.wire.problem import Problem
from provgraph.wire.tasks import CHUNKS, DOCUMENTS

logger = logging.getLogger(__name__)

CHUNKS_AHEAD: Final = 1_000
"""Tasks of chunks that may wait; while there are more, no further documents are read."""
_TAKE_S: Final = 5.0
"""Short, because a broker that was away has forgotten who asked it."""
_LOOK_S: Final = 1.0
_LONGEST_REST_S: Final = 60.0


class TaskHandler(Protocol):
    async def do(self, delivery: Delivery) -> None:
        """Durable on return."""
        ...

    async def wait(self, task: Task, problem: Problem) -> None:
        """Note what the task waits for at present."""
        ...

    async def give_up(self, task: Task, problem: Problem | None = None) -> None:
        """Note that the task was cancelled, or why it is put among the dead."""
        ...


@dataclass(frozen=True)
class RetryLimits:
    """How often a task is tried that fails, and what is asked whether it was the task's fault: while one of `probes`
    raises `Unavailable`, it was not, and the task waits `pause_s` seconds at a time. So it does, unasked, for room."""

    attempts: int
    probes: Sequence[Callable[[], Awaitable[None]]] = ()
    pause_s: float = 2.0

    async def all_answer(self) -> bool:
        try:
            for probe in self.probes:
                await probe()
        except Unavailable as error:
            logger.warning("waiting: %s", error)
            return False
        return True


@dataclass
class Worker:
    """`works` by kind; `at_once` is how many tasks of chunks it has at a time."""

    queue: WorkQueue
    works: Mapping[str, TaskHandler]
    patience: RetryLimits
    at_once: int
    _loops: list[asyncio.Task[None]] = field(default_factory=list)

    def start(self) -> None:
        kinds = [DOCUMENTS, *[CHUNKS] * self.at_once]
        self._loops = [asyncio.create_task(self._run(kind)) for kind in kinds]

    async def close(self) -> None:
        """What is under way goes to another worker."""
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)

    async def _run(self, kind: str) -> None:
        while not _is_to_end():
            try:
                if kind == DOCUMENTS and (await self.queue.depth(CHUNKS)).waiting > CHUNKS_AHEAD:
                    await asyncio.sleep(self.patience.pause_s)
                    continue
                for delivery in await self.queue.take(kind, 1, _TAKE_S):
                    await self._handle(delivery)
            except Unavailable as error:
                logger.warning("the work queue is not available: %s", error)
                await asyncio.sleep(self.patience.pause_s)
            except Exception:
                logger.exception("a worker failed in a way that nobody foresaw; the task is given out again")
                await asyncio.sleep(self.patience.pause_s)

    async def _handle(self, delivery: Delivery) -> None:
        task = delivery.task
        doing = asyncio.create_task(self._done(delivery))
        keeping = asyncio.create_task(self._keep(delivery, doing))
        try:
            await doing
        except asyncio.CancelledError:
            if _is_to_end() or not doing.cancelled() or not await self._is_cancelled(task):
                raise
            await self._end_cancelled(delivery)
        finally:
            keeping.cancel()
            doing.cancel()
            await asyncio.gather(doing, keeping, return_exceptions=True)

    async def _done(self, delivery: Delivery) -> None:
        """Do the task, and wait with it while something that it needs is away."""
        task, work = delivery.task, self.works[delivery.task.kind]
        if await self._is_cancelled(task):
            await self._end_cancelled(delivery)
            return
        if delivery.attempt > self.patience.attempts:
            await self._bury(delivery, Unavailable(_NO_END.format(attempts=delivery.attempt - 1)))
            return
        while True:
            try:
                await work.do(delivery)
            except (ModelUnavailable, BudgetSpent) as error:
                await self._failed(delivery, error)
            except Unavailable as error:
                if await self._waited(task, error):
                    continue
                await self._failed(delivery, error)
            except ProvGraphError as error:
                await self._bury(delivery, error)
            except Exception as error:
                logger.exception("task %s failed in a way that nobody foresaw", task.id)
                await self._failed(delivery, ProvGraphError(f"It failed unexpectedly ({error!r:.200})."))
            else:
                await delivery.done()
            return

    async def _waited(self, task: Task, error: Unavailable) -> bool:
        """Whether something that the task needs is away or full, so that a pause was made. Raises the error of a task
        that is to end."""
        if _is_to_end():
            raise error
        logger.warning("task %s: %s", task.id, error)
        if not isinstance(error, NoRoom) and await self.patience.all_answer():
            return False
        with suppress(Unavailable):  # the queue itself may be what is waited for
            await self.works[task.kind].wait(task, Problem.of(error))
        await asyncio.sleep(self.patience.pause_s)
        return True

    async def _failed(self, delivery: Delivery, error: ProvGraphError) -> None:
        """Try it again later, a few times."""
        if delivery.attempt >= self.patience.attempts:
            await self._bury(delivery, error)
        else:
            await delivery.give_back(min(2.0**delivery.attempt, _LONGEST_REST_S))

    async def _bury(self, delivery: Delivery, error: ProvGraphError) -> None:
        logger.error("task %s is put among the dead: %s", delivery.task.id, error)
        await self.works[delivery.task.kind].give_up(delivery.task, Problem.of(error))
        await delivery.bury(str(error))

    async def _end_cancelled(self, delivery: Delivery) -> None:
        await self.works[delivery.task.kind].give_up(delivery.task)
        await delivery.done()

    async def _is_cancelled(self, task: Task) -> bool:
        return await self.queue.noted(task.job, CANCELLED) is not None

    async def _keep(self, delivery: Delivery, doing: asyncio.Task[None]) -> None:
        """Keep the task while it is worked on, and end the work when the job is cancelled."""
        signed = time.monotonic()
        while True:
            await asyncio.sleep(min(_LOOK_S, self.queue.patience_s / 4))
            if time.monotonic() - signed > self.queue.patience_s / 4:
                await delivery.sign_of_life()
                signed = time.monotonic()
            try:
                if await self._is_cancelled(delivery.task):
                    doing.cancel()
                    return
            except Unavailable:
                continue  # a cancelled job ends when the queue can be asked again


def _is_to_end() -> bool:
    """Whether this loop or task has been cancelled. Clearing up may have failed since, as where the store is away, and
    that failure stands in the place of the cancellation."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


_NO_END: Final = (
    "It was given out {attempts} times, and no worker came to its end. If workers were not ended for another reason, "
    "split the file; have it tried again with 'provgraph queue replay'."
)
