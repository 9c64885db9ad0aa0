"""What is planned and read → write units: documents, pages, chunks and subgraphs, each written if absent; documents on
their way, and the batches in which their chunks go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from provgraph import __version__
from provgraph.documents.chunking import ChunkingSettings
from provgraph.errors import Conflict
from provgraph.extraction.by_model.extractor import PassageExtractor
from provgraph.extraction.facts import ExtractorProfile, Fact, FactExtractor
from provgraph.ingestion.events import ChunkLeft, ChunksLeft, DocumentRefused, DocumentStored
from provgraph.ingestion.planning import PlannedChunk, PlannedDocument, PlannedPage, subgraph
from provgraph.ports.language_model import TokenUsage
from provgraph.ports.quad_store import WriteUnit
from provgraph.provenance import source
from provgraph.provenance.access import reader_quads
from provgraph.provenance.source import (
    ChunkRecord,
    Component,
    DocumentRecord,
    PageRecord,
    attempt_quads,
    recognition_quads,
)
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import ExtractionIdentity, digest, subgraph_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, TG
from provgraph.wire.documents import ChunkChanges


def rules_profile(extractor: FactExtractor) -> ExtractorProfile:
    """What decides what an extractor by rules makes of a chunk."""
    return ExtractorProfile(extractor.name, extractor.version, reads_rows=True)


@dataclass(frozen=True)
class Recorder:
    """Makes the write units of one collection; `at` is when the ingest that they belong to began."""

    graphs: CollectionGraphs
    chunking: ChunkingSettings
    at: datetime

    def document(self, document: PlannedDocument) -> list[WriteUnit]:
        """The document itself and its pages: all of one version, or nothing where another is in the store."""
        header = document.header
        record = DocumentRecord(
            iri=document.iri,
            version=document.version,
            content_hash=document.content_hash,
            title=header.title,
            media_type=header.media_type,
            page_count=header.page_count,
            creators=header.creators,
            date=header.date,
            source=document.source,
            identifiers=document.described.identifiers,
            abstract=document.described.abstract,
            metadata=document.metadata.entries,
        )
        graph = self.graphs.source
        quads = source.document_quads(record, self._component("reader", "ProvGraph reader"), self.at, graph)
        quads += reader_quads(document.iri, document.metadata.readers, graph)
        marker = Quad(document.iri, RDF.type, TG.Document, graph)
        return [WriteUnit(marker, tuple(quads)), *(self._page(document, page) for page in document.pages)]

    def version(self, document: PlannedDocument) -> Quad:
        """The quad that tells whether the store has this version of the document, and no other."""
        return Quad(document.version, PROV.specialization_of, document.iri, self.graphs.source)

    def chunk(self, planned: PlannedChunk) -> WriteUnit:
        """The chunk itself, where its page is; its subgraphs go with it or follow."""
        chunk, graph = planned.chunk, self.graphs.source
        record = ChunkRecord(planned.iri, planned.page.iri, chunk.index, chunk.start, len(chunk.text))
        page = Quad(planned.page.iri, RDF.type, TG.Page, graph)
        return WriteUnit(self.place(planned), tuple(source.chunk_quads(record, graph)), requires=page)

    def subgraph(
        self,
        planned: PlannedChunk,
        facts: Iterable[Fact],
        profile: ExtractorProfile,
        usage: TokenUsage | None = None,
    ) -> WriteUnit:
        """What one extractor read in the chunk, where that stands in its page, and what a model's call for it cost."""
        readings = (planned.reading(fact) for fact in facts)
        record = subgraph(self.subgraph_iri(planned, profile), planned.iri, readings)
        quads = source.subgraph_quads(replace(record, cost=usage), _extractor(profile), self.at, self.graphs)
        return WriteUnit(self.marker(planned, profile), tuple(quads), requires=self.place(planned))

    def attempt(self, planned: PlannedChunk, profile: ExtractorProfile, failure: str) -> list[Quad]:
        """That an extractor could not read the chunk, and why."""
        node = self.subgraph_iri(planned, profile)
        return attempt_quads(node, planned.iri, _extractor(profile), failure, self.at, self.graphs.source)

    def marker(self, planned: PlannedChunk, profile: ExtractorProfile) -> Quad:
        """The quad that tells whether the store has what this extractor reads in the chunk."""
        return Quad(self.subgraph_iri(planned, profile), RDF.type, TG.Subgraph, self.graphs.source)

    def place(self, planned: PlannedChunk) -> Quad:
        """The quad that tells whether the chunk stands in its page in the store."""
        return Quad(planned.iri, PROV.was_derived_from, planned.page.iri, self.graphs.source)

    def subgraph_iri(self, planned: PlannedChunk, profile: ExtractorProfile) -> NamedNode:
        """Named by all that decides what the extractor makes of the chunk."""
        passage = planned.passage
        context = f"{passage.title}\0{passage.own_start}\0{passage.own_end}\0{planned.chunk.continuation}"
        if profile.reads_outline:
            context += f"\0{passage.outline}"
        if profile.reads_rows and passage.rows:
            context += f"\0{passage.rows}"
        return subgraph_iri(
            ExtractionIdentity(
                chunk=planned.iri,
                extractor=profile.name,
                version=profile.version,
                context=digest(context.encode()),
                model=profile.model,
                prompt=profile.prompt,
                ontology=profile.ontology_hash,
                settings=profile.settings,
            )
        )

    def _page(self, document: PlannedDocument, planned: PlannedPage) -> WriteUnit:
        graph = self.graphs.source
        recognition = planned.page.recognition
        by = recognition.by if recognition else None
        record = PageRecord(
            planned.iri,
            document.iri,
            document.version,
            planned.page.number,
            recogniser=Component(by.name, by.name, by.version) if by else None,
            confidence=recognition.confidence if recognition else 0,
        )
        settings = f"size={self.chunking.size} overlap={self.chunking.overlap}"
        chunker = self._component("chunker", "ProvGraph chunker", settings)
        quads = [
            *source.page_quads(record, graph),
            *recognition_quads(record, self.at, graph),
            *source.chunking_quads(record, chunker, self.at, graph),
        ]
        marker = Quad(planned.iri, RDF.type, TG.Page, graph)
        return WriteUnit(marker, tuple(quads), requires=self.version(document))

    @staticmethod
    def _component(name: str, label: str, settings: str = "") -> Component:
        return Component(name, label, f"{__version__} {settings}".rstrip())


