"""Rows of small whole numbers in flat files that are mapped into memory, and the search over them.

A vector is kept as one byte for each of its numbers, with a scale for the row, and as the signs of its numbers. A
search compares signs first, by the number of them that differ (Charikar 2002, "Similarity Estimation Techniques from
Rounding Algorithms", section 3), and computes inner products for the nearest of them only.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from provgraph.retrieval.keyword_index import DamagedIndex

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

EXACT_UP_TO: Final = 4_096
"""So many rows are all compared number by number."""

COMPARED: Final = 1_000
COMPARED_SHARE: Final = 0.01
"""How many rows are compared number by number, at least, and what share of all where that is more."""

_WORD: Final = 64
_BLOCK: Final = 16_384


class SentenceRows:
    """`count` rows of `dimension` numbers in files that begin with `path`. Raises `DamagedIndex` for short ones."""

    def __init__(self, path: Path, dimension: int, count: int) -> None:
        self.path = path
        self.dimension = dimension
        self.count = count
        words = -(-dimension // _WORD)
        self._numbers = _mapped(path.with_suffix(".i8"), np.int8, (count, dimension))
        self._scales = _mapped(path.with_suffix(".f32"), np.float32, (count,))
        self._signs = _mapped(path.with_suffix(".u64"), np.uint64, (count, words))

    def appended(self, vectors: Vectors) -> SentenceRows:
        """The rows with others behind them, which are on the disk when this returns."""
        scales = np.abs(vectors).max(axis=1) / 127
        numbers = np.rint(vectors / np.maximum(scales, 1e-9)[:, None]).astype(np.int8)
        self._write(".i8", numbers)
        self._write(".f32", scales.astype(np.float32))
        self._write(".u64", _signs(vectors))
        return SentenceRows(self.path, self.dimension, self.count + len(vectors))

    def erase(self, start: int, end: int) -> None:
        """Make rows zero, also on the disk."""
        for suffix, array in self._arrays:
            with self.path.with_suffix(suffix).open("r+b") as file:
                width = array[:1].nbytes
                file.seek(start * width)
                file.write(bytes((end - start) * width))
                file.flush()
                os.fsync(file.fileno())

    def cut(self) -> None:
        """Take away what a crash left behind the rows."""
        for suffix, array in self._arrays:
            path = self.path.with_suffix(suffix)
            if path.exists() and path.stat().st_size > array.nbytes:
                os.truncate(path, array.nbytes)

    def copied(self, path: Path, spans: Sequence[tuple[int, int]]) -> SentenceRows:
        """The rows of these spans, one behind the other, in other files."""
        for suffix, array in self._arrays:
            with path.with_suffix(suffix).open("wb") as file:
                for start, end in spans:
                    file.write(array[start:end].tobytes())
                file.flush()
                os.fsync(file.fileno())
        return SentenceRows(path, self.dimension, sum(end - start for start, end in spans))

    def remove(self) -> None:
        """Delete the files; rows that a search still reads stay readable until it ends."""
        for suffix, _ in self._arrays:
            self.path.with_suffix(suffix).unlink(missing_ok=True)

    def holds(self, start: int, end: int) -> bool:
        """Whether anything but zeros is in these rows."""
        return bool(self._scales[start:end].any())

    def checksum(self, start: int, end: int) -> int:
        return zlib.crc32(self._numbers[start:end].tobytes(), zlib.crc32(self._scales[start:end].tobytes()))

    def likeness(self, query: Vectors, rows: NDArray[np.intp] | slice) -> Vectors:
        """The inner product of each of these rows with the query, in their order."""
        found: Vectors = (self._numbers[rows].astype(np.float32) @ query) * self._scales[rows]
        return found

    def nearest(self, query: Vectors, limit: int) -> tuple[NDArray[np.intp], Vectors]:
        """Rows with great inner products and these, best first: the greatest of all up to `EXACT_UP_TO` rows, and of
        more rows those among the ones with the most like signs."""
        rows = np.arange(self.count)
        if self.count > EXACT_UP_TO:
            compared = max(COMPARED, limit, int(COMPARED_SHARE * self.count))
            differing = self._differing(_signs(query[None])[0])
            rows = np.sort(np.argpartition(differing, compared - 1)[:compared])
        scores = self.likeness(query, rows)
        best = np.argsort(-scores, kind="stable")[:limit]
        return rows[best], scores[best]

    def _differing(self, signs: NDArray[np.uint64]) -> NDArray[np.int16]:
        found = np.empty(self.count, np.int16)
        for at in range(0, self.count, _BLOCK):
            block = self._signs[at : at + _BLOCK] ^ signs
            found[at : at + len(block)] = np.bitwise_count(block).sum(axis=1, dtype=np.int16)
        return found

    @property
    def _arrays(self) -> tuple[tuple[str, NDArray[Any]], ...]:
        return (".i8", self._numbers), (".f32", self._scales), (".u64", self._signs)

    def _write(self, suffix: str, rows: NDArray[Any]) -> None:
        path = self.path.with_suffix(suffix)
        with path.open("r+b" if path.exists() else "w+b") as file:
            file.seek(self.count * rows[:1].nbytes)
            file.write(rows.tobytes())
            file.truncate()
            file.flush()
            os.fsync(file.fileno())


def _mapped(path: Path, kind: type[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    if not shape[0]:
        return np.zeros(shape, kind)
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    if not path.exists() or path.stat().st_size < size:
        raise DamagedIndex(f"{path} is too short")
    return np.memmap(path, kind, "r", shape=shape)


def _signs(vectors: Vectors) -> NDArray[np.uint64]:
    bits = np.packbits(vectors > 0, axis=1)
    padded = np.zeros((len(bits), -(-vectors.shape[1] // _WORD) * 8), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return padded.view(np.uint64)
