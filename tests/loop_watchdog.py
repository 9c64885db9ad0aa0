"""Notices where an event loop stands still: a step of one task that computes for so long that all others wait.

What counts is the processor time that the loop's own thread spends in one step, so neither a busy machine nor other
threads fail a test; nor does a collection of garbage, which takes as long as all tests together have left there.
Waiting in a blocking call is not seen.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MOST_S: Final = 0.25
_LOOK_EVERY_S: Final = 0.05
_TESTS: Final = f"{Path(__file__).parent}/"
_PACKAGE: Final = "/provgraph/"
_DOOR: Final = "/provgraph/gateway/access_control.py"
"""On the stack of every request."""


@dataclass(frozen=True)
class StandStill:
    """A step that took `seconds` of processor time at least, and where it was then, innermost last."""

    seconds: float
    stack: tuple[traceback.FrameSummary, ...]

    @property
    def is_of_app(self) -> bool:
        """Whether a request was being answered, or work of the package's own went on, and not the code of a test."""
        files = [frame.filename for frame in self.stack]
        in_test = any(_TESTS in file and file != __file__ for file in files)
        return any(file.endswith(_DOOR) for file in files) or (
            not in_test and any(_PACKAGE in file for file in files)
        )

    def __str__(self) -> str:
        lines = [f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in self.stack]
        return "\n".join([f"The event loop stood still for {self.seconds:.2f} s of processor time:", *lines])


class LoopWatchdog:
    """Watches all event loops of this process while `watching`."""

    def __init__(self, most_s: float = MOST_S, look_every_s: float = _LOOK_EVERY_S) -> None:
        self.most_s, self._look_every_s = most_s, look_every_s
        self.found: list[StandStill] = []
        self._begun: dict[int, _Step] = {}

    def under_way(self) -> list[tuple[int, object]]:
        """The steps that loops are taking now, by their threads."""
        return list(self._begun.items())

    @contextmanager
    def watching(self) -> Iterator[None]:
        run, ended = asyncio.Handle._run, threading.Event()

        def measured(handle: asyncio.Handle) -> None:
            thread = threading.get_ident()
            self._begun[thread] = _Step(_clock(), time.thread_time())
            try:
                run(handle)
            finally:
                self._begun.pop(thread, None)

        asyncio.Handle._run = measured  # type: ignore[method-assign, assignment]
        gc.callbacks.append(self._collected)
        looking = threading.Thread(target=self._look, args=(ended,), name="loop-watchdog", daemon=True)
        looking.start()
        try:
            yield
        finally:
            ended.set()
            looking.join()
            gc.callbacks.remove(self._collected)
            asyncio.Handle._run = run  # type: ignore[method-assign]

    def _collected(self, phase: str, _: dict[str, int]) -> None:
        """Takes the time of a collection off the step in which it came."""
        step = self._begun.get(threading.get_ident())
        if step is None:
            return
        if phase == "start":
            step.collects_since = time.thread_time()
        elif step.collects_since is not None:
            step.begun += time.thread_time() - step.collects_since
            step.collects_since = None

    def _look(self, ended: threading.Event) -> None:
        while not ended.wait(self._look_every_s):
            for thread, step in list(self._begun.items()):
                self._look_at(thread, step)

    def _look_at(self, thread: int, step: _Step) -> None:
        try:
            seconds = time.clock_gettime(step.clock) - step.begun
        except OSError:
            return  # the thread has ended
        if (
            seconds < self.most_s
            or step.is_told
            or step.collects_since is not None
            or self._begun.get(thread) is not step
        ):
            return
        frame = sys._current_frames().get(
            thread
        )  # not sooner: what their threads drop meanwhile is dropped here
        if frame is None:
            return
        step.is_told = True
        self.found.append(StandStill(seconds, tuple(traceback.extract_stack(frame))))


@dataclass(eq=False)
class _Step:
    """`clock` is that of its thread's processor time; `collects_since` is when a collection of garbage began that goes
    on."""

    clock: int
    begun: float
    is_told: bool = False
    collects_since: float | None = None


_clocks = threading.local()


def _clock() -> int:
    """That of this thread: asked for by the thread itself, as nobody else knows that it still runs."""
    if not hasattr(_clocks, "own"):
        _clocks.own = time.pthread_getcpuclockid(threading.get_ident())
    own: int = _clocks.own
    return own
