"""Edges that were passed over: what is stored of them is short, and what is read of them is all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Quad, Store, Triple

from provgraph.provenance.candidates import (
    RejectedEdge,
    expanded,
    noted_edge_quads,
    notes_iri,
    rejected_edge_quads,
    without_lines,
)
from provgraph.provenance.trace import RetrievalPath, TraceScope, retrieval_quads
from provgraph.provenance.trace_reading import read_trace
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.iris import SessionNames, entity_iri
from provgraph.rdf.terms import Literal
from provgraph.rdf.vocabulary import PREFIXES, TG
from provgraph.sparql.saved_queries import saved_query

SCOPE = TraceScope(SessionNames("00000000-0000-4000-8000-000000000001"), retrieval_graph("explainability"))
EDGES = [
    RejectedEdge(
        Triple(entity_iri("Curie"), entity_iri("born in"), entity_iri(f"place {number}")),
        0.9 - number / 7,
        f"Meets {number} of 3 terms.",
        None if number else 8.5,
        "retrieval:1" if number == 3 else "retrieval",
        RetrievalPath("exact label", ("Pierre", "Curie")) if number % 2 else RetrievalPath("words"),
    )
    for number in range(5)
]


def as_older_versions_wrote(edges: list[RejectedEdge]) -> list[Quad]:
    """Each edge with all its properties, and no notes."""
    quads: list[Quad] = []
    for index, each in enumerate(edges):
        node, graph = SCOPE.names.candidate(index), SCOPE.graph
        rescored = "" if each.rerank_score is None else str(each.rerank_score)
        along = each.way.along if each.way.path else ""
        line = (str(index), str(each.score), each.reasoning, each.way.found_by, along, rescored)
        quads += [
            Quad(node, TG.candidate_of, SCOPE.names.step(each.retrieval), graph),
            Quad(node, TG.candidate_edge, each.edge, graph),
            *noted_edge_quads(node, line, graph),
        ]
    return quads


def test_a_trace_reads_the_same_from_notes_as_from_properties() -> None:
    short, full = list(rejected_edge_quads(SCOPE, EDGES)), as_older_versions_wrote(EDGES)
    assert len(short) == 2 * len(EDGES) + 2 * 4 < len(full)
    assert set(expanded(short)) == set(full)
    assert expanded(full) == full
    now, then = (read_trace(SCOPE.names, expanded(quads)).passed_over for quads in (short, full))
    assert now == then
    assert [each.reasoning for each in now] == [each.reasoning for each in EDGES]


@given(st.text(min_size=1), st.floats(0, 10))
def test_whatever_a_reason_says_it_stays_in_its_line(reasoning: str, score: float) -> None:
    given_edges = [RejectedEdge(EDGES[0].edge, score, reasoning), EDGES[1]]
    first, second = read_trace(SCOPE.names, expanded(rejected_edge_quads(SCOPE, given_edges))).passed_over
    assert first.reasoning.split() == reasoning.split()
    assert abs(first.score - score) < 1e-6
    assert second.reasoning == EDGES[1].reasoning


def test_a_line_goes_and_the_others_stay() -> None:
    quads = list(rejected_edge_quads(SCOPE, EDGES))
    node = notes_iri(SCOPE.names, "retrieval")
    (notes,) = (quad for quad in quads if quad.subject == node and quad.predicate == TG.candidate_notes)
    left = without_lines(notes, [SCOPE.names.candidate(1)])
    assert left is not None
    assert isinstance(left.object, Literal)
    assert "\n1\t" not in left.object.value
    assert all(f"\n{number}\t" in left.object.value for number in (0, 2, 4))
    assert without_lines(notes, [SCOPE.names.candidate(number) for number in (0, 1, 2, 4)]) is None


def test_the_saved_query_tells_the_same_of_what_this_and_older_versions_wrote() -> None:
    query = saved_query("passed-over-edges").bound({"session": SCOPE.names.session.value})
    steps = [quad for number in ("", ":1") for quad in retrieval_quads(SCOPE, 5, [], number)]
    rows = []
    for quads in (rejected_edge_quads(SCOPE, EDGES), as_older_versions_wrote(EDGES)):
        store = Store()
        store.extend([*steps, *quads])
        found = store.query(query, prefixes=PREFIXES, use_default_graph_as_union=True)
        rows.append([(str(r["object"]), float(r["score"].value), r["reason"].value) for r in found])  # type: ignore[union-attr]
    assert rows[0] == rows[1]
    assert [reason for _, _, reason in rows[0]] == [each.reasoning for each in EDGES]
