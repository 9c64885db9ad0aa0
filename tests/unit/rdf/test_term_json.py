"""RDF terms ⇄ the JSON of TrustGraph's clients."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import BaseDirection, BlankNode, Literal, NamedNode, Quad, Triple

from provgraph.errors import InvalidInput
from provgraph.rdf.json_terms import quad_to_json, term_from_json, term_to_json
from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import XSD

iri_characters = st.characters(
    exclude_characters='<>"{}|^`\\[]#%',
    exclude_categories=["Cc", "Cs", "Z", "Co", "Cn"],
    max_codepoint=0xFFEF,
)
iris = st.text(iri_characters).map(lambda tail: NamedNode(f"urn:example:{tail}"))
blank_nodes = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True).map(BlankNode)
literals: st.SearchStrategy[Literal] = st.one_of(
    st.text().map(Literal),
    st.builds(
        lambda value, tag: Literal(value, language=tag), st.text(), st.sampled_from(["en", "ko", "de-at"])
    ),
    st.builds(
        lambda value, side: Literal(value, language="he", direction=side),
        st.text(),
        st.sampled_from([BaseDirection.LTR, BaseDirection.RTL]),
    ),
    st.builds(lambda value, datatype: Literal(value, datatype=datatype), st.text(), iris),
)
terms: st.SearchStrategy[Term] = st.recursive(
    iris | blank_nodes | literals,
    lambda inner: st.builds(Triple, iris | blank_nodes, iris, inner),
    max_leaves=3,
)


@given(terms)
def test_a_term_comes_back_from_its_json_unchanged(term: Term) -> None:
    assert term_from_json(json.loads(json.dumps(term_to_json(term)))) == term


def test_forms_are_those_that_trustgraph_clients_read() -> None:
    triple = Triple(NamedNode("urn:s"), NamedNode("urn:p"), Literal("4", datatype=XSD.integer))
    number = {"t": "l", "v": "4", "dt": XSD.integer.value}
    assert term_to_json(triple) == {
        "t": "t",
        "tr": {"s": {"t": "i", "i": "urn:s"}, "p": {"t": "i", "i": "urn:p"}, "o": number},
    }
    assert term_to_json(Literal("a text")) == {"t": "l", "v": "a text"}
    assert (
        quad_to_json(Quad(triple.subject, triple.predicate, triple.object, NamedNode("urn:g")))["g"]
        == "urn:g"
    )


@pytest.mark.parametrize(
    "json_term",
    [
        {},
        {"t": "x", "i": "urn:s"},
        {"t": "i", "i": "not an iri"},
        {"t": "i", "i": 4},
        {"t": "l"},
        {"t": "l", "v": "shalom", "ln": "he", "dir": "up"},
        {"t": "l", "v": "a", "dt": "not an iri"},
        {"t": "t", "tr": {"s": {"t": "i", "i": "urn:s"}, "p": {"t": "i", "i": "urn:p"}}},
        {
            "t": "t",
            "tr": {"s": {"t": "l", "v": "a"}, "p": {"t": "i", "i": "urn:p"}, "o": {"t": "l", "v": "a"}},
        },
    ],
)
def test_what_is_no_term_is_refused_as_invalid_input(json_term: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        term_from_json(json_term)
