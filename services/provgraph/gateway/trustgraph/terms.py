"""Terms as TrustGraph's clients read and write them: `rdf.json_terms`, with what single commands look for besides.

`tg-graph-to-turtle` and `tg-invoke-sparql-query` read a datatype from `d` and a language from `l`, the other commands
from `dt` and `ln`; a quoted triple is printed by what stands in `v`.
"""

from __future__ import annotations

from typing import Any

from provgraph.rdf.graphs import CollectionGraphs, kind_of_graph
from provgraph.rdf.json_terms import JsonTerm, term_to_json
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple


def wire_term(term: Term) -> JsonTerm:
    if isinstance(term, Triple):
        return {"t": "t", "tr": wire_triple(term), "v": str(term)}
    told = term_to_json(term)
    if isinstance(term, Literal):
        again = {"d": told.get("dt"), "l": told.get("ln")}
        told |= {name: value for name, value in again.items() if value}
    return told


def wire_triple(triple: Triple) -> JsonTerm:
    return {
        "s": wire_term(triple.subject),
        "p": wire_term(triple.predicate),
        "o": wire_term(triple.object),
    }


def wire_quad(quad: Quad) -> JsonTerm:
    """With the graph as clients name it: none for the knowledge graph, and no collection in the others."""
    kind = kind_of_graph(quad.graph_name)
    graph: dict[str, Any] = {} if kind in (None, "knowledge") else {"g": f"urn:graph:{kind}"}
    return wire_triple(quad.triple) | graph


def graphs_of(name: object, graphs: CollectionGraphs) -> tuple[NamedNode, ...]:
    """The graphs that a client means: all for none or "*", the knowledge graph for "", else the one of this name."""
    if name is None or name == "*":
        return tuple(graphs)
    if name == "":
        return (graphs.knowledge,)
    own = {f"urn:graph:{kind}": graph for kind, graph in vars(graphs).items()}
    own |= {graph.value: graph for graph in graphs}
    return (own[name],) if isinstance(name, str) and name in own else ()
