"""Ingest jobs as their watchers see them."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from api.model_service import by_model
from api.running import CURIE, Running, running
from provgraph.adapters.disk_queue import DiskWorkQueue
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.documents.library import Library
from provgraph.errors import NoRoom, Unavailable
from provgraph.ingestion import jobs as jobs_module
from provgraph.ingestion.jobs import IngestJobs
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.reading_options import ExtractionChoices
from provgraph.ingestion.submission import TaskSubmission, WaitingFiles
from provgraph.ports.work_queue import QueueDepth
from provgraph.wire.documents import Job
from provgraph.wire.problem import Problem
from provgraph.wire.tasks import DOCUMENTS
from servers.openai_server import Answer, OpenAIServer

FILE = SourceFile("curie.txt", CURIE.encode())


class BoundedFolder(FolderContentStore):
    """While it is full it takes nothing."""

    is_full = True

    async def put(self, contents: Mapping[str, bytes]) -> None:
        if self.is_full:
            raise NoRoom("The disk is full.")
        await super().put(contents)


def jobs_of(service: Running, library: Library | None = None, turn: asyncio.Lock | None = None) -> IngestJobs:
    """Jobs with a queue of their own, and the service's library if no other is given."""
    folder = service.assembly.folder.path / "other"
    waiting = WaitingFiles(FolderContentStore(folder), "files")
    ingestion = service.assembly.ingestion
    ingestion = replace(ingestion, library=library or ingestion.library)
    choices = ExtractionChoices(ingestion.collections, ingestion.library, ingestion.extractors)
    queue = DiskWorkQueue(folder / "work.sqlite")
    return IngestJobs(ingestion, TaskSubmission(ingestion.store, choices, queue, waiting), turn)


async def waiting(jobs: IngestJobs, job: Job) -> Problem:
    """What a job waits for, as soon as it does."""
    async with asyncio.timeout(60), aclosing(jobs.watch(job.id)) as states:
        return await anext(state.waits_for async for state in states if state.waits_for)


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


async def test_a_job_that_failed_keeps_nothing_of_what_it_read(service: Running) -> None:
    class Held:
        """As large as what an ingest has in memory."""

    seen = list[weakref.ref[Held]]()

    class BrokenFolder(FolderContentStore):
        async def put(self, contents: Mapping[str, bytes]) -> None:  # noqa: ARG002
            held = Held()
            seen.append(weakref.ref(held))
            raise Unavailable("The library cannot be written.")

    jobs = jobs_of(service, Library(BrokenFolder(service.assembly.folder.path / "library")))
    assert (await ended(jobs, await jobs.submit([FILE], "default"))).state == "failed"
    gc.collect()
    assert seen
    assert not any(held() for held in seen)
    await jobs.close()


async def ended(jobs: IngestJobs, job: Job) -> Job:
    async with asyncio.timeout(60), aclosing(jobs.watch(job.id)) as states:
        return [state async for state in states][-1]


async def test_a_small_file_does_not_wait_for_a_long_job_of_others(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    model_server.answer([Answer(delay_s=30), Answer('{"facts": []}')])
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        jobs = jobs_of(service)
        long = await jobs.submit([replace(FILE, id="urn:long")], "default")
        while not model_server.asked:
            await asyncio.sleep(0.01)
        small = await jobs.submit([SourceFile("otter.txt", b"Otters eat fish.")], "default")
        assert (await ended(jobs, small)).state == "done"
        assert (await jobs.job(long.id)).state == "running"
        await jobs.cancel(long.id)
        await jobs.close()


async def test_what_has_an_id_is_read_in_the_order_in_which_it_was_sent(service: Running) -> None:
    jobs = jobs_of(service)
    long = await jobs.submit(
        [SourceFile("a.txt", b"Marie Curie found radium. " * 400, id="urn:a")], "default"
    )
    again = await jobs.submit([SourceFile("a.txt", b"Otters eat fish.", id="urn:a")], "default")
    records = await jobs.submit([SourceFile("a.jsonl", b'{"id": "b", "text": "Otters swim."}')], "default")
    assert (await ended(jobs, records)).state == "done"
    assert [(await jobs.job(each.id)).state for each in (long, again)] == ["done", "done"]
    await jobs.close()


async def test_what_cannot_be_read_is_taken_in_and_refused_in_its_turn(service: Running) -> None:
    jobs = jobs_of(service)
    job = await jobs.submit([SourceFile("broken.pdf", b"no pdf"), FILE], "default")
    told = await ended(jobs, job)
    assert ([each.name for each in told.refused], len(told.documents)) == (["broken.pdf"], 1)
    await jobs.close()


async def test_a_small_file_is_read_by_the_next_process_where_this_one_ended(service: Running) -> None:
    turn = asyncio.Lock()
    async with turn:
        jobs = jobs_of(service, turn=turn)
        job = await jobs.submit([FILE], "default")
        await jobs.close()
    others = jobs_of(service)
    await others.resume()
    assert (await ended(others, job)).state == "done"
    await others.close()


async def test_a_job_waits_for_room_and_keeps_nobody_from_writing_meanwhile(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "_PAUSE_S", 0.01)
    contents, turn = BoundedFolder(service.assembly.folder.path / "library"), asyncio.Lock()
    jobs = jobs_of(service, Library(contents), turn)
    job = await jobs.submit([FILE], "default")
    assert (await waiting(jobs, job)).detail == "The disk is full."
    async with asyncio.timeout(60), turn:
        contents.is_full = False
    async with asyncio.timeout(60), aclosing(jobs.watch(job.id)) as states:
        *_, last = [state async for state in states]
    assert (last.state, last.waits_for, len(last.documents)) == ("done", None, 1)
    contents.is_full = True
    job = await jobs.submit([SourceFile("other.txt", b"Otters eat fish.")], "default")
    await waiting(jobs, job)
    cancelled = await jobs.cancel(job.id)
    assert (cancelled.state, cancelled.waits_for) == ("cancelled", None)
    await jobs.close()
