"""HTTP face of the catalogue: collections."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime

from anyio import to_thread
from fastapi import APIRouter, Response

from provgraph.catalogue.collections import Collections
from provgraph.documents.library import Library
from provgraph.errors import Conflict, InvalidInput, Unavailable
from provgraph.extraction.by_model.ontology_reading import read_ontology
from provgraph.extraction.names import ACCEPTED, EXTRACTORS
from provgraph.late_routes import LateRouter
from provgraph.ports.retriever import RetrievalRequest, Retriever
from provgraph.rdf.graphs import collection_name
from provgraph.rdf.terms import NamedNode
from provgraph.traces.reader import Traces
from provgraph.wire.documents import (
    Collection,
    CollectionRequest,
    CollectionSettings,
    OntologyRef,
    Removed,
)


@dataclass(frozen=True)
class Catalogue:
    """Everything that knows a collection, and so must forget one that is removed.

    `writing` is held by whatever writes documents, `removals` by whatever takes them away.
    """

    collections: Collections
    library: Library
    retriever: Retriever
    traces: Traces
    writing: asyncio.Lock
    removals: asyncio.Lock

    async def set(self, body: CollectionRequest) -> CollectionSettings:
        """Change what a request names of a collection's settings. Raises `InvalidInput` and what `read_ontology`
        raises, and then changes nothing."""
        name = body.collection
        kept = await self.collections.settings(name)
        given = body.model_dump(exclude_unset=True, exclude={"collection", "ontology", "ontology_name"})
        unset = CollectionSettings()
        changes = {key: getattr(unset, key) if value is None else value for key, value in given.items()}
        changed = kept.model_copy(update=changes)
        await self._check(name, changed)
        if "ontology" in body.model_fields_set:
            changed = changed.model_copy(update={"ontology": await self._ontology(body)})
        if changed != kept:
            await self.collections.set(name, changed)
        return changed

    async def _check(self, name: str, settings: CollectionSettings) -> None:
        unknown = [extractor for extractor in settings.extractors if extractor not in ACCEPTED]
        if unknown:
            raise InvalidInput(f"There is no extractor {unknown[0]!r}. Choose from {', '.join(EXTRACTORS)}.")
        if settings.method:  # the retriever alone knows what there is, and says so
            await self.retriever.retrieve(RetrievalRequest("?", (), name, settings.method, chunks=0))

    async def _ontology(self, body: CollectionRequest) -> OntologyRef | None:
        if not body.ontology:
            return None
        content = body.ontology.encode()
        await to_thread.run_sync(read_ontology, content, body.ontology_name)
        sha256 = hashlib.sha256(content).hexdigest()
        node = NamedNode(f"urn:trustgraph:ontology:{sha256}")
        await self.library.keep(body.collection, node, content)
        return OntologyRef(name=body.ontology_name, id=node.value, sha256=sha256)

    async def remove(self, name: str) -> Removed:
        """Remove a collection with all that is in it: facts, sources, content, indexes, and its traces.

        Raises `Conflict` while documents are read in: what they brought afterwards would lie in no collection.
        """
        await self.collections.require(name)
        if self.writing.locked():
            raise Conflict(
                "Documents are being read in. Wait until that is done, or cancel its job, then remove the collection."
            )
        async with self.writing, self.removals:
            sessions = await self.traces.remove(name)
            await self.collections.clear(name)
            await self.retriever.forget(name)
            await self.library.forget(name)
        return Removed(collection=name, sessions=sessions)


def catalogue_router(catalogue: Catalogue) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["catalogue"])
    collections = catalogue.collections

    async def described(name: str) -> Collection:
        try:
            return Collection(collection=name, settings=await collections.settings(name))
        except Unavailable as error:
            return Collection(collection=name, unavailable=str(error))

    @router.get("/collections")
    async def names() -> list[Collection]:
        """All collections, also those whose store is away."""
        return [await described(name) for name in await collections.names()]

    @router.post("/collections", status_code=201)
    async def make(body: CollectionRequest, response: Response) -> Collection:
        """Make a collection, and set how it is read and asked; one that is there keeps all that is not named."""
        made = await collections.make(collection_name(body.collection), datetime.now(UTC))
        response.status_code = 201 if made else 200
        return Collection(collection=body.collection, settings=await catalogue.set(body))

    @router.delete("/collections")
    async def remove(collection: str) -> Removed:
        """Remove a collection with all that is in it, and the traces of what was asked of it."""
        return await catalogue.remove(collection)

    return router
