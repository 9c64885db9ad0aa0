"""Any embedding model of the `sentence-transformers` library as an `Embedder` (Reimers & Gurevych 2019)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from anyio import to_thread

from provgraph.adapters.embedding_prefixes import Prefixes
from provgraph.adapters.sentence_transformers_library import BATCH, in_batches, loaded
from provgraph.ports.embedder import Role

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors


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
        encoded = self._model.encode(
            list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(encoded, np.float32)
