"""What a broker says that takes no more, in the words of a user."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import nats
import pytest

from provgraph.adapters.nats_queue.queue import NatsWorkQueue
from provgraph.adapters.nats_queue.streams import stream_configs, tasks_stream
from provgraph.errors import NoRoom
from provgraph.ports.work_queue import Task
from provgraph.wire.tasks import DOCUMENTS
from servers.nats_server import NatsServer, nats_server


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
