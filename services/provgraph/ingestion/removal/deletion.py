"""A document deleted with all that was read from it and nothing else, and its last traces erased from every
file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import uuid4

from anyio import to_thread

from provgraph.catalogue.collections import Collections
from provgraph.errors import NotFound
from provgraph.ingestion.removal.document_closure import CascadeChange, DocumentClosure, read_holdings, taken
from provgraph.ingestion.removal.outbox import Outbox, clearing_quads
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.ports.retriever import Retriever
from provgraph.provenance.change import ChangeRecord, deletion_quads
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import change_iri, collection_iri
from provgraph.rdf.terms import NamedNode, Quad, named
from provgraph.rdf.vocabulary import PROV, RDF, TG
from provgraph.traces.redaction import Aftermath, Redaction
from provgraph.traces.stale_answers import StaleAnswers


@dataclass(frozen=True)
class DeletionRequest:
    """`by` is who asks for it; `redact` takes the answers that stood on the document too; `dry_run` only tells."""

    collection: str
    document: NamedNode
    by: str
    redact: bool = False
    dry_run: bool = False


@dataclass(frozen=True)
class DeletionOutcome:
    """What went, or would; `deletion` is None where nothing did. Sessions are told by UUID."""

    deletion: NamedNode | None
    document: NamedNode
    title: str
    at: datetime
    counts: Mapping[NamedNode, int]
    stale: tuple[str, ...]
    redacted: tuple[str, ...]


@dataclass(frozen=True)
class Deletions:
    """Decides in one transaction of the store; what lies outside follows from the list that it leaves.

    `turn` is held by whatever would not bear that a document goes meanwhile: an import. An ingest bears it.
    """

    store: QuadStore
    collections: Collections
    clearing: Outbox
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def delete(self, request: DeletionRequest) -> DeletionOutcome:
        """Raises `NotFound` for a document that the collection does not have."""
        graphs = await self.collections.require(request.collection)
        record = ChangeRecord(
            change_iri(str(uuid4())),
            request.document,
            collection_iri(request.collection),
            request.by,
            self.now(),
        )
        decision = _Deletion(request, record, graphs, self.collections.explain_collection)
        async with self.turn:
            report = await self.store.transact(decision.decide)
            if not request.dry_run:
                await self.clearing.work_off(collection=request.collection)
        return report


@dataclass(frozen=True)
class _Deletion:
    request: DeletionRequest
    record: ChangeRecord
    graphs: CollectionGraphs
    explain_collection: str

    def decide(self, reader: StoreReader) -> StoreChange[DeletionOutcome]:
        """The readers of the document stay: answers that stood on it are for nobody else, and so is its deletion."""
        document, graph = self.request.document, self.graphs.source
        holdings = read_holdings(reader, document, graph)
        if holdings is None:
            return self._of_one_that_is_gone(reader)
        going = taken(reader, self.graphs, holdings, set(holdings.nodes))
        answers = StaleAnswers(reader, self.record, self.graphs.retrieval)
        if self.request.redact:
            aftermath = answers.redaction(going.losses, "was deleted", going.support.entities)
        else:
            aftermath = answers.marks(going.losses, "was deleted")
        past, past_pages = answers.past_words(document)
        report = self._report(holdings, going, aftermath)
        contents = [document, *holdings.versions, *holdings.pages, *past_pages]
        kept = _kept(holdings, graph)
        removed = [quad for quad in going.removed if quad not in kept]
        return self._change(report, aftermath, [*removed, *past], contents)

    def _of_one_that_is_gone(self, reader: StoreReader) -> StoreChange[DeletionOutcome]:
        """What answers still say of a document that was deleted before."""
        document, graph = self.request.document, self.graphs.source
        (changes,) = reader.match([QuadPattern(None, TG.changed_document, document, graph)])
        aftermath = Aftermath()
        if self.request.redact and changes:
            redaction = Redaction(reader, self.record, self.graphs.retrieval, aftermath)
            redaction.take_calls_without_answer()
            redaction.take_marked(named(quad.subject) for quad in changes)
            redaction.take_what_is_gone(self.graphs.knowledge)
        if not aftermath.removed:
            raise NotFound(
                f"There is no document {document.value} in this collection. Look up the ids with 'provgraph documents'."
            )
        nothing = taken(reader, self.graphs, DocumentClosure(document), set())
        report = self._report(DocumentClosure(document), nothing, aftermath)
        return self._change(report, aftermath, [], [])

    def _change(
        self,
        report: DeletionOutcome,
        aftermath: Aftermath,
        removed: Sequence[Quad],
        contents: Sequence[NamedNode],
    ) -> StoreChange[DeletionOutcome]:
        if self.request.dry_run:
            return StoreChange(report)
        contents = [*contents, *aftermath.pages]
        indexed = [self.request.document] if removed else []
        added = [
            *deletion_quads(self.record, report.counts, self.graphs.source),
            *aftermath.added,
            *clearing_quads(self.request.collection, contents, indexed),
            *clearing_quads(self.explain_collection, aftermath.contents),
        ]
        gone = list(dict.fromkeys([*removed, *aftermath.removed]))
        return StoreChange(replace(report, deletion=self.record.iri), gone, added)

    def _report(
        self, holdings: DocumentClosure, going: CascadeChange, aftermath: Aftermath
    ) -> DeletionOutcome:
        counts = {
            **going.counts(holdings),
            TG.stale_answers: len(aftermath.stale),
            **({TG.redacted_answers: len(aftermath.redacted)} if self.request.redact else {}),
        }
        return DeletionOutcome(
            deletion=None,
            document=self.request.document,
            title=holdings.title,
            at=self.record.at,
            counts=counts,
            stale=tuple(aftermath.stale),
            redacted=tuple(aftermath.redacted),
        )


def _kept(holdings: DocumentClosure, graph: NamedNode) -> set[Quad]:
    """Who could read the document, and of what kind the node is of which that is said."""
    readers = {quad for quad in holdings.quads[holdings.document] if quad.predicate == TG.readable_by}
    kind = Quad(holdings.document, RDF.type, PROV.Entity, graph)
    return {*readers, kind} if readers else set()


@dataclass(frozen=True)
class Rewriting:
    """Of `total` parts, `done` are written anew, and `part` is being written."""

    part: str
    done: int
    total: int


@dataclass(frozen=True)
class Compaction:
    """Bytes on disk, before and after."""

    before: int
    after: int


@dataclass(frozen=True)
class Erasure:
    """`forget` are the other places where removed words may still be: copies for queries, finished jobs and sessions.

    `size` measures what lies on disk, in bytes.
    """

    store: QuadStore
    collections: Collections
    retriever: Retriever
    clearing: Outbox
    forget: Sequence[Callable[[], Awaitable[None]]]
    size: Callable[[], int]

    async def compact(self) -> Compaction:
        """All steps at once; raises as they do."""
        async with aclosing(self.steps()) as steps:
            (done,) = [step async for step in steps if isinstance(step, Compaction)]
        return done

    async def steps(self) -> AsyncGenerator[Rewriting | Compaction]:
        """Write everything anew, told part by part. Questions are answered meanwhile; writes wait while the store is
        written anew. What is broken off finishes the part at hand, and leaves the others as they were.

        Raises `Unavailable` when there is no room for it; what was removed is removed, and this can be done again.
        """
        before = await to_thread.run_sync(self.size)
        await self.clearing.work_off()
        names = await self.collections.names()
        total = 1 + len(names)
        yield Rewriting("store", 0, total)
        await self.store.rewrite()
        for done, collection in enumerate(names, 1):
            yield Rewriting(f"indexes of {collection}", done, total)
            await self.retriever.rewrite(collection)
        for forget in self.forget:
            await forget()
        yield Compaction(before, await to_thread.run_sync(self.size))
