"""Puts the parts together: the only place that knows every implementation, and that reads settings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fastapi import FastAPI

from provgraph.adapters.data_folder import DataFolder, open_data_folder
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.sparql_processes.endpoint import SparqlLimits, SparqlProcesses
from provgraph.catalogue.collections import Collections
from provgraph.catalogue.deciding import Deciding
from provgraph.checking.pipeline import Checker
from provgraph.checking.routes import checking_router
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.library import Library
from provgraph.errors import InvalidInput
from provgraph.extraction.extractors import Extractors, ExtractorSettings
from provgraph.extraction.facts import FactExtractor
from provgraph.extraction.jobs import IngestJobs
from provgraph.extraction.model_free import ModelFreeExtractor
from provgraph.extraction.pipeline import Ingestion
from provgraph.extraction.rdf_routes import rdf_router
from provgraph.extraction.removal.clearing import Clearing
from provgraph.extraction.removal.deletion import Deletions
from provgraph.extraction.removal.erasure import Erasure
from provgraph.extraction.removal_routes import removal_router
from provgraph.extraction.routes import extraction_router
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.gateway.app import make_app
from provgraph.gateway.catalogue_routes import Catalogue, catalogue_router
from provgraph.gateway.comparison_routes import reading_comparison_router
from provgraph.gateway.doors import doors
from provgraph.gateway.entity_routes import entity_router
from provgraph.gateway.lineage_routes import lineage_router
from provgraph.gateway.saved_query_routes import saved_query_router
from provgraph.gateway.sparql import sparql_router
from provgraph.graph_rag.asking import Asker
from provgraph.graph_rag.comparison_routes import comparison_router
from provgraph.graph_rag.engines import Engines
from provgraph.graph_rag.fact_finder import FactFinder
from provgraph.graph_rag.pipeline import GraphRag
from provgraph.graph_rag.routes import graph_rag_router
from provgraph.graph_rag.sessions import SessionHub
from provgraph.graph_rag.trace_routes import trace_router
from provgraph.graph_rag.traces import Traces
from provgraph.ports.language_model import LanguageModel
from provgraph.retrieval.index_routes import index_router
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.retrieval.routes import retrieval_router
from provgraph.settings import Settings


@dataclass(frozen=True)
class Assembly:
    """All services of one process over one folder, not yet started."""

    settings: Settings
    store: OxigraphQuadStore
    library: Library
    collections: Collections
    retriever: GraphRetriever
    model: LanguageModel | None
    ingestion: Ingestion
    deletions: Deletions
    graph_rag: GraphRag
    traces: Traces
    folder: DataFolder

    def app(self) -> FastAPI:
        """The HTTP app; its lifespan ends what a crash left open, and on exit closes everything in order."""
        settings = self.settings
        hub = SessionHub(settings.resume_grace_s)
        jobs = IngestJobs(self.ingestion)
        limits = SparqlLimits(
            seconds=settings.sparql_timeout_s,
            rows=settings.sparql_row_limit,
            processes=settings.sparql_processes,
        )
        sparql = SparqlProcesses(self.store, self.folder.snapshots, limits)
        erasure = Erasure(
            self.store,
            self.collections,
            self.retriever,
            self.ingestion.clearing,
            (sparql.forget, jobs.forget_finished, hub.forget_finished),
            self.folder.size,
        )

        @asynccontextmanager
        async def lifespan(_: FastAPI) -> AsyncIterator[None]:
            await self.traces.close_interrupted(datetime.now(UTC))
            await self.ingestion.clearing.work_off()
            try:
                yield
            finally:
                await hub.close()
                await jobs.close()
                if self.model:
                    await self.model.close()
                await sparql.close()
                await self.retriever.close()
                await self.store.close()

        finder = FactFinder(self.collections, self.retriever)
        routers = [
            graph_rag_router(self.graph_rag, hub, Asker(self.traces, finder)),
            comparison_router(self.traces, finder),
            trace_router(self.traces),
            extraction_router(self.ingestion, jobs),
            removal_router(self.deletions, erasure),
            rdf_router(self.ingestion),
            checking_router(Checker(self.store, self.library, settings.explain_collection)),
            retrieval_router(self.retriever, self.collections),
            index_router(self.retriever, self.collections),
            sparql_router(sparql, self.collections.require),
            saved_query_router(sparql, self.collections.require),
            lineage_router(finder),
            entity_router(self.retriever, Deciding(self.collections)),
            reading_comparison_router(self.collections),
            catalogue_router(Catalogue(self.collections, self.library, self.retriever, self.traces)),
        ]
        keeper = doors(
            settings.host,
            settings.token,
            _listed(settings.allowed_hosts),
            _listed(settings.allowed_origins),
        )
        return make_app(routers, self.store, keeper, settings.max_upload_mb * 1_000_000, lifespan)


def assemble(settings: Settings, data: Path) -> Assembly:
    """Open the folder `data` with everything in it.

    Raises `Unavailable` when the folder is in use, cannot be written, or is of a newer version.
    """
    chunking = ChunkingSettings(settings.chunk_size, settings.chunk_overlap)
    folder = open_data_folder(data)
    store = OxigraphQuadStore(folder.store)
    library = Library(FolderContentStore(folder.library))
    collections = Collections(store, settings.explain_collection)
    retriever = GraphRetriever(store, library, folder.index)
    model = language_model(settings)
    extractors = Extractors(
        model,
        ExtractorSettings(
            names=tuple(_listed(settings.extractors)),
            prompts=settings.prompts,
            max_tokens=settings.llm_max_tokens,
            max_output_tokens=settings.llm_max_output_tokens,
        ),
    )
    clearing = Clearing(store, library, retriever, settings.explain_collection)
    workers = ExtractionWorkers(model_free_extractor(), settings.extraction_processes)
    return Assembly(
        settings=settings,
        store=store,
        library=library,
        collections=collections,
        retriever=retriever,
        model=model,
        ingestion=Ingestion(store, library, retriever, collections, workers, chunking, clearing, extractors),
        deletions=Deletions(store, collections, clearing),
        graph_rag=GraphRag(
            store,
            library,
            retriever,
            settings.explain_collection,
            engines=Engines(model, settings.prompts, settings.llm_max_output_tokens),
        ),
        traces=Traces(store, library, settings.explain_collection),
        folder=folder,
    )


def model_free_extractor() -> FactExtractor:
    return ModelFreeExtractor()


def language_model(settings: Settings) -> LanguageModel | None:
    """The model that the settings name, or None. Raises `InvalidInput` for one that has no key and no address."""
    if not settings.llm_model:
        return None
    if not settings.openai_base_url and not settings.openai_api_key:
        raise InvalidInput(
            "PROVGRAPH_LLM_MODEL is set, and neither a key nor an address for it. Set OPENAI_API_KEY, or for a server "
            "of your own OPENAI_BASE_URL."
        )
    from provgraph.adapters.openai_language_model import (  # `openai` is slow to import
        Endpoint,
        OpenAILanguageModel,
    )

    return OpenAILanguageModel(
        Endpoint(
            model=settings.llm_model,
            base_url=settings.openai_base_url,
            api_key=settings.openai_api_key,
            parallel=settings.llm_parallel,
            timeout_s=settings.llm_timeout_s,
            retries=settings.llm_retries,
        )
    )


def _listed(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]
