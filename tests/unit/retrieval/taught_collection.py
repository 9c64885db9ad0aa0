"""A collection that tests teach by hand: documents whose sentences say the facts given with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pyoxigraph import NamedNode, Quad, Triple

from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.lexical_embedder import LexicalEmbedder
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.documents.library import Library
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.provenance import source
from provgraph.provenance.source import (
    ChunkRecord,
    Component,
    DocumentRecord,
    PageRecord,
    QuotationRecord,
    SubgraphRecord,
)
from provgraph.rdf import literals
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.iris import (
    ExtractionIdentity,
    chunk_iri,
    digest,
    entity_iri,
    page_iri,
    quotation_iri,
    subgraph_iri,
    version_iri,
)
from provgraph.rdf.vocabulary import RDF, RDFS, TG
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.retrieval.vectors.index_sync import VectorIndexSync, VectorSettings
from provgraph.retrieval.vectors.vector_index import VectorIndex

AT = datetime(2026, 1, 2, tzinfo=UTC)
BY = Component("test", "Test", "1")


@dataclass(frozen=True)
class Said:
    """A sentence, the facts read from it as labels, and how sure the extractor was."""

    sentence: str
    facts: tuple[tuple[str, str, str], ...]
    confidence: float = 0.8


class TaughtCollection:
    """Store, library and retriever in one folder; `teach` writes, and nothing follows unless it is told to."""

    def __init__(self, folder: Path, collection: str = "default") -> None:
        self.folder = folder
        self.collection = collection
        self.store = OxigraphQuadStore()
        self.library = Library(FolderContentStore(folder / "library"))
        self.retriever = self.reopened()

    def reopened(self) -> GraphRetriever:
        """Another retriever over the same folder, and `vectors`, as a process that starts anew has them."""
        self.vectors: VectorIndexSync[VectorIndex] = VectorIndexSync(
            self.store,
            self.library,
            self.folder / "vectors",
            LexicalEmbedder(),
            VectorSettings(at_once=False),
        )
        return GraphRetriever(self.store, self.library, self.folder / "index", self.vectors)

    async def restart(self) -> None:
        await self.retriever.close()
        self.retriever = self.reopened()

    async def teach(self, title: str, *said: Said) -> NamedNode:
        """Write a document of one page and one chunk; returns its IRI."""
        graphs = collection_graphs(self.collection)
        document = NamedNode(f"urn:test:{digest(title.encode())}")
        text = " ".join(item.sentence for item in said)
        version = version_iri(document, digest(text.encode()))
        page, chunk = page_iri(version, 1), chunk_iri(document, text, 0)
        subgraph = subgraph_iri(ExtractionIdentity(chunk, "test", "1"))
        quotations = tuple(_quotations(said, page, subgraph, text))
        facts = tuple(dict.fromkeys(fact for quotation in quotations for fact in quotation.facts))
        record = DocumentRecord(document, version, digest(text.encode()), title, "text/plain", 1)
        quads: list[Quad] = [
            *source.document_quads(record, BY, AT, graphs.source),
            *source.page_quads(PageRecord(page, document, version, 1), graphs.source),
            *source.chunk_quads(ChunkRecord(chunk, page, 0, 0, len(text)), graphs.source),
            *source.subgraph_quads(SubgraphRecord(subgraph, chunk, facts, quotations), BY, AT, graphs),
        ]
        await self.store.add(quads)
        await self.library.keep(self.collection, page, text.encode())
        return document

    async def empty(self) -> None:
        """Take everything out of the store, as the removal of all documents does."""
        graphs = collection_graphs(self.collection)
        await self.store.clear([graphs.source, graphs.knowledge])

    async def learn(self, title: str, *said: Said) -> NamedNode:
        """Teach a document and follow it."""
        document = await self.teach(title, *said)
        await self.retriever.follow(self.collection, [document])
        return document

    async def ask(self, question: str, **options: object) -> RetrievalResult:
        request = RetrievalRequest(question, collection=self.collection, **options)  # type: ignore[arg-type]
        return await self.retriever.retrieve(request)


def _quotations(
    said: Sequence[Said], page: NamedNode, subgraph: NamedNode, text: str
) -> list[QuotationRecord]:
    return [
        QuotationRecord(
            quotation_iri(subgraph, index),
            page,
            text.index(item.sentence),
            item.sentence,
            item.confidence,
            tuple(triple for fact in item.facts for triple in triples(fact)),
        )
        for index, item in enumerate(said)
    ]


def triples(fact: tuple[str, str, str]) -> list[Triple]:
    """A fact with its labels and types, in the form that extraction writes."""
    subject, relation, thing = nodes = tuple(entity_iri(label) for label in fact)
    labels = [Triple(node, RDFS.label, literals.text(label)) for node, label in zip(nodes, fact, strict=True)]
    return [Triple(subject, relation, thing), *labels, Triple(subject, RDF.type, TG.entity)]


def told(result: RetrievalResult) -> list[tuple[str, str, str]]:
    """The edges of a result as labels, best first."""
    return [(edge.labels.subject, edge.labels.relation, edge.labels.object) for edge in result.edges]


CURIE = (
    Said("Marie Curie discovered polonium in 1898.", (("Marie Curie", "discovered", "polonium"),), 0.9),
    Said("She was born in Warsaw.", (("Marie Curie", "was born in", "Warsaw"),), 0.8),
)
WARSAW = (Said("Warsaw is the capital of Poland.", (("Warsaw", "is the capital of", "Poland"),), 0.9),)
OTTER = (Said("The otter eats fish in cold rivers.", (("otter", "eats", "fish"),), 0.7),)
