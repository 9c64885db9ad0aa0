"""Port of likeness: nodes and types of a collection's graph that are like some words, and texts that are like them.

Implementations: `retrieval.node_likeness`, over the vectors of this process, and `adapters.http_node_likeness`, which
asks the service that has them. What the vectors are of, and who makes them, is the affair of the first. A call may be
a way to another machine, so each takes all that is sought at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class SoughtWords:
    """Words that nodes may be called by, and words that types may be, with how many labels are taken for each."""

    names: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    labels_per_name: int = 10
    labels_per_kind: int = 1


@dataclass(frozen=True)
class LikeNode:
    """A node, or a type, with the label that is like the words, and the inner product of their vectors in 0…1."""

    node: NamedNode
    label: str
    score: float


@dataclass(frozen=True)
class LikeNodes:
    """Best first, each node and each type once, with the label that is most like any of the words."""

    nodes: tuple[LikeNode, ...] = ()
    types: tuple[LikeNode, ...] = ()


class NodeLikeness(Protocol):
    """Every method raises `ModelUnavailable` where the words cannot be embedded, and `Unavailable` where who keeps the
    vectors does not answer."""

    async def likest(self, collection: str, sought: SoughtWords, /) -> LikeNodes:
        """The nodes and the types of the collection whose labels are most like the words."""
        ...

    async def texts(self, question: str, texts: Sequence[str], /) -> list[float]:
        """How like the question each of the texts is, 0…1."""
        ...
