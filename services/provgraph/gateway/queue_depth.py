"""How much work waits, for Prometheus: asked every few seconds, so that a scrape waits for no broker."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Gauge

from provgraph.errors import Unavailable
from provgraph.ports.work_queue import QueueDepth

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
