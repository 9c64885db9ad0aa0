"""LangChain's ChatOpenAI against a served folder, unmodified: chats and responses, whole and streamed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
import pytest_asyncio
from langchain_core.messages import AIMessage, HumanMessage
from langchain_openai import ChatOpenAI

from api.running import Running, served

QUESTION = "Who discovered the proton?"
pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


@pytest_asyncio.fixture
async def service(data: Path) -> AsyncIterator[Running]:
    async with served(data) as running:
        yield running


@pytest_asyncio.fixture
async def web() -> AsyncIterator[httpx2.AsyncClient]:
    """The connections of the models: LangChain closes none."""
    async with openai.DefaultAsyncHttpxClient(trust_env=False) as client:
        yield client


def chat_model(service: Running, web: httpx2.AsyncClient, **options: Any) -> ChatOpenAI:
    address = f"{service.client.base_url}/v1"
    given = {"base_url": address, "api_key": "none", "max_retries": 0, "http_async_client": web, **options}
    return ChatOpenAI(model="provgraph/default", **given)


@pytest.mark.parametrize("responses", [False, True], ids=["chats", "responses"])
async def test_a_question_is_answered_whole_and_streamed(
    service: Running, web: httpx2.AsyncClient, *, responses: bool
) -> None:
    model = chat_model(service, web, use_responses_api=responses, include_response_headers=True)
    message = await model.ainvoke(QUESTION)
    assert message.text.startswith("Ernest Rutherford")
    link = message.response_metadata["headers"]["link"]
    trace = await service.client.get(link.partition(">")[0].removeprefix("<"))
    assert trace.json()["query"] == QUESTION
    pieces = [piece.text async for piece in model.astream(QUESTION)]
    assert "".join(pieces) == message.text


async def test_a_response_has_its_citations(service: Running, web: httpx2.AsyncClient) -> None:
    message = await chat_model(service, web, use_responses_api=True).ainvoke(QUESTION)
    part = message.content[0]
    assert isinstance(part, dict)
    (cited,) = part["annotations"]
    assert cited["title"] == "The Curies"
    assert part["text"][cited["start_index"] : cited["end_index"]] in message.text
    assert cited["url"].startswith(str(service.client.base_url))


async def test_a_follow_up_is_understood_from_the_messages_before_it(
    service: Running, web: httpx2.AsyncClient
) -> None:
    turns = [HumanMessage(QUESTION), AIMessage("Ernest Rutherford"), HumanMessage("When did he discover it?")]
    message = await chat_model(service, web).ainvoke(turns)
    assert "1917" in message.text


@pytest.mark.parametrize("responses", [False, True], ids=["chats", "responses"])
async def test_tools_are_passed_over_but_an_answer_by_schema_is_refused(
    service: Running, web: httpx2.AsyncClient, *, responses: bool
) -> None:
    model = chat_model(service, web, use_responses_api=responses)
    tool = {"name": "search", "description": "Search.", "parameters": {"type": "object", "properties": {}}}
    assert (await model.bind_tools([tool]).ainvoke(QUESTION)).text.startswith("Ernest Rutherford")
    with pytest.raises(openai.BadRequestError, match="No tools are called here"):
        await model.bind_tools([tool], tool_choice="required").ainvoke(QUESTION)
    schema = {"title": "Person", "type": "object", "properties": {"name": {"type": "string"}}}
    with pytest.raises(openai.BadRequestError, match="no JSON schema"):
        await model.with_structured_output(schema, method="json_schema").ainvoke(QUESTION)
