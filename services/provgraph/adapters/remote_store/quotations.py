"""The quotations of a store of RDF 1.1: what the nodes of triple terms stand for, looked up and kept whole.

A node that nothing uses any more is described no longer: whatever removes quads takes descriptions away in the same
update, and only those whose node is in no graph. An addition may come at that very moment from another process, and the
store compares nothing. So both look after they have written: of the two, the later look sees both writes, and puts
back what one of them has lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

from pyoxigraph import NamedNode, Quad, QuerySolution, Triple

from provgraph.adapters.remote_store.connection import StoreConnection
from provgraph.adapters.remote_store.rdf_1_1 import (
    NODES,
    QUOTATIONS,
    descriptions,
    is_quotation,
    quoted_terms,
    read_literal,
)
from provgraph.adapters.remote_store.turns import ReceiptedWrites
from provgraph.rdf.projection import triple_term_iri
from provgraph.rdf.terms import Term, named
from provgraph.rdf.vocabulary import RDF
from provgraph.sparql.quad_data import quad_data

T = TypeVar("T")

_AT_ONCE: Final = 200
_KEPT: Final = 50_000
STAGES: Final = "urn:provgraph:stage:"
"""How the names of graphs begin in which a change is put down before it takes place."""
NOT_STAGED: Final = f'FILTER(!STRSTARTS(STR(?g), "{STAGES}"))'
DESCRIBED: Final = f"{RDF.subject} ?qs ; {RDF.predicate} ?qp ; {RDF.object} ?qo"
"""What is said of a node in the graph of quotations."""


class QuotationLost(Exception):
    """A node that nothing describes: it was removed meanwhile, or is about to be described."""


class Quotations:
    """Those of one store. Blocking."""

    def __init__(self, connection: StoreConnection) -> None:
        self._connection = connection
        self._known: dict[NamedNode, Triple] = {}

    def learn(self, terms: Iterable[Triple]) -> None:
        """These need not be looked up. A node is named by its term, so what is known of it never changes."""
        if len(self._known) > _KEPT:
            self._known = {}
        self._known.update((triple_term_iri(term), term) for term in terms)

    def terms(self, nodes: Iterable[object]) -> Mapping[NamedNode, Triple]:
        """What the nodes among these terms stand for, as far as it is described."""
        asked = {node for node in nodes if isinstance(node, NamedNode) and is_quotation(node)}
        known = self._known
        terms = {node: known[node] for node in asked if node in known}
        for some in slices(sorted(asked - terms.keys(), key=str), _AT_ONCE):
            query = (
                f"SELECT ?t ?qs ?qp ?qo WHERE {{ {_values(some)} GRAPH {QUOTATIONS} {{ ?t {DESCRIBED} }} }}"
            )
            rows = self._connection.solutions(query)
            inner = self.terms(row["qo"] for row in rows)
            for row in rows:
                term = described(row, inner)
                if term is not None and triple_term_iri(term) == row["t"]:
                    terms[named(row["t"])] = term
        self.learn(terms.values())
        return terms

    def quads(self, quads: Sequence[Quad]) -> list[Quad]:
        """The quads as they were written. Raises `QuotationLost` where one quotes what is not described."""
        terms = self.terms(quad.object for quad in quads)
        return [
            Quad(quad.subject, quad.predicate, read_term(quad.object, terms), quad.graph_name)
            for quad in quads
        ]

    def used_in(self, graphs: Iterable[NamedNode]) -> list[Triple]:
        """The terms that are quoted in these graphs, and those inside them."""
        nodes: set[object] = set()
        for graph in graphs:
            query = f"SELECT DISTINCT ?t WHERE {{ GRAPH {graph} {{ ?s ?p ?t }} {_is_node('?t')} }}"
            nodes.update(row["t"] for row in self._connection.solutions(query))
        return quoted_terms(Quad(QUOTATIONS, RDF.object, term) for term in self.terms(nodes).values())

    def restore(self, terms: Sequence[Triple], writes: ReceiptedWrites) -> None:
        """Describe again those of these terms that are quoted somewhere and described nowhere."""
        by_node = {triple_term_iri(term): term for term in terms}
        for some in slices(list(by_node), _AT_ONCE):
            while lost := self._lost(some):
                writes.carry_out(partial(_describing, [by_node[node] for node in lost]))

    def _lost(self, nodes: Sequence[NamedNode]) -> list[NamedNode]:
        query = (
            f"SELECT DISTINCT ?t WHERE {{ {_values(nodes)} GRAPH ?g {{ ?user ?link ?t }} {NOT_STAGED} "
            f"FILTER NOT EXISTS {{ GRAPH {QUOTATIONS} {{ ?t {RDF.subject} ?qs }} }} }}"
        )
        return [named(row["t"]) for row in self._connection.solutions(query)]


def described(row: QuerySolution, inner: Mapping[NamedNode, Triple]) -> Triple | None:
    """The term that a solution for `DESCRIBED` names, or None where its own object is not described."""
    try:
        return Triple(row["qs"], row["qp"], read_term(row["qo"], inner))
    except QuotationLost:
        return None


def read_term(term: Term, terms: Mapping[NamedNode, Triple]) -> Term:
    """The term as it was written."""
    if not is_quotation(term):
        return read_literal(term)
    try:
        return terms[named(term)]
    except KeyError as error:
        raise QuotationLost(named(term).value) from error


def shown_term(term: Term, terms: Mapping[NamedNode, Triple]) -> Term:
    """The term as it was written; where nothing describes it, the node that it is."""
    return terms.get(term, term) if isinstance(term, NamedNode) else read_literal(term)


def cleaning(terms: Iterable[Triple]) -> Iterator[str]:
    """Steps of an update after which none of these is described that nothing quotes."""
    for alike in by_depth(terms):
        for some in slices(alike, _AT_ONCE):
            yield clean(_values([triple_term_iri(term) for term in some]))


def by_depth(terms: Iterable[Triple]) -> Iterator[list[Triple]]:
    """The terms, outer ones before those inside them."""
    depths: dict[int, list[Triple]] = defaultdict(list)
    for term in terms:
        depths[_depth(term)].append(term)
    yield from (depths[depth] for depth in sorted(depths, reverse=True))


def clean(nodes: str) -> str:
    """A step that takes away what describes those of the nodes `?t` of a pattern that are in no graph of quads."""
    return (
        f"DELETE {{ GRAPH {QUOTATIONS} {{ ?t ?l ?v }} }} WHERE {{ {nodes} GRAPH {QUOTATIONS} {{ ?t ?l ?v }} "
        f"FILTER NOT EXISTS {{ GRAPH ?g {{ ?user ?link ?t }} {NOT_STAGED} }} }}"
    )


def slices(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _describing(terms: Sequence[Triple], receipt: Quad, settled: list[Quad]) -> str:
    forgetting = f"DELETE DATA {{ {quad_data(settled)} }} ; " if settled else ""
    return f"{forgetting}INSERT DATA {{ {quad_data([*descriptions(terms), receipt])} }}"


def _values(nodes: Iterable[NamedNode]) -> str:
    return f"VALUES ?t {{ {' '.join(map(str, nodes))} }}"


def _is_node(variable: str) -> str:
    return f'FILTER(isIRI({variable}) && STRSTARTS(STR({variable}), "{NODES}"))'


def _depth(term: Triple) -> int:
    return 1 + _depth(term.object) if isinstance(term.object, Triple) else 0
