"""The services of one process as one principal has them: over what it may see, and under its name; and retrieval so."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from provgraph.access.principals import AccessRole, Principal
from provgraph.access.scope import AccessScope
from provgraph.access.scoped_library import ScopedLibrary, ScopedSparql
from provgraph.access.scoped_store import ScopedStore
from provgraph.access.sessions import VisibleSessions
from provgraph.assembly.authentication import Authentication
from provgraph.assembly.indexes import Indexes
from provgraph.assembly.process import Assembly
from provgraph.assembly.scoped_jobs import ScopedDeletions, ScopedJobs
from provgraph.assembly.views import View
from provgraph.errors import Forbidden, NotFound
from provgraph.flows.runner import session_leases
from provgraph.ingestion.pair_routes import pair_router
from provgraph.ingestion.removal.deletion import Deletions
from provgraph.ingestion.routes import extraction_router
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.ports.similarity import DocumentPairs, NodeSimilarity, SearchWords, SimilarNodes
from provgraph.provenance.access import Asker, view_of
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.identity.description import EntityIdentity
from provgraph.retrieval.index_sync import Indexed
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.roles import Role

if TYPE_CHECKING:
    from provgraph.assembly.extraction import ExtractionService
    from provgraph.assembly.queue import OpenedQueue
    from provgraph.ingestion.pipeline import Ingestion
    from provgraph.ports.language_model import LanguageModel
    from provgraph.ports.paper_search import PaperSearch
    from provgraph.ports.reranker import Reranker
    from provgraph.ports.sparql_endpoint import SparqlEndpoint


class PrincipalServices(Assembly):
    """An assembly over the parts of `main`, of which the principal gets what its `scope` shows.

    An admin has them as they are. `views` are of the collections of which only some documents are to be seen.
    """

    def __init__(
        self, main: Assembly, principal: Principal, scope: AccessScope, views: Mapping[str, View]
    ) -> None:
        self.main, self.own, self.scope, self.views = main, principal, scope, views
        explain = main.settings.explain_collection
        real = main.storage.opened
        if principal.role is AccessRole.ADMIN:
            opened = real
        else:
            stores = {name: view.store for name, view in views.items()}
            sessions = VisibleSessions(scope, explain)
            scoped = ScopedStore(real.store, scope, stores, sessions, frozenset({session_leases.GRAPH}))
            opened = replace(real, store=scoped)
        storage = replace(main.storage, opened=opened)
        super().__init__(Role.ALL, main.settings, main.peers, main.folder, storage, lasting=False)
        self.ended_badly = main.ended_badly
        self.metrics, self.outbox, self.prover, self.turn = main.metrics, main.outbox, main.prover, main.turn
        reads_all = scope.is_whole and principal.role is AccessRole.AUDITOR
        if isinstance(self.store, ScopedStore) and not reads_all:
            self.library = ScopedLibrary(main.storage.contents, self.store)

    @property
    def principal(self) -> Principal:
        return self.own

    @cached_property
    def authentication(self) -> Authentication:
        return self.main.authentication

    def asker(self, collection: str) -> Asker | None:
        documents = self.scope.documents.get(collection)
        return Asker(self.own.name, None if documents is None else view_of(documents))

    @cached_property
    def indexes(self) -> Indexes:
        own = self.main.indexes
        if not isinstance(self.store, ScopedStore):
            return own
        retriever = ScopedRetriever(self.main, self.scope, self.views)
        return Indexes(retriever, retriever, ScopedNodes(retriever, own.nodes), ScopedDocuments(retriever))

    @cached_property
    def sparql(self) -> SparqlEndpoint:
        if self.scope.is_whole or not isinstance(self.store, ScopedStore):
            return self.main.sparql
        views = {name: view.sparql for name, view in self.views.items()}
        return ScopedSparql(self.main.sparql, views, self.scope, self.settings.explain_collection)

    @cached_property
    def model(self) -> LanguageModel | None:
        return self.main.model

    @cached_property
    def rerankers(self) -> Mapping[str, Reranker]:
        return self.main.rerankers

    @cached_property
    def search(self) -> PaperSearch:
        return self.main.search

    @cached_property
    def work(self) -> OpenedQueue:
        return self.main.work

    @cached_property
    def ingestion(self) -> Ingestion:
        return replace(
            self.main.ingestion,
            store=self.store,
            library=self.library,
            retriever=self.retriever,
            collections=self.collections,
        )

    @cached_property
    def extraction(self) -> ExtractionService:
        """Jobs of the one queue that the process works off."""
        main = self.main.extraction
        jobs = ScopedJobs(main.jobs, self.scope)
        _, _, queue = main.routers
        routers = [extraction_router(self.ingestion, jobs), pair_router(self.ingestion, jobs), queue]
        return replace(main, jobs=jobs, routers=routers, own=None, worker=None)

    @cached_property
    def deletions(self) -> Deletions:
        main = self.main.deletions
        shared = (main.outbox, main.now, main.turn)
        return ScopedDeletions(
            self.store, self.collections, *shared, whole=main, scope=self.scope, by=self.own.name
        )

    @property
    def whole(self) -> Assembly:
        """To write everything anew tells nobody anything, and who may delete may have it done."""
        return self.main if self.scope.writes else self

    @property
    def inspected(self) -> Assembly:
        """An auditor checks a collection where it is: rules over whole graphs cannot be asked of a part of them."""
        return self.main if self.own.role is AccessRole.AUDITOR else self


class ScopedRetriever(GraphRetriever):
    """The indexes of a collection that is seen whole, or those of its view; no others are there."""

    def __init__(self, main: Assembly, scope: AccessScope, views: Mapping[str, View]) -> None:
        self._main, self._scope, self._views = main, scope, views

    async def accept(self, request: RetrievalRequest) -> None:
        await self.of(request.collection).retriever.accept(request)

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        return await self.of(request.collection).retriever.retrieve(request)

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        self._require_written(collection)
        await self._main.retriever.follow(collection, documents)

    async def forget(self, collection: str) -> None:
        self._require_written(collection)
        await self._main.retriever.forget(collection)

    async def rewrite(self, collection: str) -> None:
        self._require_written(collection)
        await self._main.retriever.rewrite(collection)

    async def reindex(self, collection: str) -> AsyncGenerator[Indexed]:
        self._require_written(collection)
        async with aclosing(self.of(collection).own.reindex(collection)) as steps:
            async for step in steps:
                yield step

    async def embedding(self, collection: str) -> AsyncGenerator[Indexed]:
        async with aclosing(self.of(collection).own.embedding(collection)) as steps:
            async for step in steps:
                yield step

    async def entities(self, collection: str, name: str) -> list[EntityIdentity]:
        return await self.of(collection).own.entities(collection, name)

    async def ambiguous_entities(self, collection: str, limit: int) -> list[EntityIdentity]:
        return await self.of(collection).own.ambiguous_entities(collection, limit)

    async def close(self) -> None:
        """The indexes are others'."""

    def of(self, collection: str) -> Indexes:
        """Raises `NotFound` for a collection that is not to be seen."""
        if view := self._views.get(collection):
            return view.indexes
        if not self._scope.shows_all_of(collection):
            raise NotFound(f"There is no collection {collection[:80]!r}.")
        return self._main.indexes

    def _require_written(self, collection: str) -> None:
        if not (self._scope.writes and self._scope.shows_all_of(collection)):
            raise Forbidden("The rights of this token do not include writing to this collection.")


@dataclass(frozen=True)
class ScopedDocuments:
    """`DocumentSimilarity` over the same."""

    retriever: ScopedRetriever

    async def likest(self, collection: str, neighbours: int, least: float, /) -> DocumentPairs:
        return await self.retriever.of(collection).documents.likest(collection, neighbours, least)


@dataclass(frozen=True)
class ScopedNodes:
    """`NodeSimilarity` over the same."""

    retriever: ScopedRetriever
    main: NodeSimilarity

    async def likest(self, collection: str, sought: SearchWords, /) -> SimilarNodes:
        return await self.retriever.of(collection).nodes.likest(collection, sought)

    async def texts(self, question: str, texts: Sequence[str], /) -> list[float]:
        return await self.main.texts(question, texts)
