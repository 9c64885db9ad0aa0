"""OpenAI's own client against a served folder: models, chats and responses, whole and streamed, with their proof."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlparse

import openai
import pytest
import pytest_asyncio
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from api.running import CURIE, Running, served

QUESTION = "Who discovered the proton?"
MODEL = "provgraph/default"


@dataclass(frozen=True)
class Asked:
    service: Running
    openai: openai.AsyncOpenAI


def client_of(service: Running, token: str) -> openai.AsyncOpenAI:
    web = openai.DefaultAsyncHttpxClient(trust_env=False)
    return openai.AsyncOpenAI(
        base_url=f"{service.client.base_url}/v1", api_key=token, max_retries=0, http_client=web
    )


@pytest_asyncio.fixture
async def asked(data: Path) -> AsyncIterator[Asked]:
    async with served(data) as service, client_of(service, "none") as client:
        yield Asked(service, client)


@pytest.mark.asyncio
async def test_each_flow_of_a_collection_is_a_model_and_the_default_one_comes_first(asked: Asked) -> None:
    names = [model.id async for model in asked.openai.models.list()]
    assert names[0] == MODEL
    assert {"provgraph/default:document-rag", "provgraph/default:verify"} <= set(names)
    assert (await asked.openai.models.retrieve("provgraph/default:research")).owned_by == "provgraph"


@pytest.mark.asyncio
async def test_a_chat_is_answered_with_the_cited_words_behind_each_sentence(asked: Asked) -> None:
    answer = await asked.openai.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": QUESTION}]
    )
    message = answer.choices[0].message
    assert message.content is not None
    assert message.content.startswith("Ernest Rutherford")
    (cited,) = message.annotations or []
    link = urlparse(cited.url_citation.url)
    place = parse_qs(link.fragment.partition("?")[2])
    said = CURIE[int(place["start"][0]) : int(place["end"][0])]
    assert said == "Ernest Rutherford discovered the proton in 1917."
    assert message.content[cited.url_citation.start_index : cited.url_citation.end_index] == said
    assert unquote(link.fragment).startswith("/documents/https://example.org/curie?")
    assert cited.url_citation.title == "The Curies"
    proof = (answer.model_extra or {})["provgraph"]
    assert proof["short_answer"]["text"] == "Ernest Rutherford"
    trace = await asked.service.client.get(proof["trace"])
    assert trace.json()["session"] == proof["session"]


@pytest.mark.asyncio
async def test_a_chat_is_streamed_with_its_proof_in_the_last_chunk(asked: Asked) -> None:
    stream = await asked.openai.chat.completions.create(
        model=MODEL,
        messages=[{"role": "user", "content": [{"type": "text", "text": QUESTION}]}],
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = [chunk async for chunk in stream]
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text.startswith("Ernest Rutherford")
    assert len({chunk.id for chunk in chunks}) == 1
    last = next(chunk for chunk in chunks if chunk.choices and chunk.choices[0].finish_reason == "stop")
    assert (last.model_extra or {})["provgraph"]["outcome"] == "answered"
    assert (last.choices[0].delta.model_extra or {})["annotations"]
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens == 0


@pytest.mark.asyncio
async def test_a_follow_up_is_understood_from_the_messages_before(asked: Asked) -> None:
    answer = await asked.openai.chat.completions.create(
        model=MODEL,
        messages=[
            {"role": "system", "content": "You are terse."},
            {"role": "user", "content": "Who discovered polonium with Marie Curie?"},
            {
                "role": "assistant",
                "content": "Pierre Curie. Pierre Curie discovered polonium with Marie Curie.",
            },
            {"role": "user", "content": "and where was she born?"},
        ],
    )
    proof = (answer.model_extra or {})["provgraph"]
    assert proof["understood_as"] == "Where was Marie Curie born?"
    assert (answer.choices[0].message.content or "").startswith("Warsaw")
    trace = (await asked.service.client.get(proof["trace"])).json()
    assert trace["asked_as"] == "and where was she born?"
    assert trace["query"] == "Where was Marie Curie born?"


@pytest.mark.asyncio
async def test_a_response_cites_its_sentences(asked: Asked) -> None:
    answer = await asked.openai.responses.create(model=MODEL, input=QUESTION)
    assert answer.output_text.startswith("Ernest Rutherford")
    item = answer.output[0]
    assert isinstance(item, ResponseOutputMessage)
    part = item.content[0]
    assert isinstance(part, ResponseOutputText)
    assert [each.type for each in part.annotations] == ["url_citation"]
    assert (answer.model_extra or {})["provgraph"]["outcome"] == "answered"


@pytest.mark.asyncio
async def test_a_response_is_streamed_event_by_event(asked: Asked) -> None:
    async with asked.openai.responses.stream(model=MODEL, input=QUESTION) as stream:
        kinds = [event.type async for event in stream]
        final = await stream.get_final_response()
    assert kinds[0] == "response.created"
    assert "response.output_text.delta" in kinds
    assert "response.output_text.annotation.added" in kinds
    assert kinds[-1] == "response.completed"
    assert final.output_text.startswith("Ernest Rutherford")


@pytest.mark.asyncio
async def test_a_response_goes_on_from_the_one_before_it_whole_or_streamed(asked: Asked) -> None:
    whole = await asked.openai.responses.create(model=MODEL, input="Where was Marie Curie born?")
    async with asked.openai.responses.stream(model=MODEL, input="Where was Marie Curie born?") as stream:
        streamed = await stream.get_final_response()
    for before in (whole, streamed):
        answer = await asked.openai.responses.create(
            model=MODEL, input="What did she discover?", previous_response_id=before.id
        )
        proof = (answer.model_extra or {})["provgraph"]
        assert proof["understood_as"] == "What did Marie Curie discover?"
        assert answer.output_text.startswith("polonium")
    with pytest.raises(openai.NotFoundError, match="no response 'resp_none'"):
        await asked.openai.responses.create(model=MODEL, input="Who?", previous_response_id="resp_none")


@pytest.mark.asyncio
async def test_a_claim_is_judged_by_the_flow_for_claims(asked: Asked) -> None:
    answer = await asked.openai.chat.completions.create(
        model="provgraph/default:verify",
        messages=[{"role": "user", "content": "Ernest Rutherford discovered the proton in 1918."}],
    )
    assert (answer.model_extra or {})["provgraph"]["verdict"]["label"] == "REFUTES"


@pytest.mark.asyncio
async def test_errors_have_the_shape_that_the_client_knows(asked: Asked) -> None:
    with pytest.raises(openai.NotFoundError, match="There is no model 'gpt-4o'"):
        await asked.openai.chat.completions.create(
            model="gpt-4o", messages=[{"role": "user", "content": QUESTION}]
        )
    with pytest.raises(openai.NotFoundError) as missing:
        await asked.openai.models.retrieve("provgraph/nowhere")
    assert missing.value.type == "invalid_request_error"
    with pytest.raises(openai.BadRequestError, match="no question"):
        await asked.openai.chat.completions.create(
            model=MODEL, messages=[{"role": "system", "content": "Be kind."}]
        )
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}
    with pytest.raises(openai.BadRequestError, match="only parts of type text"):
        await asked.openai.chat.completions.create(
            model=MODEL,
            messages=[{"role": "user", "content": [picture]}],  # type: ignore[list-item,misc]
        )


@pytest.mark.asyncio
async def test_a_conversation_of_very_many_messages_is_refused(asked: Asked) -> None:
    with pytest.raises(openai.BadRequestError, match="at most 200 items"):
        await asked.openai.responses.create(model=MODEL, input=[{"role": "user", "content": QUESTION}] * 201)


@pytest.mark.asyncio
async def test_a_wrong_token_is_told_as_these_clients_know_it(data: Path) -> None:
    async with served(data, token="a-secret-of-enough-letters") as service:
        for token, fails in (("a-secret-of-enough-letters", False), ("wrong", True)):
            async with client_of(service, token) as client:
                if fails:
                    with pytest.raises(openai.AuthenticationError) as refused:
                        await client.models.list()
                    assert refused.value.code == "invalid_api_key"
                else:
                    assert (await client.models.list()).data
