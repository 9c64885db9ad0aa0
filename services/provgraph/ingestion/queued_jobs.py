"""Ingest jobs that other processes do: announced on the queue, and watched as the sum of the notes that
workers leave."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from provgraph.errors import NoRoom, Unavailable
from provgraph.extraction.extractors import ExtractionOptions
from provgraph.ingestion.jobs import is_over
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.submission import JOB, TaskSubmission, no_job
from provgraph.ports.work_queue import Task
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import FailedChunks, Job, ModelUse, StoredDocument
from provgraph.wire.problem import Problem
from provgraph.wire.tasks import DOCUMENTS, ChunksNote, DocumentsNote, DocumentsTask, PartNote, WaitingFile

CANCELLED: Final = "cancelled"
TASKS: Final = "tasks"
"""How many tasks of documents the job was handed out in."""
_DOCUMENTS: Final = "documents-"
_PART: Final = "part-"
_CHUNKS: Final = "chunks-"
_OVER: Final = ("done", "dead", "cancelled")


def documents_key(task_id: str) -> str:
    return f"{_DOCUMENTS}{_own(task_id)}"


def part_key(task_id: str, number: int) -> str:
    return f"{_PART}{_own(task_id)}-{number}"


def chunks_key(task_id: str) -> str:
    return f"{_CHUNKS}{_own(task_id)}"


def _own(task_id: str) -> str:
    """What tells a task from the others of its job."""
    return task_id.rpartition("-")[2]


@dataclass
class JobView:
    """Takes notes in, and tells what they make of the job."""

    told: Job | None = None
    tasks: int | None = None
    cancelled: bool = False
    _documents: dict[str, DocumentsNote] = field(default_factory=dict)
    _parts: dict[str, PartNote] = field(default_factory=dict)
    _chunks: dict[str, ChunksNote] = field(default_factory=dict)

    def add(self, notes: Mapping[str, bytes]) -> None:
        for key, body in notes.items():
            if key == JOB:
                self.told = Job.model_validate_json(body)
            elif key == TASKS:
                self.tasks = int(body)
            elif key == CANCELLED:
                self.cancelled = True
            elif key.startswith(_DOCUMENTS):
                self._documents[key.removeprefix(_DOCUMENTS)] = DocumentsNote.model_validate_json(body)
            elif key.startswith(_PART):
                self._parts[key.removeprefix(_PART)] = PartNote.model_validate_json(body)
            elif key.startswith(_CHUNKS):
                self._chunks[key.removeprefix(_CHUNKS)] = ChunksNote.model_validate_json(body)

    def job(self) -> Job | None:
        """None for a job that was never noted."""
        if self.told is None:
            return None
        parts = list(self._standing_parts())
        left = {_own(task): chunks for part in parts for task, chunks in part.left.items()}
        open_chunks = sum(chunks for task, chunks in left.items() if not self._is_over(task))
        notes = list(self._documents.values())
        return self.told.model_copy(
            update={
                "state": self._state(left),
                "file": next((note.file for note in notes if note.state == "running"), ""),
                "chunks_done": max(sum(note.chunks_done for note in notes) - open_chunks, 0),
                "chunks_total": sum(note.chunks_total for note in notes),
                "documents": self._stored(parts),
                "refused": [refused for part in parts for refused in part.refused],
                "failed": _added_up(failed for note in self._all() for failed in note.failed),
                "retired": sum(note.retired for note in notes),
                "model": _model_use(note.model for note in self._all()),
                "problem": self._problem(),
                "waits_for": self._obstacle(),
            }
        )

    def _state(self, left: Mapping[str, int]) -> str:
        if self.cancelled:
            return "cancelled"
        states = [note.state for note in self._documents.values()]
        told = self.tasks is not None and len(states) >= self.tasks
        if told and all(state in _OVER for state in states) and all(self._is_over(task) for task in left):
            return "failed" if self._problem() else "done"
        return "running" if states else "queued"

    def _is_over(self, task: str) -> bool:
        return task in self._chunks and self._chunks[task].state in _OVER

    def _problem(self) -> Problem | None:
        return next((note.problem for note in self._all() if note.state == "dead"), None)

    def _obstacle(self) -> Problem | None:
        if self.cancelled:
            return None
        return next((note.problem for note in self._all() if note.problem and note.state not in _OVER), None)

    def _all(self) -> Iterator[DocumentsNote | ChunksNote]:
        yield from self._documents.values()
        yield from self._chunks.values()

    def _standing_parts(self) -> Iterator[PartNote]:
        """A task that is done says how many parts it has; what an attempt before it left beyond them is void."""
        for key, part in sorted(self._parts.items()):
            task, _, number = key.partition("-")
            note = self._documents.get(task)
            if note is None or note.state != "done" or int(number) < note.parts:
                yield part

    def _stored(self, parts: list[PartNote]) -> list[StoredDocument]:
        """Documents with what rules and models have read in them."""
        found = {
            stored_document.id: stored_document.model_copy()
            for part in parts
            for stored_document in part.documents
        }
        for note in self._chunks.values():
            for iri, read in note.documents.items():
                if document := found.get(iri):
                    document.facts += read.facts
                    document.failed_chunks += read.failed_chunks
                    document.new_chunks = min(document.new_chunks + read.new_chunks, document.chunks)
        return list(found.values())


def _added_up(failures: Iterator[FailedChunks]) -> list[FailedChunks]:
    added: dict[tuple[str, str, str], FailedChunks] = {}
    for failure in failures:
        key = failure.name, failure.extractor, failure.problem.detail
        if key in added:
            added[key].chunks += failure.chunks
        else:
            added[key] = failure.model_copy()
    return list(added.values())


def _model_use(uses: Iterator[ModelUse | None]) -> ModelUse | None:
    total: ModelUse | None = None
    for use in uses:
        if use is None:
            continue
        total = total or ModelUse(dropped={})
        total.calls += use.calls
        total.in_tokens += use.in_tokens
        total.out_tokens += use.out_tokens
        for fault, count in use.dropped.items():
            total.dropped[fault] = total.dropped.get(fault, 0) + count
    return total


logger = logging.getLogger(__name__)

_FILES: Final = 32
_BYTES: Final = 1_000_000
_BREATH_S: Final = 0.1
_PAUSE_S: Final = 2.0
_UNHEARD: Final = timedelta(hours=1)


@dataclass(frozen=True)
class QueuedJobs:
    """Keeps nothing itself, so that any process can be asked about any job."""

    accepting: TaskSubmission

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
