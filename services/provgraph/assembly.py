"""Puts the parts together: the only place that knows every implementation, and that reads settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from fastapi import FastAPI

from provgraph.adapters.data_folder import DataFolder, open_data_folder
from provgraph.adapters.embedders import chosen_embedder
from provgraph.answering.engines import ModelUse
from provgraph.answering.sessions import SessionHub
from provgraph.archiving.arrival import take_back_interrupted
from provgraph.archiving.collection_import import ArchiveImporter, ArchiveLimits
from provgraph.archiving.copies import Copies
from provgraph.archiving.nanopublication_routes import nanopublication_router
from provgraph.archiving.routes import archiving_router
from provgraph.catalogue.collections import Collections
from provgraph.catalogue.deciding import Deciding
from provgraph.catalogue.deposits import Deposits
from provgraph.checking.pipeline import Checker
from provgraph.checking.routes import checking_router
from provgraph.chosen_models import (
    embedding_choice,
    extractors,
    language_model,
    model_free_extractor,
    model_probes,
    paper_search,
    rerankers,
    text_recogniser,
)
from provgraph.chosen_storage import KeptStore, Storage, chosen_storage
from provgraph.document_rag.pipeline import DocumentRag
from provgraph.document_rag.routes import document_rag_router
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.library import Library
from provgraph.extraction.jobs import IngestJobs
from provgraph.extraction.pipeline import Ingestion
from provgraph.extraction.rdf_routes import rdf_router
from provgraph.extraction.removal.clearing import Clearing
from provgraph.extraction.removal.deletion import Deletions
from provgraph.extraction.removal.erasure import Erasure
from provgraph.extraction.removal_routes import removal_router
from provgraph.extraction.routes import extraction_router
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.extractive.pipeline import Extractive
from provgraph.extractive.routes import extractive_router
from provgraph.fact_verification.pipeline import FactVerification
from provgraph.fact_verification.routes import fact_verification_router
from provgraph.gateway.app import Watching, make_app
from provgraph.gateway.body_limit import BodyLimits
from provgraph.gateway.catalogue_routes import Catalogue, catalogue_router
from provgraph.gateway.comparison_routes import reading_comparison_router
from provgraph.gateway.doors import Doors, doors
from provgraph.gateway.entity_routes import entity_router
from provgraph.gateway.health import Probes
from provgraph.gateway.lineage_routes import lineage_router
from provgraph.gateway.metrics import Metrics
from provgraph.gateway.saved_query_routes import saved_query_router
from provgraph.gateway.sparql import sparql_router
from provgraph.gateway.trustgraph.adapter import Adapter
from provgraph.gateway.trustgraph.asking import DocumentRagService, GraphRagService
from provgraph.gateway.trustgraph.routes import SOCKET
from provgraph.graph_rag.asking import Asker
from provgraph.graph_rag.comparison_routes import comparison_router
from provgraph.graph_rag.engines import Engines
from provgraph.graph_rag.fact_finder import FactFinder
from provgraph.graph_rag.pipeline import GraphRag
from provgraph.graph_rag.purge_routes import purge_router
from provgraph.graph_rag.purging import TracePurge
from provgraph.graph_rag.question import AnswerDefaults
from provgraph.graph_rag.routes import graph_rag_router
from provgraph.graph_rag.trace_routes import trace_router
from provgraph.graph_rag.traces import Traces
from provgraph.page_services import page_routers
from provgraph.ports.language_model import LanguageModel
from provgraph.ports.paper_search import PaperSearch
from provgraph.ports.reranker import Reranker
from provgraph.ports.sparql_endpoint import SparqlEndpoint
from provgraph.research_services import ResearchServices, research_services
from provgraph.retrieval.index_routes import index_router
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.retrieval.reranking import RerankingRetriever
from provgraph.retrieval.routes import retrieval_router
from provgraph.retrieval.vectors.following import VectorFollower, VectorSettings
from provgraph.settings import Settings, listed

_MB = 1_000_000


@dataclass(frozen=True)
class Assembly:
    """All services of one process over one folder, not yet started."""

    settings: Settings
    storage: Storage
    library: Library
    collections: Collections
    retriever: GraphRetriever
    model: LanguageModel | None
    rerankers: Mapping[str, Reranker]
    ingestion: Ingestion
    deletions: Deletions
    graph_rag: GraphRag
    document_rag: DocumentRag
    fact_verification: FactVerification
    traces: Traces
    folder: DataFolder
    metrics: Metrics
    search: PaperSearch
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by whatever writes documents."""

    @property
    def store(self) -> KeptStore:
        return self.storage.store

    def app(self) -> FastAPI:
        """The HTTP app; its lifespan ends what a crash left open, and on exit closes everything in order."""
        settings = self.settings
        watching = Watching(self.metrics, Probes(self.storage.probes, model_probes(settings)))
        hub = SessionHub(settings.resume_grace_s, self.metrics.activity.session)
        jobs = IngestJobs(self.ingestion, self.turn, self.metrics.activity.ingested)
        sparql = self.storage.sparql()
        research, finder = self._research(), FactFinder(self.collections, self.retriever)
        asker = Asker(self.traces, finder)
        trustgraph = self._trustgraph(asker, hub, jobs, sparql)
        purge = TracePurge(self.store, self.traces, self.ingestion.now)
        erasure = self._erasure(sparql.forget, jobs.forget_finished, research.forget, hub.forget_finished)

        @asynccontextmanager
        async def lifespan(_: FastAPI) -> AsyncIterator[None]:
            await take_back_interrupted(self.folder.workspace, self.store, self.library)
            await self.traces.close_interrupted(datetime.now(UTC))
            await trustgraph.desk.resume()
            await purge.resume()
            await self.ingestion.clearing.work_off()
            try:
                yield
            finally:
                await hub.close()
                await trustgraph.desk.close()
                await asyncio.gather(jobs.close(), research.jobs.close())
                if self.model:
                    await self.model.close()
                await sparql.close()
                await self.retriever.close()
                await self.storage.close()

        keeper = self._doors()
        routers = [
            graph_rag_router(self.graph_rag, hub, asker),
            document_rag_router(self.document_rag, hub),
            extractive_router(self.extractive(), hub),
            fact_verification_router(self.fact_verification, hub),
            comparison_router(self.traces, finder),
            trace_router(self.traces),
            purge_router(purge),
            extraction_router(self.ingestion, jobs),
            removal_router(self.deletions, erasure, Deposits(self.store, self.library)),
            rdf_router(self.ingestion, self.deletions.turn),
            archiving_router(self.copies(), self.importer(self.turn), self.folder.workspace),
            nanopublication_router(self.collections, self.ingestion.now),
            checking_router(Checker(self.store, self.library, settings.explain_collection)),
            retrieval_router(RerankingRetriever(self.retriever, self.rerankers), self.collections),
            index_router(self.retriever, self.collections),
            sparql_router(sparql, self.collections.require),
            saved_query_router(sparql, self.collections.require),
            lineage_router(finder),
            entity_router(self.retriever, Deciding(self.collections)),
            reading_comparison_router(self.collections),
            catalogue_router(self._catalogue()),
            *research.routers(hub),
            *page_routers(hub, settings.explain_collection, self.model),
            *trustgraph.routers(keeper.admits),
        ]
        return make_app(routers, watching, keeper, self._limits(), lifespan)

    def _limits(self) -> BodyLimits:
        return BodyLimits(self.settings.max_upload_mb * _MB, self.settings.max_archive_mb * _MB)

    def _research(self) -> ResearchServices:
        asking = self.fact_verification.model_use, self.rerankers
        watch = self.metrics.activity.ingested
        return research_services(self.ingestion, self.retriever, asking, self.turn, watch, self.search)

    def _catalogue(self) -> Catalogue:
        locks = (self.turn, self.deletions.turn)
        return Catalogue(self.collections, self.library, self.retriever, self.traces, *locks)

    def _trustgraph(self, asker: Asker, hub: SessionHub, jobs: IngestJobs, sparql: SparqlEndpoint) -> Adapter:
        return Adapter(
            questions=GraphRagService(self.graph_rag, asker, hub),
            document_questions=DocumentRagService(self.document_rag, hub),
            catalogue=self._catalogue(),
            ingestion=self.ingestion,
            jobs=jobs,
            deletions=self.deletions,
            sparql=sparql,
            upload_limit=self.settings.max_upload_mb * _MB,
        )

    def _erasure(self, *forgetting: Callable[[], Awaitable[None]]) -> Erasure:
        """`forgetting` is what drops the copies that this process holds."""
        clearing = self.ingestion.clearing
        return Erasure(self.store, self.collections, self.retriever, clearing, forgetting, self.folder.size)

    def _doors(self) -> Doors:
        settings = self.settings
        allowed = listed(settings.allowed_hosts), listed(settings.allowed_origins)
        return replace(doors(settings.host, settings.token, *allowed), late_paths=frozenset({SOCKET}))

    def extractive(self) -> Extractive:
        return Extractive(self.store, self.library, self.retriever, self.settings.explain_collection)

    def copies(self) -> Copies:
        """What makes archives and backups."""
        live = self.storage.live(self.library, self.folder.workspace)
        return Copies(live, self.folder.layout, self.settings.explain_collection, self.ingestion.now)

    def importer(self, turn: asyncio.Lock) -> ArchiveImporter:
        """What takes archives in, when it is its turn."""
        settings = self.settings
        return ArchiveImporter(
            store=self.store,
            library=self.library,
            collections=self.collections,
            retriever=self.retriever,
            turn=turn,
            removals=self.deletions.turn,
            limits=ArchiveLimits(settings.max_archive_mb * _MB, settings.max_upload_mb * _MB),
            now=self.ingestion.now,
        )


