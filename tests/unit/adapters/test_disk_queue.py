"""What the queue on the disk survives that the port does not speak of."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from provgraph.adapters.disk_queue import DiskWorkQueue
from provgraph.errors import Unavailable
from provgraph.ports.work_queue import Task


async def test_it_may_be_closed_while_a_call_runs_that_nobody_waits_for(tmp_path: Path) -> None:
    for round_ in range(3):
        queue = DiskWorkQueue(tmp_path / f"{round_}.sqlite")
        await queue.put([Task(str(number), "job", "documents", b"x" * 500) for number in range(20_000)])
        counting = [asyncio.create_task(queue.depth("documents")) for _ in range(3)]
        await asyncio.sleep(0.003)
        for each in counting:
            each.cancel()
        await queue.close()
        for each in counting:
            with suppress(asyncio.CancelledError, Unavailable):
                await each


async def test_what_comes_after_the_end_is_told(tmp_path: Path) -> None:
    queue = DiskWorkQueue(tmp_path / "work.sqlite")
    await queue.close()
    with pytest.raises(Unavailable, match=r"work\.sqlite cannot be used"):
        await queue.depth("documents")
