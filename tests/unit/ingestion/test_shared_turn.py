"""A turn that several have together, and that others who wait for it get all the same."""

from __future__ import annotations

import asyncio

from provgraph.ingestion.job_resources import SharedTurn


async def test_two_have_it_together_and_nobody_else_meanwhile() -> None:
    lock = asyncio.Lock()
    turn = SharedTurn(lock)
    async with turn.part():
        async with turn.part(closes=True):
            assert lock.locked()
        assert lock.locked()
    assert not lock.locked()


async def test_who_waits_for_the_lock_has_it_before_others_overlap_again() -> None:
    lock, order = asyncio.Lock(), list[str]()
    turn, long_may_end, small_may_end = SharedTurn(lock), asyncio.Event(), asyncio.Event()

    async def part(name: str, may_end: asyncio.Event, closes: bool) -> None:
        async with turn.part(closes):
            order.append(name)
            await may_end.wait()

    async def alone() -> None:
        async with lock:
            order.append("alone")

    async with asyncio.TaskGroup() as group:
        group.create_task(part("long", long_may_end, True))
        await asyncio.sleep(0)
        group.create_task(alone())
        await asyncio.sleep(0)
        group.create_task(part("small", small_may_end, False))
        while len(order) < 2:
            await asyncio.sleep(0)
        long_may_end.set()
        await asyncio.sleep(0)
        group.create_task(part("next", long_may_end, True))
        for _ in range(20):
            await asyncio.sleep(0)
        assert order == ["long", "small"]
        small_may_end.set()
    assert order == ["long", "small", "alone", "next"]


async def test_who_is_cancelled_inside_leaves_it_to_others() -> None:
    lock = asyncio.Lock()
    turn = SharedTurn(lock)

    async def for_ever() -> None:
        async with turn.part(closes=True):
            await asyncio.Event().wait()

    task = asyncio.create_task(for_ever())
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    async with asyncio.timeout(5), lock:
        pass
