"""Keeps the indexes in step with the store: whatever stopped in between, they agree again at the next use."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeVar, TypeVarTuple, Unpack

from anyio import CancelScope, to_thread

from provgraph.documents.library import Library
from provgraph.errors import Unavailable
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import collection_name, source_graph
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import PROV, RDF, TG
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.contents import ContentsReader, DocumentContents, lost_names
from provgraph.retrieval.entries import index_changes


class SyncedIndex(Protocol):
    """An index made of documents that knows which subgraphs it has, and from which documents."""

    def subgraphs(self) -> set[str]: ...

    def documents_of(self, subgraphs: Sequence[str]) -> set[str]: ...


async def stale_documents(store: QuadStore, collection: str, index: SyncedIndex) -> list[NamedNode]:
    """The documents of all subgraphs that only one of store and index has."""
    graph = source_graph(collection)
    (quads,) = await store.match([QuadPattern(None, RDF.type, TG.Subgraph, graph)])
    stored = {quad.subject for quad in quads if isinstance(quad.subject, NamedNode)}
    indexed = await to_thread.run_sync(index.subgraphs)
    gone = indexed - {node.value for node in stored}
    removed = await to_thread.run_sync(index.documents_of, sorted(gone))
    missing = [node for node in stored if node.value not in indexed]
    documents = {NamedNode(document) for document in removed} | await _origins(store, missing, graph)
    return sorted(documents, key=lambda document: document.value)


async def each_by_itself(collections: Iterable[str], agree: Callable[[str], Awaitable[None]]) -> None:
    """Let each collection agree with the store, also where the store of another is away; that is raised in the end."""
    away: Unavailable | None = None
    for collection in collections:
        try:
            await agree(collection)
        except Unavailable as error:
            away = error
    if away:
        raise away


async def _origins(store: QuadStore, nodes: Sequence[NamedNode], graph: NamedNode) -> set[NamedNode]:
    """The ends of the chains of derivation that begin at the nodes."""
    origins: set[NamedNode] = set()
    while nodes:
        patterns = [QuadPattern(node, PROV.was_derived_from, None, graph) for node in nodes]
        above: set[NamedNode] = set()
        for node, quads in zip(nodes, await store.match(patterns), strict=True):
            above.update(quad.object for quad in quads if isinstance(quad.object, NamedNode))
            if not quads:
                origins.add(node)
        nodes = list(above)
    return origins


T = TypeVar("T")
Ts = TypeVarTuple("Ts")


async def uninterrupted(change: Callable[[Unpack[Ts]], T], *arguments: *Ts) -> T:
    """What `change` returns. A thread cannot be broken off: a cancellation that comes meanwhile counts when it ends,
    and a lock that the caller holds is held until then."""
    changing = asyncio.create_task(to_thread.run_sync(change, *arguments))
    with CancelScope(shield=True):
        try:
            await asyncio.shield(changing)
        except asyncio.CancelledError:
            while not changing.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([changing])
            raise
    return changing.result()


MOST_OPEN: Final = 32
"""Collections whose indexes are open at once."""

DOCUMENTS_AT_ONCE: Final = 32
"""How many documents are read from the store together; they are committed once, at the end."""


@dataclass(frozen=True)
class Indexed:
    """So many documents of a collection's are indexed, or embedded."""

    done: int
    total: int
    doing: str = "indexing"


async def to_its_end(steps: AsyncGenerator[object]) -> None:
    """What tells of each step, done without being listened to."""
    async with aclosing(steps) as each:
        async for _ in each:
            pass