def assemble(settings: Settings, data: Path) -> Assembly:
    """Open the folder `data` with everything in it.

    Raises `Unavailable` when the folder is in use, cannot be written, or is of a newer version.
    """
    chunking = ChunkingSettings(settings.chunk_size, settings.chunk_overlap)
    folder = open_data_folder(data)
    storage = chosen_storage(settings, folder)
    store, library = storage.store, Library(storage.contents)
    collections = Collections(store, settings.explain_collection)
    retriever = GraphRetriever(
        store,
        library,
        folder.index,
        VectorFollower(
            store,
            library,
            folder.vectors,
            chosen_embedder(embedding_choice(settings)),
            VectorSettings(at_once=bool(settings.embedding_model)),
        ),
        default_method="fusion" if settings.embedding_model else "",
    )
    metrics = Metrics()
    model = language_model(settings, metrics.registry)
    model_use = ModelUse(model, settings.prompts, settings.llm_max_output_tokens)
    scorers = rerankers(settings, model)
    clearing = Clearing(store, library, retriever, settings.explain_collection)
    workers = ExtractionWorkers(model_free_extractor(), settings.extraction_processes)
    reading = extractors(settings, model), text_recogniser(settings)
    return Assembly(
        settings=settings,
        storage=storage,
        library=library,
        collections=collections,
        retriever=retriever,
        model=model,
        ingestion=Ingestion(store, library, retriever, collections, workers, chunking, clearing, *reading),
        deletions=Deletions(store, collections, clearing),
        rerankers=scorers,
        graph_rag=GraphRag(
            store,
            library,
            retriever,
            settings.explain_collection,
            engines=Engines(model_use),
            rerankers=scorers,
            defaults=AnswerDefaults(settings.corrective, settings.rerank),
        ),
        document_rag=DocumentRag(store, library, retriever, settings.explain_collection, model_use),
        fact_verification=FactVerification(store, library, retriever, settings.explain_collection, model_use),
        traces=Traces(store, library, settings.explain_collection),
        folder=folder,
        metrics=metrics,
        search=paper_search(settings),
    )
