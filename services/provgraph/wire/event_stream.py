"""Server-sent events, as every streaming route sends them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from fastapi.responses import StreamingResponse
from fastapi.sse import EventSourceResponse, format_sse_event
from pydantic import BaseModel

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
