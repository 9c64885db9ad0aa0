"""A disk that takes no more, for one running process: what it writes to files past a limit fails, as it does there."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from servers.served_process import ServedProcess

_ENDLESS: Final = resource.RLIM_INFINITY


def hearing_of_errors(command: Sequence[str | Path]) -> list[str | Path]:
    """The command of a process that hears of a failed write as an error: else the limit's signal ends it."""
    return ["bash", "-c", 'trap \'\' XFSZ; exec "$0" "$@"', *command]


@contextmanager
def full_disk(process: ServedProcess, largest: int = 0) -> Iterator[None]:
    """Within, no file that the process writes grows beyond `largest` bytes."""
    _limit(process.running.pid, largest)
    try:
        yield
    finally:
        _limit(process.running.pid, _ENDLESS)  # another one, where it was started anew


@contextmanager
def full_disk_here(largest: int) -> Iterator[None]:
    """The same for this process, in whatever it does: leave it room for its own files."""
    _limit(os.getpid(), largest)
    try:
        yield
    finally:
        _limit(os.getpid(), _ENDLESS)


def _limit(process: int, largest: int) -> None:
    resource.prlimit(process, resource.RLIMIT_FSIZE, (largest, _ENDLESS))


def largest_file(folder: Path) -> int:
    """The bytes of the largest file below a folder."""
    return max(file.stat().st_size for file in folder.rglob("*") if file.is_file())
