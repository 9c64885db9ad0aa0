"""What a process does before it takes requests, beside them, and in the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from fastapi import FastAPI

_LET_WAIT_S: Final = 2.0
"""How long what is ending may wait for a server that does not answer."""


def _nobody_waits() -> None:
    """Nothing outside this process is waited for."""


@dataclass(frozen=True)
class ServiceLifespan:
    """`begin` and `end` one after another; what stands in `beside` runs until the end begins.

    `hurry` lets nobody wait any longer for what lies outside this process; called where the end takes a while.
    """

    begin: Sequence[Callable[[], Awaitable[object]]]
    beside: Sequence[Callable[[], Coroutine[Any, Any, None]]]
    end: Sequence[Callable[[], Awaitable[None]]]
    hurry: Callable[[], None] = _nobody_waits

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        for step in self.begin:
            await step()
        running = [asyncio.create_task(each()) for each in self.beside]
        try:
            yield
        finally:
            hurrying = asyncio.get_running_loop().call_later(_LET_WAIT_S, self.hurry)
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            for close in self.end:
                await close()
            hurrying.cancel()
