"""Terms, patterns and blank nodes as TrustGraph's clients send them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.errors import InvalidInput
from provgraph.gateway.trustgraph.fields import graphs_of, wire_quad, wire_term
from provgraph.gateway.trustgraph.loads import steady_names, triple_with_blank_nodes
from provgraph.gateway.trustgraph.triples import PatternLookup, Scope, TriplePattern
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.json_terms import term_from_json
from provgraph.rdf.vocabulary import TG, XSD

GRAPHS = collection_graphs("papers")
MARIE, BORN, YEAR = NamedNode("urn:marie"), NamedNode("urn:born"), Literal("1867", datatype=XSD.g_year)
FACT = Triple(MARIE, BORN, YEAR)
NAME = Triple(MARIE, NamedNode("urn:name"), Literal("Maria", language="pl"))


async def found(pattern: dict[str, Any], graph: Any = None) -> list[Triple]:
    """What a pattern finds in a store of two facts and the subgraph that contains them."""
    store = OxigraphQuadStore()
    await store.add([Quad(t.subject, t.predicate, t.object, GRAPHS.knowledge) for t in (FACT, NAME)])
    await store.add([Quad(NamedNode("urn:s"), TG.contains, fact, GRAPHS.source) for fact in (FACT, NAME)])
    read = TriplePattern.of(pattern)
    if read is None:
        return []
    scope = Scope("papers", GRAPHS, graphs_of(graph, GRAPHS))
    return [quad.triple for quad in await PatternLookup(store, scope).quads(read, 100)]


def iri(value: NamedNode) -> dict[str, str]:
    return {"t": "i", "i": value.value}


@pytest.mark.parametrize(
    "pattern",
    [
        {"s": iri(MARIE), "o": {"t": "l", "v": "1867"}},
        {"p": iri(BORN), "o": {"t": "l", "v": "1867"}},
        {"o": {"t": "l", "v": "1867"}},
        {"o": {"t": "l", "v": "1867", "dt": XSD.g_year.value}},
    ],
)
async def test_a_literal_is_found_by_its_text_alone(pattern: dict[str, Any]) -> None:
    assert await found(pattern) == [FACT]


async def test_a_literal_with_a_language_is_found_by_its_text_where_its_subject_is_given() -> None:
    assert await found({"s": iri(MARIE), "o": {"t": "l", "v": "Maria"}}) == [NAME]


@pytest.mark.parametrize(
    "parts",
    [
        {"s": iri(MARIE), "p": iri(BORN), "o": {"t": "l", "v": "1867"}},
        {"p": iri(BORN)},
        {"s": iri(MARIE), "o": {"t": "l", "v": "1867"}},
    ],
)
async def test_a_quoted_triple_is_found_by_any_of_its_parts(parts: dict[str, Any]) -> None:
    quoted = {"p": iri(TG.contains), "o": {"t": "t", "tr": parts}}
    assert await found(quoted, "urn:graph:source") == [Triple(NamedNode("urn:s"), TG.contains, FACT)]


@pytest.mark.parametrize(
    ("graph", "count"), [(None, 4), ("*", 4), ("", 2), ("urn:graph:source", 2), ("urn:else", 0)]
)
async def test_a_graph_is_meant_by_the_name_that_clients_know(graph: str | None, count: int) -> None:
    assert len(await found({}, graph)) == count


@pytest.mark.parametrize("pattern", [{"s": {"t": "l", "v": "x"}}, {"o": {"t": "b", "d": "x"}}])
async def test_what_can_stand_nowhere_is_found_nowhere(pattern: dict[str, Any]) -> None:
    assert await found(pattern) == []


@pytest.mark.parametrize(
    "term", [1, "x", {"t": "i", "i": "no iri"}, {"t": "t", "tr": {"s": {"t": "l", "v": "x"}}}]
)
async def test_what_is_no_term_is_refused(term: Any) -> None:
    with pytest.raises(InvalidInput):
        await found({"o": term})


def test_terms_carry_what_single_commands_read() -> None:
    assert wire_term(YEAR)["d"] == wire_term(YEAR)["dt"] == XSD.g_year.value
    assert wire_term(Literal("x", language="en"))["l"] == "en"
    assert wire_term(FACT)["v"].startswith("<urn:marie> <urn:born>")
    assert "g" not in wire_quad(Quad(MARIE, BORN, YEAR, GRAPHS.knowledge))
    assert wire_quad(Quad(MARIE, BORN, YEAR, GRAPHS.source))["g"] == "urn:graph:source"


@given(st.sampled_from([YEAR, MARIE, FACT, Literal("x", language="en"), Literal("1"), BlankNode("b")]))
def test_what_is_told_can_be_sent_back(term: Any) -> None:
    assert term_from_json(wire_term(term)) == term


def test_an_iri_without_a_scheme_is_the_name_of_a_blank_node() -> None:
    told = {"s": {"t": "i", "i": "n4f2b1"}, "p": iri(BORN), "o": {"t": "i", "i": "urn:x"}}
    assert isinstance(triple_with_blank_nodes(told).subject, BlankNode)
    with pytest.raises(InvalidInput):
        triple_with_blank_nodes({**told, "s": {"t": "i", "i": "not an iri"}})


@given(st.randoms(use_true_random=False))
def test_a_load_is_the_same_whatever_its_order_and_the_names_of_its_blank_nodes(
    shuffler: random.Random,
) -> None:
    def statements(names: list[str]) -> list[Quad]:
        one, two, three = (BlankNode(name) for name in names)
        return [
            Quad(MARIE, BORN, one),
            Quad(one, BORN, two),
            Quad(two, BORN, three),
            Quad(three, BORN, YEAR),
            Quad(three, BORN, MARIE),
        ]

    again = statements([f"x{number}y{shuffler.getrandbits(40)}" for number in range(3)])
    shuffler.shuffle(again)
    assert {str(quad) for quad in steady_names(again)} == {
        str(quad) for quad in steady_names(statements(["a", "b", "c"]))
    }


def test_blank_nodes_of_which_the_same_is_said_stay_apart() -> None:
    quads = [Quad(MARIE, BORN, BlankNode("a")), Quad(MARIE, BORN, BlankNode("b"))]
    assert len({str(quad) for quad in steady_names(quads)}) == 2
