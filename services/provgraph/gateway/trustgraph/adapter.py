"""Everything that TrustGraph's clients find here, put together from the services behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter

from provgraph.catalogue.collections import Collections
from provgraph.gateway.trustgraph.additions import Additions
from provgraph.gateway.trustgraph.asking import GraphRagService
from provgraph.gateway.trustgraph.flows import config_service, flow_service
from provgraph.gateway.trustgraph.routes import service_router
from provgraph.gateway.trustgraph.services import Services
from provgraph.gateway.trustgraph.sparql import SparqlService
from provgraph.gateway.trustgraph.triples import TripleService
from provgraph.graph_rag.pipeline import GraphRag
from provgraph.graph_rag.sessions import SessionHub
from provgraph.graph_rag.traces import Traces
from provgraph.ports.sparql_endpoint import SparqlEndpoint

ABSENT: Final = {
    "agent": "questions are answered by graph-rag and document-rag",
    "text-completion": "a language model is used by the services, and is not lent to clients",
    "image-to-text": "documents are read as text",
    "prompt": "prompts are files of the service, and are not run for clients",
    "embeddings": "vectors are the retrieval's own, and are not lent to clients",
    "graph-embeddings": "entities are found by the retrieval; ask /api/v1/retrieve",
    "document-embeddings": "chunks are found by the retrieval; ask /api/v1/retrieve",
    "row-embeddings": "there are no structured rows",
    "reranker": "ranking is a part of the retrieval; ask /api/v1/retrieve",
    "rows": "there are no structured rows",
    "nlp-query": "there are no structured rows",
    "structured-query": "there are no structured rows",
    "structured-diag": "there are no structured rows",
    "mcp-tool": "there are no tools",
    "cloze": "there are no cloze models",
    "decision-scoring": "there are no decision models",
    "field-extraction": "there are no span-extraction models",
    "knowledge": "knowledge moves as RDF, by tg-load-turtle and 'provgraph export'",
    "iam": "there are no users and keys; one token opens the service, PROVGRAPH_TOKEN",
}
"""Services of TrustGraph that are not provided here, and why."""


@dataclass(frozen=True)
class Adapter:
    graph_rag: GraphRag
    hub: SessionHub
    collections: Collections
    traces: Traces
    sparql: SparqlEndpoint
    admits: Callable[[str], bool]

    def router(self) -> APIRouter:
        store = self.collections.store
        services = Services(
            of_flow={
                "graph-rag": GraphRagService(self.graph_rag, self.hub),
                "triples": TripleService(store, self.collections, Additions(store, self.traces)),
                "sparql": SparqlService(self.sparql, self.collections),
            },
            of_workspace={"flow": flow_service, "config": config_service},
            absent=ABSENT,
        )
        return service_router(services, self.admits)
