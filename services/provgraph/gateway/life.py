"""What a process does before it takes requests, beside them, and in the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI


@dataclass(frozen=True)
class Life:
    """`begin` and `end` one after another; what stands in `beside` runs until the end begins."""

    begin: Sequence[Callable[[], Awaitable[object]]]
    beside: Sequence[Callable[[], Coroutine[Any, Any, None]]]
    end: Sequence[Callable[[], Awaitable[None]]]

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        for step in self.begin:
            await step()
        running = [asyncio.create_task(each()) for each in self.beside]
        try:
            yield
        finally:
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            for close in self.end:
                await close()
