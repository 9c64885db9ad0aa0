"""The shipped queries: what they say of themselves, and parameters that can be nothing but one term."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, QueryBoolean, Store

from provgraph.errors import InvalidInput, NotFound
from provgraph.sparql.query import read_query
from provgraph.sparql.saved_queries import SavedQuery, SavedQueryParameter, saved_queries, saved_query
from provgraph.sparql.tokens import tokens

VALUES = {"iri": "https://example.org/x", "text": "model-free", "integer": "3", "decimal": "0.5"}
HOSTILE = st.one_of(
    st.text(),
    st.sampled_from(
        ['" } #', "x> } ; DROP ALL ; #", "\\", '"""', "'", "$other", "?x", "\n", "<<( a b c )>>"]
    ),
)
ECHO = SavedQuery(
    "echo",
    "",
    (SavedQueryParameter("said", "text", "", None),),
    "ASK { ?s ?p $said } # $said and '$said' stay",
)


@pytest.mark.parametrize("query", saved_queries().values(), ids=lambda query: query.name)
def test_a_shipped_query_says_what_it_is_for_and_reads_with_its_parameters(query: SavedQuery) -> None:
    assert query.description.endswith(".")
    assert all(each.meaning.endswith(".") for each in query.parameters)
    bound = query.bound({each.name: VALUES[each.kind] for each in query.parameters})
    assert not [token for token in tokens(bound) if token.text.startswith("$")]
    read_query(bound)
    defaults = {each.name: VALUES[each.kind] for each in query.parameters if each.default is None}
    assert query.bound(defaults)


@given(HOSTILE)
def test_a_text_is_one_literal_whatever_it_says(said: str) -> None:
    try:
        said.encode()
    except UnicodeEncodeError:
        return
    store = Store()
    store.add(Quad(NamedNode("urn:s"), NamedNode("urn:p"), Literal(said)))
    asked = store.query(ECHO.bound({"said": said}))
    assert isinstance(asked, QueryBoolean)
    assert bool(asked)
    other = Store()
    other.add(Quad(NamedNode("urn:s"), NamedNode("urn:p"), Literal(said + "x")))
    assert not bool(other.query(ECHO.bound({"said": said})))


@given(HOSTILE)
def test_an_iri_is_one_iri_whatever_it_says(said: str) -> None:
    by_iri = SavedQuery("echo", "", (SavedQueryParameter("said", "iri", "", None),), "ASK { $said ?p ?o }")
    try:
        said.encode()
    except UnicodeEncodeError:
        return
    bound = by_iri.bound({"said": said})
    (iri,) = [token for token in tokens(bound) if token.kind == "iri"]
    assert bound == f"ASK {{ {iri.text} ?p ?o }}"


@pytest.mark.parametrize("value", ["", "x", "1 UNION", "-1", "1e9", "٣", "1" * 10, "0.5"])
def test_a_number_is_a_number(value: str) -> None:
    by_number = SavedQuery(
        "few", "", (SavedQueryParameter("limit", "integer", "", None),), "SELECT * {} LIMIT $limit"
    )
    with pytest.raises(InvalidInput, match="takes one integer"):
        by_number.bound({"limit": value})


def test_a_parameter_that_is_missing_or_unknown_is_named() -> None:
    query = saved_query("answers-from-document")
    with pytest.raises(InvalidInput, match="'document'"):
        query.bound({})
    with pytest.raises(InvalidInput, match="'paper'"):
        query.bound({"document": "urn:x", "paper": "urn:x"})


def test_a_query_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(NotFound, match="answers-from-document"):
        saved_query("everything")
