"""Triple terms as nodes that name their three parts, for readers of RDF 1.1: JSON-LD, RDF/XML, SHACL engines.

    <subgraph> tg:contains <<( ex:Curie ex:discovered ex:Polonium )>> .

becomes

    <subgraph> tg:contains <urn:provgraph:triple:…> .
    <urn:provgraph:triple:…> rdf:subject ex:Curie ; rdf:predicate ex:discovered ; rdf:object ex:Polonium .

(RDF 1.1 Semantics, appendix D.1, reification.) The node is named by the term, so that equal terms are one node
wherever and whenever they are projected.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

from pyoxigraph import NamedNode, Triple

from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import RDF

_NODE: Final = "urn:provgraph:triple:"


def triple_term_iri(term: Triple) -> NamedNode:
    """The node that stands for a triple term: the SHA-256 of its N-Triples form."""
    return NamedNode(_NODE + hashlib.sha256(str(term).encode()).hexdigest())


def project_triple_terms(triples: Iterable[Triple]) -> Iterator[Triple]:
    """The same triples with a node for each triple term, at any depth, and that node's parts once for each term.

    Triples without triple terms come through as they are, in their order.
    """
    described: set[NamedNode] = set()
    for triple in triples:
        node, parts = _project(triple.object, described)
        yield from parts
        yield triple if node is triple.object else Triple(triple.subject, triple.predicate, node)


def _project(term: Term, described: set[NamedNode]) -> tuple[Term, list[Triple]]:
    """What stands for the term, and the triples that describe it unless they were given before."""
    if not isinstance(term, Triple):
        return term, []
    node = triple_term_iri(term)
    if node in described:
        return node, []
    described.add(node)
    inner, parts = _project(term.object, described)
    parts.append(Triple(node, RDF.subject, term.subject))
    parts.append(Triple(node, RDF.predicate, term.predicate))
    parts.append(Triple(node, RDF.object, inner))
    return node, parts
