"""Which papers are alike: each with the papers nearest to it, by the cosine of their mean chunk vectors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from pyoxigraph import NamedNode

from provgraph.ports.document_vectors import MeanVectors

NEIGHBOURS: Final = 3
LEAST_WEIGHT: Final = 0.3
METHOD: Final = f"cosine of mean chunk vectors; the {NEIGHBOURS} nearest of each paper, over {LEAST_WEIGHT:g}"
_BLOCK: Final = 512


@dataclass(frozen=True)
class Likeness:
    """Two papers, the one whose IRI comes first before the other, and their cosine in (0.3, 1]."""

    papers: tuple[NamedNode, NamedNode]
    weight: float


def likenesses(vectors: MeanVectors) -> list[Likeness]:
    """Each pair once, of which at least one is among the nearest of the other; the same vectors, the same pairs.

    Of papers that are equally near the first by IRI counts. A paper whose vector is zero is like none.
    """
    order = sorted(range(len(vectors.documents)), key=lambda row: vectors.documents[row].value)
    papers = [vectors.documents[row] for row in order]
    means = vectors.means[order].astype(np.float64)
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    units = np.divide(means, lengths, out=np.zeros_like(means), where=lengths > 0)
    found = dict(_nearest(units))
    return [
        Likeness((papers[first], papers[second]), weight) for (first, second), weight in sorted(found.items())
    ]


def _nearest(units: np.ndarray) -> Iterator[tuple[tuple[int, int], float]]:
    """Pairs of rows, the lower first, block by block: all cosines of a large collection fill no memory at once."""
    for start in range(0, len(units), _BLOCK):
        cosines = np.round(units[start : start + _BLOCK] @ units.T, 6)
        for at, row in enumerate(cosines, start):
            row[at] = -1.0
            for other in np.argsort(-row, kind="stable")[:NEIGHBOURS].tolist():
                if row[other] > LEAST_WEIGHT:
                    yield (min(at, other), max(at, other)), min(float(row[other]), 1.0)
