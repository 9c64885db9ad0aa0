"""When a service looks for garbage: a little at a time while it works, and all of it when it has little to do.

A collection stops every thread of the interpreter. That of all objects, which Python begins whenever their number has
grown by a quarter, took 0.3 s beside a table of a few hundred kilobytes, and `/health` waited as long.
"""

from __future__ import annotations

import gc
import threading
import time
from typing import Final

YOUNG: Final = 10_000
"""New objects after which they are looked at, in some 3 ms; five times as many are looked at once more."""
_NEVER: Final = 1_000_000

LOOK_S: Final = 3.0
IDLE: Final = 0.2
"""Of the time between two looks, what a process may have computed that has little to do."""
WORTH_IT_S: Final = 0.5
"""Of processor time since the last collection: what computed less has made little garbage."""
LONGEST_S: Final = 60.0
"""After which all is collected however much there is to do."""


def collect_aside(look_s: float = LOOK_S) -> None:
    """Leave what exists now alone for good, and collect the rest so that nobody waits for it."""
    gc.freeze()
    gc.set_threshold(YOUNG, 5, _NEVER)
    threading.Thread(target=_collect, args=(look_s,), name="provgraph-garbage", daemon=True).start()


def _collect(look_s: float) -> None:
    collected, collected_at = time.process_time(), time.monotonic()
    while True:
        before = time.process_time()
        time.sleep(look_s)
        worked = time.process_time()
        is_idle = worked - before < IDLE * look_s
        is_late = time.monotonic() - collected_at > LONGEST_S
        if worked - collected > WORTH_IT_S and (is_idle or is_late):
            gc.collect()
            collected, collected_at = time.process_time(), time.monotonic()
