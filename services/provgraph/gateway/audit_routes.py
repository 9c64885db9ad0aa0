"""`GET /api/v1/audit`: who asked, read and wrote, as JSON or as PROV."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from provgraph.access.audit import AuditEntry, AuditLog
from provgraph.late_routes import LateRouter
from provgraph.provenance.audit import AccessRecord, access_quads
from provgraph.rdf.serialization import format_of_media_type
from provgraph.traces.routes import rdf_reply
from provgraph.wire.access import AuditedAccess, AuditReport


def audit_router(log: AuditLog) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["access"])

    @router.get("/audit", response_model=AuditReport)
    async def audit(
        since: Annotated[datetime | None, Query(description="Nothing older.")] = None,
        accept: Annotated[str, Header()] = "application/json",
    ) -> Response:
        """Who asked, read and wrote, from when anybody had a token of their own; as Turtle, N-Quads or JSON-LD in the
        words of PROV. `first_fault` is the first line that does not follow from the one before it."""
        entries = await log.entries(since)
        if rdf_format := format_of_media_type(accept):
            return rdf_reply(
                [quad for each in entries for quad in access_quads(_record(each))], accept, rdf_format
            )
        report = AuditReport(first_fault=await log.first_fault(), entries=[_told(each) for each in entries])
        return Response(report.model_dump_json(), media_type="application/json")

    return router


def _record(entry: AuditEntry) -> AccessRecord:
    return AccessRecord(
        entry.hash, entry.at, entry.by, entry.right, entry.request, entry.status, entry.concerns
    )


def _told(entry: AuditEntry) -> AuditedAccess:
    return AuditedAccess(
        at=entry.at,
        by=entry.by,
        right=entry.right,
        request=entry.request,
        status=entry.status,
        concerns=list(entry.concerns),
    )
