"""Models of the `sentence-transformers` library, where it is installed; it is imported with the first of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from provgraph.errors import ModelRefused

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
