"""All documents of all collections as one library, those that were handed in among them, and their processings: each
has a deposit read into a collection, as an ingest that anyone can watch.

What was cut off with its service is taken up again at the next start. These clients know no state of a processing;
it stands among the tags, where they show it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.contents import Contents
from provgraph.catalogue.deposits import Deposit, Deposits, Processing, Processings
from provgraph.catalogue.documents import DocumentCatalogue, DocumentSummary
from provgraph.errors import NotFound, ProvGraphError
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body, wire_triple
from provgraph.gateway.trustgraph.services import FLOW
from provgraph.ingestion.jobs import Jobs
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.removal.deletion import DeletionRequest, Deletions
from provgraph.ports.quad_store import QuadPattern
from provgraph.provenance.library import ProcessingOutcome, ProcessingRecord
from provgraph.rdf.graphs import DEFAULT_COLLECTION, collection_name, collection_of_source_graph
from provgraph.rdf.iris import given_iri
from provgraph.rdf.terms import Literal, NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, TG
from provgraph.wire.documents import Job

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
        entries = {
            deposit.record.document.value: _of_deposit(deposit) for deposit in await self.deposits.all()
        }
        for collection in await self.collections.names():
            graphs = await self.collections.require(collection)
            documents = await DocumentCatalogue(self.collections.store, graphs).documents()
            times = await self._times([document.iri for document in documents], graphs.source)
            for summary, time in zip(documents, times, strict=True):
                entries.setdefault(summary.iri.value, _of_document(summary, time))
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
        (quads,) = await self.collections.store.match([QuadPattern(node, RDF.type)])
        graphs = [quad.graph_name for quad in quads if quad.object in (TG.Document, TG.Page, TG.Chunk)]
        names = [collection_of_source_graph(graph.value) for graph in graphs if isinstance(graph, NamedNode)]
        return sorted(name for name in names if name)

    async def _times(self, documents: Sequence[NamedNode], graph: NamedNode) -> list[str]:
        """When each document was read, ISO 8601; empty where nothing says so."""
        store = self.collections.store
        versions = await store.match(
            [QuadPattern(None, PROV.specialization_of, node, graph) for node in documents]
        )
        return await asyncio.gather(*(self._reading_time(version, graph) for version in versions))

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


logger = logging.getLogger(__name__)


@dataclass
class ProcessingDesk:
    """Owns the tasks that follow the jobs; `close` ends them before the jobs themselves are closed."""

    deposits: Deposits
    processings: Processings
    jobs: Jobs
    _followed: dict[str, tuple[str, asyncio.Task[None]]] = field(default_factory=dict)

    async def add(self, body: Body) -> Mapping[str, Any]:
        said = fields.part(body, "processing-metadata")
        flow = fields.text(said, "flow", "") or FLOW
        if flow != FLOW:
            raise NotFound(f"There is no flow {flow[:80]!r}. The one there is has the name {FLOW!r}.")
        record = ProcessingRecord(
            name=fields.text(said, "id"),
            document=given_iri(fields.text(said, "document-id")),
            collection=collection_name(fields.text(said, "collection", "") or DEFAULT_COLLECTION),
            tags=tuple(dict.fromkeys(filter(None, fields.texts(said, "tags")))),
        )
        await self._start(record)
        return {}

    async def list(self, body: Body) -> Mapping[str, Any]:  # noqa: ARG002 (an operation takes its request)
        return {"processing-metadatas": [_view(processing) for processing in await self.processings.all()]}

    async def remove(self, body: Body) -> Mapping[str, Any]:
        """Stop what still runs; what was read stays."""
        name = fields.text(body, "processing-id")
        if name in self._followed:
            job, following = self._followed[name]
            await self.jobs.cancel(job)
            await asyncio.gather(following, return_exceptions=True)
        if not await self.processings.remove(name):
            raise NotFound(f"There is no processing {name[:80]!r}. Look up the ids in their list.")
        return {}

    async def resume(self) -> None:
        """Take up what an earlier run of the service did not end."""
        for processing in await self.processings.all():
            if not processing.outcome:
                await self._start(processing.record)

    async def close(self) -> None:
        tasks = [following for _, following in self._followed.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _start(self, record: ProcessingRecord) -> None:
        if record.name in self._followed:
            return
        deposit = await self.deposits.one(record.document)
        content = await self.deposits.content(record.document)
        await self.processings.begin(record, datetime.now(UTC))
        deposit_record = deposit.record
        file = SourceFile(
            deposit_record.title,
            content,
            deposit_record.media_type,
            deposit_record.title,
            record.document.value,
        )
        job = await self.jobs.submit([file], record.collection)
        self._followed[record.name] = job.id, asyncio.create_task(self._follow(record.name, job.id))

    async def _follow(self, name: str, job_id: str) -> None:
        try:
            async with aclosing(self.jobs.watch(job_id)) as states:
                async for job in states:
                    last = job
            outcome, failure = _outcome(last)
            await self.processings.end(name, outcome, failure, datetime.now(UTC))
        except ProvGraphError:
            logger.exception("how a processing ended was not recorded; the next start takes it up again")
        finally:
            self._followed.pop(name, None)


def _outcome(job: Job) -> tuple[ProcessingOutcome, str]:
    problems = [*(document.problem for document in job.refused), *([job.problem] if job.problem else [])]
    if problems:
        return ProcessingOutcome.FAILED, problems[0].detail
    return (ProcessingOutcome.CANCELLED if job.state == "cancelled" else ProcessingOutcome.DONE), ""


def _view(processing: Processing) -> Mapping[str, Any]:
    record = processing.record
    state = processing.outcome or "running"
    return {
        "id": record.name,
        "document-id": record.document.value,
        "time": seconds(processing.at),
        "flow": FLOW,
        "collection": record.collection,
        "tags": [*record.tags, f"{state}: {processing.failure}" if processing.failure else state],
    }
