"""RDF that nests, unfolds or never ends is refused before its parser is harmed; honest RDF is read as it is."""

from __future__ import annotations

import io

import pytest

from attack.grown import RDF
from provgraph.rdf.serialization import RdfFormat
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.untrusted import MOST_NESTED, archived_quads, untrusted_quads

FORMATS = {
    "ttl": RdfFormat.TURTLE,
    "trig": RdfFormat.TRIG,
    "nt": RdfFormat.N_TRIPLES,
    "jsonld": RdfFormat.JSON_LD,
    "rdf": RdfFormat.RDF_XML,
}
HARMFUL = [name for name in RDF if name not in ("blanks.ttl", "lists.ttl")]


def nested(depth: int) -> bytes:
    terms = "<<( <urn:a> <urn:b> " * depth + "<urn:c>" + " )>>" * depth
    return f"<urn:a> <urn:b> {terms} .\n".encode()


@pytest.mark.parametrize("name", HARMFUL)
def test_a_file_that_harms_its_parser_is_refused(name: str) -> None:
    with pytest.raises((ValueError, SyntaxError)):
        list(untrusted_quads(RDF[name](200_000), FORMATS[name.rpartition(".")[2]], "urn:base"))


@pytest.mark.parametrize("name", ["blanks.ttl", "lists.ttl"])
def test_blank_nodes_and_lists_may_nest(name: str) -> None:
    assert list(untrusted_quads(RDF[name](20_000), RdfFormat.TURTLE, "urn:base"))


def test_triple_terms_may_nest_a_few_levels() -> None:
    assert list(untrusted_quads(nested(MOST_NESTED), RdfFormat.N_TRIPLES))
    with pytest.raises(ValueError, match="deeper"):
        list(untrusted_quads(nested(MOST_NESTED + 1), RdfFormat.N_TRIPLES))


@pytest.mark.parametrize(
    "text",
    [
        '<urn:a> <urn:b> "' + "<< " * 500 + '" .',
        '<urn:a> <urn:b> """' + "<< \n" * 500 + '""" .',
        "<urn:a> <urn:b> 'it\\'s " + "<<" * 500 + "' .",
        "# " + "<<" * 500 + "\n<urn:a> <urn:b> <urn:c> .",
    ],
)
def test_what_stands_in_strings_and_comments_nests_nothing(text: str) -> None:
    assert len(list(untrusted_quads(text.encode(), RdfFormat.TURTLE))) == 1


def test_brackets_in_the_strings_of_json_nest_nothing() -> None:
    text = '{"@id": "urn:a", "urn:b": "' + '[{\\"' * 500 + '"}'
    assert len(list(untrusted_quads(text.encode(), RdfFormat.JSON_LD))) == 1


@pytest.mark.parametrize("opening", ['{"urn:p": ', '{"urn:p": ['])
def test_json_nests_as_many_levels_with_lists_between_them_as_without(opening: str) -> None:
    closing = "]}" if opening.endswith("[") else "}"
    levels = MOST_NESTED - 1
    for more, is_read in ((0, True), (levels + 2, False)):
        depth = levels + more
        text = (opening * depth + '{"@id": "urn:a"}' + closing * depth).encode()
        if is_read:
            assert len(list(untrusted_quads(text, RdfFormat.JSON_LD))) == levels
        else:
            with pytest.raises(ValueError, match="nests deeper than 50"):
                list(untrusted_quads(text, RdfFormat.JSON_LD))


def test_entities_that_name_vocabularies_are_read() -> None:
    text = (
        '<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY e "http://example.org/">]>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">'
        '<rdf:Description rdf:about="&e;a"><e:b rdf:resource="&e;c"/></rdf:Description></rdf:RDF>'
    )
    (quad,) = untrusted_quads(text.encode(), RdfFormat.RDF_XML)
    assert quad.subject == NamedNode("http://example.org/a")


def test_an_archive_s_lines_are_read_as_long_as_they_are_shallow() -> None:
    lines = nested(100) * 50
    assert len(list(archived_quads(io.BytesIO(lines)))) == 50
    with pytest.raises(ValueError, match="deep"):
        list(archived_quads(io.BytesIO(nested(100_000))))
