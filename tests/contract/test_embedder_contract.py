"""What every `Embedder` keeps to, whatever makes its vectors."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncIterator, Callable
from typing import Final

import numpy as np
import pytest

from provgraph.adapters.embedders import EmbeddingChoice, Prefixes
from provgraph.adapters.lexical_embedder import LexicalEmbedder
from provgraph.adapters.minilm import MiniLMEmbedder, minilm_folder
from provgraph.adapters.openai_embedder import OpenAIEmbedder
from provgraph.adapters.sentence_transformers_models import SentenceTransformersEmbedder
from provgraph.adapters.universal_sentence_encoder.embedder import UniversalSentenceEncoder, resource_folder
from provgraph.ports.embedder import Embedder
from servers.openai_server import OpenAIServer

HAS_MINILM: Final = minilm_folder() is not None
HAS_LIBRARY: Final = importlib.util.find_spec("sentence_transformers") is not None

MAKERS: Final[dict[str, Callable[[str], Embedder]]] = {
    "lexical": lambda _: LexicalEmbedder(),
    "endpoint": lambda url: OpenAIEmbedder(EmbeddingChoice("tiny", url, batch=3, retries=0)),
    "sentence-encoder": lambda _: UniversalSentenceEncoder(resource_folder()),
    "minilm": lambda _: MiniLMEmbedder(minilm_folder()),
    "sentence-transformers": lambda _: SentenceTransformersEmbedder(str(minilm_folder()), Prefixes()),
}
NEEDS: Final = {
    "minilm": pytest.mark.skipif(not HAS_MINILM, reason="the weights of MiniLM are not installed"),
    "sentence-transformers": pytest.mark.skipif(
        not (HAS_MINILM and HAS_LIBRARY), reason="sentence-transformers, or weights for it, are not installed"
    ),
}


@pytest.fixture(params=[pytest.param(name, marks=NEEDS.get(name, ())) for name in MAKERS])
async def embedder(request: pytest.FixtureRequest, model_server: OpenAIServer) -> AsyncIterator[Embedder]:
    made = MAKERS[request.param](model_server.url)
    yield made
    await made.close()


TEXTS: Final = [
    "Marie Curie discovered polonium in Paris.",
    "The otter eats fish in cold rivers.",
    "Warsaw is the capital of Poland.",
    "Ρόδος, 東京, Москва and القاهرة are cities.",
    "x" * 20_000,
]


async def test_there_is_a_unit_vector_for_each_text_in_order(embedder: Embedder) -> None:
    together = await embedder.embed(TEXTS, "passage")
    assert together.dtype == np.float32
    assert together.shape == (len(TEXTS), embedder.dimension)
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-4)
    alone = np.concatenate([await embedder.embed([text], "passage") for text in TEXTS])
    assert (together * alone).sum(1) == pytest.approx(1, abs=1e-3)


async def test_no_texts_have_no_vectors(embedder: Embedder) -> None:
    assert len(await embedder.embed([], "passage")) == 0


async def test_a_text_in_which_nothing_stands_is_a_zero_vector(embedder: Embedder) -> None:
    vectors = await embedder.embed(["", " \n", TEXTS[0]], "passage")
    assert not vectors[:2].any()
    assert vectors[2].any()


async def test_a_text_is_most_like_itself(embedder: Embedder) -> None:
    passages = await embedder.embed(TEXTS, "passage")
    for place, text in enumerate(TEXTS):
        (query,) = await embedder.embed([text], "query")
        assert int(np.argmax(passages @ query)) == place


async def test_calls_side_by_side_do_not_mix(embedder: Embedder) -> None:
    alone = [await embedder.embed([text], "passage") for text in TEXTS[:4]]
    together = await asyncio.gather(*(embedder.embed([text], "passage") for text in TEXTS[:4]))
    assert np.allclose(np.concatenate(alone), np.concatenate(together), atol=1e-4)


async def test_a_name_says_nothing_of_secrets_or_places(embedder: Embedder) -> None:
    assert embedder.name
    assert "http" not in embedder.name
