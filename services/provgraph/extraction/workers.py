"""Runs an extractor beside the event loop: in a thread for little text, in processes for much."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager, contextmanager
from multiprocessing import resource_tracker
from types import ModuleType
from typing import Final

from anyio import CapacityLimiter, to_thread

from provgraph.child_environment import forget_all_else
from provgraph.errors import Unavailable
from provgraph.extraction.facts import BatchExtractor, Fact, FactExtractor, Passage

PROCESSES_FROM: Final = 250_000
"""Characters after which processes pay: a thread takes five seconds of the interpreter for them, and a process needs
one and a half to start."""

PASSAGES_AT_ONCE: Final = 16
"""That a thread reads before it looks whether somebody asks: about a tenth of a second."""

REST: Final = 2.0
"""How long a thread leaves the interpreter to answers, in times of what it took for itself."""

_LONGEST_S: Final = 1.0
"""What counts of one piece of work: a store that somebody else holds up takes no time from answers."""

NICENESS: Final = 5
"""Of worker processes, which nobody waits for: questions go first."""


class ExtractionWorkers:
    """Extract batches of passages; `processes` is how many may run at once, 0 for none but this one."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._characters = 0
        self._gives_way: Callable[[], bool] = lambda: False
        self._rest: Callable[[float], None] = time.sleep
        # several threads would only wait for one another: one interpreter, one lock
        self._thread = CapacityLimiter(1)

    def give_way(self, to: Callable[[], bool], rest: Callable[[float], None] = time.sleep) -> None:
        """While `to` says that questions are being answered, a thread rests after each passage, for so many seconds.

        Processes do not: they have an interpreter each.
        """
        self._gives_way, self._rest = to, rest

    @asynccontextmanager
    async def giving_way(self) -> AsyncIterator[None]:
        """While questions are being answered, what is done within is followed by a rest, in times of what it took."""
        began = time.perf_counter()
        yield
        if self._gives_way():
            took = min(time.perf_counter() - began, _LONGEST_S)
            await to_thread.run_sync(self._rest, REST * took, abandon_on_cancel=True)

    async def extract(self, extractor: FactExtractor, passages: Sequence[Passage]) -> list[Sequence[Fact]]:
        """The facts of each passage. Raises `Unavailable` when a worker process was killed."""
        self._characters += sum(len(passage.text) for passage in passages)
        if not self._processes or self._characters < PROCESSES_FROM:
            return await to_thread.run_sync(
                self._extract_giving_way, extractor, passages, limiter=self._thread
            )
        loop = asyncio.get_running_loop()
        try:
            with _children_deaf_to_interrupts(), _children_without_main():
                extracted = loop.run_in_executor(self._started(), _extract, extractor, passages)
            return await extracted
        except BrokenProcessPool as error:
            self._pool = None
            raise Unavailable(
                "An extraction process was killed, perhaps for want of memory. "
                "Run the same ingest again: what is stored is kept."
            ) from error

    def _extract_giving_way(
        self, extractor: FactExtractor, passages: Sequence[Passage]
    ) -> list[Sequence[Fact]]:
        extracted: list[Sequence[Fact]] = []
        while len(extracted) < len(passages):
            began = time.perf_counter()
            ahead = PASSAGES_AT_ONCE if not self._gives_way() else 1
            extracted += _extract(extractor, passages[len(extracted) : len(extracted) + ahead])
            if self._gives_way():
                self._rest(REST * (time.perf_counter() - began))
        return extracted

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_begin,
            )
        return self._pool


@contextmanager
def _children_deaf_to_interrupts() -> Iterator[None]:
    """Processes that start within inherit a mask without SIGINT: Ctrl-C is the parent's, from their first moment."""
    resource_tracker.ensure_running()  # its own start would take the mask off again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _children_without_main() -> Iterator[None]:
    """Processes that start within do not run the main program again, as `spawn` would have them do.

    It may be somebody's script that does everything again where it does not ask for its `__name__`.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _begin() -> None:
    """In a worker process: end when the parent ends, however it does, and know nothing that it has no need of."""
    forget_all_else()
    os.nice(NICENESS)
    threading.Thread(target=_end_with_parent, name="provgraph-parent-watch", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _extract(extractor: FactExtractor, passages: Sequence[Passage]) -> list[Sequence[Fact]]:
    """The facts of each passage, of many at once where the extractor can."""
    if isinstance(extractor, BatchExtractor):
        return list(extractor.extract_all(passages))
    return [extractor.extract(passage) for passage in passages]
