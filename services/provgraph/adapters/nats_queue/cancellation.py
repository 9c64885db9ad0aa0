"""Cancellation, which nats-py loses now and then: a task that was to end goes on, and whoever waits for it, for ever.

It waits by `asyncio.wait_for`. Before Python 3.12 that gives back a result that comes in the same moment as a
cancellation, and forgets the cancellation (python/cpython#86296); and sending swallows one by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def cancellation_kept() -> Iterator[None]:
    """Raises `CancelledError` in the end if this task was cancelled since the beginning, and that was lost."""
    task = asyncio.current_task()
    assert task is not None
    asked = task.cancelling()
    try:
        yield
    except Exception as error:
        if task.cancelling() > asked:
            raise asyncio.CancelledError from error
        raise
    if task.cancelling() > asked:
        raise asyncio.CancelledError
