"""Ingest jobs as their watchers see them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

from api.running import CURIE, Running
from provgraph.extraction.jobs import IngestJobs
from provgraph.extraction.planning import SourceFile

FILE = SourceFile("curie.txt", CURIE.encode())


async def test_a_slow_watcher_learns_that_the_job_has_ended(service: Running) -> None:
    jobs = IngestJobs(service.assembly.ingestion)
    job = jobs.submit([FILE], "default")
    async with aclosing(jobs.watch(job.id)) as states:
        await anext(states)
        while jobs.job(job.id).state != "done":
            await asyncio.sleep(0)
        last = await asyncio.wait_for(anext(states), 10)
    assert last.state == "done"
    await jobs.close()


async def test_a_job_that_was_cancelled_at_its_last_step_stays_cancelled(service: Running) -> None:
    jobs = IngestJobs(service.assembly.ingestion)
    job = jobs.submit([FILE], "default")
    async with aclosing(jobs.watch(job.id)) as states:
        async for state in states:
            if state.documents:
                jobs.cancel(job.id)
    follower = jobs.submit([FILE], "default")
    while jobs.job(follower.id).state != "done":
        await asyncio.sleep(0)
    assert jobs.job(job.id).state == "cancelled"
    await jobs.close()


async def test_jobs_run_one_after_another_in_their_order(service: Running) -> None:
    jobs = IngestJobs(service.assembly.ingestion)
    submitted = [jobs.submit([FILE], "default") for _ in range(3)]
    async with aclosing(jobs.watch(submitted[-1].id)) as states:
        ends = [[jobs.job(job.id).state for job in submitted] async for _ in states]
    assert ends[-1] == ["done"] * 3
    assert all("running" not in states[1:] or states[0] == "done" for states in ends)
    await jobs.close()
