"""Entities that are one: a question takes them so and says so, facts stay as they are, people have the last word."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import RdfFormat, parse

from api.running import Running, running
from provgraph.checking.shapes import shape_violations
from provgraph.rdf.graphs import knowledge_graph, retrieval_graph, source_graph

DEFINED = "The World Health Organization (WHO) is an agency of the United Nations."
FOUNDED = (
    "The World Health Organization was founded in 1948. The World Health Organization is based in Geneva."
)
REPORT = "The WHO published the World Malaria Report in 2019."
OTHER = "The Wild Horse Organisation (WHO) protects horses in Wyoming. The Wild Horse Organisation was founded in 1999."
CHEMIST = "John Smith was born in 1900. John Smith discovered gallium."
PLAYER = "John Smith was born on 3 May 1950. John Smith plays for Leeds United."
QUESTION = "When was the WHO founded?"


async def taught(service: Running, **texts: str) -> None:
    for name, text in texts.items():
        job = await service.ingest(text, title=name, id=f"https://example.org/{name}")
        assert job["state"] == "done"


async def entities(service: Running, name: str) -> dict[str, dict[str, Any]]:
    """By label."""
    found = await service.get("/api/v1/entities", name=name)
    return {entity["labels"][0]: entity for entity in found}


def others(entity: dict[str, Any]) -> set[str]:
    return {other["label"] for other in entity["one_with"]}


async def decide(service: Running, verdict: str, one: str, other: str, status: int = 200) -> dict[str, Any]:
    body = {"verdict": verdict, "entities": [one, other], "by": "ada"}
    answer = await service.client.post("/api/v1/entities/decisions", json=body)
    assert answer.status_code == status, answer.text
    decided: dict[str, Any] = answer.json()
    return decided


async def facts_by_either_name(service: Running) -> tuple[list[str], list[str]]:
    """The facts that the question's answer cites, and why two entities were taken as one for it.

    A passage may answer even so, by being like the question.
    """
    answer = await service.ask(QUESTION)
    trace = await service.get(f"/api/v1/traces/{answer['session']}")
    cited = [edge for citation in answer["citations"] for edge in citation["edges"]]
    return cited, [taken["reasoning"] for taken in trace["taken_as_one"]]


async def reached(service: Running, question: str, thing: str) -> list[list[str]]:
    """The paths by which edges with this object were reached."""
    found = await service.client.post("/api/v1/retrieve", json={"query": question, "limit": 100})
    return [
        edge["path"]
        for edge in found.json()["edges"]
        if thing in (edge["labels"]["subject"], edge["labels"]["object"]) and edge["path"]
    ]


async def test_a_question_by_the_short_name_finds_what_is_said_of_the_long_one_and_says_why(
    service: Running,
) -> None:
    await taught(service, defined=DEFINED, founded=FOUNDED, report=REPORT)
    answer = await service.ask(QUESTION)
    assert answer["response"] == "1948. The World Health Organization was founded in 1948."
    trace = await service.get(f"/api/v1/traces/{answer['session']}")
    (taken,) = trace["taken_as_one"]
    assert {entity["label"] for entity in taken["entities"]} == {"WHO", "World Health Organization"}
    assert taken["rule"] == "abbreviation"
    assert len(taken["quotations"]) == 1
    assert (
        "WHO = World Health Organization (abbreviation, read in “defined”)"
        in trace["selected"][0]["reasoning"]
    )


async def test_the_long_name_leads_to_what_is_said_of_the_short_one(service: Running) -> None:
    await taught(service, defined=DEFINED, founded=FOUNDED, report=REPORT)
    answer = await service.ask("When did the World Health Organization publish the World Malaria Report?")
    assert answer["response"] == "2019. The WHO published the World Malaria Report in 2019."


async def test_a_trace_with_entities_taken_as_one_conforms_and_the_facts_are_untouched(
    service: Running,
) -> None:
    await taught(service, defined=DEFINED, founded=FOUNDED)
    before = await service.client.get("/api/v1/export")
    session = (await service.ask(QUESTION))["session"]
    trig = await service.client.get(f"/api/v1/traces/{session}", headers={"Accept": "application/trig"})
    quads = [q for q in parse(trig.content, format=RdfFormat.TRIG) if q.graph_name == retrieval_graph()]
    assert any("ResolutionUse" in str(quad.object) for quad in quads)
    assert shape_violations(quads) == []
    after = await service.client.get("/api/v1/export")

    def facts(content: bytes) -> set[str]:
        graphs = (knowledge_graph(), source_graph())
        return {str(q) for q in parse(content, format=RdfFormat.N_QUADS) if q.graph_name in graphs}

    assert facts(after.content) == facts(before.content)


async def test_deleting_the_document_that_gave_the_name_undoes_it(service: Running) -> None:
    await taught(service, defined=DEFINED, founded=FOUNDED, report=REPORT)
    assert others((await entities(service, "WHO"))["WHO"]) == {"World Health Organization"}
    assert all(await facts_by_either_name(service))
    gone = await service.client.delete("/api/v1/documents", params={"id": "https://example.org/defined"})
    assert gone.status_code == 200, gone.text
    assert others((await entities(service, "WHO"))["WHO"]) == set()
    assert await facts_by_either_name(service) == ([], [])


async def test_the_order_of_ingest_does_not_matter(tmp_path: Path) -> None:
    texts = {
        "defined": DEFINED,
        "other": OTHER,
        "chemist": CHEMIST,
        "player": PLAYER.replace("John", "Dr. John"),
    }
    seen = []
    for number, order in enumerate(list(permutations(texts))[::7]):
        async with running(tmp_path / str(number)) as service:
            await taught(service, **{name: texts[name] for name in order})
            names = ("WHO", "John Smith", "World Health Organization")
            seen.append([await service.get("/api/v1/entities", name=name) for name in names])
    assert all(each == seen[0] for each in seen)


async def test_a_short_name_of_two_things_is_told_as_ambiguous_and_shows_both(service: Running) -> None:
    await taught(service, defined=DEFINED, founded=FOUNDED, other=OTHER)
    who = (await entities(service, "WHO"))["WHO"]
    assert who["ambiguous"]
    assert "Wild Horse Organisation" in who["doubt"]
    assert {tuple(tie["within"]) for other in who["one_with"] for tie in other["ties"]} == {
        ("https://example.org/defined",),
        ("https://example.org/other",),
    }
    answer = await service.ask(QUESTION)
    assert "1948" in answer["response"]
    assert "1999" in answer["response"]
    trace = await service.get(f"/api/v1/traces/{answer['session']}")
    assert all("one of several" in taken["reasoning"] for taken in trace["taken_as_one"])
    listed = await service.get("/api/v1/entities", ambiguous="true")
    assert "WHO" in {entity["labels"][0] for entity in listed}


async def test_no_question_walks_from_one_person_to_another_of_the_same_name(service: Running) -> None:
    await taught(service, chemist=CHEMIST, player=PLAYER)
    smith = (await entities(service, "John Smith"))["John Smith"]
    assert smith["doubt"] == "two values of date of birth: 1900 and 1950-05-03"
    assert await reached(service, "Who discovered gallium?", "gallium")
    assert await reached(service, "Who discovered gallium?", "Leeds United") == []
    await decide(service, "same", "John Smith", "John Smith")
    assert await reached(service, "Who discovered gallium?", "Leeds United")


async def test_an_answer_does_not_put_two_people_of_one_name_together(service: Running) -> None:
    await taught(service, chemist=CHEMIST, player=PLAYER)
    question = "For whom does the discoverer of gallium who discovered it play?"
    assert "Leeds" not in (await service.ask(question))["response"]


async def test_a_name_that_would_join_two_people_joins_none(service: Running) -> None:
    await taught(service, chemist=CHEMIST, player=PLAYER.replace("John", "Dr. John"))
    found = await entities(service, "John Smith")
    assert others(found["John Smith"]) == set()
    (apart,) = found["John Smith"]["apart"]
    assert (apart["label"], apart["reason"]) == (
        "Dr. John Smith",
        "two values of date of birth: 1900 and 1950-05-03",
    )


async def test_a_decision_joins_what_no_rule_joins_is_on_record_and_is_undone(service: Running) -> None:
    await taught(service, founded=FOUNDED, report=REPORT)
    assert await facts_by_either_name(service) == ([], [])
    decided = await decide(service, "same", "WHO", "World Health Organization")
    assert decided == await decide(service, "same", "World Health Organization", "who")
    cited, why = await facts_by_either_name(service)
    assert cited
    assert why == ["WHO = World Health Organization (decision)."]

    await decide(service, "undo", "WHO", "World Health Organization")
    assert await facts_by_either_name(service) == ([], [])
    (record,) = (await entities(service, "WHO"))["WHO"]["decisions"]
    assert (record["id"], record["by"], bool(record["undone"])) == (decided["id"], "ada", True)
    await decide(service, "undo", "WHO", "World Health Organization", status=404)


async def test_a_decision_keeps_apart_what_a_rule_would_join(service: Running) -> None:
    await taught(service, defined=DEFINED, founded=FOUNDED)
    await decide(service, "apart", "WHO", "World Health Organization")
    found = await entities(service, "WHO")
    assert others(found["WHO"]) == set()
    assert [apart["reason"] for apart in found["WHO"]["apart"]] == ["decided"]
    await decide(service, "same", "WHO", "World Health Organization")
    assert others((await entities(service, "WHO"))["WHO"]) == {"World Health Organization"}


async def test_decisions_that_exclude_each_other_are_refused(service: Running) -> None:
    await taught(service, founded=FOUNDED, report=REPORT, chemist=CHEMIST)
    await decide(service, "same", "WHO", "World Health Organization")
    await decide(service, "same", "World Health Organization", "Geneva")
    refused = await decide(service, "apart", "WHO", "Geneva", status=409)
    assert "make these one" in refused["detail"]
    await decide(service, "apart", "WHO", "gallium")
    refused = await decide(service, "same", "Geneva", "gallium", status=409)
    assert "keep apart" in refused["detail"]
    assert others((await entities(service, "WHO"))["WHO"]) == {"World Health Organization", "Geneva"}
    assert (await decide(service, "apart", "WHO", "WHO", status=400))[
        "detail"
    ] == "An entity cannot be kept apart from itself. Name two."
    unknown = await decide(service, "same", "WHO", "Nobody", status=404)
    assert unknown["detail"].startswith("No entity is named 'Nobody'.")


async def test_an_export_keeps_decisions(service: Running, tmp_path: Path) -> None:
    await taught(service, founded=FOUNDED, report=REPORT)
    await decide(service, "same", "WHO", "World Health Organization")
    exported = (await service.client.get("/api/v1/export")).content
    async with running(tmp_path / "copy") as copy:
        files = {"file": ("all.nq", exported)}
        imported = await copy.client.post("/api/v1/import", files=files)
        assert imported.status_code == 201, imported.text
        assert others((await entities(copy, "WHO"))["WHO"]) == {"World Health Organization"}


@pytest.mark.parametrize("term", ["owl:sameAs ex:oms", 'skos:altLabel "OMS"'])
async def test_other_names_in_imported_rdf_count(service: Running, term: str) -> None:
    turtle = f"""
    @prefix ex: <https://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
    @prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    ex:who rdfs:label "World Health Organization" ; {term} ; ex:basedIn ex:geneva .
    ex:oms rdfs:label "OMS" ; ex:fights ex:malaria .
    """
    files = {"file": ("who.ttl", turtle.encode())}
    assert (await service.client.post("/api/v1/import", files=files)).status_code == 201
    assert others((await entities(service, "OMS"))["OMS"]) == {"World Health Organization"}


async def test_a_look_up_without_a_name_says_what_to_give(service: Running) -> None:
    answer = await service.client.get("/api/v1/entities")
    assert answer.status_code == 400
    assert "name" in answer.json()["detail"]
    assert await service.get("/api/v1/entities", name="Nobody at all") == []
