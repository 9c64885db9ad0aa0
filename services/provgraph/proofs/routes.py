"""HTTP face of proofs: `GET /api/v1/proofs/{session}`."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Response

from provgraph.late_routes import LateRouter
from provgraph.proofs.bundle import Proofs

ZIP: Final = "application/zip"


def proof_router(proofs: Proofs) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["traces"])

    @router.get("/proofs/{session:path}", response_class=Response, responses={200: {"content": {ZIP: {}}}})
    async def proof(session: str) -> Response:
        """The proof bundle of a session, by IRI or UUID: its answer with all that proves it, signed, as a ZIP file."""
        content = await proofs.bundle(session)
        name = f"proof-{session.rpartition(':')[2][:8]}.zip"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(content, media_type=ZIP, headers=headers)

    return router
