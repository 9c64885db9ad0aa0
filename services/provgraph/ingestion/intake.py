"""Files → planned documents whose content is in the library, and which the store knows in no other version."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field

from anyio import to_thread

from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.document_reader import DocumentReader, ReadsHere
from provgraph.documents.library import Library
from provgraph.errors import Conflict, ProvGraphError
from provgraph.ingestion.events import RevisedChunks
from provgraph.ingestion.metadata import StoredMetadata
from provgraph.ingestion.planning import LostFile, PlannedDocument, SourceFile, planned_of
from provgraph.ingestion.removal.outbox import Arrivals, Outbox
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import PROV

Planned = PlannedDocument | ProvGraphError


@dataclass(frozen=True)
class AcceptedDocument:
    """A document that may be written; `changes` where it took the place of an older version."""

    planned: PlannedDocument
    changes: RevisedChunks | None = None


@dataclass(frozen=True)
class IntakeStorage:
    """Where an ingest keeps what it takes in, and the list on which it notes that beforehand."""

    store: QuadStore
    library: Library
    clearing: Outbox
    arrivals: Arrivals


@dataclass(frozen=True)
class Intake:
    """Takes files into one collection; small documents are taken together, `chunks` at once or a little more.

    `revise` puts a document in the place of another version of it.
    """

    shelves: IntakeStorage
    chunking: ChunkingSettings
    chunks: int
    revise: Callable[[PlannedDocument], Awaitable[RevisedChunks | None]]
    reader: DocumentReader = ReadsHere()
    versions: dict[NamedNode, NamedNode] = field(default_factory=dict)

    async def documents(
        self, file: SourceFile | LostFile
    ) -> AsyncGenerator[AcceptedDocument | ProvGraphError]:
        """The documents of a file, in order, and in the place of one that is refused its error."""
        if isinstance(file, LostFile):
            yield file.error
            return
        reading = self.reader.read(file.content, file.name, file.media_type)
        coming = planned_of(reading.documents(), file, self.chunking)
        try:
            while taken := await to_thread.run_sync(self._taken, coming):
                async for each in self._kept(taken):
                    yield each
        finally:
            reading.stop()

    async def _kept(self, taken: Sequence[Planned]) -> AsyncGenerator[AcceptedDocument | ProvGraphError]:
        checked = [self._checked(planned) for planned in taken]
        documents = [planned for planned in checked if isinstance(planned, PlannedDocument)]
        await self._keep(documents)
        revised = await self._revised(documents)
        metadata = StoredMetadata(self.shelves.store, source_graph(self.shelves.arrivals.collection))
        joined = await metadata.joined(documents)
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
        contents = {planned.version: planned.content for planned in documents}
        pages = {page.iri: page.page.text.encode() for planned in documents for page in planned.pages}
        await shelves.clearing.expect(
            shelves.arrivals,
            {planned.iri: [planned.version, *(page.iri for page in planned.pages)] for planned in documents},
        )
        await shelves.library.keep_all(shelves.arrivals.collection, {**contents, **pages})
        layouts = {page.iri: page.page.layout for planned in documents for page in planned.pages}
        await shelves.library.keep_companions(
            shelves.arrivals.collection, {iri: layout.to_json() for iri, layout in layouts.items() if layout}
        )
