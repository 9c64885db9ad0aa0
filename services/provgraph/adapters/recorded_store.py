"""`QuadStore` over another one that adds to each transaction its signed record, in the same transaction.

For a store that this process has to itself: the chain has one end. What is bookkeeping of our own (leases, work left to
do) has no record. See docs/tech-specs/signed-records.md.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Final, TypeVar

from provgraph.attestation.chain import erased_entries, last_head, last_record
from provgraph.attestation.records import Head, Record, RecordedChange, RecordKind, Signing
from provgraph.ports.quad_store import (
    QuadPattern,
    QuadStore,
    Solution,
    StoreChange,
    StoreReader,
)
from provgraph.provenance.records import RECORDS, record_marker
from provgraph.rdf.graphs import kind_of_graph
from provgraph.rdf.terms import NamedNode, Quad, Term

logger = logging.getLogger(__name__)

T = TypeVar("T")

_FOUND_AT_ONCE: Final = 20_000


class RecordedStore(QuadStore):
    """Signs what is written through it. A store that has no records yet gets the first ones before it is written to:
    they sign what it holds as it is found. Records are shown to who names their graph."""

    def __init__(self, inner: QuadStore, signing: Signing) -> None:
        self._inner = inner
        self._signing = signing
        self._head: Head | None = None
        self._beginning = asyncio.Lock()
        self._is_begun = False

    @property
    def revision(self) -> int:
        return self._inner.revision

    async def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        found = await self._inner.match(
            patterns, limit if all(quad_pattern.graph for quad_pattern in patterns) else None
        )
        return [
            (quads if pattern.graph else _without_records(quads))[:limit]
            for pattern, quads in zip(patterns, found, strict=True)
        ]

    def scan(self, pattern: QuadPattern, size: int) -> AsyncGenerator[list[Quad]]:
        return self._inner.scan(pattern, size) if pattern.graph else self._scan_others(pattern, size)

    async def _scan_others(self, pattern: QuadPattern, size: int) -> AsyncGenerator[list[Quad]]:
        async with aclosing(self._inner.scan(pattern, size)) as batches:
            async for quads in batches:
                yield _without_records(quads)

    async def contains(self, quads: Sequence[Quad]) -> list[bool]:
        return await self._inner.contains(quads)

    async def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> list[Solution]:
        return await self._inner.select(query, bindings)

    async def graph_names(self) -> list[NamedNode]:
        return [name for name in await self._inner.graph_names() if name != RECORDS]

    async def add(self, quads: Sequence[Quad]) -> None:
        await self.transact(lambda _: StoreChange(None, (), quads))

    async def transact(self, decide: Callable[[StoreReader], StoreChange[T]]) -> T:
        await self._begin()
        return await self._inner.transact(lambda reader: self._recorded(reader, decide(reader)))

    async def remove(self, quads: Sequence[Quad]) -> None:
        await self.transact(lambda _: StoreChange(None, quads))

    async def clear(self, graphs: Sequence[NamedNode]) -> None:
        await self._begin()
        names = [graph.value for graph in graphs if kind_of_graph(graph)]
        if names:
            await self._sign(RecordKind.CLEARED, RecordedChange({}, {}), cleared=names)
        await self._inner.clear(graphs)

    async def rewrite(self) -> None:
        """Also what records hold of statements that were removed is struck, before the store is written anew."""
        await self._begin()
        gone, come, struck = await erased_entries(self._inner)
        if struck:

            def decide(reader: StoreReader) -> StoreChange[None]:
                noted = self._next(reader, RecordKind.ERASED, RecordedChange({}, {}), struck=struck)
                return StoreChange(None, gone, [*come, *noted])

            await self._inner.transact(decide)
        await self._inner.rewrite()

    async def backup(self, folder: Path) -> int:
        return await self._inner.backup(folder)

    def open_backup(self, folder: Path) -> QuadStore:
        return RecordedStore(self._inner.open_backup(folder), self._signing)

    async def close(self) -> None:
        await self._inner.close()

    def _recorded(self, reader: StoreReader, change: StoreChange[T]) -> StoreChange[T]:
        recorded = RecordedChange.of(change.added, change.removed)
        if recorded.is_empty:
            return change
        written = self._next(reader, RecordKind.WRITTEN, recorded)
        return StoreChange(change.outcome, change.removed, [*change.added, *written])

    async def _sign(self, kind: RecordKind, recorded: RecordedChange, **more: object) -> None:
        """A record by itself."""
        await self._inner.transact(
            lambda reader: StoreChange(None, (), self._next(reader, kind, recorded, **more))
        )

    def _next(
        self, reader: StoreReader, kind: RecordKind, recorded: RecordedChange, **more: object
    ) -> list[Quad]:
        """The quads of the next record, within a transaction."""
        head = self._head
        if head is None or not all(reader.contains([record_marker(head.number)])):
            head = last_head(reader)  # at the start, and when a transaction failed after it was decided
        introduced: list[Quad] = []
        if head is None or head.key != self._signing.key:
            head, introduced = self._signing.introduction(head)
        self._head, quads = self._signing.record(head, kind, recorded, **more)
        return [*introduced, *quads]

    async def _begin(self) -> None:
        """Sign what a store without records holds."""
        if self._is_begun:
            return
        async with self._beginning:
            if not self._is_begun:
                last = await self._inner.transact(lambda reader: StoreChange(last_record(reader)))
                if last is None or _is_broken_off(last):
                    await self._sign_what_is_there()
                self._is_begun = True

    async def _sign_what_is_there(self) -> None:
        found = 0
        for graph in sorted(await self._inner.graph_names(), key=str):
            if kind_of_graph(graph):
                async for quads in self._inner.scan(QuadPattern(graph=graph), _FOUND_AT_ONCE):
                    await self._sign(RecordKind.FOUND, RecordedChange.of(quads))
                    found += len(quads)
        if found:
            await self._sign(RecordKind.FOUND, RecordedChange({}, {}), complete=True)
            logger.warning(
                "signed records of this store begin now: its %s statements are taken as they are",
                f"{found:,}",
            )


def _is_broken_off(last: Record) -> bool:
    """Whether a crash came while what a store holds was signed: then all of it is signed once more."""
    return last.kind == RecordKind.FOUND and not last.statement.get("complete")


def _without_records(quads: Sequence[Quad]) -> list[Quad]:
    return [quad for quad in quads if quad.graph_name != RECORDS]
