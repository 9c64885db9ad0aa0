"""Ingest jobs that other processes do: announced on the queue, and followed by the notes that workers leave."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from provgraph.errors import NoRoom, Unavailable
from provgraph.extraction.extractors import ExtractionOptions
from provgraph.ingestion.accepting import Accepting, no_job
from provgraph.ingestion.job_notes import CANCELLED, TASKS, JobView, chunks_key, documents_key
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.watched_job import is_over
from provgraph.ports.work_queue import Task
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import Job
from provgraph.wire.tasks import DOCUMENTS, ChunksNote, DocumentsNote, DocumentsTask, WaitingFile

logger = logging.getLogger(__name__)

_FILES: Final = 32
_BYTES: Final = 1_000_000
_BREATH_S: Final = 0.1
_PAUSE_S: Final = 2.0
_UNHEARD: Final = timedelta(hours=1)


@dataclass(frozen=True)
class AnnouncedJobs:
    """Keeps nothing itself, so that any process can be asked about any job."""

    accepting: Accepting

    async def submit(
        self, files: Sequence[SourceFile], collection: str, options: ExtractionOptions | None = None
    ) -> Job:
        """A job with a budget, or one that retires older readings, is one task; of others, files go by the megabyte."""
        job, whole = await self.accepting.documents(files, collection, options or ExtractionOptions())
        if not is_divisible(whole):
            return await self._announced(job, [whole])
        sizes = [len(file.content) for file in files]
        groups = _groups(whole.files, sizes)
        return await self._announced(job, [whole.model_copy(update={"files": group}) for group in groups])

    async def retry(self, collection: str, options: ExtractionOptions) -> Job:
        job, task = await self.accepting.retry(collection, options)
        return await self._announced(job, [task])

    async def read_again(
        self, documents: Sequence[NamedNode], collection: str, options: ExtractionOptions
    ) -> Job:
        job, task = await self.accepting.stored(documents, collection, options)
        return await self._announced(job, [task])

    async def job(self, job_id: str) -> Job:
        await self.accepting.noted(job_id)
        view = JobView()
        view.add(await self.accepting.queue.notes(job_id))
        if (job := view.job()) is None:
            raise no_job(job_id)
        return job

    async def watch(self, job_id: str) -> AsyncGenerator[Job]:
        """Goes on through times in which the broker is away."""
        await self.accepting.noted(job_id)
        view = JobView()
        while True:
            try:
                async with aclosing(self._seen(job_id, view)) as states:
                    async for job in states:
                        yield job
                        if is_over(job):
                            return
            except Unavailable as error:
                logger.warning("job %s cannot be followed for now: %s", job_id, error)
                await asyncio.sleep(_PAUSE_S)

    async def cancel(self, job_id: str) -> Job:
        job = await self.job(job_id)
        if not is_over(job):
            await self.accepting.queue.note(job_id, CANCELLED, b"")
            job.state = "cancelled"
        return job

    async def resume(self) -> None:
        """Clear away what no client heard of; what is younger may be on its way through another process."""
        await self.accepting.forget_unheard(before=datetime.now(UTC) - _UNHEARD)

    async def revive(self, task: Task) -> None:
        """Forget how a dead task ended: it is about to be tried again."""
        if task.kind == DOCUMENTS:
            key, body = documents_key(task.id), DocumentsNote().model_dump_json()
        else:
            key, body = chunks_key(task.id), ChunksNote(state="waiting").model_dump_json()
        await self.accepting.queue.note(task.job, key, body.encode())

    async def _announced(self, job: Job, tasks: Sequence[DocumentsTask]) -> Job:
        try:
            await self.accepting.queue.note(job.id, TASKS, str(len(tasks)).encode())
            await self.accepting.put(job, *tasks)
        except NoRoom:
            await self.accepting.take_back(job)
            raise
        return job

    async def _seen(self, job_id: str, view: JobView) -> AsyncGenerator[Job]:
        async with aclosing(self.accepting.queue.watch(job_id)) as news:
            async for notes in news:
                view.add(notes)
                if notes and (job := view.job()):
                    yield job
                    await asyncio.sleep(_BREATH_S)  # what comes meanwhile is told together


def is_divisible(task: DocumentsTask) -> bool:
    """Whether several workers may do it: a budget is spent, and older readings are retired, by one that sees it all."""
    return not task.reading.max_tokens and not task.reading.replace


def _groups(files: Sequence[WaitingFile], sizes: Sequence[int]) -> Iterator[list[WaitingFile]]:
    """Files in their order, so many at a time that small ones are read together and large ones apart."""
    group: list[WaitingFile] = []
    filled = 0
    for file, size in zip(files, sizes, strict=True):
        if group and (len(group) == _FILES or filled + size > _BYTES):
            yield group
            group, filled = [], 0
        group.append(file)
        filled += size
    if group:
        yield group
