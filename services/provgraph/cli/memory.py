"""How a service with many threads keeps less memory that nobody uses."""

from __future__ import annotations

import ctypes
from typing import Final

_ARENAS: Final = 2
_M_ARENA_MAX: Final = -8  # malloc.h of the GNU C library


def share_arenas() -> None:
    """Let all threads that begin from now on allocate from the same two places.

    By itself the GNU C library gives eight a core, and each keeps what its threads have freed: under load a process
    grows for hours by memory that nobody uses (mallopt(3), M_ARENA_MAX). Other libraries are left alone.
    """
    limit = getattr(ctypes.CDLL(None), "mallopt", None)
    if limit:
        limit(_M_ARENA_MAX, _ARENAS)
