"""Port of likeness: nodes and types of a collection's graph that are like some words, and texts that are like them.

What the vectors are of, and who makes them, is the affair of the implementation: `retrieval.node_likeness`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pyoxigraph import NamedNode


@dataclass(frozen=True)
class LikeNode:
    """A node, or a type, with the label that is like the words, and the inner product of their vectors in 0…1."""

    node: NamedNode
    label: str
    score: float


class NodeLikeness(Protocol):
    """Every method raises `ModelUnavailable` where the words cannot be embedded."""

    async def nodes(self, collection: str, texts: Sequence[str], limit: int, /) -> list[LikeNode]:
        """The nodes most like any of the texts, at most `limit` labels for each, best first, each node once."""
        ...

    async def types(self, collection: str, texts: Sequence[str], limit: int, /) -> list[LikeNode]:
        """The types of nodes whose names are most like any of the texts, in the same way."""
        ...

    async def texts(self, question: str, texts: Sequence[str]) -> list[float]:
        """How like the question each of the texts is, 0…1."""
        ...
