"""`provgraph` in a process that tells on stderr where its event loop stands still: `python -m attack.watched serve`."""

from __future__ import annotations

import faulthandler
import signal
import sys
import threading
import time
from typing import Final

from loop_watchdog import LoopWatchdog
from provgraph.cli import main

_WAITS_S: Final = 1.0
_LOOK_EVERY_S: Final = 0.2


class _Telling(list[object]):
    def append(self, found: object) -> None:
        print(found, file=sys.stderr, flush=True)


def tell_who_waits(dog: LoopWatchdog) -> None:
    """Write down what all threads do where a step of the loop takes a second, whatever it waits for, and where nobody
    gets the interpreter for a second: `faulthandler` needs none."""
    since: dict[object, float] = {}
    while True:
        faulthandler.dump_traceback_later(_WAITS_S)
        time.sleep(_LOOK_EVERY_S)
        now, under_way = time.monotonic(), [step for _, step in dog.under_way()]
        since = {step: since.get(step, now) for step in under_way}
        for step, begun in since.items():
            if now - begun > _WAITS_S:
                faulthandler.dump_traceback()
                since[step] = now


if __name__ == "__main__":
    faulthandler.register(signal.SIGUSR1)
    dog = LoopWatchdog()
    dog.found = _Telling()  # type: ignore[assignment]
    threading.Thread(target=tell_who_waits, args=(dog,), daemon=True).start()
    with dog.watching():
        main()
