"""SPARQL-star's quoted edges are read as triple terms, and nothing else is changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Store

from provgraph.errors import ProvGraphError
from provgraph.rdf.vocabulary import PREFIXES
from provgraph.sparql.query import read_query

CONTAINS = "<https://trustgraph.ai/ns/contains>"


def rewritten(text: str) -> str:
    return read_query(text).engine_text


@pytest.mark.parametrize(
    ("star", "terms"),
    [
        ("?g tg:contains << ?s ?p ?o >>", "?g tg:contains <<( ?s ?p ?o )>>"),
        ("?g tg:contains <<?s ?p ?o>>", "?g tg:contains <<(?s ?p ?o)>>"),
        (f"?g {CONTAINS} << ?s ?p 'a>>b' >>", f"?g {CONTAINS} <<( ?s ?p 'a>>b' )>>"),
        ("?e a tg:Edge ; tg:edge << ?s ?p ?o >> ; ?q ?x", "?e a tg:Edge ; tg:edge <<( ?s ?p ?o )>> ; ?q ?x"),
        ("?g tg:candidateEdge << ?s a ?o >>", "?g tg:candidateEdge <<( ?s a ?o )>>"),
        (
            "?g tg:contains << ?a ?b ?c >> , << ?d ?e ?f >>",
            "?g tg:contains <<( ?a ?b ?c )>> , <<( ?d ?e ?f )>>",
        ),
        ("?g tg:contains ?t, << ?d ?e ?f >>", "?g tg:contains ?t, <<( ?d ?e ?f )>>"),
        (
            "?g tg:contains <<( ?a ?b ?c )>>, << ?d ?e ?f >>",
            "?g tg:contains <<( ?a ?b ?c )>>, <<( ?d ?e ?f )>>",
        ),
        (
            "?g tg:contains ?t ~ ?r {| ?y ?z |}, <<?d ?e ?f>>",
            "?g tg:contains ?t ~ ?r {| ?y ?z |}, <<(?d ?e ?f)>>",
        ),
        ("?g tg:edge 'a'@en, << ?d ?e 'x'^^<a:b> >>", "?g tg:edge 'a'@en, <<( ?d ?e 'x'^^<a:b> )>>"),
        ("?g tg:contains # <<\n << ?s ?p ?o # >>\n >>", "?g tg:contains # <<\n <<( ?s ?p ?o # >>\n )>>"),
        ("?g tg:contains << ?s ?p << ?a ?b ?c >> >>", "?g tg:contains <<( ?s ?p <<( ?a ?b ?c )>> )>>"),
        ("<< ?g tg:contains << ?s ?p ?o >> >> ?q ?r", "<< ?g tg:contains <<( ?s ?p ?o )>> >> ?q ?r"),
        ("[ tg:contains << ?s ?p ?o >> ] ?q ?r", "[ tg:contains <<( ?s ?p ?o )>> ] ?q ?r"),
        (
            "?d ^prov:wasDerivedFrom/tg:contains << ?s ?p ?o >>",
            "?d ^prov:wasDerivedFrom/tg:contains <<( ?s ?p ?o )>>",
        ),
    ],
)
def test_a_quoted_edge_is_read_as_a_triple_term(star: str, terms: str) -> None:
    query = read_query(f"SELECT * {{ {star} }}")
    assert query.engine_text == f"SELECT * {{ {terms} }}"
    assert query.triple_terms
    Store().query(query.engine_text, prefixes=PREFIXES)


@pytest.mark.parametrize(
    "pattern",
    [
        "<< ?s ?p ?o >> ?q ?r",
        "?g ?p << ?s ?p ?o >>",
        "?g rdf:reifies <<( ?s ?p ?o )>>",
        "?g tg:contains <<( ?s ?p ?o )>>",
        "?g tg:contains << ?s ?p ?o ~ ?r >>",
        "?g tg:contains ?t . << ?s ?p ?o >> ?q ?r",
        "?g tg:contains ?t ; ?p << ?s ?p ?o >>",
        "?g tg:contains ?t ; ?p ?x , << ?s ?p ?o >>",
        "tg:contains rdfs:label 'x' , << ?s ?p ?o >>",
        "?g ?p tg:contains , << ?s ?p ?o >>",
        "?t ^tg:contains << ?s ?p ?o >>",
        "?g other:contains << ?s ?p ?o >>",
        "?g ?p '?g tg:contains << ?s ?p ?o >>'",
        "?g ?p ?o # tg:contains << ?s ?p ?o >>",
        "?g ?p <http://e/?g-tg:contains-ab>",
    ],
)
def test_everything_else_keeps_its_meaning(pattern: str) -> None:
    text = f"PREFIX other: <http://e/>\nSELECT * {{ {pattern}\n}}"
    query = read_query(text)
    assert query.engine_text == text
    assert not query.triple_terms


def test_a_prefix_means_what_the_query_says() -> None:
    ours = "PREFIX trust: <https://trustgraph.ai/ns/> ASK { ?g trust:contains << ?s ?p ?o >> }"
    theirs = "PREFIX tg: <http://elsewhere/> ASK { ?g tg:contains << ?s ?p ?o >> }"
    assert "<<( ?s ?p ?o )>>" in rewritten(ours)
    assert rewritten(theirs) == theirs


def test_rdf_12_syntax_can_be_asked_for() -> None:
    text = "ASK { ?g tg:contains << ?s ?p ?o >> }"
    assert read_query(text, star=False).engine_text == text


@pytest.mark.parametrize(
    "text", ["ASK { ?g tg:contains << ?s ?p ?o }", "ASK { ?g tg:contains >> }", "}|}>>)", "~ ,"]
)
def test_brackets_that_do_not_match_are_left_to_the_parser(text: str) -> None:
    assert rewritten(text) == text


PIECES = st.sampled_from(
    [
        "SELECT * {", "ASK {", "}", "{", "?g", "tg:contains", "tg:edge", "ex:p", "<<", ">>", "<<(", ")>>", ",", ";",
        ".", "~", "{|", "|}", "'a'", "@en", "^^", "(", ")", "[", "]", "a", "# c\n", "PREFIX tg: <http://e/>", "FROM",
        "NAMED", "<urn:g>", "SERVICE", "INSERT", "'", "^",
    ]
)  # fmt: skip


@given(st.text() | st.lists(PIECES, max_size=40).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        query = read_query(text)
    except ProvGraphError:
        return
    assert query.text == text
    assert query.engine_text.replace("<<(", "<<").replace(")>>", ">>") == text.replace("<<(", "<<").replace(
        ")>>", ">>"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["?g tg:contains << ", "~ ,", "{| |} ,", "<< ,", "'a'@en ,", ") ", "a ^^ ,", "~ "]
)
def test_hostile_lists_and_nesting_take_linear_time(piece: str) -> None:
    text = piece * (190_000 // len(piece))
    assert rewritten(text) == text
