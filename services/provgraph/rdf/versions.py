"""Statements in RDF 1.1, for readers that know no triple terms: rdflib, Protégé, Jena before 6, most triple stores.

    <subgraph> tg:contains <<( ex:Curie ex:discovered ex:Polonium )>> .

becomes, reified (RDF 1.1 Semantics, appendix D.1),

    <subgraph> tg:contains <urn:provgraph:triple:…> .
    <urn:provgraph:triple:…> a rdf:Statement ; rdf:subject ex:Curie ; rdf:predicate ex:discovered ;
        rdf:object ex:Polonium .

or, as named graphs,

    <subgraph> tg:contains <urn:provgraph:triple:…> .
    <urn:provgraph:triple:…> { ex:Curie ex:discovered ex:Polonium }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad, Triple

from provgraph.errors import InvalidInput
from provgraph.rdf.projection import triple_term_iri
from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import RDF


class RdfVersion(StrEnum):
    """What a reader knows: triple terms, or neither these nor texts with a direction."""

    RDF_1_2 = "1.2"
    RDF_1_1 = "1.1"
    RDF_1_1_GRAPHS = "1.1-graphs"
    """RDF 1.1 with each quoted edge as a named graph."""


def rdf_version(name: str) -> RdfVersion:
    """The version of that name; "1.2-basic" has no triple terms either. Raises `InvalidInput` for an unknown one."""
    if name == _BASIC:
        return RdfVersion.RDF_1_1
    try:
        return RdfVersion(name)
    except ValueError as error:
        known = ", ".join(RdfVersion)
        raise InvalidInput(f"{name[:40]!r} is not a version of RDF. Use one of {known}.") from error


_BASIC: Final = "1.2-basic"
"""RDF 1.2 Concepts, section 2.1: basic conformance."""


def in_version(quads: Iterable[Quad], version: RdfVersion) -> Iterator[Quad]:
    """The same statements in that version, each quoted edge described once in each graph that quotes it."""
    if version is RdfVersion.RDF_1_2:
        yield from quads
        return
    described: set[tuple[object, NamedNode]] = set()
    for quad in quads:
        yield from _plain(quad, version, described)


def _plain(quad: Quad, version: RdfVersion, described: set[tuple[object, NamedNode]]) -> Iterator[Quad]:
    """A statement without triple terms, and what describes those that it has, unless that was given before."""
    edge, graph = quad.object, quad.graph_name
    plain = term_in_1_1(edge)
    yield Quad(quad.subject, quad.predicate, plain, graph)
    if not isinstance(edge, Triple):
        return
    assert isinstance(plain, NamedNode)
    is_graph = version is RdfVersion.RDF_1_1_GRAPHS
    key = (None if is_graph else graph, plain)
    if key in described:
        return
    described.add(key)
    if is_graph:
        yield from _plain(Quad(edge.subject, edge.predicate, edge.object, plain), version, described)
        return
    yield Quad(plain, RDF.type, RDF.Statement, graph)
    yield Quad(plain, RDF.subject, edge.subject, graph)
    yield Quad(plain, RDF.predicate, edge.predicate, graph)
    yield from _plain(Quad(plain, RDF.object, edge.object, graph), version, described)


def term_in_1_1(term: Term) -> Term:
    """The term for a reader of RDF 1.1: a quoted edge by the node of its name, a text without its direction."""
    if isinstance(term, Triple):
        return triple_term_iri(term)
    if isinstance(term, Literal) and term.direction is not None:
        return Literal(term.value, language=term.language)
    return term
