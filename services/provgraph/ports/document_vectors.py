"""Port of the vectors of whole documents: what documents are compared by, whoever keeps the vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pyoxigraph import NamedNode

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors


@dataclass(frozen=True)
class MeanVectors:
    """`means` has a row for each of the documents: the mean of its chunks' unit vectors.

    `model` names all that the vectors depend on.
    """

    model: str
    documents: tuple[NamedNode, ...]
    means: Vectors


class DocumentVectors(Protocol):
    async def mean_vectors(self, collection: str) -> MeanVectors:
        """The documents that have vectors; those that could not be embedded are left out."""
        ...
