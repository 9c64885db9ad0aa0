"""Terms and quads as SPARQL writes them: in patterns, in tables of VALUES, in QuadData and templates of an update."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from pyoxigraph import DefaultGraph, Quad, Triple

from provgraph.rdf.terms import Term


def term_text(term: Term) -> str:
    """The term; a triple term in its brackets, which `str` leaves away."""
    if isinstance(term, Triple):
        return f"<<( {term_text(term.subject)} {term.predicate} {term_text(term.object)} )>>"
    return str(term)


def with_values(query: str, bindings: Mapping[str, Term]) -> str:
    """A query whose variables are bound to these terms."""
    if not bindings:
        return query
    names = " ".join(f"?{name}" for name in bindings)
    return f"{query}\nVALUES ({names}) {{ ({' '.join(map(term_text, bindings.values()))}) }}"


def quad_data(quads: Iterable[Quad]) -> str:
    """The quads by graph, without the braces around them. No blank nodes: in an update they stand for others.

    Raises `TypeError` for what is no quad.
    """
    by_graph: dict[object, list[str]] = defaultdict(list)
    for quad in quads:
        if not isinstance(quad, Quad):
            raise TypeError(f"expected a quad, found {quad!r}")
        by_graph[quad.graph_name].append(str(quad.triple))
    return " ".join(_block(graph, " . ".join(triples)) for graph, triples in by_graph.items())


def _block(graph: object, triples: str) -> str:
    return f"{triples} ." if isinstance(graph, DefaultGraph) else f"GRAPH {graph} {{ {triples} }}"
