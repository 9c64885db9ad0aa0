"""`NodeLikeness` in other processes, over HTTP. The one of this process is `VectorNodeLikeness`."""

from __future__ import annotations

from collections.abc import Sequence

from provgraph.peers.service import PeerService
from provgraph.ports.similarity import LikeNodes, SoughtWords
from provgraph.wire.retrieval_port import SIMILARITY_PATH, like_nodes_from_json, sought_to_json


class HttpNodeLikeness:
    """Asks one replica; each call is one way there and back, and none where nothing is asked."""

    def __init__(self, service: PeerService) -> None:
        self._service = service

    async def likest(self, collection: str, sought: SoughtWords) -> LikeNodes:
        if not sought.names and not sought.kinds:
            return LikeNodes()
        asked = {"collection": collection, "sought": sought_to_json(sought)}
        return like_nodes_from_json(await self._service.call(f"{SIMILARITY_PATH}/nodes", asked))

    async def texts(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        asked = {"question": question, "texts": list(texts)}
        return list(map(float, await self._service.call(f"{SIMILARITY_PATH}/texts", asked)))
