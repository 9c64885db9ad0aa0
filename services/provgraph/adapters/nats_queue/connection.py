"""The connection to a broker: it is made anew for as long as the process lives, and calls wait for it a while."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import nats
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError, ServiceUnavailableError

from provgraph.adapters.full_storage import tells_of_no_room
from provgraph.errors import InvalidInput, NoRoom, Unavailable, said_by
from provgraph.wire.tasks import KINDS


@contextmanager
def cancellation_kept() -> Iterator[None]:
    """Raises `CancelledError` in the end if this task was cancelled since the beginning, and that was lost."""
    task = asyncio.current_task()
    assert task is not None
    asked = task.cancelling()
    try:
        yield
    except Exception as error:
        if task.cancelling() > asked:
            raise asyncio.CancelledError from error
        raise
    if task.cancelling() > asked:
        raise asyncio.CancelledError


T = TypeVar("T")

logger = logging.getLogger(__name__)

CALL_S: Final = 5.0
_CONNECT_S: Final = 3.0
_NOT_STORED: Final = 10_077
"""JetStream's code for a message that it could not keep: its stream has as many as it may, or a write failed."""
_NO_RESOURCES: Final = (10_023, 10_047)
"""Its codes for a server, and an account, that has used up the disk it may use."""
_OF_ROOM: Final = (_NOT_STORED, *_NO_RESOURCES)
_PAUSE_S: Final = 0.2


class BrokerConnection:
    """Opened by the first call. Every call is tried again for `wait_s` seconds while the broker cannot be reached, then
    told as `Unavailable`."""

    def __init__(self, url: str, patience_s: float, wait_s: float) -> None:
        if not url.startswith(("nats://", "tls://", "ws://", "wss://")):
            raise InvalidInput(
                f"PROVGRAPH_QUEUE_URL is {url!r}, which is not an address such as nats://127.0.0.1:4222. Correct it."
            )
        self._url = url
        self._told = url.rpartition("@")[2]
        self.patience_s = patience_s
        self._wait_s = wait_s
        self._client: Client | None = None
        self._streams: JetStreamContext | None = None
        self._opening = asyncio.Lock()
        self._heard: Exception | None = None
        self.generation = 0
        """Rises whenever the connection was made anew: what was said meanwhile was not heard."""

    async def call(self, call: Callable[[JetStreamContext], Awaitable[T]]) -> T:
        """Raises `Unavailable`; what is not there is told as nats-py's `NotFoundError`."""
        begun = time.monotonic()
        while True:
            try:
                with cancellation_kept():
                    return await call(await self.streams())
            except NoStreamResponseError as error:
                self._streams = None  # a broker that has lost its streams gets them again
                failure: Exception = error
            except NotFoundError:
                raise
            except APIError as error:
                if not isinstance(error, ServiceUnavailableError) or error.err_code in _OF_ROOM:
                    raise self._refused(error) from error
                failure = error
            except (OSError, TimeoutError, nats.errors.Error) as error:
                failure = error
            if time.monotonic() >= begun + self._wait_s:
                raise self.unavailable(failure) from failure
            await asyncio.sleep(_PAUSE_S)

    async def streams(self) -> JetStreamContext:
        """JetStream, with all streams and consumers there."""
        async with self._opening:
            if self._streams is None:
                client = await self._connected()
                streams = client.jetstream(timeout=CALL_S)
                await _made(streams, self.patience_s)
                self._streams = streams
            return self._streams

    async def client(self) -> Client:
        with cancellation_kept():
            await self.streams()
        assert self._client is not None
        return self._client

    async def answers(self, seconds: float) -> None:
        """Raises `Unavailable` where the broker does not answer within so many seconds."""
        try:
            with cancellation_kept():
                async with asyncio.timeout(seconds):
                    await (await self.streams()).account_info()
        except (OSError, TimeoutError, nats.errors.Error) as error:
            raise self.unavailable(error) from error

    def unavailable(self, error: Exception) -> Unavailable:
        said = said_by(error)
        return Unavailable(
            f"The message broker at {self._told} cannot be reached ({said}). See that it runs, with JetStream "
            "(nats-server -js), and that PROVGRAPH_QUEUE_URL names it; then try again."
        )

    def stop_waiting(self) -> None:
        """Every call is tried once from now on."""
        self._wait_s = 0.0

    async def close(self) -> None:
        if self._client is not None and not self._client.is_closed:
            await self._client.close()

    async def _connected(self) -> Client:
        if self._client is None or self._client.is_closed:
            self._heard = None
            try:
                # one that is to be made anew for ever is also begun for ever
                async with asyncio.timeout(_CONNECT_S):
                    self._client = await nats.connect(
                        self._url,
                        max_reconnect_attempts=-1,
                        reconnect_time_wait=_PAUSE_S,
                        allow_reconnect=True,
                        connect_timeout=2,
                        ping_interval=5,
                        max_outstanding_pings=2,
                        error_cb=self._noted,
                        reconnected_cb=self._reconnected,
                    )
            except TimeoutError as error:
                raise self._heard or error from error
        return self._client

    async def _noted(self, error: Exception) -> None:
        logger.info("connection to the broker: %s", error)
        self._heard = error

    async def _reconnected(self) -> None:
        self.generation += 1

    def _refused(self, error: APIError) -> Unavailable:
        if error.err_code in _NO_RESOURCES or tells_of_no_room(error.description or ""):
            return NoRoom(
                f"The message broker at {self._told} has no room for a message ({error.description}). Free some space "
                "on its disk, or let JetStream use more of it, and restart it; queued work continues by itself; "
                "send anything else again."
            )
        if error.err_code == _NOT_STORED:
            return NoRoom(
                "The work queue is full. Wait until the workers have caught up, or start more of them "
                "('provgraph serve extraction'); then send the document again."
            )
        return Unavailable(
            f"The message broker at {self._told} refuses ({error.description}). See its log; it needs JetStream, and "
            "room on its disk."
        )


