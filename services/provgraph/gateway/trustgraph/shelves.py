"""All documents of all collections as one library, with those that were handed in and not yet read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.contents import Contents
from provgraph.catalogue.deposits import Deposit, Deposits
from provgraph.catalogue.documents import DocumentCatalogue, DocumentSummary
from provgraph.errors import NotFound
from provgraph.gateway.trustgraph.fields import wire_triple
from provgraph.ingestion.removal.deletion import DeletionRequest, Deletions
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import DEFAULT_COLLECTION, collection_of_source_graph
from provgraph.rdf.terms import Literal, NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, TG

Entry = Mapping[str, Any]

BY: Final = "a client of TrustGraph"


@dataclass(frozen=True)
class DepositShelves:
    deposits: Deposits
    collections: Collections
    contents: Contents
    deletions: Deletions

    async def all(self) -> list[Entry]:
        """Each document once, whatever collections it is in; deposits first, the oldest first."""
        entries = {each.record.document.value: _of_deposit(each) for each in await self.deposits.all()}
        for collection in await self.collections.names():
            graphs = await self.collections.require(collection)
            documents = await DocumentCatalogue(self.collections.store, graphs).documents()
            times = await self._times([each.iri for each in documents], graphs.source)
            for each, time in zip(documents, times, strict=True):
                entries.setdefault(each.iri.value, _of_document(each, time))
        return list(entries.values())

    async def one(self, document: NamedNode) -> Entry:
        """Raises `NotFound`."""
        try:
            return _of_deposit(await self.deposits.one(document))
        except NotFound:
            collection = await self._collection(document)
            graphs = await self.collections.require(collection)
            summary = await DocumentCatalogue(self.collections.store, graphs).document(document)
            (time,) = await self._times([document], graphs.source)
            return _of_document(summary, time)

    async def content(self, node: NamedNode) -> bytes:
        """The bytes of a document, or the text of a page, a chunk or an answer. Raises `NotFound`."""
        collection = await self._collection(node)
        if not await self._holders(node):
            with suppress(NotFound):
                return await self.deposits.content(node)
        return (await self.contents.content(collection, node)).content

    async def remove(self, document: NamedNode) -> None:
        """Take a document out of the library, and all that was read from it out of every collection.

        Raises `NotFound` for a document that is neither handed in nor read.
        """
        holders = await self._holders(document)
        if not holders:
            await self.deposits.one(document)
        for collection in holders:
            await self.deletions.delete(DeletionRequest(collection, document, BY))
        await self.deposits.remove(document)

    async def _collection(self, node: NamedNode) -> str:
        """A collection that knows the node; the default one for what no collection has read."""
        return next(iter(await self._holders(node)), DEFAULT_COLLECTION)

    async def _holders(self, node: NamedNode) -> list[str]:
        (found,) = await self.collections.store.match([QuadPattern(node, RDF.type)])
        graphs = [quad.graph_name for quad in found if quad.object in (TG.Document, TG.Page, TG.Chunk)]
        names = [collection_of_source_graph(graph.value) for graph in graphs if isinstance(graph, NamedNode)]
        return sorted(name for name in names if name)

    async def _times(self, documents: Sequence[NamedNode], graph: NamedNode) -> list[str]:
        """When each document was read, ISO 8601; empty where nothing says so."""
        store = self.collections.store
        versions = await store.match(
            [QuadPattern(None, PROV.specialization_of, node, graph) for node in documents]
        )
        return await asyncio.gather(*(self._reading_time(found, graph) for found in versions))

    async def _reading_time(self, versions: Sequence[Quad], graph: NamedNode) -> str:
        store = self.collections.store
        nodes = [quad.subject for quad in versions if isinstance(quad.subject, NamedNode)]
        used = await store.match([QuadPattern(None, PROV.used, node, graph) for node in nodes])
        readings = [quad.subject for quads in used for quad in quads if isinstance(quad.subject, NamedNode)]
        started = await store.match(
            [QuadPattern(node, PROV.started_at_time, None, graph) for node in readings]
        )
        times = [quad.object.value for quads in started for quad in quads if isinstance(quad.object, Literal)]
        return min(times, default="")


def _of_deposit(deposit: Deposit) -> Entry:
    record = deposit.record
    return {
        "id": record.document.value,
        "time": seconds(deposit.at),
        "kind": record.media_type,
        "title": record.title,
        "comments": record.description,
        "metadata": [wire_triple(triple) for triple in deposit.metadata],
        "tags": list(record.tags),
        "parent-id": "",
        "document-type": "source",
    }


def _of_document(document: DocumentSummary, time: str) -> Entry:
    return {
        "id": document.iri.value,
        "time": seconds(time),
        "kind": document.media_type,
        "title": document.title,
        "comments": document.source,
        "metadata": [],
        "tags": [],
        "parent-id": "",
        "document-type": "source",
    }


def seconds(moment: str) -> int:
    """Seconds since 1970 of an ISO 8601 time, 0 for none."""
    return int(datetime.fromisoformat(moment).timestamp()) if moment else 0
