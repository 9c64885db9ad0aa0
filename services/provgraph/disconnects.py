"""Work for a client ends when the client is gone: nobody is left to hear the answer."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

from anyio import CapacityLimiter, create_task_group, to_thread
from starlette.requests import Request

from provgraph.errors import Unavailable

T = TypeVar("T")


async def while_connected(request: Request, work: Callable[[], Awaitable[T]]) -> T:
    """What `work` gives, which is cancelled when the client hangs up: then `Unavailable` is raised, for the log.

    The body of the request must have been read.
    """
    results: list[T] = []
    async with create_task_group() as group:

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                continue
            group.cancel_scope.cancel()

        group.start_soon(watch)
        results.append(await work())
        group.cancel_scope.cancel()
    if not results:
        raise Unavailable("The client hung up before its answer was ready.")
    return results[0]


class Stopped(Exception):
    """Raised inside a computation that nobody waits for any more."""


async def computed(compute: Callable[[Callable[[], None]], T], limiter: CapacityLimiter) -> T:
    """What `compute` returns, in a thread of `limiter`. It is given a function to call at each step, which ends it with
    `Stopped` when the caller was cancelled meanwhile."""
    stopped = threading.Event()

    def step() -> None:
        if stopped.is_set():
            raise Stopped

    try:
        return await to_thread.run_sync(compute, step, limiter=limiter, abandon_on_cancel=True)
    finally:
        stopped.set()
