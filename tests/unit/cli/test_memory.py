"""Threads of a service share what they allocate from."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

ALLOCATING = """
import ctypes, threading
from provgraph.cli.memory import share_arenas
{first}
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
together = threading.Barrier(12)
def allocate():
    together.wait()
    libc.malloc(ctypes.c_size_t(1000))
    together.wait()
threads = [threading.Thread(target=allocate) for _ in range(12)]
for thread in threads: thread.start()
for thread in threads: thread.join()
libc.malloc_stats()
"""


def arenas(first: str) -> int:
    """How many there are after so many threads have allocated at once."""
    ended = subprocess.run(
        [sys.executable, "-c", ALLOCATING.format(first=first)], check=True, capture_output=True, text=True
    )
    return ended.stderr.count("Arena ")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_stats"), reason="the C library has no arenas")
def test_threads_share_two_arenas() -> None:
    assert arenas("share_arenas()") <= 2 < arenas("")
