"""Trusty URIs: the code of statements is that of the specification, and proves them."""

from __future__ import annotations

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, parse

from provgraph.provenance.nanopublication import UNNAMED, artifact_code, named_by_content

SIMPLE = f"""
@prefix ex: <http://example.org/> .
<http://example.org/np/{UNNAMED}#g> {{
    <http://example.org/np/{UNNAMED}> ex:says ex:b , "line\\n and \\\\" , "chat"@FR , 3 , "2026"^^ex:year .
    ex:b ex:says "chat" , "chat"@en .
}}
"""
CODE = "RACSY_b6iVeQoevuAxWxsNjbBoUwFGZWi_yaTLLdW3FEo"
"""Counted by the `nanopub` package, version 2.0.1."""


def quads() -> list[Quad]:
    return list(parse(SIMPLE, format=RdfFormat.TRIG))


def test_the_code_is_what_other_implementations_count() -> None:
    assert artifact_code(quads(), UNNAMED) == CODE


def test_statements_name_themselves_and_prove_their_name() -> None:
    named = named_by_content(quads())
    assert NamedNode(f"http://example.org/np/{CODE}") in {quad.subject for quad in named}
    assert artifact_code(named, CODE) == CODE
    assert artifact_code(list(reversed(named)), CODE) == CODE
    changed = [*named[1:], Quad(named[0].subject, named[0].predicate, Literal("else"), named[0].graph_name)]
    assert artifact_code(changed, CODE) != CODE


def test_what_has_no_name_cannot_be_hashed() -> None:
    with pytest.raises(TypeError, match="expected an IRI"):
        named_by_content(
            [Quad(NamedNode("http://e/s"), NamedNode("http://e/p"), BlankNode(), NamedNode("http://e/g"))]
        )
