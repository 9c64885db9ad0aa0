"""How much memory several children have together: beyond a limit, the one that has most of it is ended.

A limit of its own keeps each child small, and says nothing of four of them at once. What is counted is what a child and
all that it started hold for themselves, not what they share with others; where there is no `/proc`, nothing is.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_LOOK_S: Final = 0.02
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(eq=False)
class CountedChild:
    """A child at work, the leader of a process group; `more` bytes are allowed for its sake.

    `is_ended` where it was killed because all together had too much.
    """

    process: int
    more: int
    is_ended: bool = False


class ChildMemory:
    """`most` bytes for all children that are counted at a time. Safe from any thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._counted: list[CountedChild] = []
        self._changing = threading.Lock()

    @contextmanager
    def counted(self, process: int, more: int = 0) -> Iterator[CountedChild]:
        """Count a child while the block runs."""
        child = CountedChild(process, more)
        with self._changing:
            is_first = not self._counted
            self._counted.append(child)
        if is_first:
            threading.Thread(target=self._watch, name="provgraph-child-memory", daemon=True).start()
        try:
            yield child
        finally:
            with self._changing:
                self._counted.remove(child)

    def _watch(self) -> None:
        """Until no child is at work. A thread that begins meanwhile does the same, and harms nothing."""
        ended = threading.Event()
        while not ended.wait(_LOOK_S):
            with self._changing:
                if not self._counted:
                    return
                self._end_largest()

    def _end_largest(self) -> None:
        sizes = {child: held(child.process) for child in self._counted if not child.is_ended}
        if sum(sizes.values()) > self._most + sum(child.more for child in sizes):
            largest = max(sizes, key=lambda child: sizes[child] - child.more)
            largest.is_ended = True
            with suppress(ProcessLookupError):
                os.killpg(largest.process, signal.SIGKILL)


def held(process: int) -> int:
    """Bytes that a process and its children hold for themselves; 0 for one that has ended."""
    try:
        _, resident, shared, *_ = Path(f"/proc/{process}/statm").read_text().split()
        started = [path.read_text() for path in Path(f"/proc/{process}/task").glob("*/children")]
    except (OSError, ValueError):
        return 0
    own = (int(resident) - int(shared)) * _PAGE
    return own + sum(held(int(child)) for children in started for child in children.split())
