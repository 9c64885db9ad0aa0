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
from provgraph.ingestion.removal.document_closure import CascadeChange, DocumentClosure, read_closure, taken
from provgraph.ingestion.removal.outbox import Outbox, clearing_quads
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.ports.retriever import Retriever
from provgraph.provenance.change import ChangeRecord, deletion_quads
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import change_iri, collection_iri
from provgraph.rdf.terms import NamedNode, Quad, named
from provgraph.rdf.vocabulary import PROV, RDF, TG
from provgraph.traces.removal import Redaction, TraceChanges
from provgraph.traces.stale_answers import StaleAnswers
from provgraph.wire.documents import Compacted, CompactProgress


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
    outbox: Outbox
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
                await self.outbox.work_off(collection=request.collection)
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
        closure = read_closure(reader, document, graph)
        if closure is None:
            return self._of_one_that_is_gone(reader)
        going = taken(reader, self.graphs, closure, set(closure.nodes))
        answers = StaleAnswers(reader, self.record, self.graphs.retrieval)
        if self.request.redact:
            trace_changes = answers.redaction(going.losses, "was deleted", going.support.entities)
        else:
            trace_changes = answers.marks(going.losses, "was deleted")
        past, past_pages = answers.past_words(document)
        report = self._report(closure, going, trace_changes)
        contents = [document, *closure.versions, *closure.pages, *past_pages]
        kept = _access_quads(closure, graph)
        removed = [quad for quad in going.removed if quad not in kept]
        return self._change(report, trace_changes, [*removed, *past], contents)

    def _of_one_that_is_gone(self, reader: StoreReader) -> StoreChange[DeletionOutcome]:
        """What answers still say of a document that was deleted before."""
        document, graph = self.request.document, self.graphs.source
        (changes,) = reader.match([QuadPattern(None, TG.changed_document, document, graph)])
        trace_changes = TraceChanges()
        if self.request.redact and changes:
            redaction = Redaction(reader, self.record, self.graphs.retrieval, trace_changes)
            redaction.take_calls_without_answer()
            redaction.take_marked(named(quad.subject) for quad in changes)
            redaction.take_what_is_gone(self.graphs.knowledge)
        if not trace_changes.removed:
            raise NotFound(
                f"There is no document {document.value} in this collection. Look up the ids with 'provgraph documents'."
            )
        nothing = taken(reader, self.graphs, DocumentClosure(document), set())
        report = self._report(DocumentClosure(document), nothing, trace_changes)
        return self._change(report, trace_changes, [], [])

    def _change(
        self,
        report: DeletionOutcome,
        trace_changes: TraceChanges,
        removed: Sequence[Quad],
        contents: Sequence[NamedNode],
    ) -> StoreChange[DeletionOutcome]:
        if self.request.dry_run:
            return StoreChange(report)
        contents = [*contents, *trace_changes.pages]
        indexed = [self.request.document] if removed else []
        added = [
            *deletion_quads(self.record, report.counts, self.graphs.source),
            *trace_changes.added,
            *clearing_quads(self.request.collection, contents, indexed),
            *clearing_quads(self.explain_collection, trace_changes.contents),
        ]
        gone = list(dict.fromkeys([*removed, *trace_changes.removed]))
        return StoreChange(replace(report, deletion=self.record.iri), gone, added)

    def _report(
        self, closure: DocumentClosure, going: CascadeChange, trace_changes: TraceChanges
    ) -> DeletionOutcome:
        counts = {
            **going.counts(closure),
            TG.stale_answers: len(trace_changes.stale),
            **({TG.redacted_answers: len(trace_changes.redacted)} if self.request.redact else {}),
        }
        return DeletionOutcome(
            deletion=None,
            document=self.request.document,
            title=closure.title,
            at=self.record.at,
            counts=counts,
            stale=tuple(trace_changes.stale),
            redacted=tuple(trace_changes.redacted),
        )


def _access_quads(closure: DocumentClosure, graph: NamedNode) -> set[Quad]:
    """Who could read the document, and of what kind the node is of which that is said."""
    readers = {quad for quad in closure.quads[closure.document] if quad.predicate == TG.readable_by}
    kind = Quad(closure.document, RDF.type, PROV.Entity, graph)
    return {*readers, kind} if readers else set()


@dataclass(frozen=True)
class Erasure:
    """`forget` are the other places where removed words may still be: copies for queries, finished jobs and sessions.

    `size` measures what lies on disk, in bytes.
    """

    store: QuadStore
    collections: Collections
    retriever: Retriever
    outbox: Outbox
    forget: Sequence[Callable[[], Awaitable[None]]]
    size: Callable[[], int]

    async def compact(self) -> Compacted:
        """All steps at once; raises as they do."""
        async with aclosing(self.steps()) as steps:
            (done,) = [step async for step in steps if isinstance(step, Compacted)]
        return done

    async def steps(self) -> AsyncGenerator[CompactProgress | Compacted]:
        """Write everything anew, told part by part. Questions are answered meanwhile; writes wait while the store is
        written anew. What is broken off finishes the part at hand, and leaves the others as they were.

        Raises `Unavailable` when there is no room for it; what was removed is removed, and this can be done again.
        """
        before = await to_thread.run_sync(self.size)
        await self.outbox.work_off()
        names = await self.collections.names()
        total = 1 + len(names)
        yield CompactProgress(part="store", done=0, total=total)
        await self.store.rewrite()
        for done, collection in enumerate(names, 1):
            yield CompactProgress(part=f"indexes of {collection}", done=done, total=total)
            await self.retriever.rewrite(collection)
        for forget in self.forget:
            await forget()
        yield Compacted(before=before, after=await to_thread.run_sync(self.size))