async def _made(streams: JetStreamContext, patience_s: float) -> None:
    for config in stream_configs():
        await _made_stream(streams, config)
    for kind in KINDS:
        stream = tasks_stream(kind)
        try:
            await streams.consumer_info(stream, WORKERS)
        except NotFoundError:
            await streams.add_consumer(stream, workers_config(patience_s))


async def _made_stream(streams: JetStreamContext, config: StreamConfig) -> None:
    assert config.name is not None
    try:
        await streams.stream_info(config.name)
    except NotFoundError:
        await streams.add_stream(config)


WORKERS: Final = "workers"
"""The consumer of each stream of tasks that all workers take from."""
DEAD: Final = "provgraph-dead"
NOTES: Final = "provgraph-notes"
MOST_TASKS: Final = 100_000
"""Of one kind; who has more to put is told to wait, and the broker's disk does not fill up."""
_NOTES_LAST_S: Final = 7 * 24 * 3600.0
_SAME_WITHIN_S: Final = 120.0


def tasks_stream(kind: str) -> str:
    return f"provgraph-{kind}"


def task_subject(kind: str, job: str) -> str:
    return f"provgraph.work.{kind}.{job}"


def dead_subject(kind: str, task: str) -> str:
    return f"provgraph.dead.{kind}.{task}"


def note_subject(job: str, key: str) -> str:
    return f"provgraph.notes.{job}.{key}"


def stream_configs() -> list[StreamConfig]:
    return [
        *(_tasks(kind) for kind in KINDS),
        StreamConfig(
            name=DEAD,
            subjects=[dead_subject("*", "*")],
            storage=StorageType.FILE,
            max_msgs_per_subject=1,
        ),
        StreamConfig(
            name=NOTES,
            subjects=[note_subject("*", "*")],
            storage=StorageType.FILE,
            max_msgs_per_subject=1,
            max_age=_NOTES_LAST_S,
        ),
    ]


def workers_config(patience_s: float) -> ConsumerConfig:
    """Every task is given out until a worker is done with it: who gives it up is not the broker but a worker."""
    return ConsumerConfig(
        durable_name=WORKERS,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=patience_s,
        max_deliver=-1,
        max_ack_pending=MOST_TASKS,
    )


def _tasks(kind: str) -> StreamConfig:
    return StreamConfig(
        name=tasks_stream(kind),
        subjects=[task_subject(kind, "*")],
        storage=StorageType.FILE,
        retention=RetentionPolicy.WORK_QUEUE,
        discard=DiscardPolicy.NEW,
        max_msgs=MOST_TASKS,
        duplicate_window=_SAME_WITHIN_S,
    )
