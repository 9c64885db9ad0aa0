"""Numbers of pieces → unit vectors: the forward pass of the multilingual Universal Sentence Encoder, in numpy.

Yang et al. 2020, "Multilingual Universal Sentence Encoder for Semantic Retrieval", section 2.3, the convolutional
model: embeddings, convolutions over 2, 3 and 5 pieces in two layers with residuals, their sum over the root of the
length, and a deep network. The first layer depends on a piece and its place in the window only, so it is computed once
for each distinct piece of a batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from provgraph.ports.embedder import Vectors

_EMBEDDING: Final = 512
_CHANNELS: Final = 256
_PARTS: Final = 17
"""The embedding table is quantised in so many parts: piece i is row i // 17 of part i % 17."""

_WINDOWS: Final = ((2, 0), (3, 1), (5, 2))
"""Of each convolution, how many pieces it reads, and how many of them stand before the one it is at."""

_LEFT: Final = 2
_RIGHT: Final = 2


class EncoderNetwork:
    """The weights by their names in the package's archive."""

    def __init__(self, weights: Mapping[str, NDArray[Any]]) -> None:
        parts = [weights[f"q{number}"] for number in range(1, _PARTS + 1)]
        self._table = np.empty((_PARTS * len(parts[0]), _EMBEDDING), np.uint8)
        for number, part in enumerate(parts):
            self._table[number::_PARTS] = part
        self._w = {name: weights[name] for name in weights if not name.startswith("q")}
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


def _neighbours(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each piece the places around it; those beyond its text are the number of all pieces."""
    count = int(lengths.sum())
    places = np.arange(count)[:, None] + np.arange(-_LEFT, _RIGHT + 1)
    inside = (places >= np.repeat(starts, lengths)[:, None]) & (
        places < np.repeat(starts + lengths, lengths)[:, None]
    )
    return np.where(inside, places, count)
