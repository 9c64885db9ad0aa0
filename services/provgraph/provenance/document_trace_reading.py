"""Which chunks a question was answered from, read back from its trace."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.provenance.trace_nodes import Nodes, agent_of, by_index
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import RDF, TG


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
class TracedDocument:
    """A document that was retrieved, with what made its score."""

    document: NamedNode
    score: float
    reasoning: str


@dataclass(frozen=True)
class TracedChunks:
    """How many chunks were retrieved, and which were selected and passed over; nothing of a question to edges.

    `documents` are those of a question that is answered by extraction.
    """

    count: int = 0
    selected: tuple[TracedChunk, ...] = ()
    passed_over: tuple[TracedChunk, ...] = ()
    documents: tuple[TracedDocument, ...] = ()


def read_chunks(names: SessionNames, nodes: Nodes) -> TracedChunks:
    retrieval = names.step("retrieval")
    chosen = nodes.iris(names.step("selection"), TG.selected_chunk)
    steps = names.step("retrieval:1"), retrieval
    candidates = [node for step in steps for node in by_index(nodes.pointing_to(TG.candidate_of, step))]
    return TracedChunks(
        count=nodes.integer(retrieval, TG.chunk_count),
        selected=tuple(_chunk(nodes, node) for node in by_index(chosen)),
        passed_over=tuple(
            _chunk(nodes, node) for node in candidates if _is_a(nodes, node, TG.PassedOverChunk)
        ),
        documents=tuple(
            _document(nodes, node) for node in candidates if _is_a(nodes, node, TG.RetrievedDocument)
        ),
    )


def _is_a(nodes: Nodes, node: NamedNode, kind: NamedNode) -> bool:
    return kind in nodes.iris(node, RDF.type)


def _document(nodes: Nodes, node: NamedNode) -> TracedDocument:
    (document,) = nodes.iris(node, TG.document)
    return TracedDocument(document, float(nodes.text(node, TG.score)), nodes.text(node, TG.reasoning))


def _chunk(nodes: Nodes, node: NamedNode) -> TracedChunk:
    (chunk,) = nodes.iris(node, TG.document)
    rerank_score = nodes.text(node, TG.rerank_score)
    return TracedChunk(
        iri=node,
        chunk=chunk,
        score=float(nodes.text(node, TG.score)),
        concepts=tuple(sorted(nodes.texts(node, TG.concept))),
        reasoning=nodes.text(node, TG.reasoning),
        agent=agent_of(nodes, node),
        rerank_score=float(rerank_score) if rerank_score else None,
    )
