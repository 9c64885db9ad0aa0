"""Asking again, asking without something, and why an edge is not behind an answer."""

from __future__ import annotations

from typing import Any

import pytest
from pyoxigraph import NamedNode, QuerySolutions, RdfFormat, Store, parse

from api.running import CURIE, PROBLEM, QUESTION, Running

FIRST = "https://example.org/curie"
SECOND = "https://example.org/second"
BOTH = (
    "Marie Curie and Pierre Curie discovered polonium in July 1898. Ernest Rutherford discovered the proton."
)


def edges(found: list[dict[str, Any]]) -> set[tuple[str, str, str]]:
    return {(edge["subject"], edge["relation"], edge["object"]) for edge in found}


async def difference(service: Running, session: str, before: str = "") -> dict[str, Any]:
    query = {"before": before} if before else {}
    found: dict[str, Any] = await service.get(f"/api/v1/traces/{session}/difference", **query)
    return found


async def why_not(service: Running, session: str, edge: str) -> list[dict[str, Any]]:
    found = await service.get(f"/api/v1/traces/{session}/why-not", edge=edge)
    assert found["session"] == session
    listed: list[dict[str, Any]] = found["edges"]
    return listed


async def test_asking_again_of_an_unchanged_collection_changes_nothing(informed: Running) -> None:
    first = await informed.ask(edge_limit=3)
    again = await informed.ask("", again=first["session"])
    assert again["response"] == first["response"]
    assert again["session"] != first["session"]
    found = await difference(informed, again["session"])
    assert not found["changed"]
    assert found["lost"] == found["gained"] == []
    assert len(found["kept"]) > 0
    assert all(edge["before"] == edge["after"] for edge in found["kept"])
    assert {piece["kind"] for piece in found["answer"]} == {"same"}


async def test_asking_again_takes_the_settings_and_names_the_session(informed: Running) -> None:
    first = await informed.ask(edge_limit=1, method="bm25")
    again = await informed.ask("", again=first["session"])
    trace = await informed.get(f"/api/v1/traces/{again['session']}")
    assert trace["settings"] == ["edge_limit=1", 'method="bm25"']
    assert trace["again"] == first["session"]
    turtle = await informed.client.get(
        f"/api/v1/traces/{again['session']}", headers={"Accept": "text/turtle"}
    )
    store = Store()
    store.extend(parse(turtle.content, format=RdfFormat.TURTLE))
    found = store.query("PREFIX prov: <http://www.w3.org/ns/prov#> SELECT ?b { ?a prov:wasInformedBy ?b }")
    assert isinstance(found, QuerySolutions)
    assert [row["b"] for row in found] == [NamedNode(first["session"])]


async def test_what_was_taught_since_is_gained(service: Running) -> None:
    await service.ingest(CURIE, title="The Curies", id=FIRST)
    first = await service.ask("Who discovered radium?")
    assert first["outcome"] == "refused"
    await service.ingest("Marie Curie discovered radium in 1898.", title="Radium", id=SECOND)
    again = await service.ask("", again=first["session"])
    found = await difference(service, again["session"])
    assert found["changed"]
    assert (found["before"]["outcome"], found["after"]["outcome"]) == ("refused", "answered")
    assert ("radium", "was discovered by", "Marie Curie") in edges(found["gained"])
    assert [piece["kind"] for piece in found["answer"]] == ["removed", "added"]


async def test_an_answer_without_its_only_document_is_a_refusal(informed: Running) -> None:
    first = await informed.ask()
    without = await informed.ask("", again=first["session"], without={"documents": [FIRST]})
    assert without["outcome"] == "refused"
    found = await difference(informed, without["session"])
    assert found["changed"]
    assert found["kept"] == []
    assert all("left out" in edge["why"] for edge in found["lost"])
    trace = await informed.get(f"/api/v1/traces/{without['session']}")
    assert trace["without_documents"] == [FIRST]


async def test_an_answer_without_a_document_cites_none_of_its_sentences(service: Running) -> None:
    await service.ingest(CURIE, title="The Curies", id=FIRST)
    await service.ingest(BOTH, title="Second", id=SECOND)
    first = await service.ask()
    cited = {source["document"] for citation in first["citations"] for source in citation["sources"]}
    for document, other in ((FIRST, SECOND), (SECOND, FIRST)):
        found = await service.ask("", again=first["session"], without={"documents": [document]})
        cited = {source["document"] for citation in found["citations"] for source in citation["sources"]}
        assert cited == {other}


@pytest.mark.parametrize("by_iri", [False, True])
async def test_an_answer_without_an_edge_says_whether_it_changes(informed: Running, by_iri: bool) -> None:
    first = await informed.ask()
    trace = await informed.get(f"/api/v1/traces/{first['session']}")
    chosen = trace["selected"][0]
    named = chosen["id"] if by_iri else f"{chosen['subject']} | {chosen['relation']} | {chosen['object']}"
    without = await informed.ask("", again=first["session"], without={"edges": [named]})
    found = await difference(informed, without["session"])
    assert (chosen["subject"], chosen["relation"], chosen["object"]) in edges(found["lost"])
    told = await informed.get(f"/api/v1/traces/{without['session']}")
    assert told["without_edges"] == [chosen["triple"]]
    (said,) = await why_not(informed, without["session"], named)
    assert said["status"] == "left out"


