"""`/internal/folder-proof`: a command learns whether this service has the command's own folder open.

It needs no token: what is told is worth nothing to anyone who does not know the secret that was left in the folder,
and commands send theirs only once the service has proved itself.
"""

from __future__ import annotations

from typing import Annotated, Protocol

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel

from provgraph.late_routes import LateRouter
from provgraph.wire.addresses import PROOF_PATH


class Prover(Protocol):
    def proof(self, question: str, port: int) -> str:
        """Raises `NotFound` when the challenge is not in the folder."""
        ...


class FolderProof(BaseModel):
    proof: str


def folder_router(prover: Prover) -> APIRouter:
    router = LateRouter(tags=["internal"])

    @router.get(PROOF_PATH, include_in_schema=False)
    async def folder_proof(
        request: Request, question: Annotated[str, Query(pattern="^[0-9a-f]{64}$")]
    ) -> FolderProof:
        """That this service sees the folder in which a secret was left, of which it is given the hash."""
        _, port = request.scope.get("server") or ("", None)
        return FolderProof(proof=prover.proof(question, port or 0))

    return router
