"""RDF 1.2 for readers of RDF 1.1: a triple term becomes a node with `rdf:subject`, `rdf:predicate`, `rdf:object`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from pyoxigraph import BlankNode, Quad, Triple

from provgraph.rdf.vocabulary import RDF


def project_triple_terms(quads: Iterable[Quad]) -> Iterator[Quad]:
    """The quads with every triple term replaced; equal terms in one graph become one node."""
    described: set[tuple[Triple, object]] = set()
    for quad in quads:
        term, graph = quad.object, quad.graph_name
        if not isinstance(term, Triple):
            yield quad
            continue
        node = BlankNode(hashlib.sha256(str(term).encode()).hexdigest()[:32])
        yield Quad(quad.subject, quad.predicate, node, graph)
        if (term, graph) in described:
            continue
        described.add((term, graph))
        yield Quad(node, RDF.subject, term.subject, graph)
        yield Quad(node, RDF.predicate, term.predicate, graph)
        yield from project_triple_terms([Quad(node, RDF.object, term.object, graph)])
