"""Memory that an ingest has freed goes back to the machine, now and then.

The GNU C library keeps what was freed for whoever asks next: after a table of 400 kB a service kept 180 MB that nobody
used (malloc_trim(3)). Where there is another library, nothing is done.
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass
from typing import Final

from anyio import to_thread

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
