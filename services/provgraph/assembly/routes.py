"""The routes of the services that can run apart, each list the whole of what one service answers itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.decisions import Deciding
from provgraph.flows.document_rag.pipeline import DocumentRag
from provgraph.flows.document_rag.routes import document_rag_router
from provgraph.flows.extractive.pipeline import Extractive
from provgraph.flows.extractive.routes import extractive_router
from provgraph.flows.fact_verification.pipeline import FactVerification
from provgraph.flows.fact_verification.routes import fact_verification_router
from provgraph.flows.graph_rag.asking import Asker
from provgraph.flows.graph_rag.pipeline import GraphRag
from provgraph.flows.graph_rag.routes import graph_rag_router
from provgraph.flows.kgqa.pipeline import Kgqa
from provgraph.flows.kgqa.routes import kgqa_router
from provgraph.flows.research.pipeline import Research
from provgraph.flows.runner.session_routes import session_router
from provgraph.flows.runner.sessions import SessionHub
from provgraph.gateway.entity_routes import entity_router
from provgraph.gateway.flow_routes import flow_router
from provgraph.ports.language_model import LanguageModel
from provgraph.ports.reranker import Reranker
from provgraph.retrieval.index_routes import index_router
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.retrieval.reranking import RerankingRetriever
from provgraph.retrieval.routes import retrieval_router


@dataclass(frozen=True)
class Flows:
    """The ways of asking."""

    graph_rag: GraphRag
    document_rag: DocumentRag
    extractive: Extractive
    kgqa: Kgqa
    research: Research
    fact_verification: FactVerification


def answering_routers(
    flows: Flows, hub: SessionHub, asker: Asker, model: LanguageModel | None
) -> list[APIRouter]:
    """Questions, and the sessions that answer them."""
    return [
        graph_rag_router(flows.graph_rag, hub, asker),
        document_rag_router(flows.document_rag, hub),
        extractive_router(flows.extractive, hub),
        kgqa_router(flows.kgqa, hub),
        fact_verification_router(flows.fact_verification, hub),
        flow_router(model.name if model else None),
        session_router(hub, flows.graph_rag.explain_collection),
    ]


def retrieval_routers(
    indexes: GraphRetriever, rerankers: Mapping[str, Reranker], collections: Collections
) -> list[APIRouter]:
    """What reads the indexes."""
    return [
        retrieval_router(RerankingRetriever(indexes, rerankers), collections),
        index_router(indexes, collections),
        entity_router(indexes, Deciding(collections)),
    ]
