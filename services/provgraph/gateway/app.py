"""The app: routes of all services behind one set of doors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from fastapi import APIRouter, FastAPI
from fastapi_offline import FastAPIOffline

from provgraph import __version__
from provgraph.gateway.access_control import DoorKeeper, Doors
from provgraph.gateway.body_limit import BodyLimit, BodyLimits
from provgraph.gateway.forwarding import Forwarded, Forwarding
from provgraph.gateway.health import Probes, health_router
from provgraph.gateway.metrics import Metrics, RequestMeter
from provgraph.gateway.problems import add_problem_responses

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


@dataclass(frozen=True)
class Watching:
    """What is seen of the app from outside: its figures, and what is asked whether it is ready."""

    metrics: Metrics
    probes: Probes


def make_app(
    routers: Iterable[APIRouter],
    watching: Watching,
    doors: Doors,
    body_limits: BodyLimits,
    lifespan: Lifespan | None = None,
    forwarded: Sequence[Forwarded] = (),
) -> FastAPI:
    """An app of the given routers, of whose routes some are `forwarded` to other services.

    `lifespan` opens and closes what lies behind them.
    """
    app = FastAPIOffline(
        title="ProvGraph",
        version=__version__,
        summary="Answers from documents, each proved down to the characters it was read from.",
        redoc_url=None,
        lifespan=lifespan,
        telemetry={"tracing": False},  # spans are our own, which know the routes that are passed on
    )
    metrics = watching.metrics
    for router in (*routers, metrics.router(), health_router(watching.probes)):
        app.router.routes.extend(router.routes)
    add_problem_responses(app)
    if forwarded:
        app.add_middleware(Forwarding, forwarded=forwarded)
    app.add_middleware(BodyLimit, limits=body_limits)
    app.add_middleware(RequestMeter, metrics=metrics)
    app.add_middleware(DoorKeeper, doors=doors)
    return app
