"""What finds: the indexes of this process as settings have them, or the service beside it that has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from provgraph.adapters.data_folder import DataFolder
from provgraph.adapters.embedders import NONE, chosen_embedder, index_embedder
from provgraph.adapters.http_retriever import HttpDocumentSimilarity, HttpNodeSimilarity, HttpRetriever
from provgraph.assembly.models import embedding_choice
from provgraph.documents.library import Library
from provgraph.peers.service import PeerService
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import Retriever
from provgraph.ports.similarity import DocumentSimilarity, NodeSimilarity
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.retrieval.sense.question_sense import SENTENCES
from provgraph.retrieval.vector_similarity import VectorDocumentSimilarity, VectorNodeSimilarity
from provgraph.retrieval.vectors.index_sync import VectorIndexSync, VectorSettings
from provgraph.settings import Settings

if TYPE_CHECKING:
    from provgraph.retrieval.sense.sentence_index import SentenceIndex
    from provgraph.retrieval.vectors.vector_index import VectorIndex


@dataclass(frozen=True)
class Indexes:
    """The ports through which everybody finds, and the indexes of this process.

    Those are never opened where the ports lead elsewhere: a gateway takes from them which routes it passes on.
    """

    own: GraphRetriever
    retriever: Retriever
    nodes: NodeSimilarity
    documents: DocumentSimilarity


def chosen_indexes(
    settings: Settings, service: PeerService | None, folder: DataFolder, store: QuadStore, library: Library
) -> Indexes:
    """Those of this process, or of `service` where another one has them; nothing is opened before it is used.

    Raises as `chosen_embedder` does. Who asks another service has no embedder, and nothing to open.
    """
    if service:
        unused = GraphRetriever(store, library, folder.index)
        return Indexes(
            unused, HttpRetriever(service), HttpNodeSimilarity(service), HttpDocumentSimilarity(service)
        )
    vectors: VectorIndexSync[VectorIndex] = VectorIndexSync(
        store,
        library,
        folder.vectors,
        index_embedder(embedding_choice(settings)),
        VectorSettings(at_once=False),
    )
    own = GraphRetriever(
        store, library, folder.index, vectors, senses=_senses(settings, folder, store, library)
    )
    return Indexes(own, own, VectorNodeSimilarity(vectors), VectorDocumentSimilarity(vectors))


def _senses(
    settings: Settings, folder: DataFolder, store: QuadStore, library: Library
) -> VectorIndexSync[SentenceIndex] | None:
    choice = embedding_choice(settings)
    if choice.model == NONE:
        return None
    behind = VectorSettings(behind=True)
    return VectorIndexSync(store, library, folder.sentences, chosen_embedder(choice), behind, SENTENCES)
