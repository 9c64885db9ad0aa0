"""Nodes of a provenance graph: written as entities, and read back by what each says and what points to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import PROV, RDF


def entity_quads(node: NamedNode, kind: NamedNode, graph: NamedNode | None) -> list[Quad]:
    """A node as an entity of PROV, and of a kind of our own."""
    return [Quad(node, RDF.type, PROV.Entity, graph), Quad(node, RDF.type, kind, graph)]


class Nodes:
    """Quads by subject and predicate."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self._objects: dict[tuple[Term, NamedNode], list[Term]] = defaultdict(list)
        self._subjects: dict[tuple[NamedNode, Term], list[NamedNode]] = defaultdict(list)
        for quad in quads:
            if isinstance(quad.subject, NamedNode):
                self._objects[quad.subject, quad.predicate].append(quad.object)
                self._subjects[quad.predicate, quad.object].append(quad.subject)

    def has(self, node: NamedNode, predicate: NamedNode) -> bool:
        return bool(self._objects[node, predicate])

    def iris(self, node: NamedNode, predicate: NamedNode) -> list[NamedNode]:
        return [term for term in self._objects[node, predicate] if isinstance(term, NamedNode)]

    def texts(self, node: NamedNode, predicate: NamedNode) -> list[str]:
        return [term.value for term in self._objects[node, predicate] if isinstance(term, Literal)]

    def text(self, node: NamedNode, predicate: NamedNode) -> str:
        return next(iter(self.texts(node, predicate)), "")

    def integer(self, node: NamedNode, predicate: NamedNode) -> int:
        return int(self.text(node, predicate) or 0)

    def number(self, node: NamedNode, predicate: NamedNode) -> float | None:
        text = self.text(node, predicate)
        return float(text) if text else None

    def triple(self, node: NamedNode, predicate: NamedNode) -> Triple:
        return next(term for term in self._objects[node, predicate] if isinstance(term, Triple))

    def triples(self, node: NamedNode, predicate: NamedNode) -> list[Triple]:
        return [term for term in self._objects[node, predicate] if isinstance(term, Triple)]

    def pointing_to(self, predicate: NamedNode, node: NamedNode) -> list[NamedNode]:
        return self._subjects[predicate, node]


def agent_of(nodes: Nodes, node: NamedNode) -> str:
    """The name of the agent that a node is attributed to, or nothing."""
    agent = next(iter(nodes.iris(node, PROV.was_attributed_to)), None)
    return unquote(agent.value.rpartition(":")[2]) if agent else ""


def by_index(nodes: Sequence[NamedNode]) -> list[NamedNode]:
    """The nodes of one trace in their order: each IRI ends in its index."""
    return sorted(nodes, key=lambda node: int(node.value.rpartition(":")[2]))
