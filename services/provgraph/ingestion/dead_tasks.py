"""Work that was given up, for a person to see, to have tried again, or to drop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from provgraph.errors import NotFound
from provgraph.ingestion.submission import WaitingFiles
from provgraph.ports.work_queue import DeadTask, QueueDepth, Task, WorkQueue
from provgraph.wire.tasks import CHUNKS, DOCUMENTS, KINDS, SMALL_DOCUMENTS, ChunksTask, DocumentsTask


@dataclass(frozen=True)
class DeadTasks:
    """`revive` is told of a task before it is given out again."""

    queue: WorkQueue
    waiting: WaitingFiles
    revive: Callable[[Task], Awaitable[None]]
    has_small: bool = False
    """Whether small documents stand in a line of their own; they are counted with the others."""

    async def depths(self) -> dict[str, QueueDepth]:
        depths = {kind: await self.queue.depth(kind) for kind in KINDS}
        if self.has_small:
            small, others = await self.queue.depth(SMALL_DOCUMENTS), depths[DOCUMENTS]
            depths[DOCUMENTS] = QueueDepth(
                others.waiting + small.waiting, others.under_way + small.under_way, others.dead + small.dead
            )
        return depths

    async def all(self) -> list[DeadTask]:
        return await self.queue.dead()

    async def replay(self, task_id: str) -> Task:
        """Raises `NotFound`."""
        await self.revive(await self._one(task_id))
        return await self.queue.replay(task_id)

    async def discard(self, task_id: str) -> Task:
        """Drop the task and the files that it waits with. Raises `NotFound`."""
        task = await self.queue.discard(task_id)
        if task.kind != CHUNKS:
            with suppress(ValueError):  # what cannot be read names no files
                await self.waiting.drop(DocumentsTask.model_validate_json(task.body).files)
        return task

    async def _one(self, task_id: str) -> Task:
        for dead in await self.queue.dead():
            if dead.task.id == task_id:
                return dead.task
        raise NotFound(
            f"There is no failed task {task_id[:80]}. See what there is with 'provgraph queue dead'."
        )


def names_of(task: Task) -> list[str]:
    """What a person calls the files that a task is about."""
    try:
        if task.kind != CHUNKS:
            return [file.name for file in DocumentsTask.model_validate_json(task.body).files]
        chunks = ChunksTask.model_validate_json(task.body).chunks
        return list(dict.fromkeys(each.source for each in chunks))
    except ValueError:  # what cannot be read may be just what is wrong with it
        return []
