"""HTTP face of deletion: `DELETE /api/v1/documents`, `POST /api/v1/compact`."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Header, Query, Response

from provgraph.catalogue.deposits import Deposits
from provgraph.catalogue.document_names import named_document
from provgraph.catalogue.documents import DocumentCatalogue
from provgraph.errors import InvalidInput
from provgraph.ingestion.removal.deletion import DeletionOutcome as Deleted
from provgraph.ingestion.removal.deletion import DeletionRequest, Deletions, Erasure
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION, collection_graphs
from provgraph.rdf.vocabulary import TG
from provgraph.wire.documents import Compacted, CompactProgress, DeletionReport
from provgraph.wire.event_stream import EventNames, progress_reply

_NAMES: Final[EventNames] = {CompactProgress: "progress", Compacted: "compacted"}


def removal_router(deletions: Deletions, erasure: Erasure, deposits: Deposits) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["extraction"])

    @router.delete("/documents")
    async def delete(
        id: str,
        collection: str = DEFAULT_COLLECTION,
        by: Annotated[str, Query(max_length=200, description="Who asks for it.")] = "",
        redact: bool = False,
        erase: bool = False,
        dry_run: bool = False,
    ) -> DeletionReport:
        """Take a document back, with all that was read from it and nothing else; `dry_run` only tells what would go.

        `redact` takes the answers that stood on it too; with `erase`, nothing is left of it in any file.
        """
        if erase and not redact:
            raise InvalidInput(
                "Answers that stood on the document hold its words, so it cannot be erased without them. "
                "Ask for `redact` as well."
            )
        catalogue = DocumentCatalogue(deletions.store, collection_graphs(collection))
        request = DeletionRequest(
            collection,
            await named_document(catalogue, id),
            by.strip() or "a client",
            redact=redact,
            dry_run=dry_run,
        )
        report = _report_view(await deletions.delete(request), request)
        if collection == DEFAULT_COLLECTION and not dry_run:
            await deposits.remove(request.document)  # its bytes are gone
        if erase and not dry_run:
            await erasure.compact()
            report.erased = True
        return report

    @router.post("/compact", response_model=Compacted)
    async def compact(accept: Annotated[str, Header()] = "*/*") -> Response:
        """Write the store and the indexes anew, so that nothing is left in their files of what was removed.
        `Accept: text/event-stream` streams how far it is."""
        return await progress_reply(erasure.steps(), _NAMES, accept)

    return router


def _report_view(report: Deleted, request: DeletionRequest) -> DeletionReport:
    counts = report.counts
    return DeletionReport(
        document=report.document.value,
        title=report.title,
        collection=request.collection,
        dry_run=request.dry_run,
        deletion=report.deletion.value if report.deletion else None,
        at=report.at.isoformat(),
        pages=counts[TG.removed_pages],
        chunks=counts[TG.removed_chunks],
        subgraphs=counts[TG.removed_subgraphs],
        facts_removed=counts[TG.removed_facts],
        facts_kept=counts[TG.kept_facts],
        entities_removed=counts[TG.removed_entities],
        stale=list(report.stale),
        redacted=list(report.redacted),
    )
