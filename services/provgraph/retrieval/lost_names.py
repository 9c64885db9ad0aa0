"""Names in the index that the knowledge graph no longer gives to anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Final

from provgraph.catalogue.naming import is_statement, stand_in
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import knowledge_graph
from provgraph.rdf.terms import Literal, NamedNode, Quad
from provgraph.rdf.vocabulary import PREFIXES, RDFS

NAMING: Final = (RDFS.label, NamedNode(PREFIXES["skos"] + "altLabel"))


async def lost_names(store: QuadStore, collection: str, named: Mapping[str, Set[str]]) -> dict[str, set[str]]:
    """Of the labels under which entities are indexed, those to forget: all of an entity that stands in no statement
    any more, and of one that does those that are asserted no more."""
    graph = knowledge_graph(collection)
    nodes = [NamedNode(node) for node in named]
    as_subject = await store.match([QuadPattern(node, graph=graph) for node in nodes])
    as_object = await store.match([QuadPattern(object=node, graph=graph) for node in nodes], limit=1)
    lost = {}
    for node, said, pointing in zip(nodes, as_subject, as_object, strict=True):
        stands = bool(pointing) or any(_says_something(quad) for quad in said)
        given = _labels(node, said) if stands else set()
        if gone := named[node.value] - given:
            lost[node.value] = set(gone)
    return lost


def _says_something(quad: Quad) -> bool:
    return is_statement(quad.triple) and quad.predicate not in NAMING


def _labels(node: NamedNode, said: Sequence[Quad]) -> set[str]:
    given = {
        quad.object.value for quad in said if quad.predicate in NAMING and isinstance(quad.object, Literal)
    }
    return given | {stand_in(node)}
