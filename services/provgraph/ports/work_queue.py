"""Port of the work that is handed out: on the local disk for one process, or by a broker for any number of
them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True)
class Task:
    """A piece of work of one `job`; workers of its `kind` understand the `body`.

    `id` is unique in the queue, and like `job` and `kind` made of letters, digits and hyphens.
    """

    id: str
    job: str
    kind: str
    body: bytes


@dataclass(frozen=True)
class DeadTask:
    """A task that was given up, after so many attempts, and why; it waits for a person."""

    task: Task
    reason: str
    attempts: int
    at: datetime


@dataclass(frozen=True)
class QueueDepth:
    """Of one kind: tasks that wait, that workers have, and that were given up."""

    waiting: int = 0
    under_way: int = 0
    dead: int = 0


class Delivery(Protocol):
    """A task in a worker's hands. Just one of `done`, `give_back` and `bury` ends it; without any of them, and without
    a sign of life for `WorkQueue.patience_s`, the task is given to another worker."""

    @property
    def task(self) -> Task: ...

    @property
    def attempt(self) -> int:
        """From 1; how often the task has been given out."""
        ...

    async def sign_of_life(self) -> None:
        """Keep the task for another `patience_s`."""
        ...

    async def done(self) -> None:
        """Durable on return: the task is not given out again."""
        ...

    async def give_back(self, after_s: float = 0) -> None:
        """Have it given out again, after so many seconds."""
        ...

    async def bury(self, reason: str) -> None:
        """Put it among the dead."""
        ...


class WorkQueue(Protocol):
    """Tasks by kind, each given out in the order of their coming until a worker is done with it; and notes of jobs.

    A task is given out at least once. What a worker does must bear being done twice.
    Raises `Unavailable` where the queue cannot be reached or written, or takes no more for now.
    """

    @property
    def patience_s(self) -> float:
        """After so many seconds without a sign of life a worker is taken for dead."""
        ...

    async def put(self, tasks: Sequence[Task]) -> None:
        """Durable on return. A task that the queue has is not put twice."""
        ...

    async def take(self, kind: str, limit: int, wait_s: float) -> list[Delivery]:
        """Up to `limit` tasks; none when none has come in `wait_s` seconds."""
        ...

    async def depth(self, kind: str) -> QueueDepth: ...

    async def dead(self) -> list[DeadTask]:
        """What was given up, oldest first."""
        ...

    async def replay(self, task_id: str) -> Task:
        """Have a dead task given out again, as if for the first time. Raises `NotFound`."""
        ...

    async def discard(self, task_id: str) -> Task:
        """Remove a dead task for good. Raises `NotFound`."""
        ...

    async def note(self, job: str, key: str, body: bytes) -> None:
        """Write a note of a job in the place of the last one of that key. Durable on return."""
        ...

    async def noted(self, job: str, key: str) -> bytes | None:
        """One note of a job."""
        ...

    async def notes(self, job: str) -> Mapping[str, bytes]:
        """The notes of a job by key; empty for one that is not known."""
        ...

    def watch(self, job: str) -> AsyncGenerator[Mapping[str, bytes]]:
        """All notes of a job, then again and again those that were written since; never ends by itself.

        An empty mapping says that nothing has come for a while.
        """
        ...

    async def jobs(self, key: str) -> list[str]:
        """The jobs that have a note of this key."""
        ...

    async def forget(self, job: str) -> None:
        """Remove the notes of a job."""
        ...

    async def close(self) -> None: ...
