"""A whole reply in one JSON, made and written in a thread: one of many thousand sentences holds up nobody else's."""

from __future__ import annotations

from collections.abc import Callable

from anyio import to_thread
from fastapi import Response
from pydantic import BaseModel


async def json_reply(make: Callable[[], BaseModel]) -> Response:
    """What `make` gives, without what it leaves open. Raises what `make` raises."""
    body = await to_thread.run_sync(lambda: make().model_dump_json(exclude_none=True))
    return Response(body, media_type="application/json")
