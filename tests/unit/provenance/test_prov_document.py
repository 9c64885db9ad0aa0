"""Provenance as a PROV document: what the `prov` package reads is what the RDF says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prov.model import ProvActivity, ProvAgent, ProvDerivation, ProvDocument, ProvEntity
from pyoxigraph import NamedNode, Quad, Triple

from provgraph.provenance.candidates import RejectedEdge, expanded, rejected_edge_quads
from provgraph.provenance.prov_document import prov_format, prov_text
from provgraph.provenance.trace import TraceScope
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.iris import SessionNames, entity_iri
from provgraph.rdf.projection import triple_term_iri
from provgraph.rdf.vocabulary import PROV, RDF, TG
from unit.checking.stored_collection import FACT, QUOTATION, SESSION, document_quads, trace_quads

STYLES = {"prov-json": "json", "prov-n": "provn"}


def read(text: str, style: str) -> ProvDocument:
    document = ProvDocument.deserialize(content=text, format=STYLES[style])
    assert isinstance(document, ProvDocument)
    return document


def attributes(document: ProvDocument, node: str) -> dict[str, list[str]]:
    """By IRI, the attributes of all records of a node."""
    found: dict[str, list[str]] = {}
    for record in document.get_records():
        if record.identifier is not None and record.identifier.uri == node:
            for name, value in record.extra_attributes:
                found.setdefault(name.uri, []).append(getattr(value, "uri", str(value)))
    return found


@pytest.mark.parametrize("style", STYLES)
def test_a_trace_with_its_sources_is_read_as_valid_and_whole(style: str) -> None:
    quads = [*document_quads(), *trace_quads()]
    document = read(prov_text(quads, style), style)
    for kind, class_ in ((PROV.Activity, ProvActivity), (PROV.Agent, ProvAgent)):
        nodes = {quad.subject.value for quad in quads if quad.predicate == RDF.type and quad.object == kind}  # type: ignore[union-attr]
        assert {record.identifier.uri for record in document.get_records(class_)} == nodes  # type: ignore[union-attr]
    (session,) = (r for r in document.get_records(ProvActivity) if r.identifier.uri == SESSION.session.value)  # type: ignore[union-attr]
    assert isinstance(session, ProvActivity)
    assert str(session.get_startTime()) == "2026-01-02 03:04:05+00:00"
    derivations = {
        tuple(term.uri for _, term in record.formal_attributes[:2])
        for record in document.get_records(ProvDerivation)
    }
    assert derivations == {
        (quad.subject.value, quad.object.value)  # type: ignore[union-attr]
        for quad in quads
        if quad.predicate in (PROV.was_derived_from, PROV.was_quoted_from)
    }


@pytest.mark.parametrize("style", STYLES)
def test_a_quoted_edge_is_an_entity_with_its_three_parts(style: str) -> None:
    document = read(prov_text([*document_quads(), *trace_quads()], style), style)
    edge = triple_term_iri(FACT).value
    assert [str(value) for value in attributes(document, edge)[RDF.subject.value]] == [FACT.subject.value]  # type: ignore[union-attr]
    assert attributes(document, edge)[RDF.object.value] == [FACT.object.value]  # type: ignore[union-attr]
    assert attributes(document, SESSION.edge(0).value)[TG.edge.value] == [edge]
    assert attributes(document, QUOTATION.value)[RDF.reifies.value] == [edge]


@given(st.text(min_size=1).filter(lambda text: bool(text.split())), st.text())
@settings(deadline=None, max_examples=60)
def test_whatever_the_words_both_formats_are_read_back(label: str, reason: str) -> None:
    scope = TraceScope(SessionNames("1"), collection_graphs().retrieval)
    edge = Triple(entity_iri(label), entity_iri("is"), entity_iri(f"{label} ({label})", label))
    quads = expanded(rejected_edge_quads(scope, [RejectedEdge(edge, 0.5, reason)]))
    (given,) = (quad.object for quad in quads if quad.predicate == TG.reasoning)
    node = triple_term_iri(edge).value
    for style in STYLES:
        document = read(prov_text(quads, style), style)
        assert attributes(document, node)[RDF.object.value] == [edge.object.value]  # type: ignore[union-attr]
        said = attributes(document, scope.names.candidate(0).value)
        assert said[TG.reasoning.value] == [given.value]  # type: ignore[union-attr]


@pytest.mark.parametrize("style", STYLES)
def test_iris_of_every_form_are_named(style: str) -> None:
    nodes = [
        "urn:x",
        "https://example.org/",
        "https://example.org/a#",
        "urn:a:b:c'd(e),f;g",
        "https://e.org/%C3%A9",
    ]
    graph = NamedNode("urn:graph:source")
    quads = [Quad(NamedNode(node), RDF.type, PROV.Entity, graph) for node in nodes]
    document = read(prov_text(quads, style), style)
    assert sorted(r.identifier.uri for r in document.get_records(ProvEntity)) == sorted(nodes)  # type: ignore[union-attr]


def test_media_types_choose_the_format() -> None:
    assert prov_format("text/html, application/provenance+json;q=0.5") == "prov-json"
    assert prov_format("text/provenance-notation") == "prov-n"
    assert prov_format("application/json") is None
