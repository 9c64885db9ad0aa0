"""Statements for readers of RDF 1.1: no triple terms, no directions, nothing lost but these."""

from __future__ import annotations

import pytest
from pyoxigraph import BaseDirection, Literal, NamedNode, Quad, RdfFormat, Triple, parse

from provgraph.errors import InvalidInput
from provgraph.rdf.projection import triple_term_iri
from provgraph.rdf.serialization import serialized
from provgraph.rdf.versions import RdfVersion, in_version, rdf_version
from provgraph.rdf.vocabulary import RDF, TG

A, B, C, S, G = (NamedNode(f"http://e/{name}") for name in "abcsg")
INNER = Triple(A, B, Literal("shalom", language="he", direction=BaseDirection.RTL))
OUTER = Triple(C, B, INNER)
QUADS = [Quad(S, TG.contains, OUTER, G), Quad(S, TG.edge, OUTER, G), Quad(S, B, Literal(1), G)]


def test_a_quoted_edge_is_described_once_at_every_depth() -> None:
    outer, inner = triple_term_iri(OUTER), triple_term_iri(INNER)
    plain = [quad.triple for quad in in_version(QUADS, RdfVersion.RDF_1_1)]
    assert len(plain) == len(set(plain)) == 3 + 4 + 4
    assert {
        Triple(S, TG.contains, outer),
        Triple(S, TG.edge, outer),
        Triple(outer, RDF.object, inner),
    } <= set(plain)
    assert Triple(inner, RDF.object, Literal("shalom", language="he")) in plain


def test_a_quoted_edge_may_be_a_graph() -> None:
    outer, inner = triple_term_iri(OUTER), triple_term_iri(INNER)
    graphs = list(in_version(QUADS, RdfVersion.RDF_1_1_GRAPHS))
    assert Quad(C, B, inner, outer) in graphs
    assert Quad(A, B, Literal("shalom", language="he"), inner) in graphs
    assert len(graphs) == len(set(graphs)) == 5


def test_rdf_1_2_is_left_as_it_is() -> None:
    assert list(in_version(QUADS, RdfVersion.RDF_1_2)) == QUADS


@pytest.mark.parametrize(
    "rdf_format", [RdfFormat.TURTLE, RdfFormat.TRIG, RdfFormat.N_QUADS, RdfFormat.JSON_LD]
)
def test_what_is_written_in_rdf_1_1_is_read_back_without_triple_terms(rdf_format: RdfFormat) -> None:
    read = list(parse(serialized(QUADS, rdf_format, RdfVersion.RDF_1_1, with_graphs=True), format=rdf_format))
    assert len(read) == 11
    assert not [quad for quad in read if isinstance(quad.object, Triple)]


def test_versions_have_names() -> None:
    assert rdf_version("1.2-basic") is RdfVersion.RDF_1_1
    with pytest.raises(InvalidInput, match=r"1\.1-graphs"):
        rdf_version("2")
