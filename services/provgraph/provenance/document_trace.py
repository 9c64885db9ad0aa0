"""Query provenance of a question that is answered from chunks: what differs from one that is answered from edges, what
an answer by extraction has beside that, and which chunks a trace names, read back.

Grounding and answer are those of `trace`. Every example in a docstring is parsed by a test and conforms to the shapes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from provgraph.provenance.nodes import Nodes, agent_of, by_index, entity_quads
from provgraph.provenance.trace import (
    UNKNOWN,
    Origin,
    RankedBy,
    SentenceSupport,
    TraceScope,
    attribution,
    described_step,
    ranking_quads,
    rescored,
    selection_step,
    support_quads,
)
from provgraph.rdf import literals
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, TG


@dataclass(frozen=True)
class SelectedChunk:
    """A chunk that was chosen: `reasoning` in the words of `agent`, who chose it.

    `rerank_score` (0…10) is what a reranking gave it, where there was one.
    """

    chunk: NamedNode
    score: float
    concepts: tuple[str, ...]
    reasoning: str
    agent: str
    rerank_score: float | None = None


@dataclass(frozen=True)
class RejectedChunk:
    """A chunk that was retrieved and not chosen, and why not; `retrieval` is the step that found it."""

    chunk: NamedNode
    score: float
    reasoning: str
    retrieval: str = "retrieval"


@dataclass(frozen=True)
class ChunkQuotation:
    """A span of a page, in characters, that is in a selected chunk of `document`.

    `chunk_index` counts the page's chunks from 0, `page_number` pages from 1. They are recorded, since what says them
    goes when the document is revised, and the words that the answer cites stay.
    """

    document: NamedNode
    page: NamedNode
    page_number: int
    chunk: NamedNode
    chunk_index: int
    start: int
    end: int


@dataclass(frozen=True)
class ChunkSupport:
    """One sentence of the answer: its span, the indexes of the selected chunks and edges behind it, and the words
    cited.

    `overlap` is the share of its words that the words cited hold, where that was measured.
    """

    start: int
    end: int
    chunks: tuple[int, ...]
    quotations: tuple[ChunkQuotation, ...]
    overlap: float | None = None
    edges: tuple[int, ...] = ()
    origin: Origin | None = None


def chunk_retrieval_quads(
    scope: TraceScope, chunk_count: int, number: str = "", ranked: RankedBy = UNKNOWN
) -> list[Quad]:
    """How many chunks were retrieved, and how they were ranked; `number` is ":1" for a second retrieval.

    <urn:trustgraph:prov:retrieval:1> a prov:Entity, tg:Exploration ; rdfs:label "Retrieved chunks" ;
        prov:wasGeneratedBy <urn:trustgraph:session:1> ;
        prov:wasDerivedFrom <urn:trustgraph:prov:grounding:1> ; tg:chunkCount 40 .
    """
    node, origin = scope.names.step(f"retrieval{number}"), scope.names.step(f"grounding{number}")
    return [
        *described_step(scope, node, TG.Exploration, "Retrieved chunks", origin),
        Quad(node, TG.chunk_count, literals.integer(chunk_count), scope.graph),
        *ranking_quads(node, ranked, scope.graph),
    ]


def chunk_selection_quads(
    scope: TraceScope, selected: Sequence[SelectedChunk], origins: Sequence[str] = ("retrieval",)
) -> list[Quad]:
    """Which chunks were chosen, why, and by whom; `origins` are the steps that they come from.

    <urn:trustgraph:prov:selection:1> a prov:Entity, tg:Focus ; rdfs:label "Selected chunks" ;
        prov:wasGeneratedBy <urn:trustgraph:session:1> ;
        prov:wasDerivedFrom <urn:trustgraph:prov:retrieval:1> ; tg:selectedChunk <urn:trustgraph:prov:chunk:1:0> .
    <urn:trustgraph:prov:chunk:1:0> a prov:Entity, tg:ChunkSelection ; tg:document <doc/chunk/2c26b4-0> ;
        tg:score 0.87 ; tg:rerankScore 9.0 ; tg:concept "polonium" ;
        tg:reasoning "Meets 2 of 2 terms: discovered, polonium." ;
        prov:wasAttributedTo <urn:trustgraph:agent:passage-selector> .
    <urn:trustgraph:agent:passage-selector> a prov:Agent ; rdfs:label "passage-selector" .
    """
    node, graph = scope.names.step("selection"), scope.graph
    quads = selection_step(scope, "Selected chunks", origins)
    for index, choice in enumerate(selected):
        chunk = scope.names.chunk(index)
        quads += [
            Quad(node, TG.selected_chunk, chunk, graph),
            *entity_quads(chunk, TG.ChunkSelection, graph),
            Quad(chunk, TG.document, choice.chunk, graph),
            Quad(chunk, TG.score, literals.decimal(choice.score), graph),
            *(Quad(chunk, TG.concept, literals.text(concept), graph) for concept in choice.concepts),
            Quad(chunk, TG.reasoning, literals.text(choice.reasoning), graph),
            *rescored(chunk, choice.rerank_score, graph),
            *attribution(chunk, choice.agent, graph),
        ]
    return quads


def rejected_chunk_quads(scope: TraceScope, passed_over: Sequence[RejectedChunk]) -> Iterator[Quad]:
    """Why not: the chunks retrieved and not chosen.

    <urn:trustgraph:prov:candidate:1:0> a prov:Entity, tg:PassedOverChunk ;
        tg:candidateOf <urn:trustgraph:prov:retrieval:1> ; tg:document <doc/chunk/9f86d0-0> ; tg:score 0.12 ;
        tg:reasoning "Its best sentence covers 10% of the question's weight." .
    """
    graph = scope.graph
    for index, candidate in enumerate(passed_over):
        node = scope.names.candidate(index)
        yield from entity_quads(node, TG.PassedOverChunk, graph)
        yield Quad(node, TG.candidate_of, scope.names.step(candidate.retrieval), graph)
        yield Quad(node, TG.document, candidate.chunk, graph)
        yield Quad(node, TG.score, literals.decimal(candidate.score), graph)
        yield Quad(node, TG.reasoning, literals.text(candidate.reasoning), graph)


def chunk_support_quads(scope: TraceScope, sentences: Sequence[ChunkSupport]) -> list[Quad]:
    """The sentences of an answer and their support: selected chunks, and spans of their pages without the words.

    <urn:trustgraph:prov:sentence:1:0> a prov:Entity, tg:AnswerSentence ;
        tg:sentenceOf <urn:trustgraph:prov:answer:1> ; tg:sentenceIndex 0 ;
        tg:charOffset 0 ; tg:charLength 26 ; tg:supported true ; tg:origin "quoted" ; tg:overlap 0.75 ;
        tg:supportedBy <urn:trustgraph:prov:chunk:1:0> ; tg:quotation <urn:trustgraph:prov:quotation:1:0> .
    <urn:trustgraph:prov:quotation:1:0> a prov:Entity, tg:ChunkQuotation ;
        prov:wasQuotedFrom <doc/version/9f86d0/page/1> ; tg:pageNumber 1 ; tg:sourceDocument <doc> ;
        tg:inChunk <doc/chunk/2c26b4-0> ; tg:chunkIndex 0 ;
        tg:sourceCharOffset 12 ; tg:sourceCharLength 26 .
    """
    counter = itertools.count()
    quoted = [
        [(scope.names.quotation(next(counter)), quotation) for quotation in sentence.quotations]
        for sentence in sentences
    ]
    support = [
        SentenceSupport(
            said.start,
            said.end,
            (*map(scope.names.chunk, said.chunks), *map(scope.names.edge, said.edges)),
            tuple(node for node, _ in own),
            said.overlap,
            said.origin,
        )
        for said, own in zip(sentences, quoted, strict=True)
    ]
    return [
        *support_quads(scope, support),
        *(quad for own in quoted for node, each in own for quad in span_of(node, each, scope.graph)),
    ]


def span_of(node: NamedNode, quotation: ChunkQuotation, graph: NamedNode) -> list[Quad]:
    """The span of a page, and the chunk that it is in."""
    return [
        *entity_quads(node, TG.ChunkQuotation, graph),
        Quad(node, PROV.was_quoted_from, quotation.page, graph),
        Quad(node, TG.page_number, literals.integer(quotation.page_number), graph),
        Quad(node, TG.source_document, quotation.document, graph),
        Quad(node, TG.in_chunk, quotation.chunk, graph),
        Quad(node, TG.chunk_index, literals.integer(quotation.chunk_index), graph),
        Quad(node, TG.source_char_offset, literals.integer(quotation.start), graph),
        Quad(node, TG.source_char_length, literals.integer(quotation.end - quotation.start), graph),
    ]


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
            *entity_quads(node, TG.RetrievedDocument, graph),
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
    for number, chunk_evidence in enumerate(evidence, first):
        node = scope.names.quotation(number)
        quads += [
            Quad(scope.names.chunk(chunk_evidence.chunk), TG.quotation, node, scope.graph),
            *span_of(node, chunk_evidence.quotation, scope.graph),
            Quad(node, TG.score, literals.decimal(chunk_evidence.score), scope.graph),
        ]
    return quads


@dataclass(frozen=True)
class TracedChunk:
    """A selected chunk (`agent` gave the reason) or one passed over (no agent)."""

    iri: NamedNode
    chunk: NamedNode
    score: float
    concepts: tuple[str, ...]
    reasoning: str
    agent: str
    rerank_score: float | None = None


@dataclass(frozen=True)
class TracedChunks:
    """How many chunks were retrieved, and which were selected and passed over; nothing of a question to edges.

    `documents` are those of a question that is answered by extraction.
    """

    count: int = 0
    selected: tuple[TracedChunk, ...] = ()
    passed_over: tuple[TracedChunk, ...] = ()
    documents: tuple[RetrievedDocument, ...] = ()


def read_chunks(names: SessionNames, nodes: Nodes) -> TracedChunks:
    retrieval = names.step("retrieval")
    named_nodes = nodes.iris(names.step("selection"), TG.selected_chunk)
    steps = names.step("retrieval:1"), retrieval
    candidates = [node for step in steps for node in by_index(nodes.pointing_to(TG.candidate_of, step))]
    return TracedChunks(
        count=nodes.integer(retrieval, TG.chunk_count),
        selected=tuple(_chunk(nodes, node) for node in by_index(named_nodes)),
        passed_over=tuple(
            _chunk(nodes, node) for node in candidates if _is_a(nodes, node, TG.PassedOverChunk)
        ),
        documents=tuple(
            _document(nodes, node) for node in candidates if _is_a(nodes, node, TG.RetrievedDocument)
        ),
    )


def _is_a(nodes: Nodes, node: NamedNode, kind: NamedNode) -> bool:
    return kind in nodes.iris(node, RDF.type)


def _document(nodes: Nodes, node: NamedNode) -> RetrievedDocument:
    (document,) = nodes.iris(node, TG.document)
    return RetrievedDocument(document, float(nodes.text(node, TG.score)), nodes.text(node, TG.reasoning))


def _chunk(nodes: Nodes, node: NamedNode) -> TracedChunk:
    (chunk,) = nodes.iris(node, TG.document)
    return TracedChunk(
        iri=node,
        chunk=chunk,
        score=float(nodes.text(node, TG.score)),
        concepts=tuple(sorted(nodes.texts(node, TG.concept))),
        reasoning=nodes.text(node, TG.reasoning),
        agent=agent_of(nodes, node),
        rerank_score=nodes.number(node, TG.rerank_score),
    )
