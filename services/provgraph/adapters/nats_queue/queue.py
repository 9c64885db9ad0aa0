"""`WorkQueue` on JetStream: tasks in streams that workers pull from, each kept until one of them is done with it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import uuid4

import nats.errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, Header, RawStreamMsg
from nats.js.errors import FetchTimeoutError, NotFoundError

from provgraph.adapters.nats_queue.connection import (
    CALL_S,
    DEAD,
    NOTES,
    WORKERS,
    BrokerConnection,
    cancellation_kept,
    dead_subject,
    note_subject,
    task_subject,
    tasks_stream,
)
from provgraph.errors import NotFound
from provgraph.ports.work_queue import DeadTask, Delivery, QueueDepth, Task

_TASK: Final = "Provgraph-Task"
_JOB: Final = "Provgraph-Job"
_REASON: Final = "Provgraph-Reason"
_ATTEMPTS: Final = "Provgraph-Attempts"


class NatsWorkQueue:
    """A call is tried again for `wait_s` seconds before it raises `Unavailable`."""

    def __init__(self, url: str, patience_s: float = 30.0, wait_s: float = 30.0) -> None:
        self._connection = BrokerConnection(url, patience_s, wait_s)
        self._notes = BrokerNotes(self._connection)
        self._pulls: dict[str, JetStreamContext.PullSubscription] = {}

    @property
    def patience_s(self) -> float:
        return self._connection.patience_s

    async def put(self, tasks: Sequence[Task]) -> None:
        for task in tasks:
            await self._publish(task, task.id)

    async def take(self, kind: str, limit: int, wait_s: float) -> list[Delivery]:
        async def fetched(streams: JetStreamContext) -> list[Msg]:
            if kind not in self._pulls:
                self._pulls[kind] = await streams.pull_subscribe_bind(WORKERS, tasks_stream(kind))
            try:
                return await self._pulls[kind].fetch(limit, timeout=wait_s)
            except (TimeoutError, FetchTimeoutError):
                return []

        return [
            _Held(self, _task(message, kind), message) for message in await self._connection.call(fetched)
        ]

    async def depth(self, kind: str) -> QueueDepth:
        async def looked(streams: JetStreamContext) -> QueueDepth:
            kept = (await streams.stream_info(tasks_stream(kind))).state.messages
            under_way = (await streams.consumer_info(tasks_stream(kind), WORKERS)).num_ack_pending or 0
            return QueueDepth(max(kept - under_way, 0), under_way, len(await _dead(streams, kind)))

        return await self._connection.call(looked)

    async def dead(self) -> list[DeadTask]:
        async def listed(streams: JetStreamContext) -> list[DeadTask]:
            found = [await streams.get_last_msg(DEAD, subject) for subject in await _dead(streams)]
            return sorted((_dead_task(message) for message in found), key=lambda dead: dead.at)

        return await self._connection.call(listed)

    async def replay(self, task_id: str) -> Task:
        task, number = await self._find_dead(task_id)
        await self._publish(
            task, f"{task.id}-{uuid4().hex}"
        )  # the broker must not take it for the one it knows
        await self._connection.call(lambda streams: streams.delete_msg(DEAD, number))
        return task

    async def discard(self, task_id: str) -> Task:
        task, number = await self._find_dead(task_id)
        await self._connection.call(lambda streams: streams.delete_msg(DEAD, number))
        return task

    async def note(self, job: str, key: str, body: bytes) -> None:
        await self._notes.write(job, key, body)

    async def noted(self, job: str, key: str) -> bytes | None:
        return await self._notes.one(job, key)

    async def notes(self, job: str) -> Mapping[str, bytes]:
        return await self._notes.read(job)

    def watch(self, job: str) -> AsyncGenerator[Mapping[str, bytes]]:
        return self._notes.watch(job)

    async def jobs(self, key: str) -> list[str]:
        return await self._notes.jobs(key)

    async def forget(self, job: str) -> None:
        await self._notes.forget(job)

    async def answers(self, seconds: float) -> None:
        """Raises `Unavailable` where the broker does not answer within so many seconds."""
        await self._connection.answers(seconds)

    def stop_waiting(self) -> None:
        """Let no call wait any longer for a broker that does not answer."""
        self._connection.stop_waiting()

    async def close(self) -> None:
        await self._connection.close()

    async def acknowledge(self, message: Msg) -> None:
        client = await self._connection.client()
        await self._connection.call(lambda _: client.request(message.reply, b"+ACK", timeout=CALL_S))

    async def mark_dead(self, task: Task, attempts: int, reason: str) -> None:
        headers = {
            _TASK: task.id,
            _JOB: task.job,
            _ATTEMPTS: str(attempts),
            _REASON: " ".join(reason.split())[:1_000].encode("ascii", "backslashreplace").decode(),
        }
        subject = dead_subject(task.kind, task.id)
        await self._connection.call(
            lambda streams: streams.publish(subject, task.body, stream=DEAD, headers=headers)
        )

    async def _publish(self, task: Task, message_id: str) -> None:
        headers = {Header.MSG_ID.value: message_id, _TASK: task.id}
        stream, subject = tasks_stream(task.kind), task_subject(task.kind, task.job)
        await self._connection.call(
            lambda streams: streams.publish(subject, task.body, stream=stream, headers=dict(headers))
        )

    async def _find_dead(self, task_id: str) -> tuple[Task, int]:
        async def found(streams: JetStreamContext) -> RawStreamMsg | None:
            named = [subject for subject in await _dead(streams) if subject.rpartition(".")[2] == task_id]
            return await streams.get_last_msg(DEAD, named[0]) if named else None

        message = await self._connection.call(found)
        if message is None:
            raise NotFound(
                f"There is no failed task {task_id[:80]}. See what there is with 'provgraph queue dead'."
            )
        return _dead_task(message).task, message.seq or 0


@dataclass(frozen=True)
class _Held:
    queue: NatsWorkQueue
    task: Task
    message: Msg

    @property
    def attempt(self) -> int:
        return self.message.metadata.num_delivered

    async def sign_of_life(self) -> None:
        with suppress(nats.errors.Error), cancellation_kept():  # the next one may come through
            await self.message.in_progress()

    async def done(self) -> None:
        await self.queue.acknowledge(self.message)

    async def give_back(self, after_s: float = 0) -> None:
        with (
            suppress(nats.errors.Error),
            cancellation_kept(),
        ):  # without signs of life it goes back by itself
            await self.message.nak(delay=after_s or None)

    async def bury(self, reason: str) -> None:
        await self.queue.mark_dead(self.task, self.attempt, reason)
        await self.done()


def _task(message: Msg, kind: str) -> Task:
    headers = message.headers or {}
    return Task(headers.get(_TASK, ""), message.subject.rpartition(".")[2], kind, message.data)


def _dead_task(message: RawStreamMsg) -> DeadTask:
    headers = message.headers or {}
    kind, task_id = (message.subject or "").split(".")[2:]
    return DeadTask(
        Task(task_id, headers.get(_JOB, ""), kind, message.data or b""),
        headers.get(_REASON, ""),
        int(headers.get(_ATTEMPTS, "0")),
        message.time or datetime.now(UTC),
    )


async def _dead(streams: JetStreamContext, kind: str = "*") -> list[str]:
    """The subjects of dead tasks."""
    with suppress(NotFoundError):
        return list(
            (await streams.stream_info(DEAD, subjects_filter=dead_subject(kind, "*"))).state.subjects or {}
        )
    return []


_WATCH_S: Final = 1.0
_LOOK_AGAIN_S: Final = 10.0
_AT_ONCE: Final = 256


@dataclass(frozen=True)
class BrokerNotes:
    connection: BrokerConnection

    async def write(self, job: str, key: str, body: bytes) -> None:
        await self.connection.call(
            lambda streams: streams.publish(note_subject(job, key), body, stream=NOTES)
        )

    async def read(self, job: str) -> Mapping[str, bytes]:
        return await self.connection.call(lambda streams: _read(streams, job))

    async def one(self, job: str, key: str) -> bytes | None:
        async def last(streams: JetStreamContext) -> bytes | None:
            try:
                return (await streams.get_last_msg(NOTES, note_subject(job, key))).data or b""
            except NotFoundError:
                return None

        return await self.connection.call(last)

    async def watch(self, job: str) -> AsyncGenerator[Mapping[str, bytes]]:
        """What is noted while it is noted, and all of it again where something may have been missed."""
        client = await self.connection.client()
        with cancellation_kept():
            heard = await client.subscribe(note_subject(job, "*"))
        generation, looked = -1, 0.0
        try:
            while True:
                if generation != self.connection.generation or time.monotonic() > looked + _LOOK_AGAIN_S:
                    generation, looked = self.connection.generation, time.monotonic()
                    yield await self.read(job)
                try:
                    with cancellation_kept():
                        notes = await _next(heard)
                except (TimeoutError, nats.errors.Error):
                    notes = {}
                yield notes
        finally:
            if not client.is_closed:
                await heard.unsubscribe()

    async def jobs(self, key: str) -> list[str]:
        subjects = await self.connection.call(lambda streams: _subjects(streams, note_subject("*", key)))
        return [subject.split(".")[2] for subject in subjects]

    async def forget(self, job: str) -> None:
        await self.connection.call(
            lambda streams: streams.purge_stream(NOTES, subject=note_subject(job, "*"))
        )


async def _read(streams: JetStreamContext, job: str) -> dict[str, bytes]:
    config = ConsumerConfig(
        ack_policy=AckPolicy.EXPLICIT, max_ack_pending=-1, inactive_threshold=30, mem_storage=True
    )
    reading = await streams.pull_subscribe(note_subject(job, "*"), stream=NOTES, config=config)
    try:
        left = (await reading.consumer_info()).num_pending or 0
        notes: dict[str, bytes] = {}
        async with asyncio.timeout(CALL_S + left / 1_000):
            while left > 0:
                messages = await reading.fetch(min(left, _AT_ONCE), timeout=CALL_S)
                notes |= {_key(message): message.data for message in messages}
                left -= len(messages)
        return notes
    finally:
        await reading.unsubscribe()


async def _next(heard: Subscription) -> dict[str, bytes]:
    """What is noted next, and what more has come by then."""
    notes: dict[str, bytes] = {}
    while not notes or heard.pending_msgs:
        message = await heard.next_msg(_WATCH_S)
        notes[_key(message)] = message.data
    return notes


async def _subjects(streams: JetStreamContext, pattern: str) -> list[str]:
    return list((await streams.stream_info(NOTES, subjects_filter=pattern)).state.subjects or {})


def _key(message: Msg) -> str:
    return message.subject.rpartition(".")[2]
