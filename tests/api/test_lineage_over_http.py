"""Every source of a fact and what contradicts it, by its terms and by its labels."""

from __future__ import annotations

from typing import Any

import pytest

from api.running import PROBLEM, Running

FIRST = (
    "Marie Curie was born in Warsaw on 7 November 1867. Marie Curie was born in 1867. "
    "The capital of Poland is Warsaw. Marie Curie discovered polonium."
)
SECOND = (
    "Marie Curie was born in Paris on 8 November 1867. Marie Curie was born in Poland. "
    "Marie Curie discovered radium. Marie Curie was born on 7 November 1867."
)


async def taught(service: Running) -> None:
    await service.ingest(FIRST, title="First", id="https://example.org/first")
    await service.ingest(SECOND, title="Second", id="https://example.org/second")


async def lineage(service: Running, s: str, p: str, o: str) -> dict[str, Any]:
    found: dict[str, Any] = await service.get("/api/v1/lineage", s=s, p=p, o=o)
    return found


def rivals(found: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {(fact["attribute"], fact["relation"], fact["object"]) for fact in found["contradictions"]}


async def test_a_fact_is_found_by_its_labels_with_who_read_it_where(service: Running) -> None:
    await taught(service)
    found = await lineage(service, "marie curie", "Was Born On", "1867-11-07")
    assert (found["documents"], found["subgraphs"]) == (2, 2)
    assert [source["document"] for source in found["sources"]] == [
        "https://example.org/first",
        "https://example.org/second",
    ]
    for source in found["sources"]:
        page = await service.client.get("/api/v1/documents/content", params={"id": source["page"]})
        assert page.text[source["start"] : source["end"]] == source["text"]
        assert source["subgraph"].startswith("https://trustgraph.ai/subgraph/")
        assert source["extraction"]["extractor"] == "propositions"
        assert source["extraction"]["version"]


async def test_labels_and_iris_may_be_mixed(service: Running) -> None:
    await taught(service)
    by_iri = await lineage(service, "http://trustgraph.ai/e/radium", "was discovered by", "Marie Curie")
    assert by_iri == await lineage(
        service, "Radium", "https://trustgraph.ai/ns/relation/discovered-by", "Marie Curie"
    )
    assert by_iri["documents"] == 1


async def test_another_date_contradicts_and_a_coarser_one_does_not(service: Running) -> None:
    await taught(service)
    found = await lineage(service, "Marie Curie", "was born on", "1867-11-07")
    assert rivals(found) == {("date of birth", "was born on", "1867-11-08")}
    (rival,) = found["contradictions"]
    assert rival["documents"] == 1
    assert [source["text"] for source in rival["sources"]] == [
        "Marie Curie was born in Paris on 8 November 1867."
    ]
    assert rivals(await lineage(service, "Marie Curie", "was born on", "1867")) == set()


async def test_a_place_that_lies_in_another_does_not_contradict_it(service: Running) -> None:
    await taught(service)
    found = await lineage(service, "Marie Curie", "was born in", "Warsaw")
    assert rivals(found) == {("place of birth", "was born in", "Paris")}


async def test_a_relation_with_many_values_has_no_contradictions(service: Running) -> None:
    await taught(service)
    assert rivals(await lineage(service, "polonium", "was discovered by", "Marie Curie")) == set()


async def test_two_values_in_one_sentence_do_not_contradict(service: Running) -> None:
    await service.ingest("Ada Byron was born in London and was born in Kent.", title="Ada")
    found = await service.get("/api/v1/lineage", s="Ada Byron", p="was born in", o="London")
    other = await service.get("/api/v1/lineage", s="Ada Byron", p="was born in", o="Kent")
    assert found["contradictions"] == other["contradictions"] == []


async def test_a_relation_that_the_collection_declares_functional_is_one(service: Running) -> None:
    turtle = b"""
        @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix x: <https://example.org/> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        x:chiefEngineer a owl:FunctionalProperty . x:likes rdfs:label "likes" .
        x:bridge x:chiefEngineer x:anna , x:bert ; x:likes x:anna , x:bert .
    """
    sent = await service.client.post("/api/v1/import", files={"file": ("bridge.ttl", turtle)})
    assert sent.status_code == 201, sent.text
    found = await lineage(service, "https://example.org/bridge", "https://example.org/chiefEngineer", "anna")
    assert rivals(found) == {("chiefEngineer", "chiefEngineer", "bert")}
    assert found["sources"][0]["extraction"]["extractor"] == "rdf-import"
    assert rivals(await lineage(service, "bridge", "likes", "anna")) == set()


async def test_an_unknown_fact_is_a_problem_that_names_what_is_near(service: Running) -> None:
    await taught(service)
    answer = await service.client.get(
        "/api/v1/lineage", params={"s": "Marie Curie", "p": "was discovered by", "o": "radon"}
    )
    assert answer.status_code == 404
    assert answer.headers["content-type"] == PROBLEM
    assert "(radium, was discovered by, Marie Curie)" in answer.json()["detail"]


async def test_labels_that_name_two_facts_are_a_problem_that_names_both(service: Running) -> None:
    turtle = b"""
        @prefix x: <https://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        x:a1 rdfs:label "Anna" ; x:knows x:b . x:a2 rdfs:label "Anna" ; x:knows x:b .
    """
    await service.client.post("/api/v1/import", files={"file": ("two.ttl", turtle)})
    answer = await service.client.get("/api/v1/lineage", params={"s": "Anna", "p": "knows", "o": "b"})
    assert answer.status_code == 400
    assert "<https://example.org/a1>" in answer.json()["detail"]
    assert "<https://example.org/a2>" in answer.json()["detail"]


@pytest.mark.parametrize("bad", ["", " ", "x" * 2001, "\x00", '"', "<", "urn:a b"])
async def test_hostile_parts_are_refused_or_not_found(informed: Running, bad: str) -> None:
    answer = await informed.client.get("/api/v1/lineage", params={"s": bad, "p": bad, "o": bad})
    assert answer.status_code in (400, 404)
    assert answer.headers["content-type"] == PROBLEM


async def test_a_trace_shows_all_sources_and_contradictions_of_its_edges(service: Running) -> None:
    await taught(service)
    answer = await service.ask("When was Marie Curie born?")
    trace = await service.get(f"/api/v1/traces/{answer['session']}")
    edge = next(edge for edge in trace["selected"] if edge["object"] == "1867-11-08")
    assert edge["documents"] == 1
    assert {source["title"] for source in edge["sources"]} == {"Second"}
    assert all(source["extraction"]["extractor"] == "propositions" for source in edge["sources"])
    assert ("date of birth", "was born on", "1867-11-07") in rivals(edge)