def _extractor(profile: ExtractorProfile) -> Component:
    return Component(
        name=profile.name,
        label=f"ProvGraph {profile.name} extractor",
        version=f"{profile.version} {profile.settings}".rstrip(),
        model=profile.model,
        ontology=profile.ontology,
    )


@dataclass
class UnfinishedDocument:
    """`units` go with its first chunk; `waiting` is how many of its chunks are still to be read, each once for the
    rules and once for each extractor by model; `new_chunks` are those of which the store has something new, and
    `failed_chunks` those that an extractor could not read; `lost` tells that it was deleted or revised by somebody
    else."""

    planned: PlannedDocument
    changes: ChunkChanges | None
    units: list[WriteUnit]
    waiting: int
    new_chunks: set[NamedNode] = field(default_factory=set)
    failed_chunks: set[NamedNode] = field(default_factory=set)
    fact_count: int = 0
    lost: bool = False

    def outcome(self) -> DocumentStored | DocumentRefused:
        planned = self.planned
        if self.lost:
            return DocumentRefused(
                planned.source,
                Conflict(
                    f"{planned.source}: the document {planned.iri.value} was deleted or replaced while it was being "
                    "read. Ingest it again if it should be there."
                ),
            )
        return DocumentStored(
            document=planned.iri,
            title=planned.header.title,
            page_count=len(planned.pages),
            chunk_count=len(planned.chunks),
            new_chunks=len(self.new_chunks),
            fact_count=self.fact_count,
            failed_chunks=len(self.failed_chunks),
            changes=self.changes,
            warnings=tuple(warning for page in planned.pages if (warning := page.page.warning)),
        )


@dataclass(frozen=True)
class ChunkWork:
    document: UnfinishedDocument
    chunk: PlannedChunk


@dataclass(frozen=True)
class Batch:
    """Chunks that are extracted and written together; `facts` has for each chunk what each extractor by rules found in
    it, None where the store has that already."""

    works: Sequence[ChunkWork]
    facts: Sequence[Sequence[Sequence[Fact] | None]]


def chunks_left(missing: Iterable[tuple[ChunkWork, Sequence[PassageExtractor]]]) -> ChunksLeft:
    """The chunks that some extractor has still to read."""
    return ChunksLeft(
        tuple(
            ChunkLeft(work.document.planned, work.chunk, tuple(extractor.profile.name for extractor in by))
            for work, by in missing
            if by
        )
    )
