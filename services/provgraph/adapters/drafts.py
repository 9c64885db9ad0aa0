"""Files that are being written, in one folder beside what they are to become; each is locked by its writer.

The lock goes with the writer's process, however that ends: kill -9, too. So a draft that another one can lock belongs
to nobody any more, on this machine or on one that shares the folder.
"""

from __future__ import annotations

import fcntl
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
            except FileNotFoundError:  # swept before it was locked, or the folder of `path` was removed
                if attempt + 1 == _ATTEMPTS:
                    raise

    @contextmanager
    def begun(self) -> Iterator[IO[bytes]]:
        """A new draft, locked; it is removed in the end where it was not put in place."""
        self.folder.mkdir(parents=True, exist_ok=True)
        place = self.folder / uuid4().hex
        try:
            with place.open("xb") as draft:
                with suppress(OSError):  # a file system without locks, where nothing is swept either
                    fcntl.flock(draft, fcntl.LOCK_EX)
                yield draft
        finally:
            place.unlink(missing_ok=True)

    def sweep(self) -> None:
        """Remove the drafts of writers that are no more; what cannot be removed stays."""
        with suppress(OSError):
            for draft in list(self.folder.iterdir()):
                _removed(draft)


def _removed(draft: Path) -> None:
    with suppress(OSError), draft.open("r+b") as left:
        fcntl.flock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
        draft.unlink()
