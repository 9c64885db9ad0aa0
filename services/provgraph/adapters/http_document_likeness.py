"""`DocumentLikeness` in other processes, over HTTP. The one of this process is `VectorDocumentLikeness`."""

from __future__ import annotations

from provgraph.peers.service import PeerService
from provgraph.ports.similarity import DocumentPairs
from provgraph.wire.retrieval_port import SIMILARITY_PATH, document_pairs_from_json


class HttpDocumentLikeness:
    """Asks one replica, which compares; what comes back are the pairs."""

    def __init__(self, service: PeerService) -> None:
        self._service = service

    async def likest(self, collection: str, neighbours: int, least: float) -> DocumentPairs:
        asked = {"collection": collection, "neighbours": neighbours, "least": least}
        return document_pairs_from_json(await self._service.call(f"{SIMILARITY_PATH}/documents", asked))
