"""Blank nodes → IRIs: nothing is stored that could not be named from elsewhere."""

from __future__ import annotations

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from provgraph.rdf.terms import Term


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
