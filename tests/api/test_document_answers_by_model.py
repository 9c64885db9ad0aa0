"""Answers from chunks by a model, over real sockets: what is said and cited, and what remains when the model fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from api.model_service import MODEL, by_model, told, trace
from api.running import QUESTION, Running, running
from servers.openai_server import Answer, OpenAIServer

SAID = "Marie Curie discovered polonium in 1898 [1]. Whales sing."
CLEAN = "Marie Curie discovered polonium in 1898. Whales sing."
QUOTED = "Marie Curie discovered polonium in 1898."


async def ask(service: Running, status: int = 200, **fields: Any) -> dict[str, Any]:
    answer = await service.client.post("/api/v1/document-rag", json={"query": QUESTION, **fields})
    assert answer.status_code == status, answer.text
    answered: dict[str, Any] = answer.json()
    return answered


async def test_a_model_answers_with_citations_of_the_chunks_that_it_read(
    data: Path, server: OpenAIServer
) -> None:
    server.answer(Answer(SAID))
    async with running(data, **by_model(server)) as service:
        answer = await ask(service)
        assert (answer["response"], answer["model"]) == (CLEAN, MODEL)
        cited, invented = answer["citations"]
        assert cited["sources"][0]["text"] == QUOTED
        assert [cited["supported"], invented["supported"]] == [True, False]
        (asked,) = server.asked
        assert "[1] The Curies, page 1\nMarie Curie discovered polonium" in asked.user
        view = await trace(service)
        (call,) = view["calls"]
        assert (call["step"], call["in_token"]) == ("answer", answer["in_token"])
        assert view["selected_chunks"]


async def test_a_models_answer_streams_as_it_comes(data: Path, server: OpenAIServer) -> None:
    server.answer(Answer(SAID))
    async with running(data, **by_model(server)) as service:
        sent = await service.events("POST", "/api/v1/document-rag", {"query": QUESTION})
        assert told(sent) == CLEAN
        assert sum(bool(message.data.get("response")) for message in sent) > 3
        assert [each["supported"] for each in sent[-1].data["citations"]] == [True, False]


@pytest.mark.parametrize(
    "dead", [Answer("no", status=401), Answer("no", status=500), Answer(SAID, dies_after=0), Answer("")]
)
async def test_a_dead_model_leaves_the_chunks_quoted_and_says_so(
    data: Path, server: OpenAIServer, dead: Answer
) -> None:
    server.answer(dead)
    async with running(data, **by_model(server)) as service:
        answer = await ask(service)
        assert answer["response"].startswith(QUOTED)
        assert all(each["supported"] for each in answer["citations"])
        assert "The chunks are quoted instead." in answer["warnings"][0]
        assert (await trace(service))["outcome"] == "answered"


async def test_a_model_that_dies_in_mid_sentence_leaves_an_answer_that_failed(
    data: Path, server: OpenAIServer
) -> None:
    server.answer(Answer(SAID, dies_after=3))
    async with running(data, **by_model(server)) as service:
        sent = await service.events("POST", "/api/v1/document-rag", {"query": QUESTION})
        assert CLEAN.startswith(told(sent))
        assert told(sent)
        view = await trace(service)
        assert (view["outcome"], view["answer"]["sentences"]) == ("failed", [])
