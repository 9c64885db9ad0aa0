"""Extraction put together: who accepts documents, who reads them, and what is seen of it from outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter

from provgraph.assembly.reading import document_reader, extractors
from provgraph.assembly.scoped_jobs import AnyJobs
from provgraph.documents.chunking import ChunkingSettings
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.gateway.metrics import QueueMeter
from provgraph.ingestion.jobs import IngestJobs
from provgraph.ingestion.model_stage import AHEAD
from provgraph.ingestion.pair_routes import pair_router
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.queued_jobs import QueuedJobs
from provgraph.ingestion.reading_options import ExtractionChoices
from provgraph.ingestion.routes import extraction_router, queue_router
from provgraph.ingestion.submission import DeadTasks, TaskSubmission
from provgraph.ingestion.tasks import CHUNKS_PER_TASK, ChunksWork, DocumentsWork
from provgraph.ingestion.worker import RetryLimits, TaskHandler, Worker
from provgraph.ports.work_queue import WorkQueue
from provgraph.roles import Role
from provgraph.wire.tasks import CHUNKS, DOCUMENTS

if TYPE_CHECKING:  # an assembly makes its extraction here
    from provgraph.assembly.process import Assembly

_FEWEST_AT_ONCE: Final = 2


@dataclass(frozen=True)
class ExtractionService:
    """`own` are the jobs of a process that does them alone; else `worker`, where it has one, does its share."""

    jobs: AnyJobs
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


def ingestion_of(assembly: Assembly) -> Ingestion:
    """What reads documents in, and lets questions of this process go first."""
    settings = assembly.settings
    workers = ExtractionWorkers(settings.extraction_processes)
    workers.give_way(lambda: assembly.is_answering)
    return Ingestion(
        assembly.store,
        assembly.library,
        assembly.retriever,
        assembly.collections,
        workers,
        ChunkingSettings(settings.chunk_size, settings.chunk_overlap),
        assembly.outbox,
        extractors(settings, assembly.model),
        document_reader(settings),
        owner=assembly.owner,
    )


def extraction_service(assembly: Assembly) -> ExtractionService:
    """Over the queue of work: jobs of this process alone, or a worker's share of what others have too."""
    ingestion, work = assembly.ingestion, assembly.work
    choices = ExtractionChoices(ingestion.collections, ingestion.library, ingestion.extractors)
    accepting = TaskSubmission(ingestion.store, choices, work.queue, work.waiting)
    own = None
    if not work.is_shared:
        own = IngestJobs(ingestion, accepting, assembly.turn, assembly.metrics.activity.ingested)
    jobs = own or QueuedJobs(accepting)
    tasks = DeadTasks(work.queue, work.waiting, jobs.revive, has_small=own is not None)
    takes = work.is_shared and assembly.role.does(Role.EXTRACTION)
    return ExtractionService(
        jobs=jobs,
        routers=[extraction_router(ingestion, jobs), pair_router(ingestion, jobs), queue_router(tasks)],
        queue=work.queue,
        readers=ingestion.workers,
        meter=QueueMeter(assembly.metrics.registry, tasks.depths),
        own=own,
        worker=_worker(assembly, accepting) if takes else None,
    )


def _worker(assembly: Assembly, accepting: TaskSubmission) -> Worker:
    watch = assembly.metrics.activity.ingested
    works: dict[str, TaskHandler] = {
        DOCUMENTS: DocumentsWork(assembly.ingestion, accepting, watch),
        CHUNKS: ChunksWork(assembly.ingestion, accepting, watch),
    }
    parallel = assembly.model.parallel if assembly.model else 0
    at_once = max(_FEWEST_AT_ONCE, AHEAD * parallel // CHUNKS_PER_TASK) if assembly.model else 0
    asked = [
        *assembly.storage.probes.values(),
        *assembly.work.probes.values(),
        *assembly.storage.opened.placed.values(),
    ]
    return Worker(assembly.work.queue, works, RetryLimits(assembly.settings.queue_attempts, asked), at_once)
