"""Retrieval as one principal has it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provgraph.access.scope import AccessScope
from provgraph.assembly.views import View
from provgraph.errors import Forbidden, NotFound
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.ports.similarity import DocumentPairs, NodeSimilarity, SearchWords, SimilarNodes
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.identity.description import EntityIdentity
from provgraph.retrieval.index_sync import Indexed
from provgraph.retrieval.pipeline import GraphRetriever

if TYPE_CHECKING:  # an assembly makes them here
    from provgraph.assembly.indexes import Indexes
    from provgraph.assembly.process import Assembly


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
