"""Keeps vectors in step with the store, and embeds what is new; a failing embedder stops neither ingest nor questions.

Where vectors cost something they are made with the ingest (`at_once`); else with the first question that reads them.
What could not be embedded is on record, is tried again with the next change, and is told with every answer.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from anyio import to_thread

from provgraph.documents.library import Library
from provgraph.errors import ModelUnavailable
from provgraph.ports.embedder import Embedder
from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.graphs import collection_name, source_graph
from provgraph.rdf.iris import digest
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import RDF, TG
from provgraph.retrieval.contents import ContentsReader
from provgraph.retrieval.index_sync import (
    DOCUMENTS_AT_ONCE,
    Indexed,
    each_by_itself,
    stale_documents,
    to_its_end,
    uninterrupted,
)
from provgraph.retrieval.keyword_index import DamagedIndex
from provgraph.retrieval.vectors.items import vector_changes

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors
    from provgraph.retrieval.vectors.vector_index import VectorIndex

EMBEDDING: Final = "embedding"

T = TypeVar("T")


@dataclass(frozen=True)
class VectorSettings:
    """`at_once` embeds with the ingest; `rest_s` is how long a dead embedder is left alone."""

    at_once: bool = True
    rest_s: float = 30.0


class VectorIndexSync:
    """Owns the open vector indexes of a process: below `folder`, one for each collection and model."""

    def __init__(
        self,
        store: QuadStore,
        library: Library,
        folder: Path,
        embedder: Embedder,
        settings: VectorSettings = VectorSettings(),
    ) -> None:
        self._store = store
        self._library = library
        self._folder = folder
        self._embedder = embedder
        self._settings = settings
        self._open: dict[str, VectorIndex] = {}
        self._changing = asyncio.Lock()
        self._rests_until = 0.0

    @property
    def model(self) -> str:
        return self._embedder.name

    async def query_vectors(self, texts: Sequence[str]) -> Vectors:
        """The vectors of a question and what is in it. Raises `ModelUnavailable` when they cannot be had."""
        return await self._embedder.embed(texts, "query")

    async def current(self, collection: str) -> VectorIndex:
        """The vectors of a collection; at their first use in a process they are made to agree with the store."""
        if index := self._open.get(collection):
            return index
        async with self._changing:
            return await self._opened(collection)

    async def read(self, collection: str, reading: Callable[[VectorIndex], T]) -> T:
        """What `reading` finds, in a worker thread.

        Vectors that turn out to be damaged are made anew, and read once more; those that were closed meanwhile, in
        which it may have found nothing, are read again as they are then.
        """
        index = await self.current(collection)
        with suppress(DamagedIndex):
            found = await to_thread.run_sync(reading, index)
            if self._open.get(collection) is index:
                return found
        return await to_thread.run_sync(reading, await self.rebuilt(collection, index))

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        """Bring the vectors up to date with these documents, and with those that could not be embedded before."""
        async with self._changing:
            await self._forget_removed(collection, documents)
            is_open = collection in self._open
            if not is_open and not self._settings.at_once:
                return
            index = await self._opened(collection)
            if is_open:
                missing = [NamedNode(document) for document in index.missing()]
                await self._embedded(index, collection, dict.fromkeys((*documents, *missing)))

    async def agree(self) -> None:
        """Embed what the open collections have otherwise than the store. Raises as `each_by_itself` does."""
        await each_by_itself(list(self._open), self._agreed)

    async def _agreed(self, collection: str) -> None:
        async with self._changing:
            if index := self._open.get(collection):
                stale = await stale_documents(self._store, collection, index)
                await self._embedded(index, collection, stale)

    async def rebuilt(self, collection: str, damaged: VectorIndex | None = None) -> VectorIndex:
        """The vectors made anew; what has taken the place of `damaged` ones in the meantime is not made again."""
        async with self._changing:
            if damaged is None or self._open.get(collection) is damaged:
                await self._drop(collection)
            return await self._opened(collection)

    async def reindex(self, collection: str) -> AsyncGenerator[Indexed]:
        """Throw the vectors of a collection away and make them anew, told step by step.

        Nothing is made where vectors wait for the first question that reads them, and none has yet. What is broken off
        is no harm: the next use embeds what is missing.
        """
        async with self._changing:
            if not self._settings.at_once and not self._place(collection).exists():
                return
            await self._drop(collection)
            async with aclosing(self._opening(collection)) as steps:
                async for step in steps:
                    yield step

    async def forget(self, collection: str) -> None:
        """Drop the vectors of a collection, by whatever model."""
        async with self._changing:
            await self._drop(collection)
            await uninterrupted(shutil.rmtree, self._folder / collection_name(collection), True)

    async def rewrite(self, collection: str) -> None:
        """Write the files of a collection's vectors anew, of whatever model, without what was removed."""
        async with self._changing:
            index = self._open.get(collection)
            if index:
                await uninterrupted(index.rewrite)
            for place in (self._folder / collection_name(collection)).glob("*/"):
                if not index or place != self._place(collection):
                    await uninterrupted(_rewritten, place)

    async def close(self) -> None:
        async with self._changing:
            while self._open:
                await uninterrupted(self._open.popitem()[1].close)
        await self._embedder.close()

    async def _forget_removed(self, collection: str, documents: Sequence[NamedNode]) -> None:
        """Take documents that were removed out of the vectors that are not open, those of other models too."""
        graph = source_graph(collection)
        stored = await self._store.contains([Quad(node, RDF.type, TG.Document, graph) for node in documents])
        gone = [node.value for node, is_stored in zip(documents, stored, strict=True) if not is_stored]
        opened = self._place(collection) if collection in self._open else None
        if gone:
            for place in (self._folder / collection_name(collection)).glob("*/"):
                if place != opened:
                    await uninterrupted(_without, place, gone)

    def _place(self, collection: str) -> Path:
        return self._folder / collection_name(collection) / digest(self._embedder.name.encode())[:16]

    async def _opened(self, collection: str) -> VectorIndex:
        if index := self._open.get(collection):
            return index
        await to_its_end(self._opening(collection))
        return self._open[collection]

    async def _opening(self, collection: str) -> AsyncGenerator[Indexed]:
        """Make the vectors agree with the store, step by step; they are open when it has come to its end."""
        index = await uninterrupted(_opened_or_new, self._place(collection))
        try:
            stale = list(await stale_documents(self._store, collection, index))
            yield Indexed(0, len(stale), EMBEDDING)
            async with aclosing(self._embedding(index, collection, stale)) as steps:
                async for done in steps:
                    yield Indexed(done, len(stale), EMBEDDING)
        except BaseException:
            await uninterrupted(index.close)
            raise
        self._open[collection] = index

    async def _embedded(self, index: VectorIndex, collection: str, documents: Iterable[NamedNode]) -> None:
        await to_its_end(self._embedding(index, collection, documents))

    async def _embedding(
        self, index: VectorIndex, collection: str, documents: Iterable[NamedNode]
    ) -> AsyncGenerator[int]:
        """Put in the documents, part by part; the rest is on record as missing when the embedder fails."""
        done = 0
        reader, waiting = ContentsReader(self._store, self._library, collection), list(documents)
        while waiting:
            part = waiting[:DOCUMENTS_AT_ONCE]
            changes = vector_changes(await reader.read(part))
            wanted = await uninterrupted(index.wanted, changes)
            try:
                vectors = await self._vectors([changes.texts[key] for key in wanted])
            except ModelUnavailable as error:
                await uninterrupted(index.miss, [document.value for document in waiting], str(error))
                return
            await uninterrupted(index.put, changes, wanted, vectors)
            waiting, done = waiting[DOCUMENTS_AT_ONCE:], done + len(part)
            yield done

    async def _vectors(self, texts: Sequence[str]) -> Vectors:
        """Raises `ModelUnavailable` also while a failed embedder is left alone."""
        if texts and time.monotonic() < self._rests_until:
            raise ModelUnavailable(
                "The embedding model failed a moment ago. It is tried again with the next change."
            )
        try:
            return await self._embedder.embed(texts, "passage")
        except ModelUnavailable:
            self._rests_until = time.monotonic() + self._settings.rest_s
            raise

    async def _drop(self, collection: str) -> None:
        if index := self._open.pop(collection, None):
            await uninterrupted(index.close)
        await uninterrupted(shutil.rmtree, self._place(collection), True)


def _opened_or_new(place: Path) -> VectorIndex:
    """The vectors in a folder; damaged ones are thrown away."""
    from provgraph.retrieval.vectors.vector_index import (
        VectorIndex,  # numpy takes a tenth of a second to import
    )

    try:
        return VectorIndex(place)
    except DamagedIndex:
        shutil.rmtree(place, ignore_errors=True)
        return VectorIndex(place)


def _rewritten(place: Path) -> None:
    index = _opened_or_new(place)
    index.rewrite()
    index.close()


def _without(place: Path, documents: Sequence[str]) -> None:
    index = _opened_or_new(place)
    index.remove(documents)
    index.close()
