"""RDF that somebody imports, or gives as an ontology: what nests or unfolds without end is refused in a sentence."""

from __future__ import annotations

import pytest

from attack.attacked import Attacked, others_go_on
from attack.grown import RDF


@pytest.mark.parametrize("name", [name for name in RDF if name not in ("blanks.ttl", "lists.ttl")])
def test_rdf_that_harms_its_parser_is_refused(service: Attacked, name: str) -> None:
    content = RDF[name](500_000)
    with others_go_on(service):
        told = service.client.post("/api/v1/import", files={"file": (name, content)})
    assert told.status_code == 422, told.text


@pytest.mark.parametrize("name", ["laughs.rdf", "terms.ttl", "objects.jsonld"])
def test_an_ontology_that_harms_its_parser_is_refused(service: Attacked, name: str) -> None:
    body = {"collection": "default", "ontology": RDF[name](500_000).decode(), "ontology_name": name}
    with others_go_on(service):
        told = service.client.post("/api/v1/collections", json=body)
    assert told.status_code == 422, told.text


def test_a_term_within_terms_is_no_part_of_a_fact(service: Attacked) -> None:
    term = "<<( <urn:a> <urn:b> " * 300 + "<urn:c>" + " )>>" * 300
    told = service.client.get("/api/v1/nanopubs", params={"s": "urn:a", "p": "urn:b", "o": term})
    assert 400 <= told.status_code < 500, told.text


def statements(count: int) -> bytes:
    return b"".join(
        b"<http://example.org/thing/%d> <http://example.org/discovered> <http://example.org/element/%d> .\n"
        % (number, number % 1000)
        for number in range(count)
    )


def test_facts_beyond_the_most_of_a_document_are_refused(service: Attacked) -> None:
    with others_go_on(service):
        told = service.client.post("/api/v1/import", files={"file": ("large.nt", statements(150_000))})
    assert told.status_code == 422, told.text
    assert "split it" in told.json()["detail"]


def test_importing_many_facts_takes_little_memory(service: Attacked) -> None:
    with others_go_on(service) as seen:
        told = service.client.post(
            "/api/v1/import", files={"file": ("facts.nt", statements(1_500))}, timeout=120
        )
    assert told.status_code == 201, told.text
    assert seen.memory_mb < 600
