"""One child process that reads files, as the thread sees it that waits for it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from typing import Any, Final

from provgraph.adapters.child_frames import LENGTHS, encoded
from provgraph.child_environment import child_environment

_WORKER: Final = "provgraph.adapters.reading_processes.worker"
_AT_ONCE: Final = 1 << 18


class ChildDied(Exception):
    """The child ended before it was done; `status` as `subprocess` tells it."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the reading process ended with status {status}")
        self.status = status

    @property
    def was_of_its_limits(self) -> bool:
        """Whether it spent its processor time, or could not have the memory that it asked for."""
        return self.status in (-signal.SIGXCPU, -signal.SIGABRT)


class FrameTooLarge(Exception):
    """The child would say more than it may."""


class Child:
    """Reads one file at a time. Raises `ChildDied` from whatever finds that out, `TimeoutError` from `frame`."""

    def __init__(self) -> None:
        self.files = 0
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=child_environment(),
            start_new_session=True,  # Ctrl-C is for the service alone, and the group has what the child starts
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._tasks = self._process.stdin
        self._answers = self._process.stdout.fileno()
        self._ready = select.poll()
        self._ready.register(self._answers, select.POLLIN | select.POLLHUP)
        self._came = bytearray()

    @property
    def id(self) -> int:
        return self._process.pid

    def give(self, task: dict[str, Any], content: bytes) -> None:
        self.files += 1
        try:
            self._tasks.write(encoded(task))
            self._tasks.write(content)
            self._tasks.flush()
        except OSError as error:
            raise ChildDied(self._process.wait()) from error

    def frame(self, seconds: float, most: int) -> tuple[dict[str, Any], bytes]:
        """The next frame, which may take so long, and have so many bytes, or `FrameTooLarge` is raised."""
        deadline = time.monotonic() + seconds
        head, body = LENGTHS.unpack(self._exactly(LENGTHS.size, deadline))
        if head + body > most:
            raise FrameTooLarge
        header: dict[str, Any] = json.loads(self._exactly(head, deadline))
        return header, self._exactly(body, deadline)

    def end(self) -> None:
        """Kill the child and what it started, whatever they are doing; safe from any thread, and more than once."""
        if self._process.poll() is None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                return
            self._process.wait()

    def release(self) -> None:
        """Close the pipes of a child that has ended; by the thread that used it."""
        self.end()
        for stream in (self._tasks, self._process.stdout):
            try:
                if stream:
                    stream.close()
            except OSError:
                continue

    def _exactly(self, size: int, deadline: float) -> bytes:
        while len(self._came) < size:
            left = deadline - time.monotonic()
            if left <= 0 or not self._ready.poll(left * 1000):
                raise TimeoutError
            piece = os.read(self._answers, _AT_ONCE)
            if not piece:
                raise ChildDied(self._process.wait())
            self._came += piece
        taken = bytes(self._came[:size])
        del self._came[:size]
        return taken
