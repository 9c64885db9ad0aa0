"""Puts the parts together: the only place that knows every implementation, and that reads settings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fastapi import FastAPI

from provgraph.adapters.cross_encoder_reranker import CrossEncoderReranker
from provgraph.adapters.data_folder import open_data_folder
from provgraph.adapters.embedders import EmbeddingChoice, chosen_embedder
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.model_reranker import ModelReranker
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.sparql_processes.endpoint import SparqlLimits, SparqlProcesses
from provgraph.catalogue.collections import Collections
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
from provgraph.extraction.routes import extraction_router
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.gateway.app import make_app
from provgraph.gateway.catalogue_routes import Catalogue, catalogue_router
from provgraph.gateway.doors import doors
from provgraph.gateway.sparql import sparql_router
from provgraph.graph_rag.engines import Engines
from provgraph.graph_rag.pipeline import AnswerDefaults, GraphRag
from provgraph.graph_rag.routes import graph_rag_router
from provgraph.graph_rag.sessions import SessionHub
from provgraph.graph_rag.trace_routes import trace_router
from provgraph.graph_rag.traces import Traces
from provgraph.ports.language_model import LanguageModel
from provgraph.ports.reranker import Reranker
from provgraph.retrieval.index_routes import index_router
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.retrieval.reranking import RerankingRetriever
from provgraph.retrieval.routes import retrieval_router
from provgraph.retrieval.vectors.following import VectorFollower, VectorSettings
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
    rerankers: Mapping[str, Reranker]
    ingestion: Ingestion
    graph_rag: GraphRag
    traces: Traces
    snapshots: Path

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
        sparql = SparqlProcesses(self.store, self.snapshots, limits)

        @asynccontextmanager
        async def lifespan(_: FastAPI) -> AsyncIterator[None]:
            await self.traces.close_interrupted(datetime.now(UTC))
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

        routers = [
            graph_rag_router(self.graph_rag, hub),
            trace_router(self.traces),
            extraction_router(self.ingestion, jobs),
            rdf_router(self.ingestion),
            checking_router(Checker(self.store, self.library, settings.explain_collection)),
            retrieval_router(RerankingRetriever(self.retriever, self.rerankers), self.collections),
            index_router(self.retriever, self.collections),
            sparql_router(sparql, self.collections.require),
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
    retriever = GraphRetriever(
        store,
        library,
        folder.index,
        VectorFollower(
            store,
            library,
            folder.vectors,
            chosen_embedder(_embedding(settings)),
            VectorSettings(at_once=bool(settings.embedding_model)),
        ),
        default_method="fusion" if settings.embedding_model else "",
    )
    model = language_model(settings)
    scorers = rerankers(settings, model)
    extractors = Extractors(
        model,
        ExtractorSettings(
            names=tuple(_listed(settings.extractors)),
            prompts=settings.prompts,
            max_tokens=settings.llm_max_tokens,
            max_output_tokens=settings.llm_max_output_tokens,
        ),
    )
    workers = ExtractionWorkers(model_free_extractor(), settings.extraction_processes)
    return Assembly(
        settings=settings,
        store=store,
        library=library,
        collections=collections,
        retriever=retriever,
        model=model,
        rerankers=scorers,
        ingestion=Ingestion(store, library, retriever, collections, workers, chunking, extractors),
        graph_rag=GraphRag(
            store,
            library,
            retriever,
            settings.explain_collection,
            engines=Engines(model, settings.prompts, settings.llm_max_output_tokens),
            reranker=next(iter(scorers.values()), None),
            defaults=AnswerDefaults(settings.corrective, settings.rerank),
        ),
        traces=Traces(store, library, settings.explain_collection),
        snapshots=folder.snapshots,
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


def _embedding(settings: Settings) -> EmbeddingChoice:
    return EmbeddingChoice(
        model=settings.embedding_model,
        base_url=settings.embedding_base_url or settings.openai_base_url,
        api_key=settings.embedding_api_key or settings.openai_api_key,
        query_prefix=settings.embedding_query_prefix,
        passage_prefix=settings.embedding_passage_prefix,
        dimension=settings.embedding_dimension,
        batch=settings.embedding_batch,
        parallel=settings.embedding_parallel,
        timeout_s=settings.embedding_timeout_s,
        retries=settings.llm_retries,
    )


def rerankers(settings: Settings, model: LanguageModel | None) -> dict[str, Reranker]:
    """Who can score candidates a second time, by the names that a request calls them by; answers take the first."""
    found: dict[str, Reranker] = {}
    if model:
        found["model"] = ModelReranker(model, settings.prompts, settings.llm_max_output_tokens)
    if settings.rerank_model:
        found["cross-encoder"] = CrossEncoderReranker(settings.rerank_model)
    return found


def _listed(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]
