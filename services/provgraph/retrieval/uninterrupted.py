"""Changes to an index, in a thread: nobody else touches the index before they have ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar, TypeVarTuple, Unpack

from anyio import CancelScope, to_thread

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


async def uninterrupted(change: Callable[[Unpack[Ts]], T], *arguments: *Ts) -> T:
    """What `change` returns. A thread cannot be broken off: a cancellation that comes meanwhile counts when it ends,
    and a lock that the caller holds is held until then."""
    changing = asyncio.create_task(to_thread.run_sync(change, *arguments))
    with CancelScope(shield=True):
        try:
            await asyncio.shield(changing)
        except asyncio.CancelledError:
            while not changing.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([changing])
            raise
    return changing.result()
