"""What jobs side by side have together: a turn to write, for which everybody else who writes alone waits as for any
lock; and memory that they have freed, which goes back to the machine now and then.

The GNU C library keeps what was freed for whoever asks next: after a table of 400 kB a service kept 180 MB that nobody
used (malloc_trim(3)). Where there is another library, nothing is done.
"""

from __future__ import annotations

import asyncio
import ctypes
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from anyio import to_thread


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


EVERY_S: Final = 3.0


@dataclass
class FreedMemory:
    """For one process, whoever of its jobs asks."""

    _last: float = 0.0

    async def give_back(self) -> None:
        """Not more often than every few seconds; others go on meanwhile."""
        if time.monotonic() - self._last < EVERY_S:
            return
        self._last = time.monotonic()
        await to_thread.run_sync(_trim)
        self._last = time.monotonic()


def _trim() -> None:
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim:
        trim(0)
