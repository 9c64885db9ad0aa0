"""The terms of RDF as every layer names them, reading what quads say of a node, and names for blank nodes.

The classes are pyoxigraph's; `rdf`, `sparql` and `adapters` alone import them from there, so that another RDF library
would be a change in these three.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import BaseDirection, BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

__all__ = [
    "BaseDirection",
    "BlankNames",
    "BlankNode",
    "DefaultGraph",
    "Literal",
    "NamedNode",
    "Quad",
    "Term",
    "Triple",
    "integer_of",
    "named",
    "nodes_of",
    "text_of",
    "texts_of",
]


Term = NamedNode | BlankNode | Literal | Triple


def named(term: object) -> NamedNode:
    """The term, where only an IRI can stand. Raises `TypeError` for any other."""
    if not isinstance(term, NamedNode):
        raise TypeError(f"expected an IRI, found {term}")
    return term


def texts_of(quads: Iterable[Quad], predicate: NamedNode) -> list[str]:
    """The literals, in the order of the quads."""
    return [
        quad.object.value
        for quad in quads
        if quad.predicate == predicate and isinstance(quad.object, Literal)
    ]


def text_of(quads: Iterable[Quad], predicate: NamedNode) -> str:
    """The first literal; empty where there is none."""
    return next(iter(texts_of(quads, predicate)), "")


def integer_of(quads: Iterable[Quad], predicate: NamedNode) -> int:
    """0 where there is none. Raises `ValueError` for what is no integer."""
    return int(text_of(quads, predicate) or 0)


def nodes_of(quads: Iterable[Quad], predicate: NamedNode) -> list[NamedNode]:
    """The IRIs, in the order of the quads."""
    return [
        quad.object for quad in quads if quad.predicate == predicate and isinstance(quad.object, NamedNode)
    ]


class BlankNames:
    """Blank nodes of one file → IRIs, numbered as they come: a parser's own labels differ with every parse."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._names: dict[BlankNode, NamedNode] = {}

    def quad(self, quad: Quad) -> Quad:
        return Quad(self._node(quad.subject), quad.predicate, self._term(quad.object), quad.graph_name)

    def _term(self, term: Term) -> NamedNode | Literal | Triple:
        if isinstance(term, Triple):
            return Triple(self._node(term.subject), term.predicate, self._term(term.object))
        return term if isinstance(term, Literal) else self._node(term)

    def _node(self, node: NamedNode | BlankNode | Triple) -> NamedNode:
        if isinstance(node, BlankNode):
            number = len(self._names) + 1
            return self._names.setdefault(node, NamedNode(f"urn:trustgraph:blank:{self._file}/b{number}"))
        assert isinstance(node, NamedNode)
        return node
