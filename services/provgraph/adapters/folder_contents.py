"""`ContentStore` in a folder of the local disk; files are written beside their place, each locked by its
writer, and then moved."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final
from uuid import uuid4

from anyio import to_thread

from provgraph.adapters.full_storage import is_full
from provgraph.errors import NoRoom, NotFound, Unavailable

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


DRAFTS: Final = ".drafts"
"""The folder of what is being written; no key begins so."""


class FolderContentStore:
    """Each key a file below `folder`. A file appears under its name only when it is complete.
    One that holds the same already is not written again.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._drafts = Drafts(folder / DRAFTS)

    async def put(self, contents: Mapping[str, bytes]) -> None:
        await to_thread.run_sync(self._put, contents)

    async def get(self, key: str) -> bytes:
        try:
            return await to_thread.run_sync((self._folder / key).read_bytes)
        except FileNotFoundError as error:
            raise NotFound(f"There is no content under {key}.") from error

    async def sizes(self, keys: Sequence[str]) -> list[int | None]:
        return await to_thread.run_sync(lambda: [_size(self._folder / key) for key in keys])

    async def delete(self, prefix: str) -> None:
        await to_thread.run_sync(self._delete, self._folder / prefix)

    def sweep(self) -> None:
        """Remove what writers that were killed had not completed; those that live are left alone."""
        self._drafts.sweep()

    async def snapshot(self, folder: Path) -> None:
        """Let everything that is complete stand below `folder` too, where a later `put` or `delete` does not reach it.

        Contents are never written in place, so a hard link is a copy; on another file system it is one.
        """
        await to_thread.run_sync(self._snapshot, folder)

    def open_snapshot(self, folder: Path) -> FolderContentStore:
        return FolderContentStore(folder)

    def _snapshot(self, folder: Path) -> None:
        for parent, below, names in os.walk(self._folder):
            below[:] = [name for name in below if name != DRAFTS]
            into = folder / Path(parent).relative_to(self._folder)
            into.mkdir(parents=True, exist_ok=True)
            for name in names:
                _link(Path(parent) / name, into / name)

    def _put(self, contents: Mapping[str, bytes]) -> None:
        try:
            for key, content in contents.items():
                self._write(self._folder / key, content)
        except OSError as error:
            raise self._unwritten(error) from error

    def _unwritten(self, error: OSError) -> Unavailable:
        told = f"The library folder {self._folder} cannot be written ({error.strerror})."
        if is_full(error):
            return NoRoom(f"{told} Free some space on its disk, then try again.")
        return Unavailable(f"{told} Fix its permissions, then try again.")

    def _write(self, path: Path, content: bytes) -> None:
        if not path.is_file() or path.read_bytes() != content:
            self._drafts.put_in_place(path, content)

    @staticmethod
    def _delete(path: Path) -> None:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _link(path: Path, copy: Path) -> None:
    """Also where the content was replaced since it was linked before, or is deleted at this moment."""
    if copy.exists():
        return
    try:
        os.link(path, copy)
    except FileNotFoundError:
        return
    except OSError:  # another file system, or one without links
        with suppress(FileNotFoundError):
            shutil.copyfile(path, copy)


def _size(file: Path) -> int | None:
    try:
        return file.stat().st_size if file.is_file() else None
    except FileNotFoundError:
        return None  # gone between the two
