"""Extraction put together: who accepts documents, who reads them, and what is seen of it from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter

from provgraph.assembly.queue import HandedOut
from provgraph.assembly.stores import Probe
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.gateway.metrics import Metrics, QueueMeter
from provgraph.ingestion.dead_tasks import DeadTasks
from provgraph.ingestion.jobs import IngestJobs
from provgraph.ingestion.model_stage import AHEAD
from provgraph.ingestion.pair_routes import pair_router
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.queued_jobs import QueuedJobs
from provgraph.ingestion.reading_options import ExtractionChoices
from provgraph.ingestion.routes import extraction_router, queue_router
from provgraph.ingestion.submission import TaskSubmission
from provgraph.ingestion.tasks import CHUNKS_PER_TASK, ChunksWork, DocumentsWork
from provgraph.ingestion.worker import RetryLimits, TaskHandler, Worker
from provgraph.ports.language_model import LanguageModel
from provgraph.ports.work_queue import WorkQueue
from provgraph.roles import Role
from provgraph.settings import Settings
from provgraph.wire.tasks import CHUNKS, DOCUMENTS

_FEWEST_AT_ONCE: Final = 2


@dataclass(frozen=True)
class ExtractionService:
    """`own` are the jobs of a process that does them alone; else `worker`, where it has one, does its share."""

    jobs: IngestJobs | QueuedJobs
    routers: Sequence[APIRouter]
    queue: WorkQueue
    readers: ExtractionWorkers
    meter: QueueMeter
    own: IngestJobs | None = None
    worker: Worker | None = None

    async def begin(self, lasting: bool) -> None:
        """One that is not `lasting` leaves what was cut off alone until a new job comes."""
        if lasting:
            self.meter.start()
            if self.own or not self.worker:
                await self.jobs.resume()
        if self.worker:
            self.worker.start()

    async def forget_finished(self) -> None:
        if self.own:
            await self.own.forget_finished()

    async def close(self) -> None:
        await self.meter.close()
        for each in (self.own, self.worker):
            if each:
                await each.close()
        self.readers.close()
        await self.queue.close()


@dataclass(frozen=True)
class ExtractionParts:
    """What extraction is made of in one process."""

    role: Role
    settings: Settings
    work: HandedOut
    ingestion: Ingestion
    model: LanguageModel | None
    metrics: Metrics
    turn: asyncio.Lock
    probes: Sequence[Probe] = ()
    """What a worker asks whether it was the task's fault that it failed."""

    def service(self) -> ExtractionService:
        ingestion, work = self.ingestion, self.work
        choices = ExtractionChoices(ingestion.collections, ingestion.library, ingestion.extractors)
        accepting = TaskSubmission(ingestion.store, choices, work.queue, work.waiting)
        own = None
        if not work.is_shared:
            own = IngestJobs(ingestion, accepting, self.turn, self.metrics.activity.ingested)
        jobs = own or QueuedJobs(accepting)
        tasks = DeadTasks(work.queue, work.waiting, jobs.revive)
        takes = work.is_shared and self.role.does(Role.EXTRACTION)
        return ExtractionService(
            jobs=jobs,
            routers=[extraction_router(ingestion, jobs), pair_router(ingestion, jobs), queue_router(tasks)],
            queue=work.queue,
            readers=ingestion.workers,
            meter=QueueMeter(self.metrics.registry, tasks.depths),
            own=own,
            worker=self._worker(accepting) if takes else None,
        )

    def _worker(self, accepting: TaskSubmission) -> Worker:
        watch = self.metrics.activity.ingested
        works: dict[str, TaskHandler] = {
            DOCUMENTS: DocumentsWork(self.ingestion, accepting, watch),
            CHUNKS: ChunksWork(self.ingestion, accepting, watch),
        }
        parallel = self.model.parallel if self.model else 0
        at_once = max(_FEWEST_AT_ONCE, AHEAD * parallel // CHUNKS_PER_TASK) if self.model else 0
        patience = RetryLimits(self.settings.queue_attempts, self.probes)
        return Worker(self.work.queue, works, patience, at_once)
