"""The ports of similarity over the vectors of this process, which follow the store. In others:
`adapters.http_retriever`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from provgraph.ports.similarity import DocumentPairs, LikeDocuments, SearchWords, SimilarNode, SimilarNodes
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.vectors.index_sync import VectorIndexSync
from provgraph.retrieval.vectors.items import CHUNK, ENTITY, TYPE

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
    return sorted(dict(_nearest_rows(units, neighbours, least)).items())


def _nearest_rows(units: np.ndarray, neighbours: int, least: float) -> Iterator[Pair]:
    """Block by block: all cosines of many rows fill no memory at once."""
    for start in range(0, len(units), _BLOCK):
        cosines = np.round(units[start : start + _BLOCK] @ units.T, 6)
        for at, row in enumerate(cosines, start):
            row[at] = -1.0
            for other in np.argsort(-row, kind="stable")[:neighbours].tolist():
                if row[other] > least:
                    yield (min(at, other), max(at, other)), min(float(row[other]), 1.0)


if TYPE_CHECKING:
    from provgraph.retrieval.vectors.vector_index import VectorIndex


class VectorDocumentSimilarity:
    def __init__(self, vectors: VectorIndexSync[VectorIndex]) -> None:
        self._vectors = vectors

    async def likest(self, collection: str, neighbours: int, least: float) -> DocumentPairs:
        def compared(index: VectorIndex) -> tuple[LikeDocuments, ...]:
            from provgraph.retrieval.vector_similarity import near_rows  # numpy is slow to import

            documents, means = index.means(CHUNK)
            return tuple(
                LikeDocuments((NamedNode(documents[first]), NamedNode(documents[second])), cosine)
                for (first, second), cosine in near_rows(means, neighbours, least)
            )

        return DocumentPairs(self._vectors.model, await self._vectors.read(collection, compared))


if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors
    from provgraph.retrieval.vectors.vector_index import VectorIndex


class VectorNodeSimilarity:
    def __init__(self, vectors: VectorIndexSync[VectorIndex]) -> None:
        self._vectors = vectors

    async def likest(self, collection: str, sought: SearchWords) -> SimilarNodes:
        words = list(dict.fromkeys((*sought.names, *sought.kinds)))
        if not words:
            return SimilarNodes()
        vectors = await self._vectors.query_vectors(words)
        return await self._vectors.read(collection, partial(_likest, sought, words, vectors))

    async def texts(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        asked, *said = await self._vectors.query_vectors([question, *texts])
        return [min(max(float(row @ asked), 0.0), 1.0) for row in said]


def _likest(sought: SearchWords, words: Sequence[str], vectors: Vectors, index: VectorIndex) -> SimilarNodes:
    row = dict(zip(words, vectors, strict=True))
    return SimilarNodes(
        _nearest(index, ENTITY, [row[name] for name in sought.names], sought.labels_per_name),
        _nearest(index, TYPE, [row[kind] for kind in sought.kinds], sought.labels_per_kind),
    )


def _nearest(index: VectorIndex, kind: str, asked: Sequence[Vectors], limit: int) -> tuple[SimilarNode, ...]:
    best: dict[str, SimilarNode] = {}
    for row in asked:
        for near in index.nearest(kind, row, limit):
            known = best.get(near.item.iri)
            if known is None or near.score > known.score:
                best[near.item.iri] = SimilarNode(NamedNode(near.item.iri), near.item.label, near.score)
    return tuple(sorted(best.values(), key=lambda like: (-like.score, like.node.value)))
