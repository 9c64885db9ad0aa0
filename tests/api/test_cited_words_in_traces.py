"""A trace tells the words that each sentence of its answer cites, as long as documents have them."""

from __future__ import annotations

from typing import Any

import pytest

from api.running import QUESTION, Running

CURIE = "https://example.org/curie"


async def traced(service: Running, flow: str) -> dict[str, Any]:
    answer = await service.client.post(f"/api/v1/{flow}", json={"query": QUESTION})
    view: dict[str, Any] = await service.get(f"/api/v1/traces/{answer.json()['session']}")
    view["citations"] = answer.json()["citations"]
    return view


@pytest.mark.parametrize("flow", ["graph-rag", "document-rag"])
async def test_the_trace_cites_what_the_answer_cited_to_the_character(informed: Running, flow: str) -> None:
    trace = await traced(informed, flow)
    assert trace["flow"] == flow
    cited = [source for sentence in trace["answer"]["sentences"] for source in sentence["sources"]]
    assert cited == [source for citation in trace["citations"] for source in citation["sources"]]
    for source in cited:
        page = (await informed.client.get("/api/v1/documents/content", params={"id": source["page"]})).text
        assert page[source["start"] : source["end"]] == source["text"]
    assert trace["cited_documents"] == [{"id": CURIE, "title": "The Curies", "media_type": "text/plain"}]


@pytest.mark.parametrize("flow", ["graph-rag", "document-rag"])
async def test_words_go_with_their_document_and_the_answer_stays(informed: Running, flow: str) -> None:
    before = await traced(informed, flow)
    deleted = await informed.client.delete("/api/v1/documents", params={"id": CURIE})
    assert deleted.status_code == 200
    after = await informed.get(f"/api/v1/traces/{before['session']}")
    assert after["answer"]["text"] == before["answer"]["text"]
    assert [sentence["sources"] for sentence in after["answer"]["sentences"]] == [
        [] for _ in before["citations"]
    ]
    assert after["cited_documents"] == []


async def test_edges_tell_what_kind_of_thing_their_ends_are(informed: Running) -> None:
    trace = await traced(informed, "graph-rag")
    kinds = {edge["object"]: edge["object_types"] for edge in trace["selected"]}
    assert kinds["Marie Curie"] == ["Person"]
    assert any(edge["triple"]["o"]["t"] == "l" for edge in trace["selected"])
    assert all(edge["object_types"] == [] for edge in trace["selected"] if edge["triple"]["o"]["t"] == "l")
