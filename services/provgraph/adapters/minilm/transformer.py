"""A BERT encoder in numpy: token numbers in, one unit vector for each text out (Devlin et al. 2019; Reimers & Gurevych
2019, mean pooling). Reads weights as safetensors; knows nothing of text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

_EPSILON: Final = np.float32(1e-12)
_MASKED: Final = np.float32(-1e9)


@dataclass(frozen=True)
class Shape:
    """What `config.json` says of an encoder."""

    layers: int
    heads: int
    width: int


class Transformer:
    """The encoder whose `model.safetensors` and `config.json` are in `folder`."""

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        self.shape = Shape(config["num_hidden_layers"], config["num_attention_heads"], config["hidden_size"])
        self._weights = _read_tensors(folder / "model.safetensors")

    def vectors(self, batch: Sequence[Sequence[int]]) -> Array:
        """Unit vectors of the texts, one a row: the mean of their tokens' last states."""
        lengths = [len(numbers) for numbers in batch]
        tokens = np.zeros((len(batch), max(lengths)), np.int64)
        real = np.zeros(tokens.shape, np.float32)
        for row, numbers in enumerate(batch):
            tokens[row, : len(numbers)] = numbers
            real[row, : len(numbers)] = 1
        states = self._embedded(tokens)
        mask: Array = ((1 - real) * _MASKED)[:, None, None, :]
        for layer in range(self.shape.layers):
            states = self._layer(states, mask, f"encoder.layer.{layer}.")
        means = (states * real[:, :, None]).sum(1) / real.sum(1)[:, None]
        unit: Array = means / np.linalg.norm(means, axis=1, keepdims=True)
        return unit

    def _embedded(self, tokens: NDArray[np.int64]) -> Array:
        table = self._weights
        states = table["embeddings.word_embeddings.weight"][tokens]
        states = states + table["embeddings.position_embeddings.weight"][: tokens.shape[1]]
        states = states + table["embeddings.token_type_embeddings.weight"][0]
        return self._normed(states, "embeddings.LayerNorm.")

    def _layer(self, states: Array, mask: Array, name: str) -> Array:
        attended = self._dense(self._attention(states, mask, name), name + "attention.output.dense.")
        states = self._normed(attended + states, name + "attention.output.LayerNorm.")
        inner = _gelu(self._dense(states, name + "intermediate.dense."))
        return self._normed(self._dense(inner, name + "output.dense.") + states, name + "output.LayerNorm.")

    def _attention(self, states: Array, mask: Array, name: str) -> Array:
        rows, length, width = states.shape
        split = (rows, length, self.shape.heads, width // self.shape.heads)
        query, key, value = (
            self._dense(states, f"{name}attention.self.{part}.").reshape(split).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores: Array = query @ key.transpose(0, 1, 3, 2)
        scores /= np.float32(split[-1] ** 0.5)
        scores += mask
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        together: Array = (scores @ value).transpose(0, 2, 1, 3).reshape(states.shape)
        return together

    def _dense(self, states: Array, name: str) -> Array:
        flat = states.reshape(-1, states.shape[-1]) @ self._weights[name + "weight"].T
        flat += self._weights[name + "bias"]
        return flat.reshape(*states.shape[:-1], -1)

    def _normed(self, states: Array, name: str) -> Array:
        centred = states - states.mean(-1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(-1, keepdims=True) + _EPSILON)
        normed: Array = centred / spread * self._weights[name + "weight"] + self._weights[name + "bias"]
        return normed


def _gelu(inner: Array) -> Array:
    """x · Φ(x), with the tanh of Hendrycks & Gimpel 2016; its error of 1e-3 moves no vector by a thousandth."""
    cubic = inner * inner
    cubic *= np.float32(0.044715)
    cubic += 1
    cubic *= inner
    cubic *= np.float32((2 / np.pi) ** 0.5)
    np.tanh(cubic, out=cubic)
    cubic += 1
    cubic *= inner
    cubic *= np.float32(0.5)
    return cubic


def _read_tensors(file: Path) -> Mapping[str, Array]:
    """The tensors of a safetensors file, mapped into memory: a length, a JSON header, then the numbers."""
    with file.open("rb") as opened:
        size = int.from_bytes(opened.read(8), "little")
        header = json.loads(opened.read(size))
    content = np.memmap(file, np.uint8, "r", offset=8 + size)
    return {
        name: content[slice(*tensor["data_offsets"])].view(np.float32).reshape(tensor["shape"])
        for name, tensor in header.items()
        if name != "__metadata__" and tensor["dtype"] == "F32"
    }
