"""Ingest jobs: accepted at once, run one after another, watched by anyone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from typing import Final, Protocol
from uuid import uuid4

from provgraph.errors import NotFound, ProvGraphError
from provgraph.extraction.events import (
    ChunkFailed,
    ChunksRead,
    DocumentRefused,
    DocumentStored,
    IngestEvent,
    ModelCalled,
    PapersLinked,
    ReadingsReplaced,
)
from provgraph.extraction.extractors import ChosenExtractors, ExtractionOptions, Extractors
from provgraph.extraction.planning import SourceFiles
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.wire.documents import (
    ChunkChanges,
    FailedChunks,
    Job,
    ModelUse,
    PaperGraphSize,
    RefusedDocument,
    StoredDocument,
)
from provgraph.wire.problem import Problem

logger = logging.getLogger(__name__)

KEPT_JOBS: Final = 1_000


@dataclass
class _Entry:
    """A job, its files until they are read, and an event that is set and made anew at every change."""

    job: Job
    files: SourceFiles
    chosen: ChosenExtractors
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    work: asyncio.Task[None] | None = None

    @property
    def over(self) -> bool:
        return self.job.state in ("done", "failed", "cancelled")

    def tell(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


class Ingests(Protocol):
    """What does the work of a job."""

    @property
    def extractors(self) -> Extractors: ...
    @property
    def workers(self) -> ExtractionWorkers: ...

    def ingest(
        self, files: SourceFiles, collection: str, chosen: ChosenExtractors | None = None
    ) -> AsyncGenerator[IngestEvent]: ...


class IngestJobs:
    """The queue of one process. A job that the process's end cuts off is done again by the same ingest.

    `turn` is held while a job runs; who holds it writes documents alone. `watch` hears what happens.
    """

    def __init__(
        self,
        ingestion: Ingests,
        turn: asyncio.Lock | None = None,
        watch: Callable[[IngestEvent], None] = lambda _: None,
    ) -> None:
        self._ingestion = ingestion
        self._turn = turn or asyncio.Lock()
        self._watch = watch
        self._entries: dict[str, _Entry] = {}
        self._waiting: asyncio.Queue[_Entry] = asyncio.Queue()
        self._runner: asyncio.Task[None] | None = None

    def submit(self, files: SourceFiles, collection: str, chosen: ChosenExtractors | None = None) -> Job:
        chosen = chosen or self._ingestion.extractors.chosen(ExtractionOptions())
        job = Job(id=str(uuid4()), collection=collection, extractors=chosen.names)
        entry = _Entry(job, files, chosen)
        self._entries[entry.job.id] = entry
        self._waiting.put_nowait(entry)
        if self._runner is None:
            self._runner = asyncio.create_task(self._run())
        self._drop_oldest()
        return entry.job

    def job(self, job_id: str) -> Job:
        """Raises `NotFound` for a job that this process does not know."""
        return self._entry(job_id).job

    async def watch(self, job_id: str) -> AsyncGenerator[Job]:
        """The job as it stands, and again whenever it has changed, up to its end."""
        entry = self._entry(job_id)
        while not entry.over:
            changed = entry.changed  # taken before the reader takes its time, in which the job may end
            yield entry.job
            await changed.wait()
        yield entry.job

    def cancel(self, job_id: str) -> Job:
        """End a job, and its calls of a model; what it has stored stays."""
        entry = self._entry(job_id)
        if not entry.over:
            entry.job.state = "cancelled"
            entry.tell()
            if entry.work:
                entry.work.cancel()
        return entry.job

    async def forget_finished(self) -> None:
        """Forget what jobs that are over told of their documents."""
        self._entries = {job_id: entry for job_id, entry in self._entries.items() if not entry.over}

    async def close(self) -> None:
        """Stop working; a job that runs is cut off after the batch at hand."""
        if self._runner:
            self._runner.cancel()
            await asyncio.gather(self._runner, return_exceptions=True)
        self._ingestion.workers.close()

    async def _run(self) -> None:
        while True:
            entry = await self._waiting.get()
            if not entry.over:
                async with self._turn, asyncio.TaskGroup() as group:
                    entry.work = group.create_task(self._work(entry))
            entry.files = ()

    async def _work(self, entry: _Entry) -> None:
        job = entry.job
        job.state = "running"
        entry.tell()
        try:
            async with aclosing(self._ingestion.ingest(entry.files, job.collection, entry.chosen)) as events:
                async for event in events:
                    _note(job, event)
                    self._watch(event)
                    entry.tell()
                    if entry.over:
                        return
            if not entry.over:
                job.state = "done"
        except ProvGraphError as error:
            job.state, job.problem = "failed", Problem.of(error)
        except asyncio.CancelledError:
            job.state = "cancelled"
            raise
        except Exception as error:
            logger.exception("an ingest failed in a way that nobody foresaw")
            failure = ProvGraphError(
                f"The ingest failed unexpectedly ({type(error).__name__}). Please report it."
            )
            job.state, job.problem = "failed", Problem.of(failure)
        finally:
            entry.tell()

    def _entry(self, job_id: str) -> _Entry:
        if job_id not in self._entries:
            raise NotFound(
                f"There is no job {job_id}. Jobs are known until the service stops; "
                "ingest the same file again to see where it stands."
            )
        return self._entries[job_id]

    def _drop_oldest(self) -> None:
        for job_id in [job_id for job_id, entry in self._entries.items() if entry.over][:-KEPT_JOBS]:
            del self._entries[job_id]


def _note(job: Job, event: IngestEvent) -> None:
    match event:
        case ChunksRead():
            job.file, job.chunks_done, job.chunks_total = event.name, event.done, event.total
        case DocumentStored():
            job.documents.append(
                StoredDocument(
                    id=event.document.value,
                    title=event.title,
                    pages=event.page_count,
                    chunks=event.chunk_count,
                    new_chunks=event.new_chunks,
                    facts=event.fact_count,
                    failed_chunks=event.failed_chunks,
                    changes=ChunkChanges(**asdict(event.changes)) if event.changes else None,
                    warnings=list(event.warnings),
                )
            )
        case PapersLinked():
            job.paper_graph = PaperGraphSize(papers=event.papers, likenesses=event.likenesses)
        case ReadingsReplaced():
            job.retired += event.subgraphs
        case DocumentRefused():
            job.refused.append(RefusedDocument(name=event.name, problem=Problem.of(event.error)))
        case ChunkFailed():
            _note_failure(job, event)
        case ModelCalled():
            job.model = job.model or ModelUse()
            job.model.calls += 1
            job.model.in_tokens += event.usage.in_tokens or 0
            job.model.out_tokens += event.usage.out_tokens or 0
            for fault, count in event.dropped.items():
                job.model.dropped[fault] = job.model.dropped.get(fault, 0) + count


def _note_failure(job: Job, event: ChunkFailed) -> None:
    problem = Problem.of(event.error)
    for failed in job.failed:
        if (failed.name, failed.extractor, failed.problem) == (event.name, event.extractor, problem):
            failed.chunks += 1
            return
    job.failed.append(FailedChunks(name=event.name, extractor=event.extractor, chunks=1, problem=problem))