class IndexSync:
    """Owns the open indexes of a process. Changes are made one at a time; questions do not wait for them.

    An open index has threads and files: only those of the collections that were used last stay open.
    """

    def __init__(self, store: QuadStore, library: Library, folder: Path) -> None:
        self._store = store
        self._library = library
        self._folder = folder
        self._open: dict[str, CollectionIndex] = {}
        self._changing = asyncio.Lock()

    async def current(self, collection: str) -> CollectionIndex:
        """The index of a collection as it is, for a question; at its first use in a process it is made to agree with
        the store."""
        if index := self._open.get(collection):
            self._open[collection] = self._open.pop(
                collection
            )  # the last one used is the last one in the order
            return index.as_it_is
        async with self._changing:
            return (await self._opened(collection)).as_it_is

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        """Index the documents as the store has them now. The same documents again change nothing."""
        async with self._changing:
            is_open = collection in self._open
            index = await self._opened(collection, documents)
            if is_open:
                await self._put(index, collection, documents)

    async def agree(self) -> None:
        """Index what the open collections have otherwise than the store. Raises as `each_by_itself` does."""
        await each_by_itself(list(self._open), self._agreed)

    async def _agreed(self, collection: str) -> None:
        async with self._changing:
            if index := self._open.get(collection):
                await self._put(index, collection, await stale_documents(self._store, collection, index))

    async def rebuilt(self, collection: str) -> CollectionIndex:
        """The index of a collection, thrown away and built anew, for a question."""
        async with self._changing:
            await self._drop(collection)
            return (await self._opened(collection)).as_it_is

    async def reindex(self, collection: str) -> AsyncGenerator[Indexed]:
        """Throw the index of a collection away and build it from store and library, told step by step.

        What is broken off is no harm: the next use makes the index agree with the store.
        """
        async with self._changing:
            await self._drop(collection)
            index = await uninterrupted(CollectionIndex, self._folder / collection_name(collection))
            try:
                documents = await stale_documents(self._store, collection, index)
                yield Indexed(0, len(documents))
                async with aclosing(self._putting(index, collection, documents)) as steps:
                    async for done in steps:
                        yield Indexed(done, len(documents))
            except BaseException:
                await uninterrupted(index.close)
                raise
            self._open[collection] = index

    async def forget(self, collection: str) -> None:
        async with self._changing:
            await self._drop(collection)

    async def close(self) -> None:
        async with self._changing:
            while self._open:
                _, index = self._open.popitem()
                await uninterrupted(index.close)

    async def _opened(self, collection: str, changed: Iterable[NamedNode] = ()) -> CollectionIndex:
        if index := self._open.get(collection):
            return index
        while len(self._open) >= MOST_OPEN:
            await uninterrupted(self._open.pop(next(iter(self._open))).close)
        index = await uninterrupted(CollectionIndex, self._folder / collection_name(collection))
        documents = dict.fromkeys((*changed, *await stale_documents(self._store, collection, index)))
        await self._put(index, collection, list(documents))
        self._open[collection] = index
        return index

    async def _put(self, index: CollectionIndex, collection: str, documents: Sequence[NamedNode]) -> None:
        await to_its_end(self._putting(index, collection, documents))

    async def _putting(
        self, index: CollectionIndex, collection: str, documents: Sequence[NamedNode]
    ) -> AsyncGenerator[int]:
        """Index the documents; yields how many are done. They count, all at once, when it has come to its end."""
        if not documents:
            return
        reader = ContentsReader(self._store, self._library, collection)
        named = await uninterrupted(index.names, [document.value for document in documents])
        lost = await lost_names(self._store, collection, named)
        try:
            await uninterrupted(index.forget_names, lost)
            for start in range(0, len(documents), DOCUMENTS_AT_ONCE):
                contents = await reader.read(documents[start : start + DOCUMENTS_AT_ONCE])
                await uninterrupted(_index, index, contents)
                yield start + len(contents)
        except BaseException:
            index.rollback()
            raise
        await uninterrupted(index.commit)

    async def _drop(self, collection: str) -> None:
        if index := self._open.pop(collection, None):
            await uninterrupted(index.close)
        await uninterrupted(shutil.rmtree, self._folder / collection_name(collection), True)


def _index(index: CollectionIndex, contents: Sequence[DocumentContents]) -> None:
    for changes in index_changes(contents):
        index.put(changes)
