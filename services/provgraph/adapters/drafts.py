"""Files that are being written, in one folder beside what they are to become; each is locked by its writer.

The lock goes with the writer's process, however that ends: kill -9, too. So a draft that another one can lock belongs
to nobody any more, on this machine or on one that shares the folder. Writers that begin share the lock of the folder,
and who sweeps has it alone: none comes upon a file between its making and its locking.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final
from uuid import uuid4

_ATTEMPTS: Final = 3


@dataclass(frozen=True)
class Drafts:
    """Drafts in `folder`, on the file system of the files that they become."""

    folder: Path

    def put_in_place(self, path: Path, content: bytes) -> None:
        """Let `path` hold the content; until then it is as it was. Raises `OSError` where it cannot be written."""
        for attempt in range(_ATTEMPTS):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with self.begun() as draft:
                    draft.write(content)
                    draft.flush()
                    Path(draft.name).replace(path)
                return
            except FileNotFoundError:  # the folder of `path` was removed, or locks are not shared
                if attempt + 1 == _ATTEMPTS:
                    raise

    @contextmanager
    def begun(self) -> Iterator[IO[bytes]]:
        """A new draft, locked; it is removed in the end where it was not put in place."""
        self.folder.mkdir(parents=True, exist_ok=True)
        place = self.folder / uuid4().hex
        try:
            with self._new(place) as draft:
                yield draft
        finally:
            place.unlink(missing_ok=True)

    def sweep(self) -> None:
        """Remove the drafts of writers that are no more; what cannot be removed stays."""
        with suppress(OSError), _opened(self.folder) as folder:
            fcntl.flock(folder, fcntl.LOCK_EX)
            for draft in list(self.folder.iterdir()):
                _removed(draft)

    def _new(self, place: Path) -> IO[bytes]:
        """An empty file that was locked before anybody could sweep it."""
        with _opened(self.folder) as folder:
            with suppress(OSError):  # a file system without locks, where nothing is swept either
                fcntl.flock(folder, fcntl.LOCK_SH)
            draft = place.open("xb")
            with suppress(OSError):
                fcntl.flock(draft, fcntl.LOCK_EX)
        return draft


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """What can be locked of a folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _removed(draft: Path) -> None:
    with suppress(OSError), draft.open("r+b") as left:
        fcntl.flock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
        draft.unlink()
