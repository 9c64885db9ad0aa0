"""What the queue on the disk survives that the port does not speak of."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from provgraph.adapters.disk_queue import DiskWorkQueue
from provgraph.errors import NoRoom, Unavailable
from provgraph.ports.work_queue import Task


class HeldTasks(list[Task]):
    """Tasks that are not written before they may be."""

    def __init__(self, *tasks: Task) -> None:
        super().__init__(tasks)
        self.begun, self.may_end = threading.Event(), threading.Event()

    def __iter__(self) -> Iterator[Task]:
        self.begun.set()
        self.may_end.wait()
        return super().__iter__()


async def test_closing_waits_for_a_call_that_nobody_waits_for_any_more(tmp_path: Path) -> None:
    queue, tasks = DiskWorkQueue(tmp_path / "work.sqlite"), HeldTasks(Task("0", "job", "documents", b""))
    putting = asyncio.create_task(queue.put(tasks))
    await asyncio.to_thread(tasks.begun.wait)
    putting.cancel()
    with suppress(asyncio.CancelledError):
        await putting
    closing = asyncio.create_task(queue.close())
    await asyncio.wait({closing}, timeout=0.2)
    tasks.may_end.set()
    await closing
    again = DiskWorkQueue(tmp_path / "work.sqlite")
    assert (await again.depth("documents")).waiting == 1
    await again.close()


async def test_what_comes_after_the_end_is_told(tmp_path: Path) -> None:
    queue = DiskWorkQueue(tmp_path / "work.sqlite")
    await queue.close()
    with pytest.raises(Unavailable, match=r"work\.sqlite cannot be used"):
        await queue.depth("documents")


async def test_a_queue_without_room_says_so_and_takes_tasks_again_when_there_is_some(tmp_path: Path) -> None:
    queue = DiskWorkQueue(tmp_path / "work.sqlite")
    large = Task("0", "job", "documents", b"x" * 1_000_000)
    queue._rows.execute("PRAGMA max_page_count = 100")
    with pytest.raises(NoRoom, match="Free some space"):
        await queue.put([large])
    queue._rows.execute("PRAGMA max_page_count = 10000")
    await queue.put([large])
    assert (await queue.depth("documents")).waiting == 1
    await queue.close()
