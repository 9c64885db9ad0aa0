"""A retriever that tells which collection it is told of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from provgraph.ports.retriever import RetrievalRequest, RetrievalResult, Retriever
from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class FollowedRetriever:
    """`Retriever` over `inner`; `changed` hears the name of each collection of which anything is indexed or dropped."""

    inner: Retriever
    changed: Callable[[str], None]

    async def accept(self, request: RetrievalRequest) -> None:
        await self.inner.accept(request)

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        return await self.inner.retrieve(request)

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        self.changed(collection)
        await self.inner.follow(collection, documents)
        self.changed(collection)

    async def forget(self, collection: str) -> None:
        self.changed(collection)
        await self.inner.forget(collection)

    async def rewrite(self, collection: str) -> None:
        self.changed(collection)
        await self.inner.rewrite(collection)
