"""A broker that is full, away or silent, and a network to it that breaks: what is told, and that no task is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import nats
import pytest

from provgraph.adapters.nats_queue import connection
from provgraph.adapters.nats_queue.connection import stream_configs, tasks_stream
from provgraph.adapters.nats_queue.queue import NatsWorkQueue
from provgraph.errors import NoRoom, Unavailable
from provgraph.ports.work_queue import Delivery, QueueDepth, Task
from provgraph.wire.tasks import DOCUMENTS
from servers.cutting_proxy import cutting_proxy
from servers.nats_server import NatsServer, nats_server
from servers.served_process import free_port


def task(number: int) -> Task:
    return Task(f"job-{number}", "job", DOCUMENTS, b"")


async def of_one_task(server: NatsServer) -> None:
    """Let the stream of documents take a single task."""
    client = await nats.connect(server.url)
    (config,) = [each for each in stream_configs() if each.name == tasks_stream(DOCUMENTS)]
    await client.jetstream().update_stream(replace(config, max_msgs=1))
    await client.close()


async def test_a_queue_that_has_as_many_tasks_as_it_may_says_so_at_once_and_takes_the_next_when_one_is_done(
    tmp_path: Path,
) -> None:
    with nats_server(tmp_path / "nats") as server:
        queue = NatsWorkQueue(server.url, wait_s=60)
        await queue.put([task(0)])
        await of_one_task(server)
        with pytest.raises(NoRoom, match="Wait until the workers have caught up"):
            await queue.put([task(1)])
        (taken,) = await queue.take(DOCUMENTS, 1, 10)
        await taken.done()
        await queue.put([task(1)])
        await queue.close()


@pytest.mark.slow
async def test_a_broker_that_is_away_is_told_with_what_to_do() -> None:
    queue = NatsWorkQueue(f"nats://127.0.0.1:{free_port()}", wait_s=0)
    with pytest.raises(Unavailable, match="See that it runs, with JetStream"):
        await queue.put([task(0)])
    await queue.close()


@pytest.mark.slow
async def test_through_a_network_that_breaks_and_is_slow_every_task_arrives_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "CALL_S", 0.5)
    tasks = [task(number) for number in range(5)]
    with nats_server(tmp_path / "nats") as server, cutting_proxy(server.port) as network:
        queue = NatsWorkQueue(f"nats://127.0.0.1:{network.port}", wait_s=60)
        await queue.put(tasks[:1])
        for each in tasks:
            putting = asyncio.create_task(queue.put([each]))
            await asyncio.sleep(0)
            network.cut()
            await putting
        network.delay_s = 0.01
        taken: list[Delivery] = []
        while len(taken) < len(tasks):
            taken += await queue.take(DOCUMENTS, len(tasks), 1)
        assert [each.task for each in taken] == tasks
        for delivery in taken:
            await delivery.done()
        assert await queue.depth(DOCUMENTS) == QueueDepth()
        await queue.close()


async def test_a_broker_that_says_nothing_is_told_and_gone_on_with_when_it_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "CALL_S", 0.3)
    with nats_server(tmp_path / "nats") as server:
        queue = NatsWorkQueue(server.url, wait_s=0)
        await queue.put([task(0)])
        server.running.send_signal(signal.SIGSTOP)
        os.waitpid(server.running.pid, os.WUNTRACED)  # it may take a moment to stand still
        with pytest.raises(Unavailable, match="cannot be reached"):
            await queue.put([task(1)])
        with pytest.raises(Unavailable):
            await queue.answers(0.2)
        server.running.send_signal(signal.SIGCONT)
        # It may have heard the first one too, and knows it by its name.
        await patiently(lambda: queue.put([task(1)]))
        taken = await queue.take(DOCUMENTS, 10, 5)
        while len(taken) < 2:
            taken += await queue.take(DOCUMENTS, 10, 1)
        assert sorted(each.task.id for each in taken) == ["job-0", "job-1"]
        await queue.close()


async def test_a_call_that_is_cancelled_as_its_answer_comes_ends_there(tmp_path: Path) -> None:
    with nats_server(tmp_path / "nats") as server:
        queue = NatsWorkQueue(server.url)
        await queue.depth(DOCUMENTS)
        for turns in [*range(2, 8)] * 10:
            asking = asyncio.create_task(queue.noted("job", "state"))
            for _ in range(turns):
                await asyncio.sleep(0)
            time.sleep(0.001)  # its answer lies there when this loop goes on
            await asyncio.sleep(0)
            if asking.cancel():
                with pytest.raises(asyncio.CancelledError):
                    await asking
        await queue.close()


async def patiently(call: Callable[[], Awaitable[None]]) -> None:
    """Until the broker has woken up."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await call()
            except Unavailable:
                continue
