"""Lets numpy multiply matrices with one thread for a while.

The parser's matrices are small: threads of OpenBLAS wait for each other longer than they work, and on a busy machine
they make it ten times slower. Its setter is called as threadpoolctl does; a numpy built on another
library is left as it is.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Final

_NAMES: Final = (
    ("scipy_openblas_get_num_threads64_", "scipy_openblas_set_num_threads64_"),
    ("scipy_openblas_get_num_threads", "scipy_openblas_set_num_threads"),
    ("openblas_get_num_threads64_", "openblas_set_num_threads64_"),
    ("openblas_get_num_threads", "openblas_set_num_threads"),
)
_lock: Final = threading.Lock()
_inside = 0
_before = 0


@contextmanager
def one_thread() -> Iterator[None]:
    """Counts who is inside: the number of threads is set back when the last leaves."""
    global _inside, _before
    get, put = _functions()
    with _lock:
        if not _inside:
            _before = get()
            put(1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                put(_before)


@cache
def _functions() -> tuple[Callable[[], int], Callable[[int], object]]:
    try:
        library = ctypes.CDLL(import_module("numpy._core._multiarray_umath").__file__)
    except (ImportError, OSError):
        return (lambda: 1), (lambda _: None)
    for get, put in _NAMES:
        if hasattr(library, get) and hasattr(library, put):
            return getattr(library, get), getattr(library, put)
    return (lambda: 1), (lambda _: None)
