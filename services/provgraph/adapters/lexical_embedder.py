"""An embedder that needs no weights: words and pieces of words, hashed to places of a vector with random signs.

Texts are alike as far as they share words, or words that are spelt alike; it knows nothing of meaning. Feature hashing
keeps inner products in expectation (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning",
section 2); counts are dampened as 1 + ln(count) (Buckley, Salton & Allan 1992).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import numpy as np

from provgraph.language.terms import FUNCTION_WORDS, fold, terms_of_word, words
from provgraph.ports.embedder import Role

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

DIMENSION: Final = 1024
PIECE: Final = 4
PIECES_WEIGHT: Final = 0.4
"""What all pieces of a word count together beside the word, which counts 1."""

NAME: Final = 2.0
"""What a capitalised word or a number counts beside others: without a collection to count in, how a word is written has
to tell how rare it is; so does its length."""


class LexicalEmbedder:
    """Deterministic, on every machine alike; questions and passages are read in the same way."""

    name = "lexical-1"
    dimension = DIMENSION

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:  # noqa: ARG002
        """Runs at thousands of passages a second, so it does not leave the caller's thread."""
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        for row, text in enumerate(texts):
            _add(text, vectors[row])
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = (vectors / np.where(lengths, lengths, 1)).astype(np.float32)
        return unit

    async def close(self) -> None:
        """Nothing is held."""


def _add(text: str, vector: Vectors) -> None:
    counts = Counter(word for word in words(text) if word.casefold() not in FUNCTION_WORDS)
    for word, count in (counts or Counter(words(text))).items():
        places, weights = _features(word)
        np.add.at(vector, places, weights * np.float32(1 + math.log(count)))


@lru_cache(maxsize=100_000)
def _features(word: str) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], Vectors]:
    """The places of a word and of its pieces, and what each adds there."""
    places, weights = zip(*(_place(feature, weight) for feature, weight in _weighed(word)), strict=True)
    return np.array(places, np.int64), np.float32(_rarity(word)) * np.array(weights, np.float32)


def _rarity(word: str) -> float:
    return math.sqrt(min(len(word), 10) / 6) * (NAME if word[0].isupper() or word[0].isdigit() else 1.0)


def _weighed(word: str) -> Iterator[tuple[str, float]]:
    for term in terms_of_word(word):
        yield term, 1.0
    marked = f"^{fold(word)}$"
    pieces = [marked[at : at + PIECE] for at in range(max(len(marked) - PIECE + 1, 1))]
    for piece in pieces:
        yield f"#{piece}", (PIECES_WEIGHT / len(pieces)) ** 0.5


def _place(feature: str, weight: float) -> tuple[int, float]:
    number = int.from_bytes(blake2b(feature.encode(), digest_size=8).digest(), "little")
    return (number >> 1) % DIMENSION, weight if number & 1 else -weight
