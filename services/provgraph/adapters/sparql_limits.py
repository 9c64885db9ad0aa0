"""What one query of a user may cost, and how many run at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from provgraph.errors import Unavailable


@dataclass(frozen=True)
class SparqlLimits:
    """What one query may cost, and how many run at once.

    `seconds` count from when the query begins to run; it waits for its turn at most `waiting_seconds`.
    `memory_bytes` and, where it is not 0, `stack_bytes` limit the process that a query runs in, `together_bytes` all of
    these processes at once.
    """

    seconds: float
    rows: int
    processes: int
    waiting_seconds: float = 30.0
    result_bytes: int = 64 << 20
    memory_bytes: int = 256 << 20
    together_bytes: int = 320 << 20
    stack_bytes: int = 0


class QueryTurns:
    """Lets so many queries run at once, first come, first served. Belongs to one event loop."""

    def __init__(self, limits: SparqlLimits) -> None:
        self._turns = asyncio.Semaphore(limits.processes)
        self._waiting_seconds = limits.waiting_seconds

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Raises `Unavailable` when it does not come in time."""
        try:
            async with asyncio.timeout(self._waiting_seconds):
                await self._turns.acquire()
        except TimeoutError as error:
            raise Unavailable(
                "Too many queries are running. Wait a few seconds, then send yours again."
            ) from error
        try:
            yield
        finally:
            self._turns.release()
