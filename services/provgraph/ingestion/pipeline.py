"""Ingest: files → documents → chunks → facts → store, as an async generator of events.

A batch of chunks, from one document or from many small ones, is extracted together and written in one transaction.
Reading, extracting, writing and indexing go on side by side; what is read by model follows, call by call
(`model_stage`). Everything is write-if-absent and content-addressed, so an ingest that was killed is mended by
running it again, and one that is repeated changes nothing.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Final

from anyio import to_thread

from provgraph.catalogue.collections import Collections
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.document_reader import DocumentReader, ReadsHere
from provgraph.documents.library import Library
from provgraph.errors import ProvGraphError
from provgraph.extraction.extractors import ChosenExtractors, ExtractionOptions, Extractors
from provgraph.extraction.facts import ExtractorProfile, Fact, FactExtractor, Passage
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.ingestion.events import (
    ChunkFailed,
    ChunksRead,
    DocumentRefused,
    IngestEvent,
    ModelCalled,
    ReadingsReplaced,
)
from provgraph.ingestion.intake import AcceptedDocument, Intake, IntakeStorage
from provgraph.ingestion.model_stage import ChunkCall, ModelStage
from provgraph.ingestion.planning import PlannedDocument, SourceFiles
from provgraph.ingestion.recording import (
    Batch,
    ChunkWork,
    Recorder,
    UnfinishedDocument,
    chunks_left,
    rules_profile,
)
from provgraph.ingestion.removal.outbox import Arrivals, Outbox
from provgraph.ingestion.removal.revision import Renewal
from provgraph.ports.quad_store import QuadStore, WriteUnit
from provgraph.ports.retriever import Retriever
from provgraph.rdf.terms import NamedNode, Quad


@dataclass(frozen=True)
class Share:
    """`owner` names the part, also to a worker that does it again; `hands_on` leaves what models are to read to others,
    told as `ChunksLeft`. One that is the whole hands nothing on, and has the name of its process, if any."""

    owner: str = ""
    hands_on: bool = False


DOCUMENTS_AT_ONCE: Final = 256
EARLY_CHUNKS: Final = 32
EARLY_GROWTH: Final = 4


@dataclass
class Indexing:
    """`stored` are documents of the collection whose indexing has not begun."""

    retriever: Retriever
    collection: str
    stored: list[NamedNode] = field(default_factory=list)
    _following: asyncio.Task[None] | None = None
    _early: dict[NamedNode, int] = field(default_factory=dict)

    async def begin(self) -> None:
        """Begin to index what is stored, when all that was stored before is indexed."""
        await self.ended()
        stored, self.stored = self.stored, []
        self._following = asyncio.create_task(self.retriever.follow(self.collection, stored))

    async def begin_with_many(self) -> None:
        if len(self.stored) >= DOCUMENTS_AT_ONCE:
            await self.begin()

    async def begin_early(self, document: NamedNode, chunks: int) -> None:
        """Let questions find what is written of a long document, of which so many chunks are, while the rest is read.

        Each time it is many times as much as the time before, so that all together costs little more than once.
        """
        if self._following and not self._following.done():
            return
        if chunks >= self._early.get(document, EARLY_CHUNKS):
            self._early[document] = chunks * EARLY_GROWTH
            self.stored.append(document)
            await self.begin()

    async def ended(self) -> None:
        if self._following:
            await self._following


BATCH_CHUNKS: Final = 32
BATCHES_AHEAD: Final = 4


@dataclass(frozen=True)
class Ingestion:
    """What an ingest writes to and reads with, who follows it, and its `owner` where others share the store."""

    store: QuadStore
    library: Library
    retriever: Retriever
    collections: Collections
    workers: ExtractionWorkers
    chunking: ChunkingSettings
    outbox: Outbox
    extractors: Extractors = field(default_factory=Extractors)
    reader: DocumentReader = ReadsHere()
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    owner: str = ""

    async def ingest(
        self,
        files: SourceFiles,
        collection: str,
        chosen: ChosenExtractors | None = None,
        share: Share | None = None,
    ) -> AsyncGenerator[IngestEvent]:
        """Read the files into a collection, which is made if there is none, with the extractors of `chosen`, or with
        those of the settings. A document that is there in another version is revised. `share` is given where this is
        a part of what several processes do.

        A file or record that cannot be read is told as `DocumentRefused` and leaves nothing in the store.
        Raises `Unavailable` when the store or the library cannot be written; what was written stays.
        """
        at = self.now()
        await self.collections.make(collection, at)
        graphs = await self.collections.require(collection)
        chosen = chosen or self.extractors.chosen(ExtractionOptions())
        run = _Run(self, collection, Recorder(graphs, self.chunking, at), chosen, share or Share(self.owner))
        try:
            async for event in run.events(files):
                yield event
        finally:
            await run.close()


_Written = asyncio.Task[tuple[Batch, list[IngestEvent]]]


class _Run:
    """One ingest. Chunks go on in batches, each a task of its own; batches are written in their order.
    Then the models read them."""

    def __init__(
        self,
        services: Ingestion,
        collection: str,
        recorder: Recorder,
        extractors: ChosenExtractors,
        share: Share,
    ) -> None:
        self._services = services
        self._hands_on = share.hands_on
        self._collection = collection
        self._recorder = recorder
        self._works: list[ChunkWork] = []
        self._batches: deque[_Written] = deque()
        self._writing: _Written | None = None
        self._indexing = Indexing(services.retriever, collection)
        self._parts = 1 if share.hands_on else 1 + len(extractors.by_model)
        self._parts_done = 0
        self._total = 0
        self._by_rules = extractors.by_rules
        self._rules = [rules_profile(by_rule) for by_rule in extractors.by_rules]
        self._models: ModelStage[UnfinishedDocument] = ModelStage(
            extractors, recorder, services.store, self._rules
        )
        profiles = [*self._rules, *(extractor.profile for extractor in extractors.by_model)]
        self._renewal = Renewal(services.store, collection, recorder, profiles)
        self._replace = extractors.replace
        self._complete: list[PlannedDocument] = []
        self._arrivals = Arrivals(collection, [], share.owner)

    async def events(self, files: SourceFiles) -> AsyncGenerator[IngestEvent]:
        async with aclosing(self._coming(files)) as arrivals:
            async for coming in arrivals:
                if isinstance(coming, DocumentRefused):
                    yield coming
                    continue
                async for event in self._add(coming):
                    yield event
        self._start_batch()
        while self._batches:
            async for event in self._finish_batch():
                yield event
        while self._models.busy:
            for event in await self._finished_by_model():
                yield event
        for planned in self._complete:
            if subgraphs := await self._renewal.replace(planned, same_maker=not self._replace):
                yield ReadingsReplaced(planned.iri, subgraphs)
        await (
            self._indexing.begin()
        )  # of nothing too: an index that a crash left behind the store catches up here
        await self._indexing.ended()

    async def close(self) -> None:
        """Drop what is not written; index what is, for the next ingest will find it unchanged."""
        await self._models.close()
        for batch in self._batches:
            batch.cancel()
        writing = [self._writing] if self._writing else []
        await asyncio.gather(*self._batches, *writing, return_exceptions=True)
        if self._indexing.stored:
            await self._indexing.begin()
        await self._indexing.ended()
        await self._services.outbox.settle(self._arrivals)

    async def _coming(self, files: SourceFiles) -> AsyncGenerator[ChunkWork | DocumentRefused]:
        services = self._services
        shelves = IntakeStorage(services.store, services.library, services.outbox, self._arrivals)
        intake = Intake(shelves, services.chunking, BATCH_CHUNKS, self._renewal.revise, services.reader)
        async with aclosing(intake.documents(files)) as coming:
            async for name, taken in coming:
                if isinstance(taken, ProvGraphError):
                    yield DocumentRefused(name, taken)
                    continue
                for work in await to_thread.run_sync(self._works_of, taken):
                    yield work

    def _works_of(self, taken: AcceptedDocument) -> list[ChunkWork]:
        planned = taken.planned
        units = self._recorder.document(planned)
        document = UnfinishedDocument(planned, taken.changes, units, len(planned.chunks) * self._parts)
        self._total += len(planned.chunks)
        return [ChunkWork(document, chunk) for chunk in planned.chunks]

    async def _add(self, work: ChunkWork) -> AsyncGenerator[IngestEvent]:
        self._works.append(work)
        if len(self._works) == BATCH_CHUNKS:
            self._start_batch()
        if len(self._batches) > BATCHES_AHEAD:
            async for event in self._finish_batch():
                yield event

    def _start_batch(self) -> None:
        if self._works:
            before = self._batches[-1] if self._batches else None
            self._batches.append(asyncio.create_task(self._through(self._works, before)))
            self._works = []

    async def _through(
        self, works: Sequence[ChunkWork], before: _Written | None
    ) -> tuple[Batch, list[IngestEvent]]:
        """Extract a batch, and write it after the batch before it; a write that has begun is not cut off."""
        batch = await self._extracted(works)
        if before:
            await before
        async with self._services.workers.giving_way():
            self._writing = asyncio.create_task(self._write(batch))
            return await asyncio.shield(self._writing)

    async def _extracted(self, works: Sequence[ChunkWork]) -> Batch:
        by_extractor = [
            await self._facts(extractor, profile, works)
            for extractor, profile in zip(self._by_rules, self._rules, strict=True)
        ]
        return Batch(works, list(zip(*by_extractor, strict=True)) or [()] * len(works))

    async def _facts(
        self, extractor: FactExtractor, profile: ExtractorProfile, works: Sequence[ChunkWork]
    ) -> list[Sequence[Fact] | None]:
        """What one extractor finds in each chunk, None where the store has that already."""
        markers = await to_thread.run_sync(self._markers, works, profile)
        known = await self._services.store.contains(markers)
        new = [work for work, is_known in zip(works, known, strict=True) if not is_known]
        passages = await to_thread.run_sync(_passages, new)
        extracted = iter(await self._services.workers.extract(extractor, passages) if passages else [])
        return [None if is_known else next(extracted) for is_known in known]

    def _markers(self, works: Sequence[ChunkWork], profile: ExtractorProfile) -> list[Quad]:
        return [self._recorder.marker(work.chunk, profile) for work in works]

    async def _write(self, batch: Batch) -> tuple[Batch, list[IngestEvent]]:
        units = await to_thread.run_sync(self._units, batch)
        added = iter(await self._services.store.add_absent([unit for own in units for unit in own]))
        for work, own in zip(batch.works, units, strict=True):
            if any(list(islice(added, len(own)))):
                work.document.new_chunks.add(work.chunk.iri)
        await self._note_lost(work.document for work in batch.works)
        events: list[IngestEvent] = []
        for work, by_extractor in zip(batch.works, batch.facts, strict=True):
            new = [facts for facts in by_extractor if facts is not None]
            events += self._count(work, list(chain.from_iterable(new)) if new else None)
        return batch, [*events, self._progress(batch.works[-1])]

    async def _finish_batch(self) -> AsyncGenerator[IngestEvent]:
        """Wait for the oldest batch, tell what it stored, and give it to the models."""
        batch, events = await self._batches[0]
        self._batches.popleft()
        for event in events:
            yield event
        async for event in self._read_by_model(batch.works):
            yield event
        await self._indexing.begin_with_many()
        last = batch.works[-1].document
        if last.waiting and last.new_chunks:
            written = len(last.planned.chunks) - last.waiting // self._parts
            await self._indexing.begin_early(last.planned.iri, written)

    async def _read_by_model(self, works: Sequence[ChunkWork]) -> AsyncGenerator[IngestEvent]:
        """Start the calls for what the store lacks of these chunks; waits while too many are under way."""
        missing = await self._models.missing([work.chunk for work in works])
        if self._hands_on:
            yield chunks_left(zip(works, missing, strict=True))
            return
        for work, extractors in zip(works, missing, strict=True):
            for _ in range(self._parts - 1 - len(extractors)):
                for event in self._count(work, None):
                    yield event
            for extractor in extractors:
                while self._models.full:
                    for event in await self._finished_by_model():
                        yield event
                self._models.start(ChunkCall(work.chunk, extractor, work.document))

    async def _finished_by_model(self) -> list[IngestEvent]:
        events: list[IngestEvent] = []
        for read in await self._models.finished():
            work = ChunkWork(read.call.owner, read.call.chunk)
            if read.failure:
                name = read.call.extractor.profile.name
                work.document.failed_chunks.add(work.chunk.iri)
                events.append(ChunkFailed(work.document.planned.source, name, read.failure))
            if read.extraction and not read.new:
                await self._note_lost([work.document])
            if read.extraction and read.extraction.usage:
                events.append(ModelCalled(read.extraction.usage, read.extraction.dropped))
            events += self._count(work, read.extraction.facts if read.extraction and read.new else None)
            events.append(self._progress(work))
        return events

    def _progress(self, work: ChunkWork) -> ChunksRead:
        planned = work.document.planned
        page, pages = work.chunk.page.page.number, len(planned.pages)
        return ChunksRead(planned.source, self._parts_done // self._parts, self._total, page, pages)

    def _units(self, batch: Batch) -> list[list[WriteUnit]]:
        """What is to be written of each chunk; of a document's first chunk also the document itself."""
        units: list[list[WriteUnit]] = []
        for work, by_extractor in zip(batch.works, batch.facts, strict=True):
            units.append(list(work.document.units))
            work.document.units.clear()
            new = [
                (facts, profile)
                for facts, profile in zip(by_extractor, self._rules, strict=True)
                if facts is not None
            ]
            if new or not self._rules:
                units[-1].append(self._recorder.chunk(work.chunk))
            units[-1] += [self._recorder.subgraph(work.chunk, facts, profile) for facts, profile in new]
        return units

    def _count(self, work: ChunkWork, facts: Sequence[Fact] | None) -> list[IngestEvent]:
        """Count a chunk that one extractor is done with; `facts` is None where nothing new came of it."""
        document = work.document
        document.waiting -= 1
        self._parts_done += 1
        if facts is not None:
            document.new_chunks.add(work.chunk.iri)
            document.fact_count += len(facts)
        if document.waiting:
            return []
        planned = document.planned
        if document.new_chunks or document.changes or planned.retitled:
            self._indexing.stored.append(planned.iri)
        if document.lost:
            return [document.outcome()]
        if self._replace or (planned.stored_title and document.new_chunks):
            self._complete.append(planned)
        return [document.outcome()]

    async def _note_lost(self, documents: Iterable[UnfinishedDocument]) -> None:
        """What was deleted or revised by somebody else takes nothing more in: its writer learns it here."""
        asked = {id(document): document for document in documents}.values()
        versions = [self._recorder.version(document.planned) for document in asked]
        for document, is_there in zip(asked, await self._services.store.contains(versions), strict=True):
            document.lost = document.lost or not is_there


def _passages(works: Sequence[ChunkWork]) -> list[Passage]:
    return [work.chunk.passage for work in works]
