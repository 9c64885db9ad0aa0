"""The picture of a trace, over HTTP: what was selected, which sentence rests on it, and what lies around."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from api.running import PROBLEM, Running

SVG = "{http://www.w3.org/2000/svg}"


async def graph_of(service: Running, session: str, **query: str) -> dict[str, Any]:
    found: dict[str, Any] = await service.get(f"/api/v1/traces/{session}/graph", **query)
    return found


async def test_every_selected_edge_is_in_the_graph_with_the_sentences_that_rest_on_it(
    informed: Running,
) -> None:
    session = (await informed.ask())["session"]
    trace = await informed.get(f"/api/v1/traces/{session}")
    edges = {edge["id"]: edge for edge in (await graph_of(informed, session))["edges"]}
    assert {edge["id"] for edge in trace["selected"]} <= set(edges)
    for edge in trace["selected"]:
        drawn = edges[edge["id"]]
        cited = [
            number
            for number, sentence in enumerate(trace["answer"]["sentences"], 1)
            if edge["id"] in sentence["edges"]
        ]
        assert drawn["sentences"] == cited
        assert drawn["emphasis"] == ("cited" if cited else "chosen")
        assert drawn["triple"] == edge["triple"]
        assert drawn["label"] == " ".join([edge["relation"], *(f"[{number}]" for number in cited)])


async def test_facts_around_the_selected_edges_are_drawn_as_far_as_they_are_wanted(informed: Running) -> None:
    session = (await informed.ask("What did Marie Curie discover?"))["session"]
    counts = []
    for around in (0, 1, 40):
        found = await graph_of(informed, session, around=str(around))
        counts.append(sum(edge["emphasis"] == "context" for edge in found["edges"]))
    assert counts[0] == 0
    assert counts[1] == 1
    assert counts[2] > 1


async def test_all_boxes_lie_within_the_picture_and_every_edge_has_its_ends(informed: Running) -> None:
    found = await graph_of(informed, (await informed.ask())["session"])
    nodes = {node["id"]: node for node in found["nodes"]}
    for box in [*nodes.values(), *found["edges"]]:
        assert 0 < box["x"] < found["width"]
        assert 0 < box["y"] < found["height"]
        assert box["lines"]
    assert {edge[end] for edge in found["edges"] for end in ("subject", "object")} == set(nodes)
    curie = next(node for node in nodes.values() if node["label"] == "Marie Curie")
    assert curie["kind"] == "entity"
    assert curie["term"]["t"] == "i"


async def test_a_value_is_a_node_of_its_own_for_each_fact(service: Running) -> None:
    await service.ingest("Radium Ltd was founded in 1898. Polonium Ltd was founded in 1898.", title="Firms")
    session = (await service.ask("Were Radium Ltd and Polonium Ltd founded in the same year?"))["session"]
    found = await graph_of(service, session)
    years = [node for node in found["nodes"] if node["label"] == "1898"]
    assert len(years) >= 2
    assert {node["kind"] for node in years} <= {"value", "metric"}


async def test_the_picture_is_svg_that_may_do_nothing_and_png(informed: Running) -> None:
    session = (await informed.ask())["session"]
    svg = await informed.client.get(f"/api/v1/traces/{session}/picture")
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert svg.headers["content-security-policy"].startswith("default-src 'none'")
    assert svg.headers["x-content-type-options"] == "nosniff"
    words = [text.text for text in ElementTree.fromstring(svg.text).iter(f"{SVG}text")]
    assert "Marie Curie" in words
    png = await informed.client.get(f"/api/v1/traces/{session}/picture", params={"format": "png"})
    assert png.headers["content-type"] == "image/png"
    assert png.content.startswith(b"\x89PNG")


async def test_an_answer_from_chunks_is_drawn_from_its_sentences_to_its_documents(informed: Running) -> None:
    answer = await informed.client.post("/api/v1/document-rag", json={"query": "Who discovered polonium?"})
    found = await graph_of(informed, answer.json()["session"])
    kinds = {node["kind"] for node in found["nodes"]}
    assert {"value", "document"} <= kinds
    assert {edge["label"] for edge in found["edges"]} == {"rests on", "part of"}
    title = next(node for node in found["nodes"] if node["kind"] == "document")
    assert title["label"] == "The Curies"


async def test_a_refusal_has_an_empty_picture(informed: Running) -> None:
    session = (await informed.ask("What do penguins eat?"))["session"]
    found = await graph_of(informed, session)
    assert (found["nodes"], found["edges"]) == ([], [])
    assert (await informed.client.get(f"/api/v1/traces/{session}/picture")).status_code == 200


async def test_an_unknown_session_or_format_is_told_as_a_problem(informed: Running) -> None:
    unknown = await informed.client.get("/api/v1/traces/nobody/picture")
    assert (unknown.status_code, unknown.headers["content-type"]) == (404, PROBLEM)
    session = (await informed.ask())["session"]
    refused = await informed.client.get(f"/api/v1/traces/{session}/picture", params={"format": "gif"})
    assert refused.status_code == 400
    assert "format" in refused.json()["detail"]
