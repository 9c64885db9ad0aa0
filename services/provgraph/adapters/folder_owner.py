"""A folder that one process at a time works in, where no store in it sees to that."""

from __future__ import annotations

import fcntl
from pathlib import Path

from provgraph.errors import FolderInUse


class FolderOwner:
    """Holds the folder until it is let go, or the process ends. Raises `FolderInUse` when another one has it."""

    def __init__(self, folder: Path) -> None:
        self._lock = (folder / "owner.lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock.close()
            raise FolderInUse(
                f"The folder {folder} cannot be opened: another provgraph process is using it. "
                "Wait for it to finish, or name another folder with --data; if it is a service, give its address with "
                "--url."
            ) from error

    def let_go(self) -> None:
        self._lock.close()
