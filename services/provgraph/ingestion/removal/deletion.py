"""A document taken back, with all that was read from it and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import uuid4

from provgraph.catalogue.collections import Collections
from provgraph.errors import NotFound
from provgraph.ingestion.removal.cascade import Taken, taken
from provgraph.ingestion.removal.document_closure import Holdings, read_holdings
from provgraph.ingestion.removal.outbox import Clearing, clearing_quads
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.provenance.change import ChangeRecord, deletion_quads
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import change_iri, collection_iri
from provgraph.rdf.terms import NamedNode, Quad, named
from provgraph.rdf.vocabulary import TG
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
class DeletionReport:
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
    clearing: Clearing
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def delete(self, request: DeletionRequest) -> DeletionReport:
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

    def decide(self, reader: StoreReader) -> StoreChange[DeletionReport]:
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
        return self._change(report, aftermath, [*going.removed, *past], contents)

    def _of_one_that_is_gone(self, reader: StoreReader) -> StoreChange[DeletionReport]:
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
        nothing = taken(reader, self.graphs, Holdings(document), set())
        report = self._report(Holdings(document), nothing, aftermath)
        return self._change(report, aftermath, [], [])

    def _change(
        self,
        report: DeletionReport,
        aftermath: Aftermath,
        removed: Sequence[Quad],
        contents: Sequence[NamedNode],
    ) -> StoreChange[DeletionReport]:
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

    def _report(self, holdings: Holdings, going: Taken, aftermath: Aftermath) -> DeletionReport:
        counts = {
            **going.counts(holdings),
            TG.stale_answers: len(aftermath.stale),
            **({TG.redacted_answers: len(aftermath.redacted)} if self.request.redact else {}),
        }
        return DeletionReport(
            deletion=None,
            document=self.request.document,
            title=holdings.title,
            at=self.record.at,
            counts=counts,
            stale=tuple(aftermath.stale),
            redacted=tuple(aftermath.redacted),
        )
