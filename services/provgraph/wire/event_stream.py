"""How replies are sent: server-sent events, as every streaming route sends them, and a whole reply in one JSON, made in
a thread: one of many thousand sentences holds up nobody else's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from anyio import to_thread
from fastapi import Response
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.sse import EventSourceResponse, format_sse_event
from pydantic import BaseModel

from provgraph.errors import ProvGraphError
from provgraph.wire.problem import Problem

MEDIA_TYPE: Final = "text/event-stream"
KEEP_ALIVE_S: Final = 15.0


@dataclass(frozen=True)
class StreamedMessage:
    """One event: `id` rises within a stream, `name` is the event's type, `data` one message."""

    id: int
    name: str
    data: BaseModel


def wants_stream(accept: str) -> bool:
    return MEDIA_TYPE in accept.casefold()


def event_stream(messages: AsyncGenerator[StreamedMessage]) -> StreamingResponse:
    """The messages as SSE."""
    return frame_stream(_framed(messages))


EventNames = Mapping[type[BaseModel], str]
"""What the messages of a stream are called, by kind."""


async def numbered(messages: AsyncGenerator[BaseModel], names: EventNames) -> AsyncGenerator[StreamedMessage]:
    """Each message by the name of its kind; in the end the problem with which they break off, where they do: the answer
    has begun, so its status can tell nothing any more."""
    number = 0
    async with aclosing(messages) as stream:
        try:
            async for message in stream:
                yield StreamedMessage(number, names[type(message)], message)
                number += 1
        except ProvGraphError as error:
            yield StreamedMessage(number, "problem", Problem.of(error))


async def progress_reply(messages: AsyncGenerator[BaseModel], names: EventNames, accept: str) -> Response:
    """All messages as a stream where the client accepts one, else the last of them as JSON. Without a stream, an
    error of the messages is raised."""
    if wants_stream(accept):
        return event_stream(numbered(messages, names))
    async with aclosing(messages) as stream:
        async for message in stream:
            last = message
    return JSONResponse(last.model_dump(mode="json", exclude_none=True))


def frame_stream(frames: AsyncGenerator[bytes]) -> StreamingResponse:
    """Encoded events, with a comment in every silence of 15 seconds, so that no proxy closes the line."""
    return EventSourceResponse(
        _kept_alive(frames), headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )


async def _framed(messages: AsyncGenerator[StreamedMessage]) -> AsyncGenerator[bytes]:
    async with aclosing(messages) as stream:
        async for message in stream:
            yield _frame(message)


async def _kept_alive(frames: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    async with aclosing(frames) as stream:
        coming = asyncio.ensure_future(anext(stream, None))
        try:
            while True:
                await asyncio.wait([coming], timeout=KEEP_ALIVE_S)
                if not coming.done():
                    yield format_sse_event(comment="still working")
                    continue
                if (frame := coming.result()) is None:
                    return
                yield frame
                coming = asyncio.ensure_future(anext(stream, None))
        finally:
            coming.cancel()
            await asyncio.wait([coming])


def _frame(message: StreamedMessage) -> bytes:
    data = message.data.model_dump_json(exclude_none=True)
    return format_sse_event(event=message.name, id=str(message.id), data_str=data)


async def json_reply(make: Callable[[], BaseModel]) -> Response:
    """What `make` gives, without what it leaves open. Raises what `make` raises."""
    body = await to_thread.run_sync(lambda: make().model_dump_json(exclude_none=True))
    return Response(body, media_type="application/json")
