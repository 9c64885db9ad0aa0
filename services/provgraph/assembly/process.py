"""The services of one process: the routes that its role opens, and what begins, runs beside them, and ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI

from provgraph.adapters.data_folder import DataFolder
from provgraph.adapters.served_folder import FolderProver
from provgraph.archiving.collection_export import Copies
from provgraph.archiving.collection_import import ArchiveImporter, ArchiveLimits
from provgraph.archiving.import_journal import take_back_interrupted
from provgraph.archiving.routes import archiving_router, nanopublication_router
from provgraph.assembly.extraction import ExtractionParts, ExtractionService
from provgraph.assembly.flows import AssembledFlows
from provgraph.assembly.indexes import Indexes
from provgraph.assembly.models import model_probes
from provgraph.assembly.peers import Peers
from provgraph.assembly.queue import HandedOut
from provgraph.assembly.research import ResearchServices, research_services
from provgraph.assembly.routes import answering_routers, retrieval_routers
from provgraph.assembly.storage import Storage
from provgraph.catalogue.collections import Collections
from provgraph.catalogue.deposits import Deposits
from provgraph.checking.pipeline import Checker
from provgraph.checking.routes import checking_router
from provgraph.documents.library import Library
from provgraph.flows.runner.requests import RequestReader
from provgraph.flows.runner.session_leases import SessionWatch
from provgraph.flows.runner.sessions import SessionHub
from provgraph.gateway.access_control import doors
from provgraph.gateway.app import RequestLimits, Watching, make_app
from provgraph.gateway.body_limit import BodyLimits
from provgraph.gateway.catalogue_routes import Catalogue, catalogue_router
from provgraph.gateway.folder_routes import folder_router
from provgraph.gateway.health import Probes
from provgraph.gateway.lifespan import ServiceLifespan
from provgraph.gateway.lineage_routes import lineage_router, reading_comparison_router
from provgraph.gateway.metrics import Metrics
from provgraph.gateway.sparql import saved_query_router, sparql_router
from provgraph.gateway.trustgraph.adapter import Adapter
from provgraph.gateway.trustgraph.asking import asking_port_router, questions_of
from provgraph.gateway.trustgraph.processing import ProcessingDesk
from provgraph.gateway.trustgraph.routes import LOGIN, SOCKET
from provgraph.gateway.trustgraph.services import Service
from provgraph.ingestion.jobs import Jobs
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.rdf_routes import rdf_router
from provgraph.ingestion.removal.deletion import Deletions, Erasure
from provgraph.ingestion.removal_routes import removal_router
from provgraph.ports.language_model import LanguageModel
from provgraph.ports.paper_search import PaperSearch
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.reranker import Reranker
from provgraph.ports.retriever import Retriever
from provgraph.ports.sparql_endpoint import SparqlEndpoint
from provgraph.retrieval.pipeline import keep_agreeing
from provgraph.retrieval.port_routes import likeness_port_router, retrieval_port_router
from provgraph.roles import Role
from provgraph.settings import Settings, listed
from provgraph.traces.fact_finder import FactFinder
from provgraph.traces.purging import TracePurge
from provgraph.traces.reader import Traces
from provgraph.traces.routes import comparison_router, purge_router, trace_router
from provgraph.web.routes import page_router

_MB = 1_000_000


@dataclass(frozen=True)
class Assembly:
    """The services of one process over one folder, not yet started."""

    role: Role
    settings: Settings
    storage: Storage
    library: Library
    collections: Collections
    peers: Peers
    indexes: Indexes
    model: LanguageModel | None
    rerankers: Mapping[str, Reranker]
    ingestion: Ingestion
    deletions: Deletions
    flows: AssembledFlows
    traces: Traces
    folder: DataFolder
    work: HandedOut
    metrics: Metrics
    search: PaperSearch
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by whatever writes documents."""

    @property
    def store(self) -> QuadStore:
        return self.storage.store

    @property
    def retriever(self) -> Retriever:
        return self.indexes.retriever

    def app(self, lasting: bool = True) -> FastAPI:
        """The HTTP app; its lifespan ends what a crash left open, and on exit closes everything in order.

        One that is not `lasting` leaves jobs that were cut off alone until there is a new one.
        """
        settings = self.settings
        needed = {**self.storage.probes, **self.work.probes, **self.peers.probes}
        placed = {f"store:{name}": probe for name, probe in self.storage.opened.placed.items()}
        watching = Watching(self.metrics, Probes(needed, placed, model_probes(settings)))
        hub = SessionHub(settings.resume_grace_s, self.metrics.activity.session, settings.request_timeout_s)
        self.ingestion.workers.give_way(lambda: hub.busy)
        extraction = self._extraction()
        sparql = self.storage.sparql()
        research, finder = self._research(), FactFinder(self.collections, self.retriever)
        reader = RequestReader(self.traces, finder)
        questions = questions_of(self.flows.graph_rag, self.flows.document_rag, reader, hub)
        trustgraph = self._trustgraph(questions, extraction.jobs, sparql)
        purge = TracePurge(self.store, self.traces, self.ingestion.now)
        watches = self._watches(hub)
        forgotten = (extraction.forget_finished, research.jobs.forget_finished, hub.forget_finished)
        erasure = self._erasure(sparql.forget, *forgotten, self.flows.pair_graphs.forget)
        prover = FolderProver(self.folder.path)
        life = ServiceLifespan(
            [prover.open, *self._begin(watches, purge, trustgraph.desk), partial(extraction.begin, lasting)],
            list(self._beside(watches)),
            (
                hub.close,
                trustgraph.desk.close,
                extraction.close,
                research.jobs.close,
                sparql.close,
                *self._ends(),
                prover.close,
                self._end_children,
            ),
            self._hurry,
        )
        hosts, origins = listed(settings.allowed_hosts), listed(settings.allowed_origins)
        keeper = doors(settings.host, settings.token, hosts, origins, late_paths=[SOCKET, *LOGIN])
        routes = {
            Role.GRAPH_RAG: [
                *answering_routers(self.flows, hub, reader, self.model),
                *research.routers(hub, reader),
            ],
            Role.EXTRACTION: [*extraction.routers],
            Role.RETRIEVAL: retrieval_routers(self.indexes.own, self.rerankers, self.collections),
            Role.GATEWAY: [
                *self._gateway_routers(finder, purge, erasure, sparql),
                *trustgraph.routers(keeper.admits),
            ],
        }
        routers = [router for owner, own in routes.items() if self.role.opens(owner) for router in own]
        routers += [*self._port_routers(questions), folder_router(prover)]
        bodies = BodyLimits(settings.max_upload_mb * _MB, settings.max_archive_mb * _MB)
        limits = RequestLimits(bodies, settings.request_timeout_s)
        forwarded = self.peers.forwarded(self.role, routes)
        return make_app(routers, watching, keeper, limits, life.lifespan, forwarded)

    async def _end_children(self) -> None:
        self.ingestion.reader.close()

    def _watches(self, hub: SessionHub) -> list[SessionWatch]:
        """What looks after sessions, in each part of the store by itself."""
        explain, now = self.settings.explain_collection, self.ingestion.now
        return [
            SessionWatch(
                part, explain, self.folder.process, now, lambda: hub.busy, ended_badly=hub.ended_badly
            )
            for part in self.store.shards
        ]

    def _begin(
        self, watches: Sequence[SessionWatch], purge: TracePurge, desk: ProcessingDesk
    ) -> Iterator[Callable[[], Awaitable[object]]]:
        """What ends, or goes on with, what a crash left."""
        yield partial(take_back_interrupted, self.folder.workspace, self.store, self.library)
        if self.role.does(Role.GRAPH_RAG):
            for watch in watches:
                yield partial(watch.close_interrupted, alone=not self.settings.store_url)
        if self.role.does(Role.GATEWAY):
            clear = partial(self.ingestion.clearing.work_off, self.ingestion.owner)
            yield from (desk.resume, purge.resume, clear)

    def _ends(self) -> Iterator[Callable[[], Awaitable[None]]]:
        if self.model:
            yield self.model.close
        yield from (self.indexes.own.close, self.peers.close, self.storage.close)

    def _hurry(self) -> None:
        self.storage.opened.stop_waiting()
        self.work.stop_waiting()

    def _gateway_routers(
        self, finder: FactFinder, purge: TracePurge, erasure: Erasure, sparql: SparqlEndpoint
    ) -> list[APIRouter]:
        settings, now = self.settings, self.ingestion.now
        return [
            comparison_router(self.traces, finder),
            trace_router(self.traces),
            purge_router(purge),
            removal_router(self.deletions, erasure, Deposits(self.store, self.library)),
            rdf_router(self.ingestion, self.deletions.turn),
            archiving_router(self.copies(), self.importer(self.turn), self.folder.workspace),
            nanopublication_router(self.collections, now),
            checking_router(Checker(self.store, self.library, settings.explain_collection)),
            sparql_router(sparql, self.collections.require),
            saved_query_router(sparql, self.collections.require),
            lineage_router(finder),
            reading_comparison_router(self.collections),
            catalogue_router(self._catalogue()),
            page_router(),
        ]

    def _port_routers(self, questions: Mapping[str, Service]) -> list[APIRouter]:
        """What only the services beside this one call."""
        if self.role is Role.RETRIEVAL:
            found = self.indexes
            return [retrieval_port_router(found.own), likeness_port_router(found.nodes, found.documents)]
        return [asking_port_router(questions)] if self.role is Role.GRAPH_RAG else []

    def _beside(self, watches: Sequence[SessionWatch]) -> Iterator[Callable[[], Coroutine[Any, Any, None]]]:
        """What is done again and again, most of it where other processes work on the same store."""
        if self.role.does(Role.GRAPH_RAG):
            yield from (watch.run if self.settings.store_url else watch.run_alone for watch in watches)
        if self.settings.store_url and self.role.does(Role.RETRIEVAL):
            yield partial(keep_agreeing, self.indexes.own)

    def _research(self) -> ResearchServices:
        asked, watch = self.flows.research, self.metrics.activity.ingested
        return research_services(self.ingestion, self.indexes.documents, asked, self.turn, watch, self.search)

    def _extraction(self) -> ExtractionService:
        parts = self.role, self.settings, self.work, self.ingestion, self.model, self.metrics, self.turn
        probes = {**self.storage.probes, **self.work.probes}
        return ExtractionParts(*parts, [*probes.values(), *self.storage.opened.placed.values()]).service()

    def _catalogue(self) -> Catalogue:
        locks = (self.turn, self.deletions.turn)
        return Catalogue(self.collections, self.library, self.retriever, self.traces, *locks)

    def _trustgraph(self, questions: Mapping[str, Service], jobs: Jobs, sparql: SparqlEndpoint) -> Adapter:
        return Adapter(
            questions=self.peers.questions or questions,
            prompts=self.settings.prompts,
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

    def copies(self) -> Copies:
        """What makes archives and backups."""
        live = self.storage.live(self.library, self.folder.workspace)
        return Copies(live, self.folder.layout, self.settings.explain_collection, self.ingestion.now)

    def importer(self, turn: asyncio.Lock) -> ArchiveImporter:
        """What takes archives in, when it is its turn."""
        return ArchiveImporter(
            store=self.store,
            library=self.library,
            collections=self.collections,
            retriever=self.retriever,
            turn=turn,
            removals=self.deletions.turn,
            limits=ArchiveLimits(self.settings.max_archive_mb * _MB, self.settings.max_upload_mb * _MB),
            now=self.ingestion.now,
        )
