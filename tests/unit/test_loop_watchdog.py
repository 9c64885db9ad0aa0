"""A request that computes on the event loop is noticed, however busy the machine; one that waits is not."""

from __future__ import annotations

import asyncio
import gc
import time
from pathlib import Path

from fastapi import FastAPI
from httpx2 import ASGITransport, AsyncClient

from loop_watchdog import LoopWatchdog
from provgraph.gateway.access_control import AccessControl, AccessRules


def computed(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


async def ask(path: str) -> LoopWatchdog:
    app = FastAPI()

    @app.get("/computes")
    async def computes() -> None:
        computed(0.15)

    @app.get("/waits")
    async def waits() -> None:
        time.sleep(0.25)

    @app.get("/hands-over")
    async def hands_over() -> None:
        await asyncio.to_thread(computed, 0.15)

    app.add_middleware(AccessControl, rules=AccessRules(None, frozenset(), ""))
    dog = LoopWatchdog(most_s=0.03, look_every_s=0.005)
    with dog.watching():
        await asyncio.sleep(0)  # the step that this is began before
        async with AsyncClient(transport=ASGITransport(app), base_url="http://localhost") as client:
            assert (await client.get(path)).status_code == 200
    return dog


async def test_a_request_that_computes_on_the_loop_is_noticed() -> None:
    found = (await ask("/computes")).found[-1]
    assert found.is_of_app
    assert found.stack[-1].name in ("computed", "computes")
    assert Path(__file__).name in str(found)


async def test_waiting_and_work_in_another_thread_are_not() -> None:
    assert not (await ask("/waits")).found
    assert not (await ask("/hands-over")).found


async def test_what_a_test_computes_itself_is_no_work_of_the_app() -> None:
    dog = LoopWatchdog(most_s=0.03, look_every_s=0.005)

    async def of_a_test() -> None:
        computed(0.15)

    with dog.watching():
        await asyncio.create_task(of_a_test())
    assert dog.found
    assert not any(found.is_of_app for found in dog.found)


async def test_a_collection_of_garbage_is_no_work_of_the_app() -> None:
    kept = [[number] for number in range(1_500_000)]
    dog = LoopWatchdog(most_s=0.03, look_every_s=0.005)
    with dog.watching():
        await asyncio.sleep(0)
        for _ in range(3):
            gc.collect()
        await asyncio.sleep(0)
    assert len(kept) > 1
    assert not dog.found
