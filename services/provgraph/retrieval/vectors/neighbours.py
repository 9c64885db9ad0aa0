"""Which rows of a matrix are near each other: each with the rows nearest to it, by the cosine of their vectors.

Numbers in, numbers out: knows nothing of what the rows mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

_BLOCK: Final = 512

Pair = tuple[tuple[int, int], float]


def near_rows(vectors: Vectors, neighbours: int, least: float) -> list[Pair]:
    """Each pair once, the lower row first, of which at least one is among the `neighbours` nearest of the other.

    With its cosine in (`least`, 1], in six decimal places. Of rows that are equally near the lower counts; a row that
    is zero is near none.
    """
    rows = vectors.astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return sorted(dict(_nearest(units, neighbours, least)).items())


def _nearest(units: np.ndarray, neighbours: int, least: float) -> Iterator[Pair]:
    """Block by block: all cosines of many rows fill no memory at once."""
    for start in range(0, len(units), _BLOCK):
        cosines = np.round(units[start : start + _BLOCK] @ units.T, 6)
        for at, row in enumerate(cosines, start):
            row[at] = -1.0
            for other in np.argsort(-row, kind="stable")[:neighbours].tolist():
                if row[other] > least:
                    yield (min(at, other), max(at, other)), min(float(row[other]), 1.0)
