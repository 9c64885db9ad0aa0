"""The services of one process: its parts, the app over them, and what begins, runs beside them, and ends.

A part is imported and made when it is first asked for, so a command that lists documents loads no flow and no index.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from provgraph.access.principals import Principal
from provgraph.adapters.data_folder import DataFolder, FolderJournal
from provgraph.adapters.served_folder import FolderProver
from provgraph.adapters.signing_key import InstallationKey
from provgraph.assembly.peers import Peers
from provgraph.assembly.stores import Storage
from provgraph.catalogue.collections import Collections
from provgraph.documents.library import Library
from provgraph.flows.runner.session_leases import End
from provgraph.gateway.app import RequestLimits, make_app
from provgraph.gateway.body_limit import BodyLimits
from provgraph.gateway.metrics import Metrics, count_index_age
from provgraph.gateway.request_turns import AT_ONCE, TurnLimits
from provgraph.ingestion.removal.outbox import Outbox
from provgraph.late_routes import GroupsMadeAside
from provgraph.ports.quad_store import QuadStore
from provgraph.provenance.access import Asker
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.followed import FollowedRetriever
from provgraph.roles import Role
from provgraph.settings import Settings

if TYPE_CHECKING:  # each is slow to import, and a command needs a few of them
    from fastapi import FastAPI

    from provgraph.assembly.authentication import Authentication
    from provgraph.assembly.extraction import ExtractionService
    from provgraph.assembly.flows import AssembledFlows
    from provgraph.assembly.indexes import Indexes
    from provgraph.assembly.queue import OpenedQueue
    from provgraph.assembly.research import ResearchServices
    from provgraph.flows.runner.requests import RequestReader
    from provgraph.flows.runner.sessions import SessionHub
    from provgraph.gateway.catalogue_routes import Catalogue
    from provgraph.gateway.trustgraph.adapter import Adapter
    from provgraph.gateway.trustgraph.services import Service
    from provgraph.ingestion.pipeline import Ingestion
    from provgraph.ingestion.removal.deletion import Deletions
    from provgraph.ports.language_model import LanguageModel
    from provgraph.ports.paper_search import PaperSearch
    from provgraph.ports.reranker import Reranker
    from provgraph.ports.retriever import Retriever
    from provgraph.ports.signer import Signer
    from provgraph.ports.sparql_endpoint import SparqlEndpoint
    from provgraph.traces.reader import Traces
    from provgraph.traces.removal import TracePurge
    from provgraph.traces.subscriptions import Subscriptions
    from provgraph.traces.why_not import FactFinder

_MB: Final = 1_000_000


@dataclass
class Assembly:
    """The services of one process over one folder, not yet started.

    One that is not `lasting` serves a command: it leaves jobs that were cut off alone until there is a new one.
    """

    role: Role
    settings: Settings
    peers: Peers
    folder: DataFolder
    storage: Storage
    lasting: bool = True
    ended_badly: dict[NamedNode, End] = field(default_factory=dict)
    """Sessions of this process whose ends the store may not have."""

    def __post_init__(self) -> None:
        self.store: QuadStore = self.storage.store
        self.library = Library(self.storage.contents)
        self.collections = Collections(
            self.store, self.settings.explain_collection, tuple(self.storage.opened.placed)
        )
        self.metrics = Metrics()
        self.outbox = Outbox(
            self.store, self.library, lambda: self.retriever, self.settings.explain_collection
        )
        self.prover = FolderProver(self.folder.path)
        self.turn = asyncio.Lock()  # held by whatever writes documents

    @cached_property
    def indexes(self) -> Indexes:
        from provgraph.assembly.indexes import chosen_indexes

        made = chosen_indexes(self.settings, self.peers.retrieval, self.folder, self.store, self.library)
        if self.settings.store_url and self.role.does(Role.RETRIEVAL):
            count_index_age(self.metrics.registry, lambda: made.own.age_s)
        return made

    @property
    def retriever(self) -> Retriever:
        return FollowedRetriever(self.indexes.retriever, self._changed)

    def _changed(self, collection: str) -> None:
        """What views hold of a collection is old, and answers from it may have lost their evidence."""
        for part in ("authentication", "subscriptions"):
            if part in vars(self):
                getattr(self, part).changed(collection)

    @cached_property
    def model(self) -> LanguageModel | None:
        from provgraph.assembly.models import language_model

        return language_model(self.settings, self.metrics.registry)

    @cached_property
    def rerankers(self) -> Mapping[str, Reranker]:
        from provgraph.assembly.models import rerankers

        return rerankers(self.settings, self.model)

    @cached_property
    def search(self) -> PaperSearch:
        from provgraph.assembly.research import paper_search

        return paper_search(self.settings)

    @cached_property
    def work(self) -> OpenedQueue:
        from provgraph.assembly.queue import chosen_queue

        return chosen_queue(self.settings, self.role, self.folder, self.storage.contents)

    @cached_property
    def ingestion(self) -> Ingestion:
        from provgraph.assembly.extraction import ingestion_of

        return ingestion_of(self)

    @cached_property
    def extraction(self) -> ExtractionService:
        from provgraph.assembly.extraction import extraction_service

        return extraction_service(self)

    @cached_property
    def deletions(self) -> Deletions:
        from provgraph.ingestion.removal.deletion import Deletions

        return Deletions(self.store, self.collections, self.outbox)

    @cached_property
    def flows(self) -> AssembledFlows:
        from provgraph.assembly.flows import assembled_flows

        return assembled_flows(self)

    @cached_property
    def hub(self) -> SessionHub:
        from provgraph.flows.runner.sessions import SessionHub

        settings, watcher = self.settings, self.metrics.activity.session
        return SessionHub(
            settings.resume_grace_s, watcher, settings.request_timeout_s, ended_badly=self.ended_badly
        )

    @property
    def journal(self) -> FolderJournal:
        return FolderJournal(self.folder.journal, now)

    @property
    def signer(self) -> Signer:
        """What signs in the name of this installation."""
        return InstallationKey(self.folder.signing_key, self.settings.signing_key)

    @property
    def is_answering(self) -> bool:
        """Whether a session is at work in this process."""
        return "hub" in vars(self) and self.hub.busy

    @cached_property
    def authentication(self) -> Authentication:
        """Principals, their apps, and the log of what they did."""
        from provgraph.assembly.authentication import Authentication

        return Authentication(self)

    @property
    def principal(self) -> Principal | None:
        """Whose these services are; nobody's own where they are the whole."""
        return None

    @property
    def whole(self) -> Assembly:
        """The services that see everything, as far as these may have it written anew."""
        return self

    @property
    def inspected(self) -> Assembly:
        """The services over which a collection is checked for whoever may check it."""
        return self

    def asker(self, collection: str) -> Asker | None:  # noqa: ARG002
        """Who asks the questions that come to these services, where that is known."""
        return None

    @cached_property
    def traces(self) -> Traces:
        from provgraph.traces.reader import Traces

        return Traces(self.store, self.library, self.settings.explain_collection)

    @cached_property
    def subscriptions(self) -> Subscriptions:
        from provgraph.assembly.subscriptions import subscriptions_of

        return subscriptions_of(self)

    @cached_property
    def finder(self) -> FactFinder:
        from provgraph.traces.why_not import FactFinder

        return FactFinder(self.collections, lambda: self.retriever)

    @cached_property
    def purge(self) -> TracePurge:
        from provgraph.traces.removal import TracePurge

        return TracePurge(self.store, self.traces, now)

    @cached_property
    def reader(self) -> RequestReader:
        from provgraph.flows.runner.requests import RequestReader

        return RequestReader(self.traces, self.finder)

    @cached_property
    def research(self) -> ResearchServices:
        from provgraph.assembly.research import research_services

        return research_services(self)

    @cached_property
    def sparql(self) -> SparqlEndpoint:
        return self.storage.sparql()

    @property
    def owner(self) -> str:
        """In whose name this process takes documents in where others do so too."""
        return self.folder.process.value if self.settings.store_url else ""

    def is_outdated(self, extractor: str, version: str) -> bool:
        """Whether an extractor that is known here reads in another version today."""
        extractors = self.ingestion.extractors
        return extractors.knows(extractor) and not extractors.is_current(extractor, version)

    @cached_property
    def catalogue(self) -> Catalogue:
        from provgraph.gateway.catalogue_routes import Catalogue

        locks = (self.turn, self.deletions.turn)
        return Catalogue(self.collections, self.library, self.retriever, self.traces, *locks)

    @cached_property
    def questions(self) -> Mapping[str, Service]:
        """What TrustGraph's clients ask, by name."""
        from provgraph.gateway.trustgraph.asking import questions_of

        return questions_of(self.flows.graph_rag, self.flows.document_rag, self.reader, self.hub)

    @cached_property
    def trustgraph(self) -> Adapter:
        from provgraph.gateway.trustgraph.adapter import Adapter

        return Adapter(
            questions=self.peers.questions or self.questions,
            prompts=self.settings.prompts,
            catalogue=self.catalogue,
            ingestion=self.ingestion,
            jobs=self.extraction.jobs,
            deletions=self.deletions,
            sparql=self.sparql,
            upload_limit=self.settings.max_upload_mb * _MB,
        )

    def app(self) -> FastAPI:
        """The HTTP app; its lifespan ends what a crash left open, and on exit closes everything in order."""
        from provgraph.assembly.lifespan import service_lifespan
        from provgraph.assembly.routes import forwarded_routes, route_groups

        settings, groups = self.settings, route_groups(self)
        bodies = BodyLimits(settings.max_upload_mb * _MB, settings.max_archive_mb * _MB)
        parallel = settings.llm_parallel if settings.llm_model else 1
        turns = TurnLimits(questions=max(AT_ONCE, settings.llm_parallel), claims=parallel)
        opens = self.principal or self.authentication.rules
        limits = RequestLimits(bodies, settings.request_timeout_s, turns, lambda: self.is_answering)
        if self.lasting:
            for group in groups:
                group.routes  # noqa: B018 (made before the first request comes)
        app = make_app(
            groups,
            self.metrics,
            opens,
            limits,
            service_lifespan(self).lifespan,
            forwarded_routes(self, groups),
        )
        if not self.lasting:
            app.add_middleware(GroupsMadeAside, groups=groups)
        return app

    def require_parts(self) -> None:
        """Make what settings name, so that what is wrong with them is said before anything is served."""
        for part in ("indexes", "model", "rerankers", "ingestion", "flows", "work", "search"):
            getattr(self, part)

    async def forget(self) -> None:
        """Drop the copies of what is stored that parts of this process hold."""
        held: dict[str, Callable[[], Awaitable[None]]] = {
            "sparql": lambda: self.sparql.forget(),
            "extraction": lambda: self.extraction.forget_finished(),
            "research": lambda: self.research.jobs.forget_finished(),
            "hub": lambda: self.hub.forget_finished(),
            "flows": lambda: self.flows.pair_graphs.forget(),
            "authentication": lambda: self.authentication.forget(),
        }
        await self.of_those_made(held)

    async def of_those_made(self, acts: Mapping[str, Callable[[], Awaitable[None]]]) -> None:
        """Do with each part what is to be done with it, if it was made."""
        for part, act in acts.items():
            if part in vars(self):
                await act()


def now() -> datetime:
    return datetime.now(UTC)
