"""Ingest: files → documents → chunks → facts → store, as an async generator of events.

A batch of chunks, from one document or from many small ones, is extracted together and written in one
transaction. Reading, extracting, writing and indexing go on side by side. Everything is write-if-absent and
content-addressed, so an ingest that was killed is mended by running it again, and one that is repeated changes
nothing.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from anyio import to_thread
from pyoxigraph import NamedNode

from provgraph.catalogue.collections import Collections
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.library import Library
from provgraph.errors import ProvGraphError
from provgraph.extraction.events import ChunksRead, DocumentRefused, DocumentStored, IngestEvent
from provgraph.extraction.facts import Fact
from provgraph.extraction.intake import Intake
from provgraph.extraction.planning import PlannedChunk, PlannedDocument, SourceFile
from provgraph.extraction.recording import Recorder
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.ports.quad_store import QuadStore, WriteUnit
from provgraph.ports.retriever import Retriever

BATCH_CHUNKS: Final = 32
BATCHES_AHEAD: Final = 4
DOCUMENTS_PER_FOLLOW: Final = 256


@dataclass
class _Document:
    """A document on its way: `units` go with its first chunk; `waiting` chunks are still to be written."""

    planned: PlannedDocument
    units: list[WriteUnit]
    waiting: int
    new_chunks: int = 0
    fact_count: int = 0


@dataclass(frozen=True)
class _Work:
    document: _Document
    chunk: PlannedChunk


@dataclass(frozen=True)
class _Batch:
    """Chunks that are extracted and written together; `facts` is None for a chunk that the store has."""

    works: Sequence[_Work]
    facts: Sequence[Sequence[Fact] | None]


@dataclass(frozen=True)
class Ingestion:
    """The extraction service: what it writes to, what it reads with, and who follows its changes."""

    store: QuadStore
    library: Library
    retriever: Retriever
    collections: Collections
    workers: ExtractionWorkers
    chunking: ChunkingSettings
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def ingest(self, files: Iterable[SourceFile], collection: str) -> AsyncGenerator[IngestEvent]:
        """Read the files into a collection, which is made if there is none.

        A file or record that cannot be read is told as `DocumentRefused` and leaves nothing in the store.
        Raises `Unavailable` when the store or the library cannot be written; what was written stays.
        """
        at = self.now()
        await self.collections.make(collection, at)
        graphs = await self.collections.require(collection)
        run = _Run(self, collection, Recorder(graphs, self.workers.extractor, self.chunking, at))
        try:
            async for event in run.events(files):
                yield event
        finally:
            await run.close()


_Written = asyncio.Task[list[IngestEvent]]


class _Run:
    """One ingest. Chunks go on in batches, each a task of its own; batches are written in their order."""

    def __init__(self, services: Ingestion, collection: str, recorder: Recorder) -> None:
        self._services = services
        self._collection = collection
        self._recorder = recorder
        self._works: list[_Work] = []
        self._batches: deque[_Written] = deque()
        self._writing: _Written | None = None
        self._stored: list[NamedNode] = []
        self._following: asyncio.Task[None] | None = None
        self._done = 0
        self._total = 0

    async def events(self, files: Iterable[SourceFile]) -> AsyncGenerator[IngestEvent]:
        services = self._services
        intake = Intake(services.store, services.library, self._collection, services.chunking, BATCH_CHUNKS)
        for file in files:
            async for taken in intake.documents(file):
                if isinstance(taken, ProvGraphError):
                    yield DocumentRefused(file.name, taken)
                    continue
                document = _Document(taken, self._recorder.document(taken), len(taken.chunks))
                self._total += document.waiting
                for chunk in taken.chunks:
                    for event in await self._add(_Work(document, chunk)):
                        yield event
        self._start_batch()
        while self._batches:
            for event in await self._finish_batch():
                yield event
        await self._follow()  # of nothing too: an index that a crash left behind the store catches up here
        await self._followed()

    async def close(self) -> None:
        """Drop what is not written; index what is, for the next ingest will find it unchanged."""
        for batch in self._batches:
            batch.cancel()
        writing = [self._writing] if self._writing else []
        await asyncio.gather(*self._batches, *writing, return_exceptions=True)
        if self._stored:
            await self._follow()
        await self._followed()

    async def _add(self, work: _Work) -> list[IngestEvent]:
        self._works.append(work)
        if len(self._works) == BATCH_CHUNKS:
            self._start_batch()
        return await self._finish_batch() if len(self._batches) > BATCHES_AHEAD else []

    def _start_batch(self) -> None:
        if self._works:
            before = self._batches[-1] if self._batches else None
            self._batches.append(asyncio.create_task(self._through(self._works, before)))
            self._works = []

    async def _through(self, works: Sequence[_Work], before: _Written | None) -> list[IngestEvent]:
        """Extract a batch, and write it after the batch before it; a write that has begun is not cut off."""
        batch = await self._extracted(works)
        if before:
            await before
        self._writing = asyncio.create_task(self._write(batch))
        return await asyncio.shield(self._writing)

    async def _extracted(self, works: Sequence[_Work]) -> _Batch:
        markers = [self._recorder.subgraph_marker(work.chunk) for work in works]
        known = await self._services.store.contains(markers)
        passages = [work.chunk.passage for work, is_known in zip(works, known, strict=True) if not is_known]
        extracted = iter(await self._services.workers.extract(passages) if passages else [])
        return _Batch(works, [None if is_known else next(extracted) for is_known in known])

    async def _write(self, batch: _Batch) -> list[IngestEvent]:
        await self._services.store.add_absent(await to_thread.run_sync(self._units, batch))
        events: list[IngestEvent] = []
        for work, facts in zip(batch.works, batch.facts, strict=True):
            events += self._count(work, facts)
        self._done += len(batch.works)
        return [*events, ChunksRead(batch.works[-1].document.planned.source, self._done, self._total)]

    async def _finish_batch(self) -> list[IngestEvent]:
        """Wait for the oldest batch, and tell what it stored."""
        events = await self._batches[0]
        self._batches.popleft()
        if len(self._stored) >= DOCUMENTS_PER_FOLLOW:
            await self._follow()
        return events

    def _units(self, batch: _Batch) -> list[WriteUnit]:
        units: list[WriteUnit] = []
        for work, facts in zip(batch.works, batch.facts, strict=True):
            units += work.document.units
            work.document.units.clear()
            if facts is not None:
                units += self._recorder.chunk(work.chunk, facts)
        return units

    def _count(self, work: _Work, facts: Sequence[Fact] | None) -> list[IngestEvent]:
        document = work.document
        document.waiting -= 1
        if facts is not None:
            document.new_chunks += 1
            document.fact_count += len(facts)
        if document.waiting:
            return []
        planned = document.planned
        if document.new_chunks:
            self._stored.append(planned.iri)
        return [
            DocumentStored(
                document=planned.iri,
                title=planned.header.title,
                page_count=len(planned.pages),
                chunk_count=len(planned.chunks),
                new_chunks=document.new_chunks,
                fact_count=document.fact_count,
            )
        ]

    async def _follow(self) -> None:
        """Begin to index what is stored, when all that was stored before is indexed."""
        await self._followed()
        stored, self._stored = self._stored, []
        self._following = asyncio.create_task(self._services.retriever.follow(self._collection, stored))

    async def _followed(self) -> None:
        if self._following:
            await self._following
