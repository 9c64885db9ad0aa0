"""Keeps vectors in step with the store, and embeds what is new; a failing embedder stops neither ingest nor questions.

Vectors are made with the ingest (`at_once`), behind it (`behind`), or with the first question that reads them. What
could not be embedded is on record, is tried again with the next change, and is told with every answer.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from anyio import to_thread

from provgraph.documents.library import Library
from provgraph.errors import ModelUnavailable, ProvGraphError
from provgraph.ports.embedder import Embedder
from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.graphs import collection_name, source_graph
from provgraph.rdf.iris import digest
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import RDF, TG
from provgraph.retrieval.contents import ContentsReader, DocumentContents
from provgraph.retrieval.index_sync import (
    DOCUMENTS_AT_ONCE,
    MOST_OPEN,
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

logger = logging.getLogger(__name__)

EMBEDDING: Final = "embedding"
_TELL_EVERY_S: Final = 0.2

AWAITED: Final = 8
"""Of so few documents the vectors are made before an ingest ends, also where they may follow behind it."""

T = TypeVar("T")


class EmbeddedIndex(Protocol):
    """An index of vectors of one kind of texts. `changes` are all texts of some documents, by key."""

    def subgraphs(self) -> set[str]: ...

    def documents_of(self, subgraphs: Sequence[str]) -> set[str]: ...

    def missing(self) -> Mapping[str, str]: ...

    def wanted(self, changes: Any) -> list[Any]: ...

    def put(self, changes: Any, wanted: Sequence[Any], vectors: Vectors) -> None: ...

    def miss(self, documents: Sequence[str], reason: str) -> None: ...

    def remove(self, documents: Sequence[str]) -> None: ...

    def rewrite(self) -> None: ...

    def close(self) -> None: ...


Index = TypeVar("Index", bound=EmbeddedIndex)


@dataclass(frozen=True)
class VectorKind(Generic[Index]):
    """What is embedded: the texts of documents, with those of facts or without, and how an index is opened."""

    changes: Callable[[Iterable[DocumentContents]], Any]
    opened: Callable[[Path], Index]
    facts: bool = True


def _vector_index(place: Path) -> VectorIndex:
    from provgraph.retrieval.vectors.vector_index import (
        VectorIndex,  # numpy takes a tenth of a second to import
    )

    return VectorIndex(place)


THINGS: Final[VectorKind[VectorIndex]] = VectorKind(vector_changes, _vector_index)
"""Chunks, entities and types."""


@dataclass(frozen=True)
class VectorSettings:
    """`at_once` embeds with the ingest, and `behind` it where documents are many: then nobody waits for it.

    `rest_s` is how long a dead embedder is left alone.
    """

    at_once: bool = True
    behind: bool = False
    rest_s: float = 30.0


class VectorIndexSync(Generic[Index]):
    """Owns the open vector indexes of a process: below `folder`, one for each collection and model."""

    def __init__(
        self,
        store: QuadStore,
        library: Library,
        folder: Path,
        embedder: Embedder,
        settings: VectorSettings = VectorSettings(),
        embedded: VectorKind[Index] = THINGS,  # type: ignore[assignment]
    ) -> None:
        self._store = store
        self._library = library
        self._folder = folder
        self._embedder = embedder
        self._settings = settings
        self._kind = embedded
        self._open: dict[str, Index] = {}
        self._behind: dict[str, asyncio.Task[None]] = {}
        self._waiting: dict[str, dict[NamedNode, None]] = {}
        self._changing = asyncio.Lock()
        self._rests_until = 0.0

    @property
    def model(self) -> str:
        return self._embedder.name

    async def query_vectors(self, texts: Sequence[str]) -> Vectors:
        """The vectors of a question and what is in it. Raises `ModelUnavailable` when they cannot be had."""
        return await self._embedder.embed(texts, "query")

    async def current(self, collection: str) -> Index:
        """The vectors of a collection; at their first use in a process they are made to agree with the store."""
        if index := self._open.get(collection):
            self._open[collection] = self._open.pop(
                collection
            )  # the last one used is the last one in the order
            return index
        async with self._changing:
            return await self._opened(collection)

    async def read(self, collection: str, reading: Callable[[Index], T]) -> T:
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
            if not is_open:
                return
            missing = [NamedNode(document) for document in index.missing()]
            wanted = dict.fromkeys((*documents, *missing))
            if self._settings.behind and len(wanted) > AWAITED:
                self._follow_behind(collection, wanted)
            else:
                await self._embedded(index, collection, wanted)

    async def waiting(self, collection: str) -> AsyncGenerator[Indexed]:
        """What is still embedded behind an ingest, told step by step until it is done."""
        total = len(self._waiting.get(collection, ()))
        while (task := self._behind.get(collection)) and not task.done():
            left = len(self._waiting.get(collection, ()))
            total = max(total, left)
            yield Indexed(total - left, total, EMBEDDING)
            await asyncio.wait([task], timeout=_TELL_EVERY_S)

    def _follow_behind(self, collection: str, documents: Iterable[NamedNode]) -> None:
        self._waiting.setdefault(collection, {}).update(dict.fromkeys(documents))
        task = self._behind.get(collection)
        if self._waiting[collection] and (task is None or task.done()):
            self._behind[collection] = asyncio.create_task(self._embed_waiting(collection))

    async def _embed_waiting(self, collection: str) -> None:
        """Some documents after others; changes and removals come in between.

        What fails is left to the next time that the vectors are made to agree with the store.
        """
        while waiting := self._waiting.get(collection):
            part = list(waiting)[:DOCUMENTS_AT_ONCE]
            try:
                async with self._changing:
                    if index := self._open.get(collection):
                        await self._embedded(index, collection, part)
            except ProvGraphError as error:
                logger.warning("sentences of %s are not embedded yet: %s", collection, error)
                self._waiting.pop(collection, None)
                return
            for document in part:
                waiting.pop(document, None)

    def is_behind(self, collection: str) -> bool:
        """Whether vectors of what was ingested are still being made."""
        return bool(self._waiting.get(collection))

    async def _stop_behind(self, collection: str) -> None:
        self._waiting.pop(collection, None)
        if task := self._behind.pop(collection, None):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def agree(self) -> None:
        """Embed what the open collections have otherwise than the store. Raises as `each_by_itself` does."""
        await each_by_itself(list(self._open), self._agreed)

    async def _agreed(self, collection: str) -> None:
        async with self._changing:
            if index := self._open.get(collection):
                stale = await stale_documents(self._store, collection, index)
                await self._embedded(index, collection, stale)

    async def rebuilt(self, collection: str, damaged: Index | None = None) -> Index:
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
        async with aclosing(self.waiting(collection)) as steps:
            async for step in steps:
                yield step

    async def forget(self, collection: str) -> None:
        """Drop the vectors of a collection, by whatever model."""
        await self._stop_behind(collection)
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
                    await uninterrupted(self._rewritten, place)

    async def close(self) -> None:
        """What is still embedded behind an ingest is broken off; the next use in a process goes on with it."""
        for collection in list(self._behind):
            await self._stop_behind(collection)
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
                    await uninterrupted(self._without, place, gone)

    def _place(self, collection: str) -> Path:
        return self._folder / collection_name(collection) / digest(self._embedder.name.encode())[:16]

    async def _opened(self, collection: str) -> Index:
        if index := self._open.get(collection):
            return index
        await to_its_end(self._opening(collection))
        return self._open[collection]

    async def _opening(self, collection: str) -> AsyncGenerator[Indexed]:
        """Make the vectors agree with the store, step by step; they are open when it has come to its end."""
        await self._close_oldest()
        index = await uninterrupted(self._opened_or_new, self._place(collection))
        try:
            stale = list(await stale_documents(self._store, collection, index))
            yield Indexed(0, len(stale), EMBEDDING)
            if self._settings.behind and len(stale) > AWAITED:
                self._open[collection] = index
                self._follow_behind(collection, stale)
                return
            async with aclosing(self._embedding(index, collection, stale)) as steps:
                async for done in steps:
                    yield Indexed(done, len(stale), EMBEDDING)
        except BaseException:
            await uninterrupted(index.close)
            raise
        self._open[collection] = index

    async def _close_oldest(self) -> None:
        """Leave no more open than may be, but for those that are still embedded behind an ingest."""
        busy = {collection for collection, task in self._behind.items() if not task.done()}
        for collection in [each for each in self._open if each not in busy]:
            if len(self._open) < MOST_OPEN:
                break
            await uninterrupted(self._open.pop(collection).close)

    async def _embedded(self, index: Index, collection: str, documents: Iterable[NamedNode]) -> None:
        await to_its_end(self._embedding(index, collection, documents))

    async def _embedding(
        self, index: Index, collection: str, documents: Iterable[NamedNode]
    ) -> AsyncGenerator[int]:
        """Put in the documents, part by part; the rest is on record as missing when the embedder fails."""
        done = 0
        reader, waiting = ContentsReader(self._store, self._library, collection), list(documents)
        while waiting:
            part = waiting[:DOCUMENTS_AT_ONCE]
            contents = await reader.read(part, self._kind.facts)
            changes = await to_thread.run_sync(self._kind.changes, contents)
            wanted = await uninterrupted(index.wanted, changes)
            for some, keys in changes.in_parts(wanted):
                try:
                    vectors = await self._vectors([changes.texts[key] for key in keys])
                except ModelUnavailable as error:
                    await uninterrupted(index.miss, [document.value for document in waiting], str(error))
                    return
                await uninterrupted(index.put, some, keys, vectors)
            waiting, done = waiting[DOCUMENTS_AT_ONCE:], done + len(part)
            yield done

    async def _vectors(self, texts: Sequence[str]) -> Vectors:
        """A row for each text, equal ones embedded once. Raises `ModelUnavailable` also while a failed embedder is left
        alone."""
        if texts and time.monotonic() < self._rests_until:
            raise ModelUnavailable(
                "The embedding model failed a moment ago. It is tried again with the next change."
            )
        try:
            rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
            vectors = await self._embedder.embed(list(rows), "passage")
            return vectors if len(rows) == len(texts) else vectors[[rows[text] for text in texts]]
        except ModelUnavailable:
            self._rests_until = time.monotonic() + self._settings.rest_s
            raise

    async def _drop(self, collection: str) -> None:
        if index := self._open.pop(collection, None):
            await uninterrupted(index.close)
        await uninterrupted(shutil.rmtree, self._place(collection), True)

    def _opened_or_new(self, place: Path) -> Index:
        """The vectors in a folder; damaged ones are thrown away."""
        try:
            return self._kind.opened(place)
        except DamagedIndex:
            shutil.rmtree(place, ignore_errors=True)
            return self._kind.opened(place)

    def _rewritten(self, place: Path) -> None:
        index = self._opened_or_new(place)
        index.rewrite()
        index.close()

    def _without(self, place: Path, documents: Sequence[str]) -> None:
        index = self._opened_or_new(place)
        index.remove(documents)
        index.close()
