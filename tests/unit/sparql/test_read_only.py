"""Only queries that read get through, however they are spelled."""

from __future__ import annotations

import pytest

from provgraph.errors import Forbidden, InvalidQuery, TooLarge
from provgraph.sparql.query import MAX_QUERY_CHARACTERS, read_query

ELSEWHERE = "<http://elsewhere/sparql>"


@pytest.mark.parametrize(
    "text",
    [
        "INSERT DATA { <a:a> <a:b> <a:c> }",
        "PREFIX ex: <http://e/>\n# harmless\ndelete where { ?s ?p ?o }",
        "BASE <http://e/> WITH <g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "LOAD <http://e/>",
        "CLEAR ALL",
        "DROP GRAPH <urn:graph:knowledge>",
        "CREATE GRAPH <urn:g>",
        "ADD <a:a> TO <a:b>",
        "MOVE <a:a> TO <a:b>",
        "COPY <a:a> TO <a:b>",
    ],
)
def test_updates_are_refused(text: str) -> None:
    with pytest.raises(Forbidden, match="only reads"):
        read_query(text)


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT * {{ SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}",
        f"SELECT * {{ service silent {ELSEWHERE} {{ ?s ?p ?o }} }}",
        f"SELECT * {{ SERVICESILENT{ELSEWHERE} {{ ?s ?p ?o }} }}",
        "SELECT * { SERVICE ?where { ?s ?p ?o } }",
        "SELECT * { SERVICEtg:x { ?s ?p ?o } }",
        "SELECT * { SERVICE:x { ?s ?p ?o } }",
        "SELECT * { SERVICESILENTtg:x { ?s ?p ?o } }",
        f"SELECT * {{ ?s ?p trueSERVICE{ELSEWHERE} {{ ?s ?p ?o }} }}",
        f"SELECT * {{ FILTER(?a<?b&&'c>' ) SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }} # '",
        f"SELECT * {{ FILTER(?a<?b#x>'''\n) SERVICE {ELSEWHERE} {{ ?s ?p ?o }} #'''\n }}",
        f"SELECT * {{ FILTER(?a<ex:f(?b>?c)&&(?d<?e#x>'''\n)) SERVICE {ELSEWHERE} {{ ?s ?p ?o }} #'''\n }}",
    ],
)
def test_calls_of_other_endpoints_are_refused(text: str) -> None:
    with pytest.raises(Forbidden, match="SERVICE"):
        read_query(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { ?s rdfs:label 'customer SERVICE' }",
        "SELECT * { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?l FILTER(CONTAINS(?l, 'service')) }",
        "PREFIX service: <http://e/> SELECT * { ?s service:name ?service . GRAPH service:g { ?a ?b ?c } }",
        "SELECT ?insert { ?delete <http://e/clear> 'DROP ALL' } # LOAD",
        "SELECT * { ?s ?p ?o FILTER(?a < ?b && ?c > ?d) }",
    ],
)
def test_words_in_data_refuse_nothing(text: str) -> None:
    assert read_query(text).text == text


def test_a_long_query_is_refused() -> None:
    with pytest.raises(TooLarge):
        read_query(" " * (MAX_QUERY_CHARACTERS + 1))


def test_half_a_character_is_no_sparql() -> None:
    with pytest.raises(InvalidQuery, match="UTF-8"):
        read_query("ASK { ?s ?p '\ud800' }")


def test_dataset_clauses_are_read_with_their_prefixes() -> None:
    query = read_query(
        "PREFIX g: <urn:graph:> SELECT * FROM g:knowledge FROM <urn:graph:source> FROM NAMED g:retrieval "
        "{ ?s ?p 'FROM <urn:graph:other>' }"
    )
    assert query.default_graphs == ("urn:graph:knowledge", "urn:graph:source")
    assert query.named_graphs == ("urn:graph:retrieval",)
