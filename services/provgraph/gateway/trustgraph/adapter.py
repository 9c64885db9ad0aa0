"""Everything that TrustGraph's clients find here, put together from the services behind it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from fastapi import APIRouter
from starlette.types import ASGIApp

from provgraph.catalogue.collections import CollectionNotes
from provgraph.catalogue.contents import Contents
from provgraph.catalogue.deposits import Deposits, Processings
from provgraph.gateway.catalogue_routes import Catalogue
from provgraph.gateway.trustgraph.librarian import Librarian, Uploads
from provgraph.gateway.trustgraph.loads import Loads, bulk_router
from provgraph.gateway.trustgraph.routes import Opened, service_router, side_router
from provgraph.gateway.trustgraph.services import Service, Services
from provgraph.gateway.trustgraph.shelves import DepositShelves, ProcessingDesk
from provgraph.gateway.trustgraph.sparql import SparqlService
from provgraph.gateway.trustgraph.triples import Additions, TripleService
from provgraph.gateway.trustgraph.workspace import CollectionService, ConfigService, flow_service
from provgraph.ingestion.jobs import Jobs
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.removal.deletion import Deletions
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
    "iam": "users and their tokens are made by 'provgraph token', and the service has PROVGRAPH_TOKEN",
}
"""Services of TrustGraph that are not provided here, and why."""


PROCESSORS: Final = {
    "extraction": "documents to facts",
    "retrieval": "questions to edges and chunks",
    "graph-rag": "questions to answers, from facts",
    "document-rag": "questions to answers, from chunks",
    "sparql": "queries of users",
    "triples": "patterns of triples",
    "librarian": "documents and what is read of them",
    "collection-management": "collections",
}
"""The parts of this process that a client of TrustGraph would know as processors."""


@dataclass(frozen=True)
class Adapter:
    """`questions` are the services that answer, by name; `upload_limit` is in bytes."""

    questions: Mapping[str, Service]
    prompts: Path | None
    catalogue: Catalogue
    ingestion: Ingestion
    jobs: Jobs
    deletions: Deletions
    sparql: SparqlEndpoint
    upload_limit: int

    @cached_property
    def desk(self) -> ProcessingDesk:
        """What has to be resumed at the start and closed at the end."""
        return ProcessingDesk(self._deposits, Processings(self.ingestion.store), self.jobs)

    def routers(self, admits: Callable[[str], bool], opened: Opened | None = None) -> list[APIRouter]:
        """`admits` tells whether a token opens the service; `opened` gives the services that are another's."""
        return [
            service_router(self.services, admits, opened or self._own),
            bulk_router(self._loads),
            side_router(self._shelves.content, PROCESSORS),
        ]

    @cached_property
    def services(self) -> Services:
        catalogue, store = self.catalogue, self.ingestion.store
        return Services(
            of_flow={
                **self.questions,
                "triples": TripleService(store, catalogue.collections, Additions(store, catalogue.traces)),
                "sparql": SparqlService(self.sparql, catalogue.collections),
            },
            of_workspace={
                "librarian": Librarian(self._deposits, self._shelves, self.desk, Uploads(self.upload_limit)),
                "collection-management": CollectionService(catalogue, CollectionNotes(store)),
                "flow": flow_service,
                "config": ConfigService(self.prompts),
            },
            absent=ABSENT,
            settled=self._loads.settled,
        )

    @cached_property
    def _loads(self) -> Loads:
        return Loads(self.ingestion, self.deletions.turn)

    @cached_property
    def _shelves(self) -> DepositShelves:
        store, collections = self.ingestion.store, self.catalogue.collections
        contents = Contents(store, self.ingestion.library, collections.explain_collection)
        return DepositShelves(self._deposits, collections, contents, self.deletions)

    @asynccontextmanager
    async def _own(self, _: ASGIApp) -> AsyncGenerator[Services]:
        yield self.services

    @property
    def _deposits(self) -> Deposits:
        return Deposits(self.ingestion.store, self.ingestion.library)
