"""Content negotiation, and results in every format."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from pyoxigraph import (
    Literal,
    NamedNode,
    Quad,
    QueryResultsFormat,
    QuerySolutions,
    RdfFormat,
    Store,
    Triple,
    Variable,
    parse,
    parse_query_results,
)

from provgraph.errors import InvalidInput, TooLarge
from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import RDF
from provgraph.sparql import formats
from provgraph.sparql.formats import GRAPH_FORMATS, RESULT_FORMATS, Format, accept_of_name, negotiated
from provgraph.sparql.results import ResultLimits, SerializedResults, serialized

AMPLE = ResultLimits(rows=1000, bytes=1 << 20)
NATIVE = {
    formats.RESULTS_JSON: QueryResultsFormat.JSON,
    formats.RESULTS_XML: QueryResultsFormat.XML,
    formats.TSV: QueryResultsFormat.TSV,
}
SUBJECT, PREDICATE = NamedNode("http://e/s?a=1&b=2"), NamedNode("http://e/p")
OBJECTS: list[Term] = [
    NamedNode("http://e/o"),
    Literal('quote " and <tag> & comma, tab\t and\nnew line \\'),
    Literal("hallo", language="de"),
    Literal(42),
    Literal(""),
    Triple(SUBJECT, PREDICATE, Literal("inner", language="en")),
]
INNER = '<<( <http://e/s?a=1&b=2> <http://e/p> "inner"@en )>>'


@pytest.fixture
def store() -> Store:
    store = Store()
    store.extend(Quad(SUBJECT, PREDICATE, each) for each in OBJECTS)
    return store


def result(store: Store, query: str, media_type: str, limits: ResultLimits = AMPLE) -> SerializedResults:
    return serialized(store.query(query), media_type, limits)


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("*/*", formats.RESULTS_JSON),
        ("", formats.RESULTS_JSON),
        ("text/csv", formats.CSV),
        ("text/csv;q=0.5, application/sparql-results+xml", formats.RESULTS_XML),
        ("application/json", formats.RESULTS_JSON),
        ("text/html, application/xml;q=0.9, */*;q=0.1", formats.RESULTS_XML),
        ("application/sparql-results+json;q=0, */*;q=0.1", formats.RESULTS_XML),
        ("text/*", formats.CSV),
        ("TEXT/CSV; Q=1", formats.CSV),
        ("application/sparql-results+xml, application/rdf+xml", formats.RESULTS_XML),
        ("*/*;q=0.5, text/tab-separated-values;q=0.5", formats.TSV),
    ],
)
def test_the_format_is_the_best_that_is_accepted(accept: str, chosen: Format) -> None:
    assert negotiated(accept, RESULT_FORMATS) == chosen


def test_a_graph_is_turtle_unless_asked_otherwise() -> None:
    assert negotiated("*/*", GRAPH_FORMATS) == formats.TURTLE
    assert negotiated("application/json", GRAPH_FORMATS) == formats.JSON_LD


@pytest.mark.parametrize("accept", ["image/png", "*/*;q=0", "text/csv;q=no"])
def test_a_header_that_accepts_nothing_is_told_what_there_is(accept: str) -> None:
    with pytest.raises(InvalidInput, match="sparql-results"):
        negotiated(accept, RESULT_FORMATS)


def test_a_short_name_serves_results_and_graphs() -> None:
    assert negotiated(accept_of_name("json"), RESULT_FORMATS) == formats.RESULTS_JSON
    assert negotiated(accept_of_name("json"), GRAPH_FORMATS) == formats.JSON_LD
    with pytest.raises(InvalidInput, match="turtle"):
        accept_of_name("yaml")


@pytest.mark.parametrize("result_format", NATIVE, ids=lambda each: each.media_type)
def test_solutions_come_back_as_they_were(store: Store, result_format: Format) -> None:
    if result_format == formats.TSV:
        store.remove(Quad(SUBJECT, PREDICATE, OBJECTS[-1]))  # which the reader here cannot read in TSV
    written = result(store, "SELECT ?s ?o ?unbound { ?s ?p ?o }", result_format.media_type)
    read = parse_query_results(written.body, format=NATIVE[result_format])
    assert isinstance(read, QuerySolutions)
    assert read.variables == [Variable("s"), Variable("o"), Variable("unbound")]
    found = [(row["s"], row["o"], row["unbound"]) for row in read]
    assert {(s, o) for s, o, _ in found} == {(SUBJECT, quad.object) for quad in store}
    assert {unbound for _, _, unbound in found} == {None}


def test_csv_holds_plain_values(store: Store) -> None:
    written = result(store, "SELECT ?o { ?s ?p ?o }", "text/csv")
    rows = list(csv.reader(io.StringIO(written.body.decode(), newline="")))
    assert rows[0] == ["o"]
    plain = [each.value for each in OBJECTS if not isinstance(each, Triple)]
    assert sorted(row[0] if row else "" for row in rows[1:]) == sorted([*plain, INNER])


def test_tsv_holds_terms_as_turtle_does(store: Store) -> None:
    lines = result(store, "SELECT ?o { ?s ?p ?o }", "text/tab-separated-values").body.decode().split("\n")
    assert lines[0] == "?o"
    assert {'"hallo"@de', INNER} < set(lines)


@pytest.mark.parametrize("each", RESULT_FORMATS, ids=lambda each: each.media_type)
def test_rows_beyond_the_limit_are_left_out_and_said_so(store: Store, each: Format) -> None:
    query = "SELECT ?s { ?s ?p ?o }"
    cut = result(store, query, each.media_type, ResultLimits(rows=2, bytes=1 << 20))
    whole = result(store, query + " LIMIT 2", each.media_type)
    assert cut.truncated
    assert not whole.truncated
    assert cut.body == whole.body
    assert not result(store, query, each.media_type, ResultLimits(len(OBJECTS), 1 << 20)).truncated


def test_bytes_beyond_the_limit_end_the_rows(store: Store) -> None:
    cut = result(store, "SELECT ?s { ?s ?p ?o }", "application/json", ResultLimits(rows=1000, bytes=100))
    assert cut.truncated
    assert 0 < len(json.loads(cut.body)["results"]["bindings"]) < len(OBJECTS)


@pytest.mark.parametrize("each", RESULT_FORMATS, ids=lambda each: each.media_type)
def test_ask_has_every_result_format(store: Store, each: Format) -> None:
    assert b"true" in result(store, "ASK { ?s ?p ?o }", each.media_type).body


def test_xml_holds_what_xml_can_hold() -> None:
    store = Store()
    store.add(Quad(SUBJECT, PREDICATE, Literal("a\x00b\x0bc\rd")))
    written = result(store, "SELECT ?o { ?s ?p ?o }", "application/sparql-results+xml")
    literal = ElementTree.fromstring(written.body).find(".//{*}literal")
    assert literal is not None
    assert literal.text == "a\ufffdb\ufffdc\rd"


@pytest.mark.parametrize(
    ("media_type", "rdf_format"),
    [
        ("text/turtle", RdfFormat.TURTLE),
        ("application/n-triples", RdfFormat.N_TRIPLES),
        ("application/trig", RdfFormat.TRIG),
        ("application/n-quads", RdfFormat.N_QUADS),
    ],
)
def test_graphs_come_back_with_their_triple_terms(
    store: Store, media_type: str, rdf_format: RdfFormat
) -> None:
    written = result(store, "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", media_type)
    assert set(parse(written.body, format=rdf_format)) == set(store.quads_for_pattern(None, None, None))


@pytest.mark.parametrize(
    ("media_type", "rdf_format"),
    [("application/ld+json", RdfFormat.JSON_LD), ("application/rdf+xml", RdfFormat.RDF_XML)],
)
def test_formats_of_rdf_11_get_triple_terms_as_nodes(
    store: Store, media_type: str, rdf_format: RdfFormat
) -> None:
    written = result(store, "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", media_type)
    read = list(parse(written.body, format=rdf_format))
    assert not any(isinstance(quad.object, Triple) for quad in read)
    assert RDF.subject in {quad.predicate for quad in read}


def test_a_graph_is_cut_at_the_rows_and_refused_at_the_bytes(store: Store) -> None:
    query = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"
    assert result(store, query, "text/turtle", ResultLimits(rows=2, bytes=1 << 20)).truncated
    with pytest.raises(TooLarge, match="LIMIT"):
        result(store, query, "text/turtle", ResultLimits(rows=1000, bytes=10))
