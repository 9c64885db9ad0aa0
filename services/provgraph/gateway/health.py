"""What a process says of itself: that it runs (`/health`), that what it cannot do without answers (`/ready`), and which
folder it has open (`/internal/folder-proof`), by which commands know the service of their own folder.

The proof needs no token: what is told is worth nothing to anyone who does not know the secret that was left in the
folder, and commands send theirs only once the service has proved itself.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Protocol

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

from provgraph import __version__
from provgraph.errors import ProvGraphError, Unauthorized, Unavailable
from provgraph.gateway.access_control import KNOWN
from provgraph.late_routes import LateRouter
from provgraph.wire.addresses import PROOF_PATH

Probe = Callable[[], Awaitable[None]]

ANSWERS: Final = "answers"
KEPT_S: Final = 3.0


class Readiness(BaseModel):
    """What answers, by name; of what can be missing, also why it does not."""

    status: str
    dependencies: dict[str, str]


@dataclass(frozen=True)
class Probes:
    """Each raises a `ProvGraphError` where what it asks does not answer. Without what is `needed` the service is not
    ready; what is `wanted` it can do without, and tells; `models` are asked only where somebody wants to know."""

    needed: Mapping[str, Probe]
    wanted: Mapping[str, Probe] = field(default_factory=dict)
    models: Mapping[str, Probe] = field(default_factory=dict)


def health_router(probes: Probes) -> APIRouter:
    router = LateRouter(tags=["health"])

    @router.get("/", include_in_schema=False)
    async def start() -> RedirectResponse:
        return RedirectResponse("/docs")

    @router.get("/health")
    async def health() -> dict[str, str]:
        """That the process runs."""
        return {"status": "ok", "version": __version__}

    asked = ProbeCache(probes)

    @router.get("/ready")
    async def ready(request: Request, models: bool = False) -> Readiness:
        """That store and library answer; who brings no token is told what was found in the last seconds.

        With `models=true` and the token also what the models' endpoints say, which is no condition.
        """
        if not request.scope.get(KNOWN, True):
            if models:
                raise Unauthorized(
                    "What models say is shown to clients that send the token: 'Authorization: Bearer …'."
                )
            return await asked.lately()
        return await asked.now(probes.models if models else {})

    return router


class ProbeCache:
    """What the probes said; whoever asks while they are being asked waits for the same answer."""

    def __init__(self, probes: Probes) -> None:
        self._probes = probes
        self._found: Readiness | Unavailable | None = None
        self._found_at = -math.inf
        self._asking = asyncio.Lock()

    async def lately(self) -> Readiness:
        """Not older than `KEPT_S`. Raises `Unavailable` as `now` does."""
        async with self._asking:
            if self._found is None or time.monotonic() - self._found_at > KEPT_S:
                try:
                    self._found = await self.now({})
                except Unavailable as error:
                    self._found = error
                self._found_at = time.monotonic()
        if isinstance(self._found, Unavailable):
            raise Unavailable(str(self._found))
        return self._found

    async def now(self, models: Mapping[str, Probe]) -> Readiness:
        """Raises `Unavailable` where something that is needed does not answer."""
        asked = {**self._probes.needed, **self._probes.wanted, **models}
        told = dict(zip(asked, await asyncio.gather(*map(_state, asked.values())), strict=True))
        missing = [told[name] for name in self._probes.needed if told[name] != ANSWERS]
        if missing:
            raise Unavailable(" ".join(missing))
        return Readiness(status="ready", dependencies=told)


async def _state(probe: Probe) -> str:
    try:
        await probe()
    except ProvGraphError as error:
        return str(error)
    return ANSWERS


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
