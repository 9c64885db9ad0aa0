"""Ports of similarity by vectors: documents that resemble each other, and nodes and types that resemble some
words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class LikeDocuments:
    """Two documents, the one whose IRI comes first before the other, and their cosine, at most 1."""

    documents: tuple[NamedNode, NamedNode]
    cosine: float


@dataclass(frozen=True)
class DocumentPairs:
    """`model` names all that the vectors depend on; `pairs` are in the order of their IRIs, each once."""

    model: str
    pairs: tuple[LikeDocuments, ...]


class DocumentSimilarity(Protocol):
    async def likest(self, collection: str, neighbours: int, least: float, /) -> DocumentPairs:
        """The pairs of which at least one document is among the so many nearest of the other, and whose cosine is
        greater than `least`.

        A document's vector is the mean of the unit vectors of its chunks. Documents that could not be embedded are
        left out. Raises `Unavailable` where who keeps the vectors does not answer.
        """
        ...


@dataclass(frozen=True)
class SearchWords:
    """Words that nodes may be called by, and words that types may be, with how many labels are taken for each."""

    names: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    labels_per_name: int = 10
    labels_per_kind: int = 1


@dataclass(frozen=True)
class SimilarNode:
    """A node, or a type, with the label that is like the words, and the inner product of their vectors in 0…1."""

    node: NamedNode
    label: str
    score: float


@dataclass(frozen=True)
class SimilarNodes:
    """Best first, each node and each type once, with the label that is most like any of the words."""

    nodes: tuple[SimilarNode, ...] = ()
    types: tuple[SimilarNode, ...] = ()


class NodeSimilarity(Protocol):
    """Every method raises `ModelUnavailable` where the words cannot be embedded, and `Unavailable` where who keeps the
    vectors does not answer."""

    async def likest(self, collection: str, sought: SearchWords, /) -> SimilarNodes:
        """The nodes and the types of the collection whose labels are most like the words."""
        ...

    async def texts(self, question: str, texts: Sequence[str], /) -> list[float]:
        """How like the question each of the texts is, 0…1."""
        ...
