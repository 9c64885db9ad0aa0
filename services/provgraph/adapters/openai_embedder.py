"""Any OpenAI-compatible endpoint as an `Embedder`, through the `openai` package.

Texts go out in batches, several at once. Retries are the package's own, as for a language model; a batch that the
endpoint finds too large is halved until it fits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import openai

from provgraph.adapters.embedders import EmbeddingChoice
from provgraph.adapters.openai_client import FAILURES, CalledEndpoint, client_of, failure, longest
from provgraph.peers import spans
from provgraph.ports.embedder import Role

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors


class OpenAIEmbedder:
    """The embedding model behind `endpoint`."""

    def __init__(self, endpoint: EmbeddingChoice) -> None:
        self._endpoint = endpoint
        self._dimension = endpoint.dimension
        self._turns = asyncio.Semaphore(endpoint.parallel)
        self._client = client_of(endpoint)

    @property
    def name(self) -> str:
        """Not the address: the same model may be served elsewhere tomorrow."""
        prefixes = self._endpoint.prefixes
        return "|".join(
            (self._endpoint.model, prefixes.query, prefixes.passage, str(self._endpoint.dimension))
        )

    @property
    def dimension(self) -> int:
        return self._dimension

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        most = self._endpoint.most_characters
        prepared = [self._endpoint.prefixes.applied(text[:most], role) for text in texts]
        said = [place for place, text in enumerate(texts) if text.strip()]
        batches = [said[at : at + self._endpoint.batch] for at in range(0, len(said), self._endpoint.batch)]
        try:
            async with asyncio.TaskGroup() as group:
                calls = [group.create_task(self._batch([prepared[at] for at in batch])) for batch in batches]
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        vectors = np.zeros((len(texts), self._dimension), np.float32)
        for batch, call in zip(batches, calls, strict=True):
            vectors[batch] = call.result()
        return vectors

    async def close(self) -> None:
        await self._client.close()

    async def _batch(self, texts: list[str]) -> Vectors:
        async with self._turns:
            try:
                return await self._called(texts)
            except openai.APIStatusError as error:
                if error.status_code not in (400, 413, 422) or len(texts) == 1:
                    self._fail(error)
            except FAILURES as error:
                self._fail(error)
        middle = len(texts) // 2
        return np.concatenate([await self._batch(texts[:middle]), await self._batch(texts[middle:])])

    async def _called(self, texts: list[str]) -> Vectors:
        """Unit vectors in the order of the texts. Raises `ValueError` for a reply that is not that."""
        with spans.model_call("embeddings", self._endpoint.model) as call:
            async with asyncio.timeout(longest(self._endpoint)):
                reply = await self._client.embeddings.create(
                    model=self._endpoint.model,
                    input=texts,
                    encoding_format="float",
                    dimensions=self._endpoint.dimension or openai.omit,
                )
            call.answered(reply.model, (reply.usage.prompt_tokens if reply.usage else None, None))
        found = {item.index: item.embedding for item in reply.data or ()}
        if sorted(found) != list(range(len(texts))):
            raise ValueError(f"it sent {len(found)} vectors for {len(texts)} texts")
        if None in found.values():
            raise ValueError("it sent no vector for a text")
        if len({len(vector) for vector in found.values()}) != 1:
            raise ValueError("its vectors are not of one length")
        vectors = np.array([found[at] for at in range(len(texts))], np.float32)
        self._dimension = self._dimension or vectors.shape[1]
        if vectors.shape[1] != self._dimension:
            raise ValueError(f"its vectors have {vectors.shape[1]} numbers in place of {self._dimension}")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise ValueError("it sent a vector without direction")
        unit: Vectors = vectors / lengths
        return unit

    def _fail(self, error: Exception) -> NoReturn:
        called = CalledEndpoint(
            f"The embedding model {self._endpoint.model!r} at {self._client.base_url}",
            self._endpoint.timeout_s,
            key="PROVGRAPH_EMBEDDING_API_KEY or OPENAI_API_KEY",
            place="PROVGRAPH_EMBEDDING_MODEL and PROVGRAPH_EMBEDDING_BASE_URL",
            parallel="PROVGRAPH_EMBEDDING_PARALLEL",
            timeout="PROVGRAPH_EMBEDDING_TIMEOUT_S",
        )
        raise failure(error, called) from error
