"""Builds of collections of papers: begun at once, done one after another, watched by anyone.

They are not kept: what was searched for is fetched as it is read, and the same build again goes on where one ended.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final
from uuid import uuid4

from provgraph.errors import NotFound, ProvGraphError
from provgraph.extraction.extractors import ChosenExtractors
from provgraph.ingestion.events import IngestEvent
from provgraph.ingestion.job_progress import add_event
from provgraph.ingestion.papers.building import PaperBuilding, PaperFiles
from provgraph.ingestion.watched_job import WatchedJob
from provgraph.wire.documents import Job
from provgraph.wire.problem import Problem

logger = logging.getLogger(__name__)

KEPT_BUILDS: Final = 100


class BuildJobs:
    """The builds of one process. `turn` is held while one runs; who holds it writes documents alone."""

    def __init__(
        self, building: PaperBuilding, turn: asyncio.Lock, watch: Callable[[IngestEvent], None]
    ) -> None:
        self._building = building
        self._turn = turn
        self._watch = watch
        self._builds: dict[str, WatchedJob] = {}

    def submit(self, papers: PaperFiles, collection: str, chosen: ChosenExtractors) -> Job:
        build = WatchedJob(Job(id=str(uuid4()), collection=collection, extractors=chosen.names))
        self._builds[build.job.id] = build
        build.work = asyncio.create_task(self._work(build, papers, chosen))
        for job_id in [job_id for job_id, each in self._builds.items() if each.over][:-KEPT_BUILDS]:
            del self._builds[job_id]
        return build.job

    def job(self, job_id: str) -> Job:
        """Raises `NotFound` for a build that this process does not know."""
        return self._build(job_id).job

    async def watch(self, job_id: str) -> AsyncGenerator[Job]:
        async with aclosing(self._build(job_id).states()) as states:
            async for job in states:
                yield job

    def cancel(self, job_id: str) -> Job:
        """End a build, and its calls of a model; what it has stored stays."""
        build = self._build(job_id)
        if not build.over:
            build.job.state = "cancelled"
            build.tell()
            if build.work:
                build.work.cancel()
        return build.job

    async def forget_finished(self) -> None:
        """Forget what builds that are over told of their papers."""
        self._builds = {job_id: build for job_id, build in self._builds.items() if not build.over}

    async def close(self) -> None:
        """Stop working; a build that runs is cut off after the batch at hand."""
        works = [build.work for build in self._builds.values() if build.work]
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)
        self._building.workers.close()

    async def _work(self, build: WatchedJob, papers: PaperFiles, chosen: ChosenExtractors) -> None:
        job = build.job
        try:
            async with self._turn:
                job.state = "running"
                build.tell()
                await self._read(build, papers, chosen)
            job.state = "done"
        except ProvGraphError as error:
            job.state, job.problem = "failed", Problem.of(error)
        except asyncio.CancelledError:
            job.state = "cancelled"
            raise
        except Exception as error:
            logger.exception("a build failed in a way that nobody foresaw")
            failure = ProvGraphError(
                f"The build failed unexpectedly ({type(error).__name__}). Please report it."
            )
            job.state, job.problem = "failed", Problem.of(failure)
        finally:
            build.tell()

    async def _read(self, build: WatchedJob, papers: PaperFiles, chosen: ChosenExtractors) -> None:
        def watch(doing: str) -> None:
            build.job.doing = doing
            build.tell()

        papers.watch = watch
        async with aclosing(self._building.ingest(papers, build.job.collection, chosen)) as events:
            async for event in events:
                add_event(build.job, event)
                self._watch(event)
                build.tell()

    def _build(self, job_id: str) -> WatchedJob:
        if job_id not in self._builds:
            raise NotFound(
                f"There is no build {job_id[:80]}. Builds are known until the service stops; build again to see where "
                "it stands."
            )
        return self._builds[job_id]
