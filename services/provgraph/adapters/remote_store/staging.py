"""Large changes of a store of RDF 1.1: put down beside the graph first, then brought in by a request that is small.

Virtuoso compiles what an update says into a program of 32 kilobytes, for about 400 quads under a condition; only
`INSERT DATA` may be of any size. So a change that is larger is written into graphs of its own, which nobody reads, and
the request that depends on the claim moves it from there. What a process that was killed has left there goes when a
store is opened.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from pyoxigraph import NamedNode, Quad, Triple

from provgraph.adapters.remote_store.connection import StoreConnection
from provgraph.adapters.remote_store.quotations import STAGES, by_depth, clean, slices
from provgraph.adapters.remote_store.rdf_1_1 import written_quad, written_quads
from provgraph.adapters.remote_store.turns import CLAIMS, ReceiptedWrites, Turn, in_notes
from provgraph.adapters.remote_store.updates import CONDITIONAL_AT_MOST, addition_of, ending
from provgraph.rdf.projection import triple_term_iri
from provgraph.rdf.terms import named
from provgraph.rdf.vocabulary import RDF

_IN_A_REQUEST: Final = 10_000


@dataclass
class Stage:
    """The graphs of one change."""

    turn: Turn
    quads: list[Quad] = field(default_factory=list)
    graphs: list[NamedNode] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    def remove(self, quads: Sequence[Quad]) -> None:
        for graph, stage in self._by_graph([written_quad(quad) for quad in quads]).items():
            pattern = f"GRAPH {graph} {{ ?s ?p ?o }}"
            self.steps.append(f"DELETE {{ {pattern} }} WHERE {{ {self._staged(stage)} }}")

    def add(self, quads: Sequence[Quad]) -> None:
        for graph, stage in self._by_graph(written_quads(quads)).items():
            pattern = f"GRAPH {graph} {{ ?s ?p ?o }}"
            self.steps.append(f"INSERT {{ {pattern} }} WHERE {{ {self._staged(stage)} }}")

    def clean(self, terms: Sequence[Triple]) -> None:
        """Take away what describes those of these terms that nothing quotes any more."""
        for alike in by_depth(terms):
            stage = self._new()
            self.quads += [Quad(triple_term_iri(term), RDF.type, RDF.Statement, stage) for term in alike]
            self.steps.append(clean(f"GRAPH {stage} {{ ?t ?is ?quoted }}"))

    @property
    def request(self) -> str:
        """Brings in what was put down, while the claim stands, and takes the graphs away."""
        return " ; ".join([*self.steps, *(f"DROP SILENT GRAPH {graph}" for graph in self.graphs)])

    def put_down(self, writes: ReceiptedWrites) -> None:
        for some in slices(self.quads, _IN_A_REQUEST):
            writes.carry_out(partial(addition_of, some))

    def _by_graph(self, quads: Sequence[Quad]) -> dict[object, NamedNode]:
        stages: dict[object, NamedNode] = defaultdict(self._new)
        for quad in quads:
            self.quads.append(Quad(quad.subject, quad.predicate, quad.object, stages[quad.graph_name]))
        return stages

    def _staged(self, stage: NamedNode) -> str:
        return f"{self.turn.condition} GRAPH {stage} {{ ?s ?p ?o }}"

    def _new(self) -> NamedNode:
        claim = self.turn.claim.value.rpartition(":")[2]
        self.graphs.append(NamedNode(f"{STAGES}{claim}:{len(self.graphs)}"))
        return self.graphs[-1]


def is_large(quads: Sequence[Quad], terms: Sequence[Triple]) -> bool:
    """Whether a change is put down first: four quads are the most that one may become."""
    return len(quads) + len(terms) * 4 > CONDITIONAL_AT_MOST


def staged(stage: Stage, receipt: Quad, settled: list[Quad]) -> str:
    """The update that brings in what was put down."""
    return ending([stage.request], stage.turn, receipt, settled)


def sweep(connection: StoreConnection, writes: ReceiptedWrites) -> None:
    """Take away what changes have left whose process is no more."""
    query = f'SELECT DISTINCT ?g WHERE {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(STRSTARTS(STR(?g), "{STAGES}")) }}'
    left = [named(row["g"]) for row in connection.solutions(query)]
    if not left:
        return
    claims = f"SELECT ?claim WHERE {{ {in_notes(f'?claim {CLAIMS} ?order', connection.address)} }}"
    alive = {named(row["claim"]).value.rpartition(":")[2] for row in connection.solutions(claims)}
    dead = [graph for graph in left if graph.value.split(":")[3] not in alive]
    writes.carry_out(
        lambda receipt, settled: " ; ".join([*_dropping(dead), addition_of([], receipt, settled)])
    )


def _dropping(graphs: Sequence[NamedNode]) -> Iterator[str]:
    return (f"DROP SILENT GRAPH {graph}" for graph in graphs)
