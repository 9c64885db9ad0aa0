"""From the layout of an older version to today's: an ordered list of steps, run when a folder is opened.

A step may be cut off at any moment and is then run again from its beginning, so it must come to the same end from
wherever it was left: write beside what is there, then replace. The version is written after each step. What can be
made again from store and library (indexes, snapshots) needs no step: it is thrown away and built anew.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provgraph.errors import Unavailable

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Migration:
    """One step: `doing` says what, for people; `run` gets the data folder. Raises OSError where the disk fails."""

    doing: str
    run: Callable[[Path], None]


MIGRATIONS: Final[tuple[Migration, ...]] = ()
"""The step from version 1 to 2, then from 2 to 3, and so on. A step that was released is never changed again."""


def newest_version(migrations: Sequence[Migration] = MIGRATIONS) -> int:
    return 1 + len(migrations)


def migrate(folder: Path, version: int, migrations: Sequence[Migration], tell: Tell) -> None:
    """Bring a folder of `version` to the newest one, step by step.

    Raises `Unavailable` when another process has the folder open, and when a step fails: what the steps before it
    made stands, and opening the folder again goes on there.
    """
    if version == newest_version(migrations):
        return
    with _alone(folder):
        for number, step in enumerate(migrations[version - 1 :], version + 1):
            tell(f"Bringing {folder} to layout {number}: {step.doing}.")
            try:
                step.run(folder)
                write_version(folder, number)
            except OSError as error:
                raise Unavailable(
                    f"{folder} could not be brought to layout {number} ({error.strerror or error}). "
                    "Free some space or fix its permissions, then run the same command again: it goes on from there."
                ) from error


def write_version(folder: Path, version: int) -> None:
    """Whole and on the disk when it returns, or as it was."""
    draft = folder / ".provgraph.json.draft"
    with draft.open("w") as file:
        file.write(json.dumps({"layout": version}))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / "provgraph.json")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While no other process has the store open: the lock is the one that Oxigraph's files have."""
    (folder / "store").mkdir(exist_ok=True)
    with (folder / "store" / "LOCK").open("a") as lock:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Unavailable(
                f"{folder} has the layout of an older version of ProvGraph and is in use by another process. "
                "End that process first; the folder is then brought up to date."
            ) from error
        yield
