"""What every flow has from the runner: documents that narrow it, what is left out, asked again, rankings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
import pytest_asyncio

from api.running import QUESTION, Running

FLOWS: Final = ("graph-rag", "document-rag", "extractive", "passages", "verify", "research")
POLONIUM: Final = "Marie Curie was born in Warsaw in 1867. She discovered polonium in 1898."
RADIUM: Final = (
    "Marie Curie was born in Warsaw in 1867. She discovered radium in 1898. Radium glows in the dark."
)
BOTH_SAY: Final = "Marie Curie was born in Warsaw."
CURIE_DOC: Final = "https://example.org/polonium"
RADIUM_DOC: Final = "https://example.org/radium"


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(unchanged: Running) -> AsyncIterator[Running]:
    """Two documents that say much the same, for all tests: questions change nothing that another is answered from."""
    await unchanged.ingest(POLONIUM, id=CURIE_DOC, title="On polonium")
    await unchanged.ingest(RADIUM, id=RADIUM_DOC, title="reports/radium.txt")
    yield unchanged


async def answered(service: Running, flow: str, **fields: Any) -> dict[str, Any]:
    question = {} if "again" in fields else {"query": BOTH_SAY}
    answer = await service.client.post(f"/api/v1/{flow}", json={**question, **fields})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def cited(answer: dict[str, Any]) -> set[str]:
    return {source["document"] for citation in answer["citations"] for source in citation["sources"]}


async def trace(service: Running, answer: dict[str, Any]) -> Any:
    return await service.get(f"/api/v1/traces/{answer['session']}")


@pytest.mark.parametrize("flow", FLOWS)
async def test_every_flow_answers_from_the_documents_that_are_named(service: Running, flow: str) -> None:
    for name, document in (
        ("On polonium", CURIE_DOC),
        (RADIUM_DOC, RADIUM_DOC),
        ("radium.txt", RADIUM_DOC),
        ("Radium", RADIUM_DOC),
    ):
        answer = await answered(service, flow, documents=[name])
        assert cited(answer) <= {document}, name
        settings = (await trace(service, answer))["settings"]
        assert f'documents=["{document}"]' in settings
    assert cited(answer)


@pytest.mark.parametrize("flow", FLOWS)
async def test_every_flow_can_be_asked_by_get_with_documents(service: Running, flow: str) -> None:
    asked = {"query": QUESTION, "documents": ["On polonium"]}
    answer = await service.client.get(f"/api/v1/{flow}", params=asked)
    assert answer.status_code == 200, answer.text
    assert cited(answer.json()) <= {CURIE_DOC}


async def test_a_document_that_is_not_there_is_told_before_there_is_a_session(service: Running) -> None:
    before = await service.get("/api/v1/traces")
    answer = await service.client.post(
        "/api/v1/graph-rag", json={"query": QUESTION, "documents": ["no such"]}
    )
    assert (answer.status_code, "no such" in answer.json()["detail"]) == (404, True)
    assert await service.get("/api/v1/traces") == before


@pytest.mark.parametrize("flow", FLOWS)
async def test_every_flow_answers_without_what_is_left_out_and_says_so(service: Running, flow: str) -> None:
    answer = await answered(service, flow, without={"documents": ["On polonium"]})
    assert cited(answer) <= {RADIUM_DOC}
    assert (await trace(service, answer))["without_documents"] == [CURIE_DOC]


@pytest.mark.parametrize("flow", FLOWS)
async def test_every_flow_can_be_asked_again_with_its_settings(service: Running, flow: str) -> None:
    first = await answered(service, flow, documents=["On polonium"], method="bm25")
    second = await answered(service, flow, again=first["session"])
    assert second["response"] == first["response"]
    shown = await trace(service, second)
    assert shown["again"] == first["session"]
    assert shown["settings"] == (await trace(service, first))["settings"]
    assert 'method="bm25"' in shown["settings"]


@pytest.mark.parametrize("flow", FLOWS)
async def test_every_flow_records_how_it_ranked(service: Running, flow: str) -> None:
    assert (await trace(service, await answered(service, flow)))["method"]


@pytest.mark.parametrize("flow", FLOWS)
async def test_every_flow_says_how_the_words_of_its_sentences_came_about(service: Running, flow: str) -> None:
    answer = await answered(service, flow)
    origins = [citation["origin"] for citation in answer["citations"]]
    assert set(origins) <= {"quoted", "derived"}
    assert "quoted" in origins
    kept = (await trace(service, answer))["answer"]["sentences"]
    assert [sentence["origin"] for sentence in kept] == origins


@pytest.mark.parametrize("flow", FLOWS)
async def test_where_nothing_short_is_proved_the_short_answer_is_null(service: Running, flow: str) -> None:
    sent = await service.events("POST", f"/api/v1/{flow}", {"query": "Which whales sing in Zanzibar?"})
    assert sent[-1].data["short_answer"] is None
    assert not any("short_answer" in message.data for message in sent[:-1])
    answer = await service.client.post(f"/api/v1/{flow}", json={"query": "Which whales sing in Zanzibar?"})
    assert answer.json()["short_answer"] is None


async def test_passages_are_quoted_in_the_order_of_their_ranking(service: Running) -> None:
    answer = await answered(service, "passages", passage_limit=2)
    assert cited(answer) == {CURIE_DOC, RADIUM_DOC}
    shown = await trace(service, answer)
    assert [chunk["reasoning"] for chunk in shown["selected_chunks"]] == [
        "Ranked as number 1.",
        "Ranked as number 2.",
    ]
    for citation in answer["citations"]:
        (source,) = citation["sources"]
        assert answer["response"][citation["start"] : citation["end"]] == source["text"]
    assert shown["flow"] == "passages"
