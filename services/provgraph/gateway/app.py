"""The app: routes of all services behind one set of doors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager

from fastapi import APIRouter, FastAPI
from fastapi_offline import FastAPIOffline

from provgraph import __version__
from provgraph.gateway.body_limit import BodyLimit, BodyLimits
from provgraph.gateway.doors import DoorKeeper, Doors
from provgraph.gateway.metrics import Metrics, RequestMeter
from provgraph.gateway.problems import add_problem_responses
from provgraph.ports.quad_store import QuadStore

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def make_app(
    routers: Iterable[APIRouter],
    store: QuadStore,
    doors: Doors,
    body_limits: BodyLimits,
    lifespan: Lifespan | None = None,
) -> FastAPI:
    """An app of the given routers. `lifespan` opens and closes what lies behind them."""
    app = FastAPIOffline(
        title="ProvGraph",
        version=__version__,
        summary="Answers from documents, each proved down to the characters it was read from.",
        redoc_url=None,
        lifespan=lifespan,
    )
    metrics = Metrics()
    for router in (*routers, metrics.router(), _health_router(store)):
        app.include_router(router)
    add_problem_responses(app)
    app.add_middleware(BodyLimit, limits=body_limits)
    app.add_middleware(RequestMeter, metrics=metrics)
    app.add_middleware(DoorKeeper, doors=doors)
    return app


def _health_router(store: QuadStore) -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.get("/health")
    async def health() -> dict[str, str]:
        """That the process runs."""
        return {"status": "ok", "version": __version__}

    @router.get("/ready")
    async def ready() -> dict[str, str]:
        """That the store answers."""
        await store.graph_names()
        return {"status": "ready"}

    return router
