"""The parser's network in numpy: hashed embeddings, residual convolutions, one layer of attention, four heads.

The weights are a student of a larger parser's, trained by `training/`. The words of a batch are computed as one run,
and no window reaches over the end of a sentence: what stands beside a sentence changes nothing. Sources: residual
convolutions over words (Strubell et al. 2017; Honnibal's tok2vec), deep biaffine arcs (Dozat & Manning 2017), attention
with relative distances (Shaw et al. 2018).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from provgraph.reading.parser.features import TABLES, word_rows

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

BLOCKS: Final = (
    (1, "conv"),
    (2, "conv"),
    (0, "attention"),
    (1, "conv"),
    (4, "conv"),
    (0, "attention"),
    (1, "conv"),
)
"""Dilation and kind of each residual block, as trained."""
HEADS: Final = 4
FARTHEST: Final = 24
MASKED: Final = np.float32(-1e4)
HIGHEST: Final = np.float32(60)
LEAST: Final = np.float32(1e-30)
"""Of a score before it is an exponent, and of a sum of exponents."""
REMEMBERED_WORDS: Final = 30_000


@dataclass(frozen=True)
class Layout:
    """Where the words of a batch stand: `lengths` of its sentences, and of each word its place in its sentence.

    `square` (sentence, place) is a word's row, row 0 beyond the end of a sentence, which `inside` tells.
    """

    lengths: Integers
    places: Integers
    left: Integers
    square: Integers
    inside: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, lengths: Integers) -> Layout:
        starts = np.cumsum(lengths) - lengths
        places = np.arange(int(lengths.sum())) - np.repeat(starts, lengths)
        columns = np.arange(int(lengths.max()))
        inside = columns < lengths[:, None]
        square = np.where(inside, starts[:, None] + columns, 0)
        return cls(lengths, places, np.repeat(lengths, lengths) - 1 - places, square, inside)


@dataclass(frozen=True)
class Scores:
    """Of a batch: `tags` and `entities` (word, label); `arcs` (sentence, dependent, 1 + head), the root first."""

    layout: Layout
    tags: Floats
    entities: Floats
    arcs: Floats
    states: Floats


class ParserNetwork:
    """`arrays` are those of the weights' file; the labels are in the order of the scores. Safe to share by threads."""

    def __init__(self, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
        names = json.loads(bytes(arrays["labels"].astype(np.uint8)))
        self.tags: tuple[str, ...] = tuple(names["tags"])
        self.relations: tuple[str, ...] = tuple(names["relations"])
        self.entities: tuple[str, ...] = tuple(names["entities"])
        self._weights = {name: array.astype(np.float32) for name, array in arrays.items() if name != "labels"}
        for name, array in self._weights.items():
            if array.ndim == 2 and name.endswith("weight") and not name.startswith("tables."):
                self._weights[name] = np.ascontiguousarray(array.T)
        for place, (_, kind) in enumerate(BLOCKS):
            if kind == "conv":
                thirds = np.split(self._weights[f"blocks.{place}.weight"], 3)
                self._weights[f"blocks.{place}.weight"] = np.concatenate(thirds, axis=1)
        self._mean = np.full(
            self._weights["last.weight"].size, 1 / self._weights["last.weight"].size, np.float32
        )
        self._lock = threading.Lock()
        self._forget()

    def scores(self, sentences: Sequence[Sequence[str]]) -> Scores:
        """Of some sentences, none of them empty; best of about one length, as arcs are as many as the longest has."""
        layout = Layout.of(np.array([len(words) for words in sentences]))
        x = self._embedded([word for words in sentences for word in words])
        for place, (dilation, kind) in enumerate(BLOCKS):
            h = self._normed(x, f"norms.{place}")
            if kind == "attention":
                x += self._attention(h, layout, place)
            else:
                x += self._convolution(h, layout, dilation, place)
        states = self._normed(x, "last")
        tags, entities = self._linear(states, "tag"), self._linear(states, "entity")
        return Scores(layout, tags, entities, self._arcs(states, layout), states)

    def relation_scores(self, scores: Scores, heads: Integers) -> Floats:
        """`heads` (word) are places in the word's sentence; → (word, relation)."""
        distance = heads - scores.layout.places
        h = self._linear(scores.states, "label_dependent")
        h += (scores.states @ self._weights["label_head.weight"])[np.arange(len(heads)) + distance]
        h += self._weights["label_distances"][np.clip(distance, -FARTHEST, FARTHEST) + FARTHEST]
        return self._linear(np.maximum(h, 0, out=h), "label")

    def _embedded(self, words: Sequence[str]) -> Floats:
        with self._lock:
            unknown = {word for word in words if word not in self._places}
            if unknown:
                if len(self._places) + len(unknown) > REMEMBERED_WORDS:
                    self._forget()
                    unknown = set(words)
                self._remember(sorted(unknown))
            vectors: Floats = self._word_vectors[[self._places[word] for word in words]]
        return vectors

    def _forget(self) -> None:
        self._places: dict[str, int] = {}
        self._word_vectors = np.zeros((0, self._weights["words.2.bias"].size), np.float32)

    def _remember(self, words: list[str]) -> None:
        rows = np.array([word_rows(word) for word in words])
        forms = self._weights["tables.form.weight"]
        parts = [forms[rows[:, 0]] + forms[rows[:, 1]]]
        others = [name for name in TABLES if name != "form"]
        parts += [
            self._weights[f"tables.{name}.weight"][rows[:, 2 + place]] for place, name in enumerate(others)
        ]
        h = self._linear(np.concatenate(parts, axis=1), "words.0")
        self._places.update((word, len(self._places)) for word in words)
        self._word_vectors = np.concatenate([self._word_vectors, self._linear(np.maximum(h, 0), "words.2")])

    def _linear(self, x: Floats, name: str) -> Floats:
        y: Floats = x @ self._weights[f"{name}.weight"]
        y += self._weights[f"{name}.bias"]
        return y

    def _normed(self, x: Floats, name: str) -> Floats:
        h: Floats = x - (x @ self._mean)[:, None]
        h *= 1 / np.sqrt(np.einsum("ij,ij->i", h, h) / np.float32(x.shape[-1]) + np.float32(1e-5))[:, None]
        h *= self._weights[f"{name}.weight"]
        h += self._weights[f"{name}.bias"]
        return h

    def _convolution(self, h: Floats, layout: Layout, dilation: int, place: int) -> Floats:
        """Each word's part in its neighbours' windows, and in its own, are added where they belong."""
        width = h.shape[1]
        parts = h @ self._weights[f"blocks.{place}.weight"]
        behind, own, before = parts[:, :width], parts[:, width : 2 * width], parts[:, 2 * width :]
        behind[layout.left < dilation] = 0
        before[layout.places < dilation] = 0
        y: Floats = own + self._weights[f"blocks.{place}.bias"]
        y[dilation:] += behind[:-dilation]
        y[:-dilation] += before[dilation:]
        return np.maximum(y, 0, out=y)

    def _attention(self, h: Floats, layout: Layout, place: int) -> Floats:
        """The sum of a word's weights comes as one more column of what they weigh."""
        batch, length = layout.square.shape
        inputs = self._linear(h, f"blocks.{place}.inputs")[layout.square]
        q, k, v = inputs.reshape(batch, length, 3, HEADS, -1).transpose(2, 0, 3, 1, 4)
        scores = q @ (k.transpose(0, 1, 3, 2) * np.float32(k.shape[-1] ** -0.5))
        scores += self._weights[f"blocks.{place}.distances"][:, _distances(length)]
        scores += np.where(layout.inside, np.float32(0), MASKED)[:, None, None, :]
        np.exp(np.minimum(scores, HIGHEST, out=scores), out=scores)
        sums = scores @ np.concatenate([v, np.ones((*v.shape[:-1], 1), np.float32)], axis=-1)
        means = (
            (sums[..., :-1] / np.maximum(sums[..., -1:], LEAST))
            .transpose(0, 2, 1, 3)
            .reshape(batch, length, -1)
        )
        return self._linear(means[layout.inside], f"blocks.{place}.outputs")

    def _arcs(self, states: Floats, layout: Layout) -> Floats:
        dependent = np.maximum(self._linear(states, "dependent"), 0)
        head = np.maximum(self._linear(states, "head"), 0)
        batch, length = layout.square.shape
        arcs = np.empty((batch, length, 1 + length), np.float32)
        scores = self._linear(dependent, "bilinear")[layout.square] @ head[layout.square].transpose(0, 2, 1)
        scores += self._weights["distances"][_distances(length)]
        scores += np.where(layout.inside, np.float32(0), MASKED)[:, None, :]
        arcs[..., 1:] = scores
        arcs[..., :1] = self._linear(states, "root")[layout.square]
        return arcs


@lru_cache(maxsize=256)
def _distances(length: int) -> Integers:
    places = np.arange(length)
    distances: Integers = np.clip(places[None, :] - places[:, None], -FARTHEST, FARTHEST) + FARTHEST
    return distances
