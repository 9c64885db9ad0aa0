"""Query provenance of a question that is answered by extraction: what it has beside that of `document_trace`.

The documents that were retrieved with what made their scores, and the sentences that are evidence. Every example in a
docstring is parsed by a test and conforms to the shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provgraph.provenance.document_trace import ChunkQuotation, chunk_retrieval_quads, span_of
from provgraph.provenance.retrieval_paths import RankedBy
from provgraph.provenance.trace import TraceScope
from provgraph.rdf import literals
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, TG


@dataclass(frozen=True)
class RetrievedDocument:
    """A document as it was ranked; `reasoning` tells the terms that add up to its score."""

    document: NamedNode
    score: float
    reasoning: str


@dataclass(frozen=True)
class ChunkEvidence:
    """A sentence of the selected chunk of this index, with its score in 0…1."""

    chunk: int
    quotation: ChunkQuotation
    score: float


def document_retrieval_quads(
    scope: TraceScope,
    chunk_count: int,
    ranked: RankedBy,
    documents: Sequence[RetrievedDocument],
    number: str = "",
    first: int = 0,
) -> list[Quad]:
    """How many chunks were retrieved, how they were ranked, and the documents that they are of.

    `number` is ":1" for a second retrieval, whose documents are counted from `first`.

    <urn:trustgraph:prov:retrieval:1> a prov:Entity, tg:Exploration ; rdfs:label "Retrieved chunks" ;
        prov:wasGeneratedBy <urn:trustgraph:session:1> ;
        prov:wasDerivedFrom <urn:trustgraph:prov:grounding:1> ; tg:chunkCount 20 ;
        tg:retrievalMethod "term-frequency" ; tg:retrievalParameter "factual=1", "weight=2" .
    <urn:trustgraph:prov:document:1:0> a prov:Entity, tg:RetrievedDocument ;
        tg:candidateOf <urn:trustgraph:prov:retrieval:1> ; tg:document <doc> ; tg:score 9.0 ;
        tg:reasoning "polonium 3 × 2 + discovered 1 × 2 + numbers with units 1 × 1 = 9." .
    """
    graph, retrieval = scope.graph, scope.names.step(f"retrieval{number}")
    quads = chunk_retrieval_quads(scope, chunk_count, number, ranked)
    for index, document in enumerate(documents, first):
        node = scope.names.document(index)
        quads += [
            Quad(node, RDF.type, PROV.Entity, graph),
            Quad(node, RDF.type, TG.RetrievedDocument, graph),
            Quad(node, TG.candidate_of, retrieval, graph),
            Quad(node, TG.document, document.document, graph),
            Quad(node, TG.score, literals.decimal(document.score), graph),
            Quad(node, TG.reasoning, literals.text(document.reasoning), graph),
        ]
    return quads


def chunk_evidence_quads(scope: TraceScope, evidence: Sequence[ChunkEvidence], first: int) -> list[Quad]:
    """The sentences that are evidence, as spans of their pages; `first` is the number of the first of them, for those
    before it are cited by the answer.

    <urn:trustgraph:prov:chunk:1:0> tg:quotation <urn:trustgraph:prov:quotation:1:2> .
    <urn:trustgraph:prov:quotation:1:2> a prov:Entity, tg:ChunkQuotation ; tg:score 0.83 ;
        prov:wasQuotedFrom <doc/version/9f86d0/page/1> ; tg:pageNumber 1 ; tg:sourceDocument <doc> ;
        tg:inChunk <doc/chunk/2c26b4-0> ; tg:chunkIndex 0 ;
        tg:sourceCharOffset 12 ; tg:sourceCharLength 26 .
    """
    quads: list[Quad] = []
    for number, each in enumerate(evidence, first):
        node = scope.names.quotation(number)
        quads += [
            Quad(scope.names.chunk(each.chunk), TG.quotation, node, scope.graph),
            *span_of(node, each.quotation, scope.graph),
            Quad(node, TG.score, literals.decimal(each.score), scope.graph),
        ]
    return quads
