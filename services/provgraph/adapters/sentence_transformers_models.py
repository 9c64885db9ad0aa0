"""Models of the `sentence-transformers` library, where it is installed: embedders (Reimers & Gurevych 2019)
and cross-encoders."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from anyio import to_thread

from provgraph.adapters.embedders import Prefixes
from provgraph.errors import ModelRefused
from provgraph.ports.embedder import Role
from provgraph.ports.language_model import Exchange, TokenUsage
from provgraph.ports.reranker import HIGHEST, RerankingScores

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

BATCH: Final = 32


def loaded(kind: Literal["SentenceTransformer", "CrossEncoder"], model: str) -> Any:
    """The model of that name, or in that folder; takes seconds.

    Raises `ModelRefused` where the library is not installed or has no such model.
    """
    try:
        import sentence_transformers as library
    except ImportError as error:
        raise ModelRefused(
            "sentence-transformers is not installed. Run: pip install 'provgraph[sentence-transformers]'"
        ) from error
    try:
        return getattr(library, kind)(model)
    except (OSError, ValueError) as error:
        raise ModelRefused(
            f"The model {model!r} cannot be loaded. Name a folder with a model, or one of Hugging Face's that this "
            "machine has or can reach."
        ) from error


def in_batches(texts: Sequence[str]) -> list[Sequence[str]]:
    """So that a call which is cancelled ends soon."""
    return [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]


class SentenceTransformersEmbedder:
    """The model of that name, or in that folder. Calls take turns: a model uses all processors alone."""

    def __init__(self, model: str, prefixes: Prefixes) -> None:
        self._model_name = model
        self._prefixes = prefixes
        self._model: Any = None
        self._turn = asyncio.Lock()

    @property
    def name(self) -> str:
        return "|".join(("local", self._model_name, self._prefixes.query, self._prefixes.passage))

    @property
    def dimension(self) -> int:
        return 0 if self._model is None else int(self._model.get_embedding_dimension())

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        import numpy as np  # after the start: it takes 50 ms

        prepared = [self._prefixes.applied(text, role) for text in texts]
        async with self._turn:
            if self._model is None:
                self._model = await to_thread.run_sync(loaded, "SentenceTransformer", self._model_name)
            found = [await to_thread.run_sync(self._encoded, part) for part in in_batches(prepared)]
        vectors = np.concatenate([np.zeros((0, self.dimension), np.float32), *found])
        vectors[[not text.strip() for text in texts]] = 0
        return vectors

    async def close(self) -> None:
        self._model = None

    def _encoded(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        encoded = self._model.encode(
            list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(encoded, np.float32)


class CrossEncoderReranker:
    """The model of that name, or in that folder. Calls take turns."""

    by_language_model = False

    def __init__(self, model: str) -> None:
        self.name = model
        self._model: Any = None
        self._turn = asyncio.Lock()

    async def score(
        self,
        question: str,
        texts: Sequence[str],
        exchanges: list[Exchange] | None = None,  # noqa: ARG002
    ) -> RerankingScores:
        """There are no exchanges to keep: a cross-encoder says nothing in words."""
        began = time.monotonic()
        values: list[float | None] = []
        failure = None
        try:
            async with self._turn:
                if self._model is None:
                    self._model = await to_thread.run_sync(loaded, "CrossEncoder", self.name)
                for part in in_batches(texts):
                    values += await to_thread.run_sync(self._scored, question, part)
        except ModelRefused as error:
            failure = error
        values += [None] * (len(texts) - len(values))
        took = round((time.monotonic() - began) * 1000)
        return RerankingScores(tuple(values), TokenUsage(None, None, took), failure=failure)

    def _scored(self, question: str, texts: Sequence[str]) -> list[float]:
        from torch.nn import Sigmoid  # comes with the library

        likely = self._model.predict(
            [(question, text) for text in texts],
            batch_size=BATCH,
            activation_fn=Sigmoid(),
            show_progress_bar=False,
        )
        return [round(HIGHEST * float(value), 2) for value in likely]
