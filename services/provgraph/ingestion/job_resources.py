"""What jobs side by side have together: a turn to write, for which everybody else who writes alone waits as for any
lock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class SharedTurn:
    """Takes `turn` for the first who comes, and gives it back after the last.

    Once somebody has left for whom it `closes`, nobody joins until all have left: those who wait for the lock itself
    would else wait for as long as others overlap.
    """

    def __init__(self, turn: asyncio.Lock) -> None:
        self._turn = turn
        self._inside = 0
        self._is_closing = False
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def part(self, closes: bool = False) -> AsyncGenerator[None]:
        async with self._changed:
            await self._changed.wait_for(lambda: not self._is_closing)
            if not self._inside:
                await self._turn.acquire()
            self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            self._is_closing = bool(self._inside) and (closes or self._is_closing)
            if not self._inside:
                self._turn.release()
            async with self._changed:
                self._changed.notify_all()
