"""Copies of the store for other processes to read: as fresh as the store, shared, and deleted after use."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from provgraph.errors import Unavailable


class BackedUpStore(Protocol):
    """A store that can be copied; `revision` rises with every write."""

    @property
    def revision(self) -> int: ...

    async def backup(self, folder: Path) -> int:
        """Copy into a folder that does not exist, and tell which revision the copy shows."""
        ...


@dataclass
class StoreCopy:
    folder: Path
    revision: int
    readers: int = 0


@dataclass(frozen=True)
class Lease:
    """A snapshot that stays until the lease ends. It shows all that was written before `since` (monotonic)."""

    folder: Path
    since: float

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.since


class StoreSnapshots:
    """Keeps one snapshot, renews it when the store was written to, and deletes it with its last reader.

    `folder` belongs to this object alone: what an earlier run left there is deleted. It should lie on the
    store's own file system, where most of a copy is hard links.
    """

    def __init__(self, store: BackedUpStore, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._store = store
        self._folder = folder
        self._latest: StoreCopy | None = None
        self._renewal: asyncio.Task[None] | None = None
        self._count = 0

    @asynccontextmanager
    async def lease(self) -> AsyncIterator[Lease]:
        """A snapshot with everything that was written until now."""
        since = time.monotonic()
        snapshot = await self._current()
        snapshot.readers += 1
        try:
            yield Lease(snapshot.folder, since)
        finally:
            snapshot.readers -= 1
            self._delete_unread(snapshot)

    async def discard(self) -> None:
        """Give up the snapshot, which goes with its last reader; the next lease makes another."""
        if self._renewal is not None:
            await asyncio.wait([self._renewal])
        latest, self._latest = self._latest, None
        if latest is not None:
            self._delete_unread(latest)

    async def close(self) -> None:
        """Delete everything; no lease may be open."""
        if self._renewal is not None:
            await asyncio.wait([self._renewal])
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _current(self) -> StoreCopy:
        """Callers share a renewal that is under way, if it began after what they must see was written."""
        wanted = self._store.revision
        while (latest := self._latest) is None or latest.revision < wanted:
            if self._renewal is None:
                self._renewal = asyncio.create_task(self._renew())
            await asyncio.shield(self._renewal)
        return latest

    async def _renew(self) -> None:
        self._count += 1
        folder = self._folder / str(self._count)
        try:
            renewed = StoreCopy(folder, await self._store.backup(folder))
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise Unavailable(
                f"The store cannot be copied for queries ({error}). Free some space on its disk, then ask again."
            ) from error
        finally:
            self._renewal = None
        replaced, self._latest = self._latest, renewed
        if replaced is not None:
            self._delete_unread(replaced)

    def _delete_unread(self, snapshot: StoreCopy) -> None:
        if snapshot is not self._latest and snapshot.readers == 0:
            shutil.rmtree(snapshot.folder, ignore_errors=True)