@pytest.mark.parametrize("flow", ["graph-rag", "document-rag", "extractive", "passages"])
async def test_without_an_edge_no_flow_quotes_the_sentence_that_says_it(informed: Running, flow: str) -> None:
    edge = "polonium | was discovered by | Marie Curie"
    body = {"query": QUESTION, "without": {"edges": [edge]}}
    answer = await informed.client.post(f"/api/v1/{flow}", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["response"].startswith("Pierre Curie discovered polonium with Marie Curie.")
    assert "Marie Curie discovered" not in answer.json()["response"]


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"without": {"documents": ["https://example.org/none"]}}, 404, "no document"),
        ({"without": {"edges": ["Marie Curie | ate | fish"]}}, 404, "Near it"),
        ({"without": {"edges": ["something"]}}, 400, "not an edge"),
        ({"without": {"edges": ["urn:trustgraph:prov:edge:x"]}}, 404, "No trace"),
        ({"without": {"sentences": []}}, 400, "sentences"),
        ({"again": "urn:trustgraph:session:none"}, 404, "no trace"),
        ({"again": "00000000-0000-0000-0000-000000000000"}, 404, "no trace"),
    ],
)
async def test_what_is_not_there_cannot_be_left_out_or_asked_again(
    informed: Running, fields: dict[str, Any], status: int, words: str
) -> None:
    answer = await informed.client.post("/api/v1/graph-rag", json={"query": QUESTION, **fields})
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == PROBLEM
    assert words in answer.json()["detail"]
    assert await informed.get("/api/v1/traces") == []


async def test_another_question_is_not_the_session_again(informed: Running) -> None:
    first = await informed.ask()
    answer = await informed.client.post(
        "/api/v1/graph-rag", json={"query": "What do penguins eat?", "again": first["session"]}
    )
    assert answer.status_code == 400


async def test_a_session_that_asked_none_again_is_compared_with_one_that_is_named(informed: Running) -> None:
    first, second = await informed.ask(), await informed.ask("Who studied isotopes?")
    answer = await informed.client.get(f"/api/v1/traces/{second['session']}/difference")
    assert answer.status_code == 400
    found = await difference(informed, second["session"], before=first["session"])
    assert found["changed"]
    assert ("Frederick Soddy", "studied", "isotopes") in edges(found["gained"])


async def test_selected_and_passed_over_edges_say_their_rank_and_reason(informed: Running) -> None:
    first = await informed.ask()
    trace = await informed.get(f"/api/v1/traces/{first['session']}")
    ranked = sorted([*trace["selected"], *trace["passed_over"]], key=lambda edge: -edge["score"])
    for status, kept in (("selected", trace["selected"][0]), ("passed over", trace["passed_over"][-1])):
        (said,) = await why_not(informed, first["session"], kept["id"])
        assert said["status"] == status
        assert (said["score"], said["reason"]) == (kept["score"], kept["reasoning"])
        assert ranked[said["rank"] - 1]["score"] == kept["score"]
        assert (said["now"], said["then"]) == (True, True)


async def test_a_thing_is_asked_about_by_its_name(informed: Running) -> None:
    first = await informed.ask()
    found = await why_not(informed, first["session"], "Frederick Soddy")
    assert ("Frederick Soddy", "studied", "isotopes") in edges(found)


async def test_an_edge_beyond_a_limit_says_which_limit_and_what_it_would_need(informed: Running) -> None:
    first = await informed.ask(max_subgraph_size=1)
    named = "Frederick Soddy | studied | isotopes"
    (said,) = await why_not(informed, first["session"], named)
    assert (said["status"], said["now"], said["then"]) == ("not retrieved", True, True)
    assert said["terms_met"] == []
    assert said["terms"]
    (needed,) = [text for text in said["needed"] if "max_subgraph_size" in text]
    least = int(needed.split("at least ")[1].split(",")[0])
    enough = await informed.ask(max_subgraph_size=least)
    (said,) = await why_not(informed, enough["session"], named)
    assert said["status"] == "passed over"
    short = await informed.ask(max_subgraph_size=least - 1)
    (said,) = await why_not(informed, short["session"], named)
    assert said["status"] == "not retrieved"


async def test_an_edge_that_was_read_later_says_so(informed: Running) -> None:
    first = await informed.ask("What did Otto Hahn study?")
    await informed.ingest("Otto Hahn studied uranium.", title="Hahn")
    (said,) = await why_not(informed, first["session"], "Otto Hahn | studied | uranium")
    assert (said["status"], said["now"], said["then"]) == ("not retrieved", True, False)


async def test_what_is_not_in_the_graph_is_a_problem_that_names_what_is_near(informed: Running) -> None:
    first = await informed.ask()
    for edge, words in (("Marie Curie | discovered | radon", "Near it"), ("penguins", "Nothing")):
        answer = await informed.client.get(
            f"/api/v1/traces/{first['session']}/why-not", params={"edge": edge}
        )
        assert answer.status_code == 404
        assert words in answer.json()["detail"]


async def test_a_stream_can_ask_again(informed: Running) -> None:
    first = await informed.ask()
    sent = await informed.stream("", again=first["session"], without={"documents": [FIRST]})
    assert sent[-1].data["end_of_session"]
    assert "".join(each.data.get("response") or "" for each in sent) == "No answer found."
