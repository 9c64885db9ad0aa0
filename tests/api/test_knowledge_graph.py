"""The facts around things of a collection, as a graph that is laid out."""

from __future__ import annotations

from typing import Any

from api.running import Running

ROUTE = "/api/v1/knowledge/graph"
OTHER = "Ernest Rutherford discovered the proton in 1919. Ernest Rutherford was born in Nelson.\n"


async def around(service: Running, **query: Any) -> dict[str, Any]:
    answer = await service.client.get(ROUTE, params=query)
    assert answer.status_code == 200, answer.text
    graph: dict[str, Any] = answer.json()
    return graph


def facts(graph: dict[str, Any]) -> set[tuple[str, str, str]]:
    names = {node["id"]: node["label"] for node in graph["nodes"]}
    return {(names[edge["subject"]], edge["label"], names[edge["object"]]) for edge in graph["edges"]}


async def test_the_facts_of_a_thing_lie_around_it(informed: Running) -> None:
    graph = await around(informed, entity="Marie Curie")
    assert ("polonium", "was discovered by", "Marie Curie") in facts(graph)
    assert all("Marie Curie" in (subject, object_) for subject, _, object_ in facts(graph))
    assert all(edge["triple"] for edge in graph["edges"])


async def test_a_second_thing_widens_the_graph_and_a_relation_narrows_it(informed: Running) -> None:
    await informed.ingest(OTHER, id="https://example.org/rutherford", title="Rutherford")
    one = await around(informed, entity="Marie Curie")
    two = await around(informed, entity=["Marie Curie", "Ernest Rutherford"])
    assert facts(one) < facts(two)
    (relation,) = {edge["triple"]["p"]["i"] for edge in one["edges"] if edge["label"] == "was discovered by"}
    narrowed = await around(informed, entity="Marie Curie", relation=relation)
    assert {label for _, label, _ in facts(narrowed)} == {"was discovered by"}


async def test_no_more_facts_are_shown_than_are_wanted(informed: Running) -> None:
    await informed.ingest(OTHER, id="https://example.org/rutherford", title="Rutherford")
    graph = await around(informed, entity=["Marie Curie", "Ernest Rutherford"], most=2)
    assert len(graph["edges"]) == 2
    assert {"Marie Curie", "Ernest Rutherford"} <= {node["label"] for node in graph["nodes"]}


async def test_the_whole_collection_is_shown_and_narrowed_to_years(informed: Running) -> None:
    await informed.ingest(OTHER, id="https://example.org/rutherford", title="Rutherford")
    everything = facts(await around(informed, most=5_000))
    assert {"Marie Curie", "Ernest Rutherford"} <= {end for fact in everything for end in (fact[0], fact[2])}
    of_years = facts(await around(informed, since=1890, until=1899))
    assert ("polonium", "was discovered by", "Marie Curie") in of_years
    things = {end for fact in of_years for end in (fact[0], fact[2])}
    assert not things & {"Warsaw", "Nelson", "Pierre Curie"}  # their sentences name no year
    assert facts(await around(informed, since=1900)) == set()


async def test_a_thing_of_which_nothing_is_said_is_a_problem(informed: Running) -> None:
    answer = await informed.client.get(ROUTE, params={"entity": "Nobody at all"})
    assert answer.status_code == 404
    assert "says nothing" in answer.json()["detail"]


async def test_the_same_graph_is_drawn_as_a_picture(informed: Running) -> None:
    answer = await informed.client.get("/api/v1/knowledge/picture", params={"entity": "Marie Curie"})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "Marie Curie" in answer.text
