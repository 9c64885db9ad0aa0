"""Nothing left in any file of what was removed: store and indexes written anew, copies and memories dropped."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from anyio import to_thread

from provgraph.catalogue.collections import Collections
from provgraph.ingestion.removal.outbox import Clearing
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import Retriever


@dataclass(frozen=True)
class Rewriting:
    """Of `total` parts, `done` are written anew, and `part` is being written."""

    part: str
    done: int
    total: int


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
        """All steps at once; raises as they do."""
        async with aclosing(self.steps()) as steps:
            (done,) = [step async for step in steps if isinstance(step, Compaction)]
        return done

    async def steps(self) -> AsyncGenerator[Rewriting | Compaction]:
        """Write everything anew, told part by part. Questions are answered meanwhile; writes wait while the store is
        written anew. What is broken off finishes the part at hand, and leaves the others as they were.

        Raises `Unavailable` when there is no room for it; what was removed is removed, and this can be done again.
        """
        before = await to_thread.run_sync(self.size)
        await self.clearing.work_off()
        names = await self.collections.names()
        total = 1 + len(names)
        yield Rewriting("store", 0, total)
        await self.store.rewrite()
        for done, collection in enumerate(names, 1):
            yield Rewriting(f"indexes of {collection}", done, total)
            await self.retriever.rewrite(collection)
        for forget in self.forget:
            await forget()
        yield Compaction(before, await to_thread.run_sync(self.size))
