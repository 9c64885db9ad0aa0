"""The command line. Every command is a client of the service, wherever it runs."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the program. Ctrl-C while its parts are still being imported ends it as quietly as later."""
    gc.set_threshold(
        50_000, 10, 10
    )  # what is imported stays: to look for garbage in it takes a seventh of a start
    try:
        from provgraph.cli.program import main as program
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        raise SystemExit(130) from None
    program()


__all__ = ["main"]
