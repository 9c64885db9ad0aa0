"""HTTP face of proofs: `GET /api/v1/proofs/{session}`."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Response

from provgraph.late_routes import LateRouter
from provgraph.proofs.bundle import Proofs
from provgraph.proofs.certificate import Certificates
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.iris import iri

ZIP: Final = "application/zip"


def proof_router(proofs: Proofs, certificates: Certificates) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["traces"])

    @router.get("/proofs/{session:path}", response_class=Response, responses={200: {"content": {ZIP: {}}}})
    async def proof(session: str) -> Response:
        """The proof bundle of a session, by IRI or UUID: its answer with all that proves it, signed, as a ZIP file."""
        content = await proofs.bundle(session)
        name = f"proof-{session.rpartition(':')[2][:8]}.zip"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(content, media_type=ZIP, headers=headers)

    @router.get("/certificates", response_class=Response, responses={200: {"content": {ZIP: {}}}})
    async def certificate(deletion: str, collection: str = DEFAULT_COLLECTION) -> Response:
        """The certificate of an erasure, by the `deletion` of its report: what was removed from where, what is kept,
        and which copies are known, signed, as a ZIP file. The files must have been written anew since."""
        content = await certificates.certificate(iri(deletion), collection)
        headers = {"Content-Disposition": 'attachment; filename="erasure.zip"', "Cache-Control": "no-store"}
        return Response(content, media_type=ZIP, headers=headers)

    return router
