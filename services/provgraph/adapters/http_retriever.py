"""`Retriever` and the ports of similarity in other processes, over HTTP. Those of this process are in
`retrieval`."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import Final

from pyoxigraph import NamedNode

from provgraph.peers.service import PeerService
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.ports.similarity import DocumentPairs, SearchWords, SimilarNodes
from provgraph.wire.retrieval_port import (
    PATH,
    SIMILARITY_PATH,
    document_pairs_from_json,
    like_nodes_from_json,
    request_to_json,
    result_from_json,
    sought_to_json,
)

logger = logging.getLogger(__name__)

_ACCEPTED_FOR_S: Final = 60.0
_ACCEPTED_KEPT: Final = 1_000

Choice = tuple[str, tuple[tuple[str, float], ...], str]


class HttpRetriever:
    """Asks one replica for candidates, and tells all of them what has changed.

    A replica that is away when something changes finds it out for itself (`retrieval.pipeline`).
    """

    def __init__(self, service: PeerService) -> None:
        self._service = service
        self._accepted: dict[Choice, float] = {}

    async def accept(self, request: RetrievalRequest) -> None:
        """What was accepted a moment ago is not asked again: every question begins with this."""
        choice = request.method, tuple(sorted(request.parameters.items())), request.rerank
        if time.monotonic() - self._accepted.get(choice, -_ACCEPTED_FOR_S) < _ACCEPTED_FOR_S:
            return
        await self._service.call(f"{PATH}/accept", request_to_json(request))
        if len(self._accepted) >= _ACCEPTED_KEPT:
            self._accepted.clear()
        self._accepted[choice] = time.monotonic()

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        return result_from_json(await self._service.call(f"{PATH}/retrieve", request_to_json(request)))

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        named = [node.value for node in documents]
        await self._tell("follow", {"collection": collection, "documents": named})

    async def forget(self, collection: str) -> None:
        await self._tell("forget", {"collection": collection})

    async def rewrite(self, collection: str) -> None:
        """Raises `Unavailable` where a replica is away, for its files may still hold what was removed."""
        for failure in await self._service.call_each(f"{PATH}/rewrite", {"collection": collection}):
            raise failure

    async def close(self) -> None:
        await self._service.close()

    async def _tell(self, what: str, body: dict[str, object]) -> None:
        for failure in await self._service.call_each(f"{PATH}/{what}", body):
            logger.warning("a replica did not hear of a change, and has to find it out: %s", failure)


class HttpDocumentSimilarity:
    """Asks one replica, which compares; what comes back are the pairs."""

    def __init__(self, service: PeerService) -> None:
        self._service = service

    async def likest(self, collection: str, neighbours: int, least: float) -> DocumentPairs:
        asked = {"collection": collection, "neighbours": neighbours, "least": least}
        return document_pairs_from_json(await self._service.call(f"{SIMILARITY_PATH}/documents", asked))


class HttpNodeSimilarity:
    """Asks one replica; each call is one way there and back, and none where nothing is asked."""

    def __init__(self, service: PeerService) -> None:
        self._service = service

    async def likest(self, collection: str, sought: SearchWords) -> SimilarNodes:
        if not sought.names and not sought.kinds:
            return SimilarNodes()
        asked = {"collection": collection, "sought": sought_to_json(sought)}
        return like_nodes_from_json(await self._service.call(f"{SIMILARITY_PATH}/nodes", asked))

    async def texts(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        asked = {"question": question, "texts": list(texts)}
        return list(map(float, await self._service.call(f"{SIMILARITY_PATH}/texts", asked)))
