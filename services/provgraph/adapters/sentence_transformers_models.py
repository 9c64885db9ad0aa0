"""Models of the `sentence-transformers` library, where it is installed: an embedder and a cross-encoder that reranks.

The library is imported with the first model, which takes seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from anyio import to_thread

from provgraph.adapters.embedding_prefixes import Prefixes
from provgraph.errors import ModelRefused
from provgraph.ports.embedder import Role

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

_BATCH: Final = 32


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
        return int(self._model.get_embedding_dimension()) if self._model else 0

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        prepared = [self._prefixes.applied(text, role) for text in texts]
        async with self._turn:
            model = self._model = self._model or await to_thread.run_sync(_loaded, self._model_name)
            found = [await to_thread.run_sync(_encoded, model, part) for part in _parts(prepared)]
        vectors = np.concatenate([np.zeros((0, self.dimension), np.float32), *found])
        vectors[[not text.strip() for text in texts]] = 0
        return vectors

    async def close(self) -> None:
        self._model = None


def _parts(texts: list[str]) -> list[list[str]]:
    return [texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH)]


def _loaded(model: str, cross_encoder: bool = False) -> Any:
    """The model. Raises `ModelRefused` where the library is not installed or has no such model."""
    try:
        import sentence_transformers as library
    except ImportError as error:
        raise ModelRefused(
            "sentence-transformers is not installed. Run: pip install 'provgraph[sentence-transformers]'"
        ) from error
    try:
        return (library.CrossEncoder if cross_encoder else library.SentenceTransformer)(model)
    except (OSError, ValueError) as error:
        raise ModelRefused(
            f"The model {model!r} cannot be loaded. Name a folder with a model, or one of Hugging Face's that this "
            "machine has or can reach."
        ) from error


def _encoded(model: Any, texts: list[str]) -> Vectors:
    encoded = model.encode(texts, batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False)
    return np.asarray(encoded, np.float32)
