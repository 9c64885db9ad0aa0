"""Vectors of one kind in a flat file that is mapped into memory, and the search over them.

A row never changes but to zeros, when it is erased. Rows behind the `count` that the owner has on record are left over
from a crash: the next append writes over them.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from provgraph.retrieval.keyword_index import DamagedIndex

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


if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

LEAST_PROBES: Final = 48
PROBED_SHARE: Final = 0.1
"""How many lists a search reads, and what share of them where that is more."""


class VectorFile:
    """`count` rows of `dimension` numbers. Raises `DamagedIndex` when the files cannot hold that."""

    def __init__(self, path: Path, dimension: int, count: int) -> None:
        self._path = path
        self._dimension = dimension
        self._lists = _read_lists(_lists_path(path))
        self._map(count)

    @property
    def count(self) -> int:
        return len(self._rows)

    @property
    def ungrouped(self) -> int:
        """How many rows are not in lists."""
        return self.count - (self._lists.covered if self._lists else 0)

    @property
    def rows(self) -> Vectors:
        """All rows, read from the file when they are looked at."""
        return self._rows

    def append(self, vectors: Vectors) -> None:
        """Write rows behind the others; they are on the disk when this returns."""
        with self._path.open("r+b" if self._path.exists() else "w+b") as file:
            file.seek(self.count * self._dimension * 4)
            file.write(np.ascontiguousarray(vectors, np.float32).tobytes())
            file.truncate()
            file.flush()
            os.fsync(file.fileno())
        self._map(self.count + len(vectors))

    def erase(self, rows: list[int]) -> None:
        """Make rows zero, also on the disk."""
        with self._path.open("r+b") as file:
            for row in rows:
                file.seek(row * self._dimension * 4)
                file.write(bytes(self._dimension * 4))
            file.flush()
            os.fsync(file.fileno())

    def checksum(self, row: int) -> int:
        return zlib.crc32(self._rows[row].tobytes())

    def search(self, query: Vectors, limit: int, exact: bool = False) -> list[tuple[int, float]]:
        """The rows with the greatest inner products above zero, best first; ties by row.

        Reads all rows, or where they are in lists only the nearest lists and what is in none: then it can miss some,
        unless it is to be exact.
        """
        rows, lists = self._rows, self._lists
        spans = [(0, len(rows))]
        if lists and not exact:
            probes = max(LEAST_PROBES, int(PROBED_SHARE * len(lists.centroids)))
            spans = [*lists.nearest(query, probes), (lists.covered, len(rows))]
        scores = np.concatenate([rows[start:end] @ query for start, end in spans])
        at = np.concatenate([np.arange(start, end) for start, end in spans])
        best = _best(scores, limit)
        found = sorted(zip(at[best], scores[best], strict=True), key=lambda hit: (-hit[1], hit[0]))
        return [(int(row), float(score)) for row, score in found if score > 0]

    def rewritten(self, path: Path, kept: NDArray[np.int64], in_lists: bool) -> NDArray[np.int64]:
        """Write the rows `kept` to another file, in lists if asked; returns the old row of each new one."""
        order, lists = kept, None
        if in_lists:
            rearranged, lists = grouped(self._rows if len(kept) == self.count else self._rows[kept])
            order = kept[rearranged]
        with path.open("wb") as file:
            for at in range(0, len(order), _BLOCK):
                file.write(self._rows[order[at : at + _BLOCK]].tobytes())
            file.flush()
            os.fsync(file.fileno())
        if lists:
            np.savez(_lists_path(path), centroids=lists.centroids, ends=lists.ends)
        return order

    def remove(self) -> None:
        """Delete the files; rows that a search still reads stay readable until it ends."""
        self._path.unlink(missing_ok=True)
        _lists_path(self._path).unlink(missing_ok=True)

    def _map(self, count: int) -> None:
        size = self._path.stat().st_size if self._path.exists() else 0
        if size < count * self._dimension * 4 or (self._lists and self._lists.covered > count):
            raise DamagedIndex(f"{self._path} is too short")
        shape = (count, self._dimension)
        self._rows: Vectors = (
            np.memmap(self._path, np.float32, "r", shape=shape) if count else np.zeros(shape, np.float32)
        )


def _best(scores: Vectors, limit: int) -> NDArray[np.intp]:
    if len(scores) <= limit:
        return np.arange(len(scores))
    return np.argpartition(-scores, limit - 1)[:limit]


def _lists_path(path: Path) -> Path:
    return path.with_suffix(".lists.npz")


def _read_lists(path: Path) -> InvertedLists | None:
    if not path.exists():
        return None
    try:
        with np.load(path) as stored:
            return InvertedLists(stored["centroids"], stored["ends"])
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise DamagedIndex(str(error)) from error
