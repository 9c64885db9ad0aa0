"""Ingest: files → documents → chunks → facts → store, as an async generator of events.

A batch of chunks, from one document or from many small ones, is extracted together and written in one
transaction; while one is written the next are extracted. Everything is write-if-absent and content-addressed,
so an ingest that was killed is mended by running it again, and one that is repeated changes nothing.
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
from provgraph.errors import Conflict, ProvGraphError
from provgraph.extraction.events import ChunksRead, DocumentRefused, DocumentStored, IngestEvent
from provgraph.extraction.facts import Fact
from provgraph.extraction.planning import PlannedChunk, PlannedDocument, SourceFile, open_file, plan
from provgraph.extraction.recording import Recorder
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.ports.quad_store import QuadPattern, QuadStore, WriteUnit
from provgraph.ports.retriever import Retriever
from provgraph.rdf.vocabulary import PROV

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


class _Run:
    """One ingest: planned chunks go in, batches are extracted ahead, written in order, and followed."""

    def __init__(self, services: Ingestion, collection: str, recorder: Recorder) -> None:
        self._services = services
        self._collection = collection
        self._recorder = recorder
        self._works: list[_Work] = []
        self._ahead: deque[asyncio.Task[_Batch]] = deque()
        self._stored: list[NamedNode] = []
        self._done = 0
        self._total = 0

    async def events(self, files: Iterable[SourceFile]) -> AsyncGenerator[IngestEvent]:
        for file in files:
            async for opened in self._opened(file):
                if isinstance(opened, DocumentRefused):
                    yield opened
                    continue
                self._total += opened.waiting
                for chunk in opened.planned.chunks:
                    for event in await self._add(_Work(opened, chunk)):
                        yield event
        self._extract_ahead()
        while self._ahead:
            for event in await self._write_next():
                yield event
        await self._follow()

    async def close(self) -> None:
        for task in self._ahead:
            task.cancel()
        await asyncio.gather(*self._ahead, return_exceptions=True)

    async def _opened(self, file: SourceFile) -> AsyncGenerator[_Document | DocumentRefused]:
        """The documents of a file, each planned, kept in the library, and ready to be extracted."""
        documents = open_file(file)
        while True:
            try:
                opened = await to_thread.run_sync(next, documents, None)
                if opened is None:
                    return
                planned = await to_thread.run_sync(plan, opened, file, self._services.chunking)
                await self._require_same_version(planned)
            except ProvGraphError as error:
                yield DocumentRefused(file.name, error)
            else:
                await self._keep(planned)
                yield _Document(planned, self._recorder.document(planned), len(planned.chunks))

    async def _require_same_version(self, planned: PlannedDocument) -> None:
        graph = self._recorder.graphs.source
        versions = QuadPattern(None, PROV.specialization_of, planned.iri, graph)
        (found,) = await self._services.store.match([versions])
        if any(quad.subject != planned.version for quad in found):
            raise Conflict(
                f"{planned.source}: the id {planned.iri.value} already stands for a document with other content. "
                "Give this one an id of its own, or ingest it into another collection."
            )

    async def _keep(self, planned: PlannedDocument) -> None:
        library = self._services.library
        await library.keep(self._collection, planned.iri, planned.content)
        for page in planned.pages:
            await library.keep(self._collection, page.iri, page.page.text.encode())

    async def _add(self, work: _Work) -> list[IngestEvent]:
        self._works.append(work)
        if len(self._works) < BATCH_CHUNKS:
            return []
        self._extract_ahead()
        return await self._write_next() if len(self._ahead) > BATCHES_AHEAD else []

    def _extract_ahead(self) -> None:
        if self._works:
            self._ahead.append(asyncio.create_task(self._extracted(self._works)))
            self._works = []

    async def _extracted(self, works: Sequence[_Work]) -> _Batch:
        markers = [self._recorder.subgraph_marker(work.chunk) for work in works]
        known = await self._services.store.contains(markers)
        passages = [work.chunk.passage for work, is_known in zip(works, known, strict=True) if not is_known]
        extracted = iter(await self._services.workers.extract(passages) if passages else [])
        return _Batch(works, [None if is_known else next(extracted) for is_known in known])

    async def _write_next(self) -> list[IngestEvent]:
        batch = await self._ahead.popleft()
        units = await to_thread.run_sync(self._units, batch)
        await self._services.store.add_absent(units)
        events: list[IngestEvent] = []
        for work, facts in zip(batch.works, batch.facts, strict=True):
            events += self._count(work, facts)
        self._done += len(batch.works)
        if len(self._stored) >= DOCUMENTS_PER_FOLLOW:
            await self._follow()
        return [*events, ChunksRead(batch.works[-1].document.planned.source, self._done, self._total)]

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
        if self._stored:
            stored, self._stored = self._stored, []
            await self._services.retriever.follow(self._collection, stored)
