"""Notes of jobs: the last message of each subject of one stream."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Final

import nats.errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig
from nats.js.errors import NotFoundError

from provgraph.adapters.nats_queue.connection import CALL_S, BrokerConnection, cancellation_kept
from provgraph.adapters.nats_queue.streams import NOTES, note_subject

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
