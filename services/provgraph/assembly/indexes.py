"""The indexes of this process, as settings have them."""

from __future__ import annotations

from provgraph.adapters.data_folder import DataFolder
from provgraph.adapters.embedders import chosen_embedder
from provgraph.assembly.models import embedding_choice
from provgraph.documents.library import Library
from provgraph.ports.quad_store import QuadStore
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.retrieval.vectors.following import VectorFollower, VectorSettings
from provgraph.settings import Settings


def chosen_indexes(
    settings: Settings, folder: DataFolder, store: QuadStore, library: Library
) -> GraphRetriever:
    """None of them is opened before it is used."""
    embedder = chosen_embedder(embedding_choice(settings))
    at_once = VectorSettings(at_once=bool(settings.embedding_model))
    vectors = VectorFollower(store, library, folder.vectors, embedder, at_once)
    method = "fusion" if settings.embedding_model else ""
    return GraphRetriever(store, library, folder.index, vectors, default_method=method)
