"""`/health`: that the process runs. `/ready`: that what it cannot do without answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from fastapi import APIRouter
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

from provgraph import __version__
from provgraph.errors import ProvGraphError, Unavailable
from provgraph.late_routes import LateRouter

Probe = Callable[[], Awaitable[None]]

ANSWERS: Final = "answers"


class Readiness(BaseModel):
    """What answers, by name; of what can be missing, also why it does not."""

    status: str
    dependencies: dict[str, str]


@dataclass(frozen=True)
class Probes:
    """Each raises a `ProvGraphError` where what it asks does not answer. Without what is `needed` the service is not
    ready; what is `wanted` it can do without, and tells."""

    needed: Mapping[str, Probe]
    wanted: Mapping[str, Probe] = field(default_factory=dict)


def health_router(probes: Probes) -> APIRouter:
    router = LateRouter(tags=["health"])

    @router.get("/", include_in_schema=False)
    async def start() -> RedirectResponse:
        return RedirectResponse("/docs")

    @router.get("/health")
    async def health() -> dict[str, str]:
        """That the process runs."""
        return {"status": "ok", "version": __version__}

    @router.get("/ready")
    async def ready() -> Readiness:
        """That store and library answer; what a language model says to it is told, and is no condition."""
        asked = {**probes.needed, **probes.wanted}
        told = dict(zip(asked, await asyncio.gather(*map(_told, asked.values())), strict=True))
        missing = [told[name] for name in probes.needed if told[name] != ANSWERS]
        if missing:
            raise Unavailable(" ".join(missing))
        return Readiness(status="ready", dependencies=told)

    return router


async def _told(probe: Probe) -> str:
    try:
        await probe()
    except ProvGraphError as error:
        return str(error)
    return ANSWERS
