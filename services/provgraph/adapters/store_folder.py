"""The folder of an embedded store, and how another takes its place: whatever stops the swap, one of the two is there.

`store.new` is the store written anew, `store.swap` says that it is complete, `store.old` is the one before. Until the
mark is there the old store counts, from then on the new one.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def draft_folder(folder: Path) -> Path:
    """An empty place for the store written anew."""
    draft = _beside(folder, "new")
    shutil.rmtree(draft, ignore_errors=True)
    return draft


def put_in_place(folder: Path) -> None:
    """Put the draft in the place of the store; both must be closed, and the folder be held by `alone`."""
    mark = _beside(folder, "swap")
    _sync(_beside(folder, "new"))
    mark.touch()
    _sync(folder.parent)
    finish_swap(folder)


def finish_swap(folder: Path) -> None:
    """Complete a swap that has been decided; nothing where none has."""
    mark, draft, old = (_beside(folder, name) for name in ("swap", "new", "old"))
    if not mark.exists():
        return
    if draft.exists():
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)
            folder.rename(old)
        draft.rename(folder)
        _sync(folder.parent)
    mark.unlink()
    _sync(folder.parent)


def remove_leftovers(folder: Path) -> None:
    """Remove what a swap leaves behind; the caller must have the store open."""
    for name in ("old", "new"):
        shutil.rmtree(_beside(folder, name), ignore_errors=True)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keeps other processes from opening or swapping the store of the folder; waits for one that does."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _beside(folder, "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _beside(folder: Path, name: str) -> Path:
    return folder.with_name(f"{folder.name}.{name}")


def _sync(path: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
