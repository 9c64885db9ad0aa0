"""The routes of the services that can run apart, each list the whole of what one service answers itself."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter

from provgraph.assembly.flows import AssembledFlows
from provgraph.catalogue.collections import Collections
from provgraph.catalogue.decisions import Deciding
from provgraph.flows.attribution.routes import attribution_router
from provgraph.flows.runner.requests import RequestReader
from provgraph.flows.runner.routes import flow_router, session_router
from provgraph.flows.runner.sessions import SessionHub
from provgraph.gateway.entity_routes import entity_router
from provgraph.gateway.flow_routes import flow_list_router
from provgraph.ports.language_model import LanguageModel
from provgraph.ports.reranker import Reranker
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.retrieval.reranking import RerankingRetriever
from provgraph.retrieval.routes import index_router, retrieval_router


def answering_routers(
    flows: AssembledFlows, hub: SessionHub, reader: RequestReader, model: LanguageModel | None
) -> list[APIRouter]:
    """Questions, and the sessions that answer them."""
    return [
        flow_router(flows, reader, hub),
        attribution_router(flows.attribution, reader, hub),
        flow_list_router(model.name if model else None),
        session_router(hub, flows.graph_rag.services.explain_collection),
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
