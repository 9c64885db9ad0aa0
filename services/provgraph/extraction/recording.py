"""What is planned and read → write units: documents, pages, chunks and subgraphs, each written if absent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pyoxigraph import NamedNode, Quad

from provgraph import __version__
from provgraph.documents.chunking import ChunkingSettings
from provgraph.extraction.facts import Fact, FactExtractor
from provgraph.extraction.planning import PlannedChunk, PlannedDocument, PlannedPage
from provgraph.extraction.statements import subgraph
from provgraph.ports.quad_store import WriteUnit
from provgraph.provenance import source
from provgraph.provenance.source import ChunkRecord, Component, DocumentRecord, PageRecord
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import ExtractionIdentity, digest, subgraph_iri
from provgraph.rdf.vocabulary import PROV, RDF, TG


@dataclass(frozen=True)
class Recorder:
    """Makes the write units of one collection; `at` is when the ingest that they belong to began."""

    graphs: CollectionGraphs
    extractor: FactExtractor
    chunking: ChunkingSettings
    at: datetime

    def document(self, document: PlannedDocument) -> list[WriteUnit]:
        """The document itself and its pages."""
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
        )
        graph = self.graphs.source
        quads = source.document_quads(record, self._component("reader", "ProvGraph reader"), self.at, graph)
        marker = Quad(document.version, PROV.specialization_of, document.iri, graph)
        return [WriteUnit(marker, tuple(quads)), *(self._page(document, page) for page in document.pages)]

    def chunk(self, planned: PlannedChunk, facts: Iterable[Fact]) -> list[WriteUnit]:
        """The chunk and its subgraph."""
        chunk, graph = planned.chunk, self.graphs.source
        record = ChunkRecord(planned.iri, planned.page.iri, chunk.index, chunk.start, len(chunk.text))
        marker = Quad(planned.iri, PROV.was_derived_from, planned.page.iri, graph)
        readings = (planned.reading(fact) for fact in facts)
        facts_of_chunk = subgraph(self.subgraph(planned), planned.iri, readings)
        name = self.extractor.name
        extractor = Component(name, f"ProvGraph {name} extractor", self.extractor.version)
        quads = source.subgraph_quads(facts_of_chunk, extractor, self.at, self.graphs)
        return [
            WriteUnit(marker, tuple(source.chunk_quads(record, graph))),
            WriteUnit(self.subgraph_marker(planned), tuple(quads)),
        ]

    def subgraph(self, planned: PlannedChunk) -> NamedNode:
        """Named by all that decides what the extractor makes of the chunk."""
        passage = planned.passage
        context = f"{passage.title}\0{passage.own_start}\0{passage.own_end}\0{planned.chunk.continuation}"
        return subgraph_iri(
            ExtractionIdentity(
                chunk=planned.iri,
                extractor=self.extractor.name,
                version=self.extractor.version,
                context=digest(context.encode()),
            )
        )

    def subgraph_marker(self, planned: PlannedChunk) -> Quad:
        return Quad(self.subgraph(planned), RDF.type, TG.Subgraph, self.graphs.source)

    def _page(self, document: PlannedDocument, planned: PlannedPage) -> WriteUnit:
        graph = self.graphs.source
        record = PageRecord(planned.iri, document.iri, document.version, planned.page.number)
        settings = f"size={self.chunking.size} overlap={self.chunking.overlap}"
        chunker = self._component("chunker", "ProvGraph chunker", settings)
        quads = [*source.page_quads(record, graph), *source.chunking_quads(record, chunker, self.at, graph)]
        return WriteUnit(Quad(planned.iri, RDF.type, TG.Page, graph), tuple(quads))

    @staticmethod
    def _component(name: str, label: str, settings: str = "") -> Component:
        return Component(name, label, f"{__version__} {settings}".rstrip())
