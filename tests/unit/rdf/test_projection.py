"""Triple terms become nodes that every RDF 1.1 reader understands."""

from __future__ import annotations

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, parse, serialize

from provgraph.rdf.projection import project_triple_terms, triple_term_iri
from provgraph.rdf.vocabulary import RDF, TG

EX = "http://example.org/"
CURIE, DISCOVERED, POLONIUM, SUBGRAPH = (
    NamedNode(EX + name) for name in ("Curie", "discovered", "Polonium", "subgraph")
)
FACT = Triple(CURIE, DISCOVERED, POLONIUM)


def test_a_triple_without_terms_comes_through_as_it_is() -> None:
    assert list(project_triple_terms([FACT])) == [FACT]


def test_a_triple_term_becomes_a_node_with_its_three_parts() -> None:
    node = triple_term_iri(FACT)
    assert set(project_triple_terms([Triple(SUBGRAPH, TG.contains, FACT)])) == {
        Triple(SUBGRAPH, TG.contains, node),
        Triple(node, RDF.subject, CURIE),
        Triple(node, RDF.predicate, DISCOVERED),
        Triple(node, RDF.object, POLONIUM),
    }


def test_equal_terms_are_one_node_described_once() -> None:
    projected = list(
        project_triple_terms([Triple(SUBGRAPH, TG.contains, FACT), Triple(CURIE, TG.contains, FACT)])
    )
    assert len(projected) == 2 + 3
    assert len(set(projected)) == len(projected)


def test_terms_that_differ_only_in_a_datatype_are_two_nodes() -> None:
    plain = Triple(CURIE, DISCOVERED, Literal("1"))
    typed = Triple(CURIE, DISCOVERED, Literal(1))
    assert triple_term_iri(plain) != triple_term_iri(typed)


def test_a_term_inside_a_term_is_projected_too() -> None:
    outer = Triple(CURIE, DISCOVERED, FACT)
    projected = list(project_triple_terms([Triple(SUBGRAPH, TG.contains, outer)]))
    assert not any(isinstance(triple.object, Triple) for triple in projected)
    assert Triple(triple_term_iri(outer), RDF.object, triple_term_iri(FACT)) in projected


def test_what_is_projected_can_be_written_as_json_ld() -> None:
    projected = set(project_triple_terms([Triple(SUBGRAPH, TG.contains, FACT)]))
    written = serialize(projected, format=RdfFormat.JSON_LD)
    assert {quad.triple for quad in parse(written, RdfFormat.JSON_LD)} == projected
