"""Rows grouped around centroids, so that a search reads a few groups in place of all: an inverted file.

Sivic & Zisserman 2003, "Video Google"; Jégou, Douze & Schmid 2011, "Product Quantization for Nearest Neighbor Search",
section IV. Numbers in, numbers out: knows no files and nothing of what the rows mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors


ROUNDS: Final = 6
SAMPLES_PER_LIST: Final = 40
_BLOCK: Final = 16_384


@dataclass(frozen=True)
class InvertedLists:
    """`centroids` has one unit row for each list; list i is rows `ends[i - 1]` to `ends[i]` of the file."""

    centroids: Vectors
    ends: NDArray[np.int64]

    @property
    def covered(self) -> int:
        """How many rows of the file are in lists; those behind them are not grouped yet."""
        return int(self.ends[-1])

    def nearest(self, query: Vectors, probes: int) -> list[tuple[int, int]]:
        """Start and end of the `probes` lists whose centroids are most like the query, in the order of the file."""
        likeness = self.centroids @ query
        chosen = np.argpartition(-likeness, min(probes, len(likeness)) - 1)[:probes]
        starts = np.concatenate(([0], self.ends[:-1]))
        return sorted((int(starts[i]), int(self.ends[i])) for i in chosen if starts[i] < self.ends[i])


def grouped(vectors: Vectors) -> tuple[NDArray[np.int64], InvertedLists]:
    """An order of the rows in which each list is one run, and the lists: √n of them, by spherical k-means."""
    count = max(int(len(vectors) ** 0.5), 1)
    centroids = _centroids(vectors, count)
    nearest = np.concatenate(
        [_nearest(vectors[at : at + _BLOCK], centroids) for at in range(0, len(vectors), _BLOCK)]
    )
    order = np.argsort(nearest, kind="stable")
    return order, InvertedLists(centroids, np.cumsum(np.bincount(nearest, minlength=count)))


def _centroids(vectors: Vectors, count: int) -> Vectors:
    """The same vectors give the same centroids: the sample is taken at even distances."""
    sample = np.array(vectors[:: max(len(vectors) // (SAMPLES_PER_LIST * count), 1)], np.float32)
    centroids = sample[np.linspace(0, len(sample) - 1, count).astype(np.int64)].copy()
    for _ in range(ROUNDS):
        nearest = _nearest(sample, centroids)
        order = np.argsort(nearest, kind="stable")
        kept, starts = np.unique(nearest[order], return_index=True)
        centroids[kept] = np.add.reduceat(sample[order], starts, axis=0)
        centroids /= np.maximum(np.linalg.norm(centroids, axis=1, keepdims=True), np.float32(1e-9))
    return centroids


def _nearest(vectors: Vectors, centroids: Vectors) -> NDArray[np.int64]:
    blocks = [vectors[at : at + _BLOCK] @ centroids.T for at in range(0, len(vectors), _BLOCK)]
    return np.concatenate([block.argmax(1) for block in blocks])
