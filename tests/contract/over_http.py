"""A port of retrieval as other processes have it: its routes served over HTTP, and the service that calls them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from api.running import listening
from provgraph.late_routes import add_routers
from provgraph.peers.service import PeerAddress, PeerService
from provgraph.roles import Role

DEAD = "http://127.0.0.1:1"


@asynccontextmanager
async def retrieval_at(*urls: str) -> AsyncIterator[PeerService]:
    """The retrieval service of these replicas, until the end of the block."""
    service = PeerService(PeerAddress(Role.RETRIEVAL, "PROVGRAPH_RETRIEVAL_URL", urls))
    try:
        yield service
    finally:
        await service.close()


@asynccontextmanager
async def served(router: APIRouter) -> AsyncIterator[str]:
    """The address at which these routes, and no others, are served."""
    app = FastAPI()
    add_routers(app, [router])
    async with listening(app) as url:
        yield url
