"""Ingest jobs as their watchers see them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

from api.model_service import by_model
from api.running import CURIE, Running, running
from provgraph.adapters.disk_queue import DiskWorkQueue
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.extraction.accepting import Accepting
from provgraph.extraction.choices import ExtractionChoices
from provgraph.extraction.jobs import IngestJobs
from provgraph.extraction.planning import SourceFile
from provgraph.extraction.waiting_files import WaitingFiles
from provgraph.ports.work_queue import QueueDepth
from provgraph.wire.tasks import DOCUMENTS
from servers.openai_server import Answer, OpenAIServer

FILE = SourceFile("curie.txt", CURIE.encode())


def jobs_of(service: Running) -> IngestJobs:
    """Jobs with a queue of their own."""
    folder = service.assembly.folder.path / "other"
    waiting = WaitingFiles(FolderContentStore(folder), "files")
    ingestion = service.assembly.ingestion
    choices = ExtractionChoices(ingestion.collections, ingestion.library, ingestion.extractors)
    queue = DiskWorkQueue(folder / "work.sqlite")
    return IngestJobs(ingestion, Accepting(ingestion.store, choices, queue, waiting))


async def test_a_slow_watcher_learns_that_the_job_has_ended(service: Running) -> None:
    jobs = jobs_of(service)
    job = await jobs.submit([FILE], "default")
    async with aclosing(jobs.watch(job.id)) as states:
        await anext(states)
        while (await jobs.job(job.id)).state != "done":
            await asyncio.sleep(0)
        last = await asyncio.wait_for(anext(states), 10)
    assert last.state == "done"
    await jobs.close()


async def test_a_job_that_is_told_as_done_leaves_nothing_to_the_next_process(service: Running) -> None:
    jobs = jobs_of(service)
    job = await jobs.submit([FILE], "default")
    async with aclosing(jobs.watch(job.id)) as states:
        assert [state.state async for state in states][-1] == "done"
    await jobs.close()
    queue = DiskWorkQueue(service.assembly.folder.path / "other" / "work.sqlite")
    assert await queue.depth(DOCUMENTS) == QueueDepth(0, 0, 0)
    await queue.close()


async def test_a_job_that_was_cancelled_at_its_last_step_stays_cancelled(service: Running) -> None:
    jobs = jobs_of(service)
    job = await jobs.submit([FILE], "default")
    async with aclosing(jobs.watch(job.id)) as states:
        async for state in states:
            if state.documents:
                await jobs.cancel(job.id)
    follower = await jobs.submit([FILE], "default")
    while (await jobs.job(follower.id)).state != "done":
        await asyncio.sleep(0)
    assert (await jobs.job(job.id)).state == "cancelled"
    await jobs.close()


async def test_cancelling_a_job_hangs_up_on_the_model_and_lets_the_next_one_run(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    model_server.answer([Answer(delay_s=30), Answer('{"facts": []}')])
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        jobs = jobs_of(service)
        job = await jobs.submit([FILE], "default")
        while not model_server.asked:
            await asyncio.sleep(0.01)
        await jobs.cancel(job.id)
        follower = await jobs.submit([FILE], "default")
        async with asyncio.timeout(20), aclosing(jobs.watch(follower.id)) as states:
            assert [state.state async for state in states][-1] == "done"
        assert (await jobs.job(job.id)).state == "cancelled"
        async with asyncio.timeout(20):
            while not model_server.hung_up:
                await asyncio.sleep(0.01)
        await jobs.close()


async def test_jobs_run_one_after_another_in_their_order(service: Running) -> None:
    jobs = jobs_of(service)
    submitted = [await jobs.submit([FILE], "default") for _ in range(3)]
    async with aclosing(jobs.watch(submitted[-1].id)) as states:
        ends = [[(await jobs.job(job.id)).state for job in submitted] async for _ in states]
    assert ends[-1] == ["done"] * 3
    assert all("running" not in states[1:] or states[0] == "done" for states in ends)
    await jobs.close()
