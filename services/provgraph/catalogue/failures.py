"""What could not be read: the chunks of a collection that an extractor failed at and has not read since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.attempts import STEP
from provgraph.rdf.iris import local_name
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term
from provgraph.rdf.vocabulary import PROV, RDF, TG


@dataclass(frozen=True)
class FailedReading:
    chunk: NamedNode
    document: NamedNode
    extractor: str
    reason: str


async def failed_readings(store: QuadStore, graph: NamedNode) -> list[FailedReading]:
    """All of a source graph, by bound patterns only; what was read all the same, before a crash, is left out."""
    (failed,) = await store.match([QuadPattern(predicate=TG.failure, graph=graph)])
    attempts = [quad.subject for quad in failed if isinstance(quad.subject, NamedNode)]
    read = await store.contains([Quad(_subgraph(node), RDF.type, TG.Subgraph, graph) for node in attempts])
    missing = [node for node, is_read in zip(attempts, read, strict=True) if not is_read]
    described = await store.match([QuadPattern(node, graph=graph) for node in missing])
    said = [{quad.predicate: quad.object for quad in quads} for quads in described]
    chunks = [_node(each[PROV.used]) for each in said]
    documents = await _above(store, graph, await _above(store, graph, chunks))
    return [
        FailedReading(chunk, document, _name(each[PROV.was_associated_with]), _text(each[TG.failure]))
        for chunk, document, each in zip(chunks, documents, said, strict=True)
    ]


async def _above(store: QuadStore, graph: NamedNode, nodes: Sequence[NamedNode]) -> list[NamedNode]:
    patterns = [QuadPattern(node, PROV.was_derived_from, None, graph) for node in nodes]
    return [_node(quads[0].object) for quads in await store.match(patterns, limit=1)]


def _subgraph(attempt: NamedNode) -> NamedNode:
    return NamedNode(attempt.value.removesuffix(f"/{STEP}"))


def _name(agent: Term) -> str:
    return local_name(_node(agent).value).rpartition(":")[2]


def _text(term: Term) -> str:
    assert isinstance(term, Literal)
    return term.value


def _node(term: Term) -> NamedNode:
    assert isinstance(term, NamedNode)
    return term
