"""Standard error that keeps nobody waiting: whoever started the service may have left its pipe unread.

A pipe takes 64 kB; from then on every line of the log would stop the thread that writes it, the event loop's too. So
lines are written by a thread of their own. Where it cannot keep up they are left out, and counted.
"""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Full, Queue
from typing import Final

_MOST_WAITING: Final = 1000
"""Pieces of text that wait to be written."""

_LAST_S: Final = 1.0
"""How long the end of a service waits for its last lines to be taken."""


class UnblockedText(io.TextIOBase):
    """Text for a file descriptor, which is not closed here. `write` never waits."""

    encoding, errors = "utf-8", "backslashreplace"

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: Queue[str] = Queue(_MOST_WAITING)
        self._left_out, self._counting = 0, threading.Lock()
        threading.Thread(target=self._write_on, name="stderr", daemon=True).start()

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"text is written here, not {type(text).__name__}")
        try:
            self._waiting.put_nowait(text)
        except Full:
            with self._counting:
                self._left_out += 1
        return len(text)

    def drain(self, within_s: float) -> None:
        """Return when all is written, or after so many seconds."""
        deadline = time.monotonic() + within_s
        while self._waiting.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.01)

    def _write_on(self) -> None:
        while True:
            text = self._waiting.get()
            with self._counting:
                left_out, self._left_out = self._left_out, 0
            if left_out:
                text = f"({left_out:,} pieces of the log were left out: nobody read it)\n{text}"
            self._write_all(text.encode(errors=self.errors))
            self._waiting.task_done()

    def _write_all(self, content: bytes) -> None:
        with suppress(OSError):  # whoever read it is gone, and nobody else would hear of it
            while content:
                content = content[os.write(self._descriptor, content) :]


@contextmanager
def unblocked_stderr() -> Iterator[None]:
    """While the context lasts, what this process writes to `sys.stderr` keeps nobody waiting."""
    before, unblocked = sys.stderr, UnblockedText(sys.stderr.fileno())
    before.flush()
    sys.stderr = unblocked
    try:
        yield
    finally:
        sys.stderr = before
        unblocked.drain(_LAST_S)
