"""Answers from the graph of pairs, put together: the service, and the routes by which it is built and asked."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter

from provgraph.answering.sessions import SessionHub
from provgraph.document_rag.pipeline import DocumentRag
from provgraph.extraction.jobs import IngestJobs
from provgraph.extraction.pair_routes import pair_router
from provgraph.extraction.pipeline import Ingestion
from provgraph.kgqa.pipeline import Kgqa
from provgraph.kgqa.routes import kgqa_router
from provgraph.ports.reranker import Reranker
from provgraph.retrieval.pipeline import GraphRetriever


def kgqa_service(like: DocumentRag, retriever: GraphRetriever, rerankers: Mapping[str, Reranker]) -> Kgqa:
    """Over the store, with the model and for the traces of another way of asking."""
    return Kgqa(
        like.store, like.library, retriever.likeness, like.explain_collection, like.model_use, rerankers
    )


def kgqa_routers(service: Kgqa, hub: SessionHub, ingestion: Ingestion, jobs: IngestJobs) -> list[APIRouter]:
    return [kgqa_router(service, hub), pair_router(ingestion, jobs)]
