"""Requests counted and timed, for Prometheus at `/metrics`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph.errors import Unavailable
from provgraph.late_routes import LateRouter
from provgraph.peers import spans
from provgraph.ports.work_queue import QueueDepth

if TYPE_CHECKING:
    from provgraph.gateway.activity import Activity

_EVERY_S: Final = 5.0

Depths = Callable[[], Awaitable[Mapping[str, QueueDepth]]]


class QueueMeter:
    """While the queue cannot be asked there is no figure, rather than an old one."""

    def __init__(self, registry: CollectorRegistry, depths: Depths) -> None:
        self._depths = depths
        self._tasks = Gauge(
            "provgraph_queue_tasks",
            "Tasks of extraction that wait, that workers have, and that were given up.",
            ["kind", "state"],
            registry=registry,
        )
        self._asking: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._asking = asyncio.create_task(self._ask())

    async def close(self) -> None:
        if self._asking:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def _ask(self) -> None:
        while True:
            try:
                for kind, depth in (await self._depths()).items():
                    self._tasks.labels(kind, "waiting").set(depth.waiting)
                    self._tasks.labels(kind, "under_way").set(depth.under_way)
                    self._tasks.labels(kind, "dead").set(depth.dead)
            except Unavailable:
                self._tasks.clear()
            await asyncio.sleep(_EVERY_S)


class Metrics:
    """The figures of one app."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "provgraph_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "provgraph_request_seconds",
            "Seconds from a request to the end of its answer.",
            ["method", "route"],
            registry=self.registry,
        )

    @cached_property
    def activity(self) -> Activity:
        # slow to import, and most commands neither ask nor ingest
        from provgraph.gateway.activity import Activity

        return Activity(self.registry)

    def router(self) -> APIRouter:
        router = LateRouter(tags=["health"])

        @router.get("/metrics", include_in_schema=False)
        async def metrics() -> Response:
            return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)

        return router


def count_index_age(registry: CollectorRegistry, age_s: Callable[[], float]) -> None:
    """Tell how long ago the indexes were last compared with a store that other processes write to."""
    gauge = Gauge(
        "provgraph_index_age_seconds",
        "Seconds since the indexes that are open were found to agree with the store.",
        registry=registry,
    )
    gauge.set_function(age_s)


class RequestMeter:
    """ASGI middleware that counts by route, so that ids in paths make no new series."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        method, route = scope["method"], "none"
        with spans.serving(method, Headers(scope=scope)) as served:
            try:
                await self._app(scope, receive, watched)
            finally:
                route = getattr(scope.get("route"), "path", route)
                served.answered(method, route, status)
                self._metrics.requests.labels(method, route, status).inc()
                self._metrics.seconds.labels(method, route).observe(time.perf_counter() - begun)
