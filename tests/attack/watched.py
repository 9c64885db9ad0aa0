"""`provgraph` in a process that tells on stderr where its event loop stands still: `python -m attack.watched serve`."""

from __future__ import annotations

import sys

from loop_watchdog import LoopWatchdog
from provgraph.cli import main


class _Telling(list[object]):
    def append(self, found: object) -> None:
        print(found, file=sys.stderr, flush=True)


if __name__ == "__main__":
    dog = LoopWatchdog()
    dog.found = _Telling()  # type: ignore[assignment]
    with dog.watching():
        main()
