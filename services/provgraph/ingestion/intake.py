"""Files → planned documents whose content is in the library, and which the store knows in no other version."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from anyio import to_thread

from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.document_reader import DocumentReader, FileReading, ReadsHere
from provgraph.documents.library import Library
from provgraph.errors import Conflict, ProvGraphError
from provgraph.ingestion.metadata import StoredMetadata
from provgraph.ingestion.planning import (
    LostFile,
    PlannedDocument,
    SourceFile,
    SourceFiles,
    each_file,
    planned_of,
)
from provgraph.ingestion.removal.outbox import Arrivals, Outbox
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import PROV
from provgraph.wire.documents import ChunkChanges

Planned = PlannedDocument | ProvGraphError


@dataclass(frozen=True)
class AcceptedDocument:
    """A document that may be written; `changes` where it took the place of an older version."""

    planned: PlannedDocument
    changes: ChunkChanges | None = None


Accepted = AcceptedDocument | ProvGraphError


@dataclass
class _FileUnderWay:
    """A file whose first documents are being read, in a thread."""

    file: SourceFile | LostFile
    reading: FileReading | None = None
    coming: Iterator[Planned] = iter(())
    first: asyncio.Task[list[Planned]] | None = None

    async def end(self) -> None:
        """Read nothing more of it."""
        if self.reading:
            self.reading.stop()
        if self.first and not self.first.done():
            self.first.cancel()
            await asyncio.gather(self.first, return_exceptions=True)


@dataclass(frozen=True)
class IntakeStorage:
    """Where an ingest keeps what it takes in, and the list on which it notes that beforehand."""

    store: QuadStore
    library: Library
    outbox: Outbox
    arrivals: Arrivals


@dataclass(frozen=True)
class Intake:
    """Takes files into one collection, several side by side; small documents are taken together, `chunks` at once or a
    little more.

    `revise` puts a document in the place of another version of it.
    """

    shelves: IntakeStorage
    chunking: ChunkingSettings
    chunks: int
    revise: Callable[[PlannedDocument], Awaitable[ChunkChanges | None]]
    reader: DocumentReader = ReadsHere()
    versions: dict[NamedNode, NamedNode] = field(default_factory=dict)

    async def documents(self, files: SourceFiles) -> AsyncGenerator[tuple[str, Accepted]]:
        """The documents of the files, all in order, each with the name of its file, and in the place of one that is
        refused its error. While one file is read and written, those after it are begun, as many as the reader reads
        at once.
        """
        ways: deque[_FileUnderWay] = deque()
        try:
            async with aclosing(each_file(files)) as coming:
                async for file in coming:
                    ways.append(self._begun(file))
                    if len(ways) >= self.reader.files_at_once:
                        async for accepted in self._finished(ways):
                            yield accepted
            while ways:
                async for accepted in self._finished(ways):
                    yield accepted
        finally:
            for way in ways:
                await way.end()

    def _begun(self, file: SourceFile | LostFile) -> _FileUnderWay:
        if isinstance(file, LostFile):
            return _FileUnderWay(file)
        reading = self.reader.read(file.content, file.name, file.media_type)
        coming = planned_of(reading.documents(), file, self.chunking)
        first = asyncio.create_task(to_thread.run_sync(self._taken, coming))
        return _FileUnderWay(file, reading, coming, first)

    async def _finished(self, ways: deque[_FileUnderWay]) -> AsyncGenerator[tuple[str, Accepted]]:
        """The documents of the file that was begun first, to its end."""
        own = ways[0]
        if isinstance(own.file, LostFile):
            yield own.file.name, own.file.error
        elif own.first:
            taken = await own.first
            while taken:
                async for each in self._accepted(taken):
                    yield own.file.name, each
                taken = await to_thread.run_sync(self._taken, own.coming)
        await ways.popleft().end()

    async def _accepted(self, taken: Sequence[Planned]) -> AsyncGenerator[Accepted]:
        checked = [self._checked(planned) for planned in taken]
        documents = [planned for planned in checked if isinstance(planned, PlannedDocument)]
        await self._keep(documents)
        revised = await self._revised(documents)
        metadata = StoredMetadata(self.shelves.store, source_graph(self.shelves.arrivals.collection))
        joined = await metadata.joined(documents, revised)
        await metadata.renew([document for document in joined if document.iri not in revised])
        described = iter(joined)
        for planned in checked:
            if isinstance(planned, ProvGraphError):
                yield planned
                continue
            document = next(described)
            yield AcceptedDocument(document, await self.revise(document) if document.iri in revised else None)

    def _taken(self, coming: Iterator[Planned]) -> list[Planned]:
        taken: list[Planned] = []
        chunks = 0
        for planned in coming:
            taken.append(planned)
            chunks += len(planned.chunks) if isinstance(planned, PlannedDocument) else 0
            if chunks >= self.chunks:
                break
        return taken

    def _checked(self, planned: Planned) -> Planned:
        """Within one ingest an id stands for one content: of two nobody could tell which is the newer."""
        if isinstance(planned, ProvGraphError):
            return planned
        if self.versions.setdefault(planned.iri, planned.version) == planned.version:
            return planned
        return Conflict(
            f"{planned.source}: the id {planned.iri.value} stands for other content in this very ingest. "
            "Give this one an id of its own, or ingest it by itself as a new version."
        )

    async def _revised(self, documents: Sequence[PlannedDocument]) -> set[NamedNode]:
        """The documents of which the store has another version."""
        graph = source_graph(self.shelves.arrivals.collection)
        patterns = [QuadPattern(None, PROV.specialization_of, planned.iri, graph) for planned in documents]
        found = await self.shelves.store.match(patterns, limit=1)
        return {
            planned.iri
            for planned, quads in zip(documents, found, strict=True)
            if any(quad.subject != planned.version for quad in quads)
        }

    async def _keep(self, documents: Sequence[PlannedDocument]) -> None:
        """Bytes are kept under the version that they are: an IRI stands for one content for ever."""
        shelves = self.shelves
        contents, layouts = await to_thread.run_sync(_stored_contents, documents)
        await shelves.outbox.expect(
            shelves.arrivals,
            {planned.iri: [planned.version, *(page.iri for page in planned.pages)] for planned in documents},
        )
        await shelves.library.keep_all(shelves.arrivals.collection, contents)
        await shelves.library.keep_companions(shelves.arrivals.collection, layouts)


def _stored_contents(
    documents: Sequence[PlannedDocument],
) -> tuple[dict[NamedNode, bytes], dict[NamedNode, bytes]]:
    """The bytes of documents and of the texts of their pages; and the layouts of those that have one."""
    contents = {planned.version: planned.content for planned in documents}
    pages = {page.iri: page.page for planned in documents for page in planned.pages}
    texts = {iri: page.text.encode() for iri, page in pages.items()}
    layouts = {iri: replace(page.layout, warning=page.warning) for iri, page in pages.items()}
    return {**contents, **texts}, {iri: layout.to_json() for iri, layout in layouts.items() if layout}
