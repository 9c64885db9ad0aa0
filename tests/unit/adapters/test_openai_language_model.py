"""The adapter against a real server, with every fault that an endpoint can have."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace

import pytest

from provgraph.adapters.openai_language_model import Endpoint, OpenAILanguageModel
from provgraph.errors import ModelRefused, ModelUnavailable
from provgraph.ports.language_model import Completion, Prompted, TextPiece
from servers.openai_server import Answer, OpenAIServer
from servers.served_process import free_port

ASK = Prompted("Be brief.", "What is polonium?", max_output_tokens=50)
SOON = {"retry-after-ms": "1"}
TEXT = "Polonium is a chemical element."
GOOD = Answer(TEXT)


@pytest.fixture
async def model(model_server: OpenAIServer) -> AsyncIterator[OpenAILanguageModel]:
    model = OpenAILanguageModel(Endpoint("tiny", model_server.url, "secret", timeout_s=5, retries=2))
    yield model
    await model.close()


async def streamed(model: OpenAILanguageModel, request: Prompted = ASK) -> list[TextPiece | Completion]:
    async with aclosing(model.stream(request)) as pieces:
        return [piece async for piece in pieces]


async def test_a_reply_comes_with_what_it_cost(
    model: OpenAILanguageModel, model_server: OpenAIServer
) -> None:
    model_server.answer(GOOD)
    reply = await model.complete(replace(ASK, json=True))
    assert (reply.text, reply.model, reply.finish) == (TEXT, "tiny", "stop")
    assert (reply.usage.in_tokens, reply.usage.out_tokens) == (6, 7)
    (asked,) = model_server.asked
    assert asked.authorization == "Bearer secret"
    assert (asked.system, asked.user) == ("Be brief.", "What is polonium?")
    assert asked.body["max_tokens"] == 50
    assert asked.body["response_format"] == {"type": "json_object"}


async def test_a_stream_is_pieces_and_then_the_whole(
    model: OpenAILanguageModel, model_server: OpenAIServer
) -> None:
    model_server.answer(GOOD)
    *pieces, whole = await streamed(model)
    assert len(pieces) > 2
    assert "".join(piece.text for piece in pieces) == TEXT
    assert isinstance(whole, Completion)
    assert (whole.text, whole.usage.in_tokens, whole.usage.out_tokens) == (TEXT, 6, 7)


@pytest.mark.parametrize("tokens", [-1, 10**30])
async def test_a_number_of_tokens_that_can_be_none_is_believed_to_nothing(
    model: OpenAILanguageModel, model_server: OpenAIServer, tokens: int
) -> None:
    model_server.answer(Answer(TEXT, tokens=tokens))
    usage = (await model.complete(ASK)).usage
    assert (usage.in_tokens, usage.out_tokens) == (None, None)
    whole = (await streamed(model))[-1]
    assert isinstance(whole, Completion)
    assert (whole.usage.in_tokens, whole.usage.out_tokens) == (None, None)


async def test_a_stream_that_goes_on_and_says_nothing_is_given_up(model_server: OpenAIServer) -> None:
    model_server.answer(Answer(TEXT, says_nothing=True))
    model = OpenAILanguageModel(Endpoint("tiny", model_server.url, "secret", timeout_s=0.5, retries=0))
    with pytest.raises(ModelUnavailable):
        await streamed(model)
    await model.close()


async def test_an_endpoint_that_does_not_count_is_believed_to_nothing(
    model: OpenAILanguageModel, model_server: OpenAIServer
) -> None:
    model_server.answer(Answer(TEXT, counts=False))
    assert (await model.complete(ASK)).usage.in_tokens is None
    whole = (await streamed(model))[-1]
    assert isinstance(whole, Completion)
    assert whole.usage.out_tokens is None


@pytest.mark.parametrize("status", [408, 429, 500, 503])
@pytest.mark.parametrize("stream", [False, True])
async def test_an_overloaded_endpoint_is_asked_again(
    model: OpenAILanguageModel, model_server: OpenAIServer, status: int, stream: bool
) -> None:
    model_server.answer([Answer("busy", status, headers=SOON), GOOD])
    last = (await streamed(model))[-1] if stream else await model.complete(ASK)
    assert isinstance(last, Completion)
    assert last.text == TEXT
    assert len(model_server.asked) == 2


async def test_retries_are_bounded(model: OpenAILanguageModel, model_server: OpenAIServer) -> None:
    model_server.answer(Answer("busy", 503, headers=SOON))
    with pytest.raises(ModelUnavailable, match=r"cannot be used now .*busy"):
        await model.complete(ASK)
    assert len(model_server.asked) == 3


async def test_a_rate_limit_says_what_to_do(model: OpenAILanguageModel, model_server: OpenAIServer) -> None:
    model_server.answer(Answer("slow down", 429, headers=SOON))
    with pytest.raises(ModelUnavailable, match="lower PROVGRAPH_LLM_PARALLEL"):
        await model.complete(ASK)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer("bad key", 401), "Set OPENAI_API_KEY"),
        (Answer("no entry", 403), "Set OPENAI_API_KEY"),
        (Answer("The model `tiny` does not exist", 404), "Set PROVGRAPH_LLM_MODEL"),
        (Answer("too long", 400), "turns the request down .*too long"),
        (Answer("no money", 429, code="insufficient_quota", headers=SOON), "no quota left"),
    ],
)
async def test_what_will_never_work_is_refused(
    model: OpenAILanguageModel, model_server: OpenAIServer, answer: Answer, said: str
) -> None:
    model_server.answer(answer)
    with pytest.raises(ModelRefused, match=said):
        await model.complete(ASK)
    with pytest.raises(ModelRefused, match=said):
        await streamed(model)


async def test_nobody_listening_is_told_with_the_address() -> None:
    port = free_port()
    model = OpenAILanguageModel(Endpoint("tiny", f"http://127.0.0.1:{port}/v1", retries=0))
    with pytest.raises(ModelUnavailable, match=f"127.0.0.1:{port}/v1/ cannot be used now"):
        await model.complete(ASK)
    with pytest.raises(ModelUnavailable, match=f"127.0.0.1:{port}"):
        await streamed(model)
    await model.close()


async def test_an_endpoint_that_hangs_is_given_up(model_server: OpenAIServer) -> None:
    model_server.answer(replace(GOOD, delay_s=30))
    model = OpenAILanguageModel(Endpoint("tiny", model_server.url, timeout_s=0.1, retries=0))
    with pytest.raises(ModelUnavailable, match=r"did not answer in 0\.1 s"):
        await model.complete(ASK)
    await model.close()


@pytest.mark.parametrize(
    "body", [b"<html>502 Bad Gateway</html>", b'{"choices": []}', b"{}", b"null", b"[1]"]
)
async def test_an_answer_in_another_form_is_told(
    model: OpenAILanguageModel, model_server: OpenAIServer, body: bytes
) -> None:
    model_server.answer(Answer(body=body))
    with pytest.raises(ModelUnavailable, match="cannot be used now"):
        await model.complete(ASK)


async def test_an_empty_answer_is_asked_for_once_more(
    model: OpenAILanguageModel, model_server: OpenAIServer
) -> None:
    model_server.answer([Answer(" \n"), GOOD])
    assert (await model.complete(ASK)).text == TEXT
    model_server.answer(Answer(""))
    with pytest.raises(ModelUnavailable, match="answered nothing"):
        await model.complete(ASK)
    with pytest.raises(ModelUnavailable, match="answered nothing"):
        await streamed(model)


async def test_an_answer_cut_by_its_length_says_so(
    model: OpenAILanguageModel, model_server: OpenAIServer
) -> None:
    model_server.answer(Answer("Polonium is a", finish="length"))
    assert (await model.complete(ASK)).finish == "length"
    assert [piece.finish for piece in await streamed(model) if isinstance(piece, Completion)] == ["length"]


async def test_an_answer_without_end_is_cut(model: OpenAILanguageModel, model_server: OpenAIServer) -> None:
    model_server.answer(Answer("and so on " * 1_000))
    assert len((await model.complete(ASK)).text) == 500
    last = (await streamed(model))[-1]
    assert isinstance(last, Completion)
    assert (len(last.text) < 600, last.finish) == (True, "length")


async def test_a_stream_that_dies_before_its_first_word_is_tried_again(
    model: OpenAILanguageModel, model_server: OpenAIServer
) -> None:
    model_server.answer([replace(GOOD, dies_after=0), GOOD])
    assert "".join(piece.text for piece in await streamed(model) if isinstance(piece, TextPiece)) == TEXT
    assert len(model_server.asked) == 2


async def test_a_stream_that_dies_in_the_middle_keeps_what_came_and_says_so(
    model: OpenAILanguageModel, model_server: OpenAIServer
) -> None:
    model_server.answer(replace(GOOD, dies_after=2))
    async with aclosing(model.stream(ASK)) as pieces:
        first = await anext(pieces)
        assert TEXT.startswith(first.text)
        with pytest.raises(ModelUnavailable, match="cannot be used now"):
            [piece async for piece in pieces]
    assert len(model_server.asked) == 1


@pytest.mark.parametrize(
    ("refused", "then"),
    [
        ("max_tokens", {"max_completion_tokens": 50}),
        ("temperature", {"max_tokens": 50}),
        ("response_format", {"temperature": 0.0}),
    ],
)
async def test_a_parameter_that_is_turned_down_is_left_out_from_then_on(
    model: OpenAILanguageModel, model_server: OpenAIServer, refused: str, then: dict[str, object]
) -> None:
    model_server.answer(
        lambda asked: (
            Answer(f"Unsupported parameter: '{refused}'", 400, param=refused)
            if refused in asked.body
            else GOOD
        )
    )
    for _ in range(2):
        assert (await model.complete(replace(ASK, json=True))).text == TEXT
    assert len(model_server.asked) == 3
    assert refused not in model_server.asked[-1].body
    assert then.items() <= model_server.asked[-1].body.items()


async def test_calls_run_in_parallel_up_to_the_limit(model_server: OpenAIServer) -> None:
    model_server.answer(replace(GOOD, delay_s=0.1))
    model = OpenAILanguageModel(Endpoint("tiny", model_server.url, parallel=3))
    await asyncio.gather(*(model.complete(ASK) for _ in range(7)))
    assert model_server.most_at_once == 3
    await model.close()


@pytest.mark.parametrize("stream", [False, True])
async def test_cancelling_hangs_up(
    model: OpenAILanguageModel, model_server: OpenAIServer, stream: bool
) -> None:
    model_server.answer(replace(GOOD, delay_s=30))
    call = asyncio.create_task(streamed(model) if stream else model.complete(ASK))
    while not model_server.asked:
        await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    for _ in range(200):
        if model_server.hung_up:
            break
        await asyncio.sleep(0.01)
    assert model_server.hung_up == 1
