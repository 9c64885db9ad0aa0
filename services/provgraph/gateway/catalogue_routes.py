"""HTTP face of the catalogue: collections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import APIRouter, Response

from provgraph.catalogue.collections import Collections
from provgraph.documents.library import Library
from provgraph.graph_rag.traces import Traces
from provgraph.ports.retriever import Retriever
from provgraph.rdf.graphs import collection_name
from provgraph.wire.documents import Collection, CollectionRequest, Removed


@dataclass(frozen=True)
class Catalogue:
    """Everything that knows a collection, and so must forget one that is removed."""

    collections: Collections
    library: Library
    retriever: Retriever
    traces: Traces

    async def remove(self, name: str) -> Removed:
        """Remove a collection with all that is in it: facts, sources, content, indexes, and its traces."""
        await self.collections.require(name)
        sessions = await self.traces.remove(name)
        await self.collections.clear(name)
        await self.retriever.forget(name)
        await self.library.forget(name)
        return Removed(collection=name, sessions=sessions)


def catalogue_router(catalogue: Catalogue) -> APIRouter:
    router = APIRouter(prefix="/api/v1", tags=["catalogue"])
    collections = catalogue.collections

    @router.get("/collections")
    async def names() -> list[Collection]:
        """All collections."""
        return [Collection(collection=name) for name in await collections.names()]

    @router.post("/collections", status_code=201)
    async def make(body: CollectionRequest, response: Response) -> Collection:
        """Make a collection; one that is there already stays as it is."""
        made = await collections.make(collection_name(body.collection), datetime.now(UTC))
        response.status_code = 201 if made else 200
        return Collection(collection=body.collection)

    @router.delete("/collections")
    async def remove(collection: str) -> Removed:
        """Remove a collection with all that is in it, and the traces of what was asked of it."""
        return await catalogue.remove(collection)

    return router
