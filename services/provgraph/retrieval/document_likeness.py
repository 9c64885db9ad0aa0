"""`DocumentLikeness` over the vectors of this process, which follow the store. In others:
`adapters.http_retriever`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provgraph.ports.similarity import DocumentPairs, LikeDocuments
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.vectors.index_sync import VectorFollower
from provgraph.retrieval.vectors.items import CHUNK

if TYPE_CHECKING:
    from provgraph.retrieval.vectors.vector_index import VectorIndex


class VectorDocumentLikeness:
    def __init__(self, vectors: VectorFollower) -> None:
        self._vectors = vectors

    async def likest(self, collection: str, neighbours: int, least: float) -> DocumentPairs:
        def compared(index: VectorIndex) -> tuple[LikeDocuments, ...]:
            from provgraph.retrieval.vectors.neighbours import near_rows  # numpy is slow to import

            documents, means = index.means(CHUNK)
            return tuple(
                LikeDocuments((NamedNode(documents[first]), NamedNode(documents[second])), cosine)
                for (first, second), cosine in near_rows(means, neighbours, least)
            )

        return DocumentPairs(self._vectors.model, await self._vectors.read(collection, compared))
