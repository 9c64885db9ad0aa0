"""Ingest jobs of one process: accepted at once, run one after another, watched by anyone; they survive its end.

What is small goes beside the others, so that it need not wait for a long job of somebody else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from provgraph.errors import NoRoom, NotFound, ProvGraphError, Unavailable
from provgraph.extraction.extractors import ExtractionOptions
from provgraph.ingestion.events import (
    ChunkFailed,
    ChunksRead,
    DocumentRefused,
    DocumentStored,
    IngestEvent,
    ModelCalled,
    PapersLinked,
    ReadingsReplaced,
)
from provgraph.ingestion.job_resources import SharedTurn
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.submission import JOB, TaskSubmission, may_overtake
from provgraph.ports.work_queue import Delivery, Task
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import (
    FailedChunks,
    Job,
    ModelUse,
    PaperGraphSize,
    RefusedDocument,
    StoredDocument,
)
from provgraph.wire.problem import Problem
from provgraph.wire.tasks import DOCUMENTS, SMALL_DOCUMENTS, DocumentsTask


def is_over(job: Job) -> bool:
    return job.state in ("done", "failed", "cancelled")


@dataclass
class WatchedJob:
    """A job, and an event that is set and made anew at every change."""

    job: Job
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    work: asyncio.Task[Any] | None = None

    @property
    def over(self) -> bool:
        return is_over(self.job)

    def tell(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()

    async def states(self) -> AsyncGenerator[Job]:
        """The job as it stands, and again whenever it has changed, up to its end."""
        while not self.over:
            changed = self.changed  # taken before the reader takes its time, in which the job may end
            yield self.job
            await changed.wait()
        yield self.job


def add_event(job: Job, event: IngestEvent) -> None:
    """Add what the event tells to the job."""
    match event:
        case ChunksRead():
            job.file, job.chunks_done, job.chunks_total = event.name, event.done, event.total
            job.page, job.pages = event.page, event.pages
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
                    changes=event.changes,
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


logger = logging.getLogger(__name__)

KEPT_JOBS: Final = 1_000
ATTEMPTS: Final = 3
"""A job that the process did not survive so often is given up."""
_LOOK_S: Final = 60.0
_PAUSE_S: Final = 5.0


class WatchedJobs(Protocol):
    def watch(self, job_id: str) -> AsyncGenerator[Job]:
        """The job as it stands, and again whenever it has changed, up to its end. Raises `NotFound`."""
        ...


class Jobs(WatchedJobs, Protocol):
    """Ingest jobs as routes see them, whoever does the work."""

    async def submit(
        self, files: Sequence[SourceFile], collection: str, options: ExtractionOptions | None = None
    ) -> Job:
        """Take files in. Raises what `ExtractionChoices.chosen` raises."""
        ...

    async def retry(self, collection: str, options: ExtractionOptions) -> Job:
        """Have read again what failed. Raises what `FailedDocuments.retry` raises."""
        ...

    async def read_again(
        self, documents: Sequence[NamedNode], collection: str, options: ExtractionOptions
    ) -> Job:
        """Have documents of the library read once more. Raises what `ExtractionChoices.chosen` raises."""
        ...

    async def job(self, job_id: str) -> Job:
        """Raises `NotFound` for a job that is not known."""
        ...

    async def cancel(self, job_id: str) -> Job:
        """End a job, and its calls of a model; what it has stored stays. Raises `NotFound`."""
        ...


class IngestJobs:
    """The jobs of a folder that one process has to itself. One that the process's end cuts off goes on in the next.

    `turn` is held while jobs run, a long one at a time and a small one beside it; who else holds it writes alone.
    `watch` hears what happens.
    """

    def __init__(
        self,
        ingestion: Ingestion,
        accepting: TaskSubmission,
        turn: asyncio.Lock | None = None,
        watch: Callable[[IngestEvent], None] = lambda _: None,
    ) -> None:
        self._ingestion = ingestion
        self._accepting = accepting
        self._turn = SharedTurn(turn or asyncio.Lock())
        self._watch = watch
        self._entries: dict[str, WatchedJob] = {}
        self._runner: asyncio.Task[None] | None = None
        self._since = datetime.now(UTC)

    async def submit(
        self, files: Sequence[SourceFile], collection: str, options: ExtractionOptions | None = None
    ) -> Job:
        options = options or ExtractionOptions()
        kind = SMALL_DOCUMENTS if may_overtake(files, options) else DOCUMENTS
        return await self._accepted(*await self._accepting.documents(files, collection, options), kind)

    async def retry(self, collection: str, options: ExtractionOptions) -> Job:
        return await self._accepted(*await self._accepting.retry(collection, options))

    async def read_again(
        self, documents: Sequence[NamedNode], collection: str, options: ExtractionOptions
    ) -> Job:
        return await self._accepted(*await self._accepting.stored(documents, collection, options))

    async def resume(self) -> None:
        """Go on with what an earlier process left."""
        if self._runner is None:
            self._runner = asyncio.create_task(self._begin())

    async def job(self, job_id: str) -> Job:
        return (await self._entry(job_id)).job

    async def watch(self, job_id: str) -> AsyncGenerator[Job]:
        entry = await self._entry(job_id)
        async with aclosing(entry.states()) as states:
            async for job in states:
                yield job

    async def cancel(self, job_id: str) -> Job:
        entry = await self._entry(job_id)
        if not entry.over:
            entry.job.state, entry.job.waits_for = "cancelled", None
            entry.tell()
            if entry.work:
                entry.work.cancel()
            await self._accepting.note(entry.job)
        return entry.job

    async def forget_finished(self) -> None:
        """Forget what jobs that are over told of their documents."""
        self._entries = {job_id: entry for job_id, entry in self._entries.items() if not entry.over}
        await self._tidy(kept=0)

    async def close(self) -> None:
        """Stop working; a job that runs is cut off after the batch at hand, and goes on in the next process."""
        if self._runner:
            self._runner.cancel()
            await asyncio.gather(self._runner, return_exceptions=True)

    async def revive(self, task: Task) -> None:
        """Forget how the job of a dead task ended: it is about to be tried again."""
        entry = await self._entry(task.job)
        entry.job = _afresh(entry.job)
        await self._accepting.note(entry.job)

    async def _accepted(self, job: Job, task: DocumentsTask, kind: str = DOCUMENTS) -> Job:
        self._entries[job.id] = WatchedJob(job)
        await self._accepting.put(job, task, kind=kind)
        await self.resume()
        await self._drop_oldest()
        return job

    async def _begin(self) -> None:
        """Clear away what earlier jobs left behind, then work."""
        try:
            await self._accepting.forget_unheard(before=self._since)
            await self._tidy()
        except ProvGraphError:
            logger.exception("what earlier jobs left behind cannot be cleared away")
        async with asyncio.TaskGroup() as lanes:
            lanes.create_task(self._run(DOCUMENTS))
            lanes.create_task(self._run(SMALL_DOCUMENTS))

    async def _run(self, kind: str) -> None:
        while True:
            try:
                for delivery in await self._accepting.queue.take(kind, 1, _LOOK_S):
                    await self._handle(delivery)
            except ProvGraphError:
                logger.exception("the queue of work cannot be used; it is tried again")
                await asyncio.sleep(_PAUSE_S)

    async def _handle(self, delivery: Delivery) -> None:
        """A job that failed stays among the dead, where a person can have it replayed. One that finds no room is begun
        anew as often as it takes; meanwhile others may write, such as a deletion that makes room."""
        try:
            entry = await self._entry(delivery.task.job)
        except NotFound:  # the process ended before the client heard of it
            await delivery.done()
            return
        while True:
            try:
                async with self._turn.part(closes=delivery.task.kind == DOCUMENTS):
                    await self._attempt(entry, delivery)
                return
            except NoRoom as error:
                logger.warning("job %s waits: %s", entry.job.id, error)
                entry.job.waits_for = Problem.of(error)
                entry.tell()
            await asyncio.sleep(_PAUSE_S)

    async def _attempt(self, entry: WatchedJob, delivery: Delivery) -> None:
        """Raises `NoRoom`, and then nothing is settled."""
        if entry.over:
            await self._put_away(entry.job, delivery)
            return
        entry.job = _afresh(entry.job)
        async with asyncio.TaskGroup() as group:
            entry.work = work = group.create_task(self._work(entry, delivery))
        entry.work = None  # an error holds the frames that it passed through, and all that was read in them
        if isinstance(failure := work.result(), NoRoom) and not entry.over:
            raise failure
        await self._end(entry, delivery, Problem.of(failure) if failure else None)

    async def _end(self, entry: WatchedJob, delivery: Delivery, problem: Problem | None) -> None:
        """Nobody hears that a job is over before its task is put away: else a process that ends in between would leave
        it to the next, which would bring back what was deleted since."""
        over = entry.job
        if not entry.over:
            over = over.model_copy(update={"state": "failed" if problem else "done", "problem": problem})
        await self._accepting.note(over)
        await self._put_away(over, delivery)
        if not entry.over:
            entry.job = over
        entry.tell()

    async def _put_away(self, job: Job, delivery: Delivery) -> None:
        if job.state == "failed":
            await delivery.bury(job.problem.detail if job.problem else "It failed.")
        else:
            await self._accepting.waiting.drop_all(job.id)
            await delivery.done()

    async def _work(self, entry: WatchedJob, delivery: Delivery) -> ProvGraphError | None:
        """Why it failed, if it did."""
        entry.job.state = "running"
        entry.tell()
        try:
            if delivery.attempt > ATTEMPTS:
                raise Unavailable(
                    f"The service did not survive this job {ATTEMPTS} times. If it was not ended for another reason, "
                    "split the file; have it tried again with 'provgraph queue replay'."
                )
            await self._ingest(entry, DocumentsTask.model_validate_json(delivery.task.body))
        except ProvGraphError as error:
            return error
        except asyncio.CancelledError:
            if not entry.over:  # the process ends, and the job goes on in the next
                raise
        except Exception as error:
            logger.exception("an ingest failed in a way that nobody foresaw")
            return ProvGraphError(
                f"The ingest failed unexpectedly ({type(error).__name__}). Please report it."
            )
        return None

    async def _ingest(self, entry: WatchedJob, task: DocumentsTask) -> None:
        files, extractors = await self._accepting.ordered(task)
        async with aclosing(self._ingestion.ingest(files, entry.job.collection, extractors)) as events:
            async for event in events:
                add_event(entry.job, event)
                self._watch(event)
                entry.tell()
                if entry.over:
                    return

    async def _entry(self, job_id: str) -> WatchedJob:
        if job_id not in self._entries:
            job = await self._accepting.noted(job_id)
            return self._entries.setdefault(job_id, WatchedJob(job))
        return self._entries[job_id]

    async def _drop_oldest(self) -> None:
        for job_id in [job_id for job_id, entry in self._entries.items() if entry.over][:-KEPT_JOBS]:
            del self._entries[job_id]
            await self._accepting.queue.forget(job_id)

    async def _tidy(self, kept: int = KEPT_JOBS) -> None:
        """Forget all but the last jobs that are over."""
        queue, over = self._accepting.queue, []
        for job_id in await queue.jobs(JOB):
            over += [job_id] if is_over(await self._accepting.noted(job_id)) else []
        for job_id in over[: len(over) - kept]:
            await queue.forget(job_id)


def _afresh(job: Job) -> Job:
    """The job before anything was done for it."""
    return Job(id=job.id, collection=job.collection, extractors=job.extractors)
