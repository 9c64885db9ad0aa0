"""The embedder of an endpoint against a real server, with the faults that an endpoint can have."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import numpy as np
import pytest

from provgraph.adapters.embedders import EmbeddingChoice, Prefixes, chosen_embedder, known_prefixes
from provgraph.adapters.openai_embedder import OpenAIEmbedder
from provgraph.errors import InvalidInput, ModelRefused, ModelUnavailable
from servers.openai_server import Answer, Asked, OpenAIServer
from servers.served_process import free_port

SOON = {"retry-after-ms": "1"}


@pytest.fixture
async def embedder(model_server: OpenAIServer) -> AsyncIterator[OpenAIEmbedder]:
    made = OpenAIEmbedder(
        EmbeddingChoice("tiny", model_server.url, "secret", batch=4, parallel=2, timeout_s=5, retries=2)
    )
    yield made
    await made.close()


async def test_texts_go_out_in_batches_a_few_at_once(
    embedder: OpenAIEmbedder, model_server: OpenAIServer
) -> None:
    model_server.embed_answer(Answer(delay_s=0.05))
    texts = [letter * 3 for letter in "abcdefghijklmnopqrst"]
    vectors = await embedder.embed(texts, "passage")
    assert [int(np.argmax(vector)) for vector in vectors] == list(range(20))
    assert sorted(len(asked.texts) for asked in model_server.asked) == [4] * 5
    assert model_server.most_at_once == 2
    assert model_server.asked[0].authorization == "Bearer secret"


async def test_a_question_and_a_passage_have_the_prefixes_of_their_role(model_server: OpenAIServer) -> None:
    embedder = OpenAIEmbedder(
        EmbeddingChoice("tiny", model_server.url, query_prefix="Q: ", passage_prefix="P: ")
    )
    await embedder.embed(["one"], "query")
    await embedder.embed(["one"], "passage")
    assert [asked.texts for asked in model_server.asked] == [["Q: one"], ["P: one"]]
    await embedder.close()


@pytest.mark.parametrize("status", [408, 429, 500, 503])
async def test_an_overloaded_endpoint_is_asked_again(
    embedder: OpenAIEmbedder, model_server: OpenAIServer, status: int
) -> None:
    model_server.embed_answer([Answer("busy", status, headers=SOON), Answer()])
    assert (await embedder.embed(["text"], "passage")).any()
    assert len(model_server.asked) == 2


async def test_a_batch_that_is_too_large_is_halved(
    embedder: OpenAIEmbedder, model_server: OpenAIServer
) -> None:
    def at_most_one(asked: Asked) -> Answer:
        return Answer() if len(asked.texts) == 1 else Answer("too many", 413)

    model_server.embed_answer(at_most_one)
    vectors = await embedder.embed(["aaa", "bbb", "ccc"], "passage")
    assert [int(np.argmax(vector)) for vector in vectors] == [0, 1, 2]


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (Answer("no", 401), ModelRefused, "does not accept the key"),
        (Answer("no such model", 404), ModelRefused, "PROVGRAPH_EMBEDDING_MODEL"),
        (Answer("busy", 503, headers=SOON), ModelUnavailable, "cannot be used now"),
        (Answer("slow down", 429, headers=SOON), ModelUnavailable, "PROVGRAPH_EMBEDDING_PARALLEL"),
        (Answer("bad input", 400), ModelRefused, "turns the request down"),
        (Answer(body=b"<html>"), ModelUnavailable, "cannot be used now"),
        (Answer(body=b'{"object": "list", "data": []}'), ModelUnavailable, "0 vectors for 1 texts"),
        (Answer(body=b'{"data": [{"index": 0, "embedding": null}]}'), ModelUnavailable, "no vector"),
    ],
)
async def test_a_fault_is_told_in_our_words(
    embedder: OpenAIEmbedder, model_server: OpenAIServer, answer: Answer, error: type, said: str
) -> None:
    model_server.embed_answer(answer)
    with pytest.raises(error, match=said) as raised:
        await embedder.embed(["text"], "passage")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("vector", [[0.0, 0.0], [float("nan"), 1.0]])
async def test_a_vector_without_direction_is_not_taken(
    embedder: OpenAIEmbedder, model_server: OpenAIServer, vector: list[float]
) -> None:
    data = [{"object": "embedding", "index": 0, "embedding": vector}]
    model_server.embed_answer(Answer(body=json.dumps({"object": "list", "data": data}).encode()))
    with pytest.raises(ModelUnavailable):
        await embedder.embed(["text"], "passage")


async def test_vectors_of_another_length_than_before_are_not_taken(
    embedder: OpenAIEmbedder, model_server: OpenAIServer
) -> None:
    await embedder.embed(["text"], "passage")
    data = [{"object": "embedding", "index": 0, "embedding": [1.0, 2.0]}]
    model_server.embed_answer(Answer(body=json.dumps({"object": "list", "data": data}).encode()))
    with pytest.raises(ModelUnavailable, match="2 numbers in place of 26"):
        await embedder.embed(["text"], "passage")


async def test_a_dead_endpoint_is_told() -> None:
    embedder = OpenAIEmbedder(EmbeddingChoice("tiny", f"http://127.0.0.1:{free_port()}/v1", retries=0))
    with pytest.raises(ModelUnavailable, match="Check that it runs"):
        await embedder.embed(["text"], "passage")
    await embedder.close()


async def test_cancelling_hangs_up(embedder: OpenAIEmbedder, model_server: OpenAIServer) -> None:
    model_server.embed_answer(Answer(delay_s=30))
    call = asyncio.create_task(embedder.embed(["text"], "passage"))
    while not model_server.asked:
        await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("nomic-embed-text", "search_query: ", "search_document: "),
        ("intfloat/multilingual-e5-base", "query: ", "passage: "),
        ("BAAI/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("bge-m3", "", ""),
        ("text-embedding-3-small", "", ""),
    ],
)
def test_a_known_model_has_its_prefixes(model: str, query: str, passage: str) -> None:
    assert known_prefixes(model) == Prefixes(query, passage)


def test_prefixes_that_are_given_take_the_place_of_known_ones() -> None:
    assert EmbeddingChoice("e5-base", query_prefix="", passage_prefix="text: ").prefixes == Prefixes(
        "", "text: "
    )


def test_a_model_without_key_or_address_is_refused_at_the_start() -> None:
    with pytest.raises(InvalidInput, match="PROVGRAPH_EMBEDDING_BASE_URL"):
        chosen_embedder(EmbeddingChoice("text-embedding-3-small"))
