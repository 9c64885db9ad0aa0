"""Nothing left in any file of what was removed: store and indexes written anew, copies and memories dropped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from anyio import to_thread

from provgraph.catalogue.collections import Collections
from provgraph.extraction.removal.clearing import Clearing
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import Retriever


@dataclass(frozen=True)
class Compaction:
    """Bytes on disk, before and after."""

    before: int
    after: int


@dataclass(frozen=True)
class Erasure:
    """`forget` are the other places where removed words may still be: copies for queries, finished jobs and sessions.

    `size` measures what lies on disk, in bytes.
    """

    store: QuadStore
    collections: Collections
    retriever: Retriever
    clearing: Clearing
    forget: Sequence[Callable[[], Awaitable[None]]]
    size: Callable[[], int]

    async def compact(self) -> Compaction:
        """Questions are answered meanwhile; writes wait while the store is written anew.

        Raises `Unavailable` when there is no room for it; what was removed is removed, and this can be done again.
        """
        before = await to_thread.run_sync(self.size)
        await self.clearing.work_off()
        await self.store.rewrite()
        for collection in await self.collections.names():
            await self.retriever.rewrite(collection)
        for forget in self.forget:
            await forget()
        return Compaction(before, await to_thread.run_sync(self.size))
