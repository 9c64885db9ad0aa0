"""Everything that one process needs, opened and put together as its settings and its role have it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from provgraph.adapters.data_folder import open_data_folder
from provgraph.assembly.flows import chosen_flows
from provgraph.assembly.indexes import chosen_indexes
from provgraph.assembly.models import (
    document_reader,
    extractors,
    language_model,
    paper_search,
    rerankers,
)
from provgraph.assembly.peers import peers_of
from provgraph.assembly.process import Assembly
from provgraph.assembly.queue import chosen_queue
from provgraph.assembly.storage import chosen_storage, require_shared
from provgraph.catalogue.collections import Collections
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.library import Library
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.flows.runner.services import FlowServices, ModelAccess
from provgraph.gateway.metrics import Metrics, count_index_age
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.removal.deletion import Deletions
from provgraph.ingestion.removal.outbox import Outbox
from provgraph.roles import Role
from provgraph.settings import Settings
from provgraph.traces.reader import Traces


def assemble(settings: Settings, data: Path, role: Role = Role.ALL) -> Assembly:
    """Open the folder `data` with everything in it, for the services that `role` names.

    Raises `Unavailable` when the folder is in use, cannot be written, or is of a newer version.
    """
    if role.is_apart:
        require_shared(settings, role)
    peers = peers_of(role, settings)
    chunking = ChunkingSettings(settings.chunk_size, settings.chunk_overlap)
    folder = open_data_folder(data)
    storage = chosen_storage(settings, folder)
    store, library = storage.store, Library(storage.contents)
    collections = Collections(store, settings.explain_collection, tuple(storage.opened.placed))
    indexes = chosen_indexes(settings, peers.retrieval, folder, store, library)
    retriever = indexes.retriever
    metrics = Metrics()
    if settings.store_url and role.does(Role.RETRIEVAL):
        count_index_age(metrics.registry, lambda: indexes.own.age_s)
    model = language_model(settings, metrics.registry)
    model_use = ModelAccess(model, settings.prompts, settings.llm_max_output_tokens)
    scorers = rerankers(settings, model)
    explain_collection = settings.explain_collection
    services = FlowServices(
        store, library, retriever, explain_collection, model_use, scorers, process=folder.process
    )
    clearing = Outbox(store, library, retriever, settings.explain_collection)
    workers = ExtractionWorkers(settings.extraction_processes)
    reading = extractors(settings, model), document_reader(settings)
    ingestion = Ingestion(store, library, retriever, collections, workers, chunking, clearing, *reading)
    return Assembly(
        role=role,
        settings=settings,
        storage=storage,
        library=library,
        collections=collections,
        peers=peers,
        indexes=indexes,
        model=model,
        ingestion=replace(ingestion, owner=folder.process.value) if settings.store_url else ingestion,
        deletions=Deletions(store, collections, clearing),
        rerankers=scorers,
        flows=chosen_flows(settings, services, indexes.nodes),
        traces=Traces(store, library, settings.explain_collection),
        folder=folder,
        work=chosen_queue(settings, role, folder, storage.contents),
        metrics=metrics,
        search=paper_search(settings),
    )
