"""Port of embeddings: texts → unit vectors whose inner products say how alike the texts are.

Implementations: `adapters.openai_embedder` (any OpenAI-compatible endpoint), `adapters.minilm` (MiniLM's weights from
a package, in numpy), `adapters.sentence_transformers_models` (any model of that library) and
`adapters.lexical_embedder` (no weights at all).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

Role = Literal["query", "passage"]


class Embedder(Protocol):
    """Vectors of one model. May be called in parallel.

    Errors, after bounded retries: `ModelUnavailable` where the same call may succeed later, `ModelRefused` where it
    will not until a setting is changed.
    """

    @property
    def name(self) -> str:
        """All that the vectors depend on, in a word: vectors of two names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """How long the vectors are; 0 where an endpoint has not told yet."""
        ...

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """One row for each text, of length 1; all zero for a text in which there is nothing to embed.

        A model that tells questions from passages gets the text with the prefix of its role.
        """
        ...

    async def close(self) -> None: ...
