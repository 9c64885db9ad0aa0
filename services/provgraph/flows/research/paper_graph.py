"""The paper graph of a collection: kept in the store as facts with provenance, and right for the papers there are.

A paper that is deleted takes its likenesses with it in the same transaction. What else changes with it, and what a new
paper changes, is put right when the graph is next looked at or built: what is stored is compared with what the papers
as they are give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.papers import PaperCatalogue, StoredPaper
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.ports.similarity import DocumentPairs, DocumentSimilarity
from provgraph.provenance.papers import SimilarityRecord, similarity_quads
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import activity_iri, similarity_iri
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import RDF, TG

NEIGHBOURS: Final = 3
LEAST_WEIGHT: Final = 0.3
METHOD: Final = f"cosine of mean chunk vectors; the {NEIGHBOURS} nearest of each paper, over {LEAST_WEIGHT:g}"


@dataclass(frozen=True)
class PaperSimilarity:
    """Two papers, the one whose IRI comes first before the other, and their cosine in (0.3, 1]."""

    papers: tuple[NamedNode, NamedNode]
    weight: float


@dataclass(frozen=True)
class PaperGraph:
    papers: tuple[StoredPaper, ...]
    likenesses: tuple[PaperSimilarity, ...]
    method: str = METHOD
    vectors: str = ""


@dataclass(frozen=True)
class PaperGraphs:
    """The paper graphs of all collections."""

    store: QuadStore
    collections: Collections
    likeness: DocumentSimilarity
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))

    async def current(self, collection: str) -> PaperGraph:
        """The graph for the papers that there are, in the store when this returns.

        Raises `NotFound` for a collection that there is not, and `Unavailable` where nobody tells what is alike.
        """
        graphs = await self.collections.require(collection)
        catalogue = PaperCatalogue(self.store, graphs)
        papers = await catalogue.papers()
        near = await self.likeness.likest(collection, NEIGHBOURS, LEAST_WEIGHT)
        versions = await catalogue.versions(papers)
        wanted = {record.iri: record for record in _records(near, versions)}
        await self.store.transact(_Change(graphs, wanted, self.now()).decide)
        likenesses = tuple(PaperSimilarity(record.papers, record.weight) for record in wanted.values())
        return PaperGraph(tuple(papers), likenesses, vectors=near.model)


def _records(near: DocumentPairs, versions: dict[NamedNode, NamedNode]) -> Iterable[SimilarityRecord]:
    for pair in near.pairs:
        first, second = pair.documents
        if first in versions and second in versions:
            compared = versions[first], versions[second]
            iri = similarity_iri(compared, METHOD, near.model, pair.cosine)
            yield SimilarityRecord(iri, pair.documents, compared, pair.cosine, METHOD, near.model)


@dataclass(frozen=True)
class _Change:
    """From the likenesses in the store to those that are wanted; nothing where they are the same."""

    graphs: CollectionGraphs
    wanted: dict[NamedNode, SimilarityRecord]
    at: datetime

    def decide(self, reader: StoreReader) -> StoreChange[None]:
        graph = self.graphs.source
        (typed,) = reader.match([QuadPattern(None, RDF.type, TG.PaperSimilarity, graph)])
        stored = {quad.subject for quad in typed if isinstance(quad.subject, NamedNode)}
        gone = stored - self.wanted.keys()
        coming = [record for iri, record in self.wanted.items() if iri not in stored]
        versions = [version for record in coming for version in record.versions]
        there = reader.contains([Quad(node, RDF.type, TG.DocumentVersion, graph) for node in versions])
        kept = {version for version, is_there in zip(versions, there, strict=True) if is_there}
        added = [
            quad
            for record in coming
            if kept.issuperset(record.versions)
            for quad in similarity_quads(record, self.at, graph)
        ]
        return StoreChange(None, [quad for quad in self._of(reader, gone) if quad not in set(added)], added)

    def _of(self, reader: StoreReader, nodes: Iterable[NamedNode]) -> list[Quad]:
        """All that says these likenesses; their agent stays, for it is everybody's."""
        graph = self.graphs.source
        likenesses = list(nodes)
        activities = [activity_iri(node, "comparison") for node in likenesses]
        quads = [
            quad
            for quads in reader.match([QuadPattern(node, graph=graph) for node in (*likenesses, *activities)])
            for quad in quads
        ]
        facts = [quad.object for quad in quads if isinstance(quad.object, Triple)]
        return [*quads, *(Quad(fact.subject, fact.predicate, fact.object, graph) for fact in facts)]
