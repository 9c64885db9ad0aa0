"""`NodeLikeness` over the vectors of this process, which follow the store. In others: `adapters.http_retriever`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from provgraph.ports.similarity import LikeNode, LikeNodes, SoughtWords
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.vectors.index_sync import VectorFollower
from provgraph.retrieval.vectors.items import ENTITY, TYPE

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors
    from provgraph.retrieval.vectors.vector_index import VectorIndex


class VectorNodeLikeness:
    def __init__(self, vectors: VectorFollower) -> None:
        self._vectors = vectors

    async def likest(self, collection: str, sought: SoughtWords) -> LikeNodes:
        words = list(dict.fromkeys((*sought.names, *sought.kinds)))
        if not words:
            return LikeNodes()
        vectors = await self._vectors.query_vectors(words)
        return await self._vectors.read(collection, partial(_likest, sought, words, vectors))

    async def texts(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        asked, *said = await self._vectors.query_vectors([question, *texts])
        return [min(max(float(row @ asked), 0.0), 1.0) for row in said]


def _likest(sought: SoughtWords, words: Sequence[str], vectors: Vectors, index: VectorIndex) -> LikeNodes:
    row = dict(zip(words, vectors, strict=True))
    return LikeNodes(
        _nearest(index, ENTITY, [row[name] for name in sought.names], sought.labels_per_name),
        _nearest(index, TYPE, [row[kind] for kind in sought.kinds], sought.labels_per_kind),
    )


def _nearest(index: VectorIndex, kind: str, asked: Sequence[Vectors], limit: int) -> tuple[LikeNode, ...]:
    best: dict[str, LikeNode] = {}
    for row in asked:
        for near in index.nearest(kind, row, limit):
            known = best.get(near.item.iri)
            if known is None or near.score > known.score:
                best[near.item.iri] = LikeNode(NamedNode(near.item.iri), near.item.label, near.score)
    return tuple(sorted(best.values(), key=lambda like: (-like.score, like.node.value)))
