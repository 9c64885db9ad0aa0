"""`ContentStore` in a folder of the local disk."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from anyio import to_thread

from provgraph.adapters.full_disks import is_full
from provgraph.errors import NoRoom, NotFound, Unavailable

DRAFT: Final = ".draft-"


class FolderContentStore:
    """Each key a file below `folder`. A file appears under its name only when it is complete.
    One that holds the same already is not written again.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, contents: Mapping[str, bytes]) -> None:
        await to_thread.run_sync(self._put, contents)

    async def get(self, key: str) -> bytes:
        try:
            return await to_thread.run_sync((self._folder / key).read_bytes)
        except FileNotFoundError as error:
            raise NotFound(f"There is no content under {key}.") from error

    async def holds(self, keys: Sequence[str]) -> list[bool]:
        return await to_thread.run_sync(lambda: [(self._folder / key).is_file() for key in keys])

    async def delete(self, prefix: str) -> None:
        await to_thread.run_sync(self._delete, self._folder / prefix)

    async def snapshot(self, folder: Path) -> None:
        """Let everything that is complete stand below `folder` too, where a later `put` or `delete` does not reach it.

        Contents are never written in place, so a hard link is a copy; on another file system it is one.
        """
        await to_thread.run_sync(self._snapshot, folder)

    def _snapshot(self, folder: Path) -> None:
        for parent, _, names in os.walk(self._folder):
            into = folder / Path(parent).relative_to(self._folder)
            into.mkdir(parents=True, exist_ok=True)
            for name in names:
                if not name.startswith(DRAFT):
                    _link(Path(parent) / name, into / name)

    def _put(self, contents: Mapping[str, bytes]) -> None:
        try:
            for key, content in contents.items():
                _write(self._folder / key, content)
        except OSError as error:
            raise self._unwritten(error) from error

    def _unwritten(self, error: OSError) -> Unavailable:
        told = f"The library folder {self._folder} cannot be written ({error.strerror})."
        if is_full(error):
            return NoRoom(f"{told} Free some space on its disk, then try again.")
        return Unavailable(f"{told} Mend its permissions, then try again.")

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


def _write(path: Path, content: bytes) -> None:
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.parent / f"{DRAFT}{uuid4().hex}"
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
