"""Threads of a service share what they allocate from, and large blocks go back to the system."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_stats"), reason="the C library has nothing to set"
)

BEGIN = """
import ctypes, threading
from provgraph.cli.connection import keep_little
{first}
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
"""
IN_THREADS = """
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
AFTER_A_LARGE_BLOCK = """
libc.free(libc.malloc(ctypes.c_size_t(4_000_000)))
class Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in
        "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]
libc.mallinfo.restype = Counts
before = libc.mallinfo().hblks
libc.malloc(ctypes.c_size_t(1_000_000))
print(libc.mallinfo().hblks - before)
"""


def run(script: str, first: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BEGIN.format(first=first) + script]
    return subprocess.run(command, check=True, capture_output=True, text=True)


def arenas(first: str) -> int:
    """How many there are after so many threads have allocated at once."""
    return run(IN_THREADS, first).stderr.count("Arena ")


def mapped(first: str) -> int:
    """How many of one large block are mapped by themselves, after a larger one was freed."""
    return int(run(AFTER_A_LARGE_BLOCK, first).stdout)


def test_threads_share_two_arenas() -> None:
    assert arenas("keep_little()") <= 2 < arenas("")


def test_a_large_block_goes_back_when_it_is_freed_though_a_larger_one_was() -> None:
    assert mapped("keep_little()") == 1 > mapped("")
