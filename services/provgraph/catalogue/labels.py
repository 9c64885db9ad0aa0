"""Readable names of terms, from the knowledge graph of one collection."""

from __future__ import annotations

from collections.abc import Iterable

from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.iris import local_name
from provgraph.rdf.terms import Literal, NamedNode, Term, Triple
from provgraph.rdf.vocabulary import RDF, RDFS


def is_statement(fact: Triple) -> bool:
    """False for labels and types, which name things; true for facts that say something of them."""
    return fact.predicate not in (RDF.type, RDFS.label)


async def labels(store: QuadStore, graph: NamedNode, terms: Iterable[Term]) -> dict[Term, str]:
    """A label for every term: its `rdfs:label` (of several the first in code point order), or a stand-in."""
    asked = list(dict.fromkeys(terms))
    nodes = [term for term in asked if isinstance(term, NamedNode)]
    found = await store.match([QuadPattern(node, RDFS.label, None, graph) for node in nodes])
    named = {
        node: min((quad.object.value for quad in quads if isinstance(quad.object, Literal)), default="")
        for node, quads in zip(nodes, found, strict=True)
    }
    return {
        term: (named.get(term, "") if isinstance(term, NamedNode) else "") or stand_in(term) for term in asked
    }


async def type_labels(
    store: QuadStore, graph: NamedNode, terms: Iterable[Term]
) -> dict[Term, tuple[str, ...]]:
    """What kind of thing each entity is, in labels and their order; nothing for one that has no type."""
    nodes = [term for term in dict.fromkeys(terms) if isinstance(term, NamedNode)]
    found = await store.match([QuadPattern(node, RDF.type, None, graph) for node in nodes])
    types = {node: [quad.object for quad in quads] for node, quads in zip(nodes, found, strict=True)}
    named = await labels(store, graph, (kind for kinds in types.values() for kind in kinds))
    return {node: tuple(sorted(named[kind] for kind in kinds)) for node, kinds in types.items() if kinds}


def stand_in(term: Term) -> str:
    """What a term without a label is shown as."""
    match term:
        case NamedNode():
            return local_name(term.value)
        case Triple():
            return f"({stand_in(term.subject)}, {stand_in(term.predicate)}, {stand_in(term.object)})"
        case _:
            return term.value


def fact_terms(fact: Triple) -> tuple[Term, Term, Term]:
    return fact.subject, fact.predicate, fact.object
