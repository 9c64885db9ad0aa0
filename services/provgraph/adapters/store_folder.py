"""The folder of an embedded store: how it is opened, what a failure to write means, and how another store
takes its place."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from pyoxigraph import RdfFormat, Store

from provgraph.adapters.full_storage import has_room, is_full
from provgraph.errors import FolderInUse, NoRoom, Unavailable


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
    for name in ("old", "new", "copy"):
        shutil.rmtree(_beside(folder, name), ignore_errors=True)


def write_draft(folder: Path, store: Store) -> None:
    """Write all that a store has into a draft beside it, and how large its tables are then."""
    draft = draft_folder(folder)
    anew = Store(draft)
    with _written_copy(folder) as copy:
        # a store that is given to another one keeps the interpreter until all is copied; files are read without it
        store.dump(copy, format=RdfFormat.N_QUADS)
        anew.bulk_load(path=copy, format=RdfFormat.N_QUADS)
    anew.flush()
    del anew
    (draft / PACKED_SIZE).write_text(str(table_bytes(draft)))


@contextmanager
def _written_copy(folder: Path) -> Iterator[Path]:
    """A place for a copy of the store in one file, while the block lasts."""
    beside = _beside(folder, "copy")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir()
    try:
        yield beside / "store.nq"
    finally:
        shutil.rmtree(beside, ignore_errors=True)


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


def log_bytes(folder: Path) -> int:
    """The size of the log, which may have much that the tables have too."""
    return sum(log.stat().st_size for log in folder.glob("*.log"))


def empty_log(folder: Path) -> None:
    """Let the log go of a store that is closed and was flushed: RocksDB keeps what is in its tables too, up to twice
    their size, until the store is opened. Nothing where another process has it by now."""
    with suppress(OSError, RuntimeError), alone(folder):
        Store(folder)


PACKED_SIZE: Final = "PACKED"
"""The file in the folder of a store that has the bytes of its tables as they were when all was written anew."""

PACKED_FROM: Final = 4_000_000
PACKED_TO: Final = 100_000_000
"""Bytes of tables. Less is not worth the time; more takes longer than 4 s and some 250 MB of memory, which a service
that stops does not have: it is written anew when asked for."""


def pack(folder: Path) -> None:
    """Write a store that is closed anew where its tables are twice what they were then.

    RocksDB compresses only levels below the first, and a store of less than some gigabytes has one; what is loaded in
    bulk it compresses always, to half. Nothing where another process has the store by now, and where the disk has no
    room for both: the store stays as it is.
    """
    with suppress(OSError, RuntimeError), alone(folder):
        before, size = _packed_bytes(folder), table_bytes(folder)
        if PACKED_FROM < size < PACKED_TO and size > 2 * before and has_room(folder, 2 * size):
            write_draft(folder, Store(folder))
            put_in_place(folder)
            remove_leftovers(folder)


def _packed_bytes(folder: Path) -> int:
    """What the tables had when all was written anew; 0 where that is not noted, or the note was cut off."""
    try:
        return int((folder / PACKED_SIZE).read_text())
    except (FileNotFoundError, ValueError):
        return 0


def table_bytes(folder: Path) -> int:
    """The size of the tables, in which all is that has left memory."""
    return sum(table.stat().st_size for table in folder.glob("*.sst"))


AT_LEAST_FREE: Final = 1_000_000
"""Bytes beside the log of what was written, before a store that ran out of room is opened anew."""


def opened(folder: Path | None) -> Store:
    """A store in memory without a folder. Raises `FolderInUse` when another process has it, and `Unavailable` when it
    cannot be read."""
    if folder is None:
        return Store()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with alone(folder):
            finish_swap(folder)
            folder.mkdir(parents=True, exist_ok=True)
            store = Store(folder)
        remove_leftovers(folder)
        return store
    except OSError as error:
        if "lock" in str(error).lower():
            raise FolderInUse(
                f"The store in {folder} cannot be opened: another provgraph process is using it. "
                "Wait for it to finish; if it is a service, give its address with --url."
            ) from error
        raise Unavailable(
            f"The store in {folder} cannot be opened: {error}. Check the folder's permissions and the disk."
        ) from error
    except RuntimeError as error:  # what RocksDB calls corruption
        raise Unavailable(
            f"The store in {folder} is damaged ({error}). Put a backup of the folder in its place, "
            "or ingest the documents into a new one."
        ) from error


def require_room(folder: Path, failed: OSError) -> None:
    """Raises `Unavailable` where a store whose write failed for want of room could not be opened anew either: what is
    in its log is written once more then."""
    replayed = log_bytes(folder)
    if is_full(failed) and not has_room(folder, replayed + AT_LEAST_FREE):
        raise unwritten(failed) from failed


def unwritten(error: OSError) -> Unavailable:
    """What it means that a write failed."""
    if is_full(error):
        return NoRoom(
            f"The store has no room for a write ({error}). Nothing of this step was kept. Free some space on its disk; "
            "queued work continues by itself; send anything else again."
        )
    return Unavailable(
        f"The store cannot be written ({error}). Nothing of this step was kept. "
        "Check its folder's permissions and the disk, then run the same command again."
    )
