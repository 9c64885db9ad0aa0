"""What pyoxigraph iterates over, in batches, without holding up the event loop.

Its iterators may be touched by one thread only, from their making to their end, so each gets a thread of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


async def in_batches(make: Callable[[], Iterator[T]], size: int) -> AsyncGenerator[list[T]]:
    """All that the iterator gives, `size` at a time; `make` is called in the thread that reads it."""
    thread = ThreadPoolExecutor(1, "batches")
    reading = _Reading(make, size)
    run = asyncio.get_running_loop().run_in_executor
    try:
        while batch := await run(thread, reading.batch):
            yield batch
    finally:
        thread.submit(reading.end)
        thread.shutdown(wait=False)


class _Reading(Generic[T]):
    def __init__(self, make: Callable[[], Iterator[T]], size: int) -> None:
        self._make = make
        self._size = size
        self._iterator: Iterator[T] | None = None

    def batch(self) -> list[T]:
        if self._iterator is None:
            self._iterator = self._make()
        return list(islice(self._iterator, self._size))

    def end(self) -> None:
        """Let go of the iterator in the thread that it belongs to."""
        self._iterator = None
