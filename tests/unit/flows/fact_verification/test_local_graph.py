"""The local graph of a claim: how its facts are ranked and written down."""

from __future__ import annotations

import pytest
from pyoxigraph import NamedNode

from provgraph.catalogue.sources import ChunkLocation, Words
from provgraph.flows.fact_verification.local_graph import MOST_FACTS, GraphFact, local_graph
from provgraph.propagation import fact_rank, spread, started


def fact(subject: str, relation: str, object_: str, rank: int = 1, confidence: float = 0.9) -> GraphFact:
    page = NamedNode("urn:d/page")
    place = ChunkLocation(NamedNode("urn:d/chunk"), 0, page, 1, NamedNode("urn:d"), "A page")
    words = Words(place, page, 1, 0, 5, "words")
    return GraphFact((subject, relation, object_), (subject, object_), confidence, rank, (words,))


def test_facts_about_what_the_claim_names_come_first() -> None:
    near, far = fact("Curie", "discovered", "polonium"), fact("swallows", "fly", "south", rank=4)
    graph = local_graph("Curie discovered polonium.", [far, near])
    assert [each.fact for each in graph.facts] == [near, far]
    assert graph.facts[0].met == ("Curie", "discovered", "polonium")


def test_each_fact_is_a_numbered_line_with_its_confidence() -> None:
    graph = local_graph("Curie", [fact("Curie", "a|b\nc", "polonium", confidence=0.8)])
    assert graph.linearised() == "[1] Curie | a/b c | polonium (0.80)"


def test_facts_beyond_the_limit_are_passed_over() -> None:
    graph = local_graph("x", [fact(f"s{n}", "is", f"o{n}") for n in range(MOST_FACTS + 3)])
    assert (len(graph.facts), len(graph.beyond)) == (MOST_FACTS, 3)


def test_no_facts_are_an_empty_graph() -> None:
    assert local_graph("Curie discovered polonium.", []).linearised() == ""


def test_spreading_moves_a_share_along_ties_and_loses_nothing_between_tied_nodes() -> None:
    ties = {"a": {"b": 2.0}, "b": {"a": 2.0}}
    after = spread({"a": 1.0}, ties, gamma=0.5)
    assert after["b"] == pytest.approx(0.5)
    assert sum(after.values()) == pytest.approx(1.0)


def test_a_node_starts_by_likeness_and_rank_and_a_fact_ranks_by_three_weights() -> None:
    assert started(1.0, 2) == pytest.approx(0.9)
    assert fact_rank(1.0, 1.0, 1.0) == pytest.approx(1.0)
