"""`NodeLikeness` over the vectors of a collection, which follow the store."""

from __future__ import annotations

from collections.abc import Sequence

from anyio import to_thread
from pyoxigraph import NamedNode

from provgraph.ports.node_likeness import LikeNode
from provgraph.retrieval.vectors.following import VectorFollower
from provgraph.retrieval.vectors.items import ENTITY, TYPE


class VectorLikeness:
    def __init__(self, vectors: VectorFollower) -> None:
        self._vectors = vectors

    async def nodes(self, collection: str, texts: Sequence[str], limit: int) -> list[LikeNode]:
        return await self._nearest(ENTITY, collection, texts, limit)

    async def types(self, collection: str, texts: Sequence[str], limit: int) -> list[LikeNode]:
        return await self._nearest(TYPE, collection, texts, limit)

    async def texts(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        asked = await self._vectors.query_vectors([question])
        said = await self._vectors.query_vectors(texts)
        return [min(max(float(score), 0.0), 1.0) for score in said @ asked[0]]

    async def _nearest(self, kind: str, collection: str, texts: Sequence[str], limit: int) -> list[LikeNode]:
        if not texts:
            return []
        asked = await self._vectors.query_vectors(texts)
        index = await self._vectors.current(collection)
        best: dict[str, LikeNode] = {}
        for row in asked:
            for near in await to_thread.run_sync(index.nearest, kind, row, limit):
                known = best.get(near.item.iri)
                if known is None or near.score > known.score:
                    best[near.item.iri] = LikeNode(NamedNode(near.item.iri), near.item.label, near.score)
        return sorted(best.values(), key=lambda like: (-like.score, like.node.value))
