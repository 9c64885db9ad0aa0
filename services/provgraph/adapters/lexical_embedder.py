"""An embedder that needs no weights: words and pieces of words, hashed to places of a vector with random signs.

Texts are alike as far as they share words, or words that are spelt alike; it knows nothing of meaning. Feature hashing
keeps inner products in expectation (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning",
section 2); counts are dampened as 1 + ln(count) (Buckley, Salton & Allan 1992).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from anyio import to_thread

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
        """In a thread: a thousand passages take about a second."""
        return await to_thread.run_sync(_embedded, texts)

    async def close(self) -> None:
        """Nothing is held."""


def _embedded(texts: Sequence[str]) -> Vectors:
    import numpy as np  # takes a tenth of a second, and most commands need no vectors

    vectors = np.zeros((len(texts), DIMENSION), np.float32)
    for row, text in enumerate(texts):
        weights = _weights(text)
        length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        vectors[row, list(weights)] = [weight / length for weight in weights.values()]
    return vectors


def _weights(text: str) -> dict[int, float]:
    """What a text has at each place of its vector."""
    found = [word for word in words(text) if word.casefold() not in FUNCTION_WORDS] or words(text)
    weights: dict[int, float] = defaultdict(float)
    for word, count in Counter(found).items():
        for place, weight in _features(word):
            weights[place] += weight * (1 + math.log(count))
    return weights


@lru_cache(maxsize=8_192)  # each a kilobyte
def _features(word: str) -> list[tuple[int, float]]:
    """The places of a word and of its pieces, and what each adds there."""
    rarity = _rarity(word)
    return [_place(feature, weight * rarity) for feature, weight in _weighed(word)]


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
