"""The embedded store of a folder: how it is opened, also after a write that failed, and what such a failure means."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pyoxigraph import Store

from provgraph.adapters.full_disks import has_room, is_full
from provgraph.adapters.store_folder import alone, finish_swap, remove_leftovers
from provgraph.errors import NoRoom, Unavailable

AT_LEAST_FREE: Final = 1_000_000
"""Bytes beside the log of what was written, before a store that ran out of room is opened anew."""


def opened(folder: Path | None) -> Store:
    """A store in memory without a folder. Raises `Unavailable` when another process has it, or it cannot be read."""
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
        reason = (
            "another provgraph process is using it. Wait for it to end; if it is a service, give its address with --url"
            if "lock" in str(error).lower()
            else f"{error}. Check the folder's permissions and the disk"
        )
        raise Unavailable(f"The store in {folder} cannot be opened: {reason}.") from error
    except RuntimeError as error:  # what RocksDB calls corruption
        raise Unavailable(
            f"The store in {folder} is damaged ({error}). Put a backup of the folder in its place, "
            "or ingest the documents into a new one."
        ) from error


def require_room(folder: Path, failed: OSError) -> None:
    """Raises `Unavailable` where a store whose write failed for want of room could not be opened anew either: what is
    in its log is written once more then."""
    replayed = sum(log.stat().st_size for log in folder.glob("*.log"))
    if is_full(failed) and not has_room(folder, replayed + AT_LEAST_FREE):
        raise unwritten(failed) from failed


def unwritten(error: OSError) -> Unavailable:
    """What it means that a write failed."""
    if is_full(error):
        return NoRoom(
            f"The store has no room for a write ({error}). Nothing of this step was kept. Free some space on its disk; "
            "work that waits goes on by itself, anything else is to be sent again."
        )
    return Unavailable(
        f"The store cannot be written ({error}). Nothing of this step was kept. "
        "Check its folder's permissions and the disk, then run the same command again."
    )
