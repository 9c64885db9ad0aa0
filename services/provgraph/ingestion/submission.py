"""What a client asks to have read → a job that is noted, files that wait, and what is handed to workers; and work that
was given up, for a person to see, to have tried again, or to drop.

All of it is durable before the client hears of the job, so that whoever dies then, the work goes on.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import uuid4

from provgraph.catalogue.contents import Contents
from provgraph.catalogue.documents import DocumentCatalogue
from provgraph.documents.metadata import DocumentMetadata, read_metadata
from provgraph.errors import NotFound, ProvGraphError
from provgraph.extraction.extractors import ChosenExtractors, ExtractionOptions, OntologyFile
from provgraph.ingestion.planning import LostFile, SourceFile, SourceFiles
from provgraph.ingestion.reading_options import ExtractionChoices, FailedDocuments, stored_files
from provgraph.ports.content_store import ContentStore
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.work_queue import DeadTask, QueueDepth, Task, WorkQueue
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import Job
from provgraph.wire.tasks import (
    CHUNKS,
    DOCUMENTS,
    KINDS,
    SMALL_DOCUMENTS,
    ChunksTask,
    DocumentsTask,
    ReadingTask,
    WaitingFile,
)


@dataclass(frozen=True)
class WaitingFiles:
    """`folder` is the beginning of all their keys; no collection of the library may be called so."""

    contents: ContentStore
    folder: str = ".waiting"

    async def keep(self, job: str, files: Sequence[SourceFile]) -> list[WaitingFile]:
        waiting = [
            WaitingFile(
                key=f"{self.folder}/{job}/{number}",
                name=file.name,
                media_type=file.media_type,
                title=file.title,
                id=file.id,
                metadata=_pairs(file.metadata),
            )
            for number, file in enumerate(files)
        ]
        await self.contents.put({each.key: file.content for each, file in zip(waiting, files, strict=True)})
        return waiting

    async def files(self, waiting: Sequence[WaitingFile]) -> AsyncGenerator[SourceFile | LostFile]:
        """One after another, so that no more than one is held."""
        for file in waiting:
            try:
                content = await self.contents.get(file.key)
            except NotFound:
                yield LostFile(
                    file.name,
                    NotFound(f"{file.name}: its bytes are gone from the queue. Ingest the file again."),
                )
                continue
            yield SourceFile(
                file.name,
                content,
                file.media_type,
                file.title,
                file.id,
                metadata=read_metadata(file.metadata),
            )

    async def drop(self, waiting: Sequence[WaitingFile]) -> None:
        for file in waiting:
            await self.contents.delete(file.key)

    async def drop_all(self, job: str) -> None:
        await self.contents.delete(f"{self.folder}/{job}")


def _pairs(metadata: DocumentMetadata) -> list[tuple[str, str]]:
    """As `read_metadata` takes them."""
    own = [
        ("title", metadata.title),
        *(("author", creator) for creator in metadata.creators),
        ("date", metadata.date),
        *(("readers", reader) for reader in metadata.readers),
    ]
    return [*(pair for pair in own if pair[1]), *metadata.entries]


_ID: Final = re.compile(r"[0-9a-f-]{1,64}")
ARRIVING: Final = "arriving"
"""The note of a job whose files are about to be kept. Without a `JOB` its client never heard of it."""
JOB: Final = "job"
"""The note that says what the job is, and, when one process does all of it, what became of it."""


_BEFORE_JSON: Final = b"\xef\xbb\xbf \t\r\n"
_SMALL_BYTES: Final = 200_000
_FEW: Final = 10


def may_overtake(files: Sequence[SourceFile], options: ExtractionOptions) -> bool:
    """Whether files are soon read, and it does not matter what is read before them.

    It does for what has an id of its own: of two files or records of one id the later is the newer.
    """
    return (
        len(files) <= _FEW
        and sum(len(file.content) for file in files) <= _SMALL_BYTES
        and not options.replace
        and not any(file.id for file in files)
        and not any(map(_may_hold_records, files))
    )


def _may_hold_records(file: SourceFile) -> bool:
    """By its name, its declared type and its first character: nothing of it is read before its turn, in a child."""
    begins = file.content[:1000].lstrip(_BEFORE_JSON)[:1]
    return "json" in f"{file.media_type} {file.name}".casefold() or begins in (b"{", b"[")


@dataclass(frozen=True)
class TaskSubmission:
    store: QuadStore
    choices: ExtractionChoices
    queue: WorkQueue
    waiting: WaitingFiles

    async def documents(
        self, files: Sequence[SourceFile], collection: str, options: ExtractionOptions
    ) -> tuple[Job, DocumentsTask]:
        """A job, and what is to be done for it; its files are kept. Raises what `ExtractionChoices.chosen` raises."""
        extractors = await self.choices.chosen(options, collection)
        job = Job(id=str(uuid4()), collection=collection, extractors=extractors.names)
        await self.queue.note(job.id, ARRIVING, datetime.now(UTC).isoformat().encode())
        try:
            waiting = await self.waiting.keep(job.id, files)
        except ProvGraphError:
            await self.take_back(job)
            raise
        return job, DocumentsTask(reading=_reading(collection, extractors), files=waiting)

    async def retry(self, collection: str, options: ExtractionOptions) -> tuple[Job, DocumentsTask]:
        """A job that reads what failed. Raises what `FailedDocuments.retry` raises."""
        retry = await FailedDocuments(self.store, self.choices).retry(collection, options)
        await retry.files.aclose()
        job = Job(id=str(uuid4()), collection=collection, extractors=retry.chosen.names)
        return job, DocumentsTask(reading=_reading(collection, retry.chosen), retry=True)

    async def stored(
        self, documents: Sequence[NamedNode], collection: str, options: ExtractionOptions
    ) -> tuple[Job, DocumentsTask]:
        """A job that reads documents of the library once more. Raises what `ExtractionChoices.chosen` raises."""
        extractors = await self.choices.chosen(options, collection)
        job = Job(id=str(uuid4()), collection=collection, extractors=extractors.names)
        names = [document.value for document in documents]
        return job, DocumentsTask(reading=_reading(collection, extractors), stored=names)

    async def put(self, job: Job, *tasks: DocumentsTask, kind: str = DOCUMENTS) -> None:
        """Hand out the job, in as many parts as there are."""
        await self.queue.put(
            [
                Task(f"{job.id}-{number}", job.id, kind, task.model_dump_json().encode())
                for number, task in enumerate(tasks)
            ]
        )
        await self.note(job)

    async def forget_unheard(self, before: datetime) -> None:
        """Drop the files of jobs that were cut off while they were accepted: no client ever heard of them."""
        accepted = set(await self.queue.jobs(JOB))
        for job_id in await self.queue.jobs(ARRIVING):
            if job_id in accepted:
                continue
            since = datetime.fromisoformat((await self.queue.noted(job_id, ARRIVING) or b"").decode())
            if since < before:
                await self.waiting.drop_all(job_id)
                await self.queue.forget(job_id)

    async def take_back(self, job: Job) -> None:
        """Have nothing read of a job whose client is told that it was not accepted: tasks that were put find no
        files."""
        await self.waiting.drop_all(job.id)
        await self.queue.forget(job.id)

    async def note(self, job: Job) -> None:
        await self.queue.note(job.id, JOB, job.model_dump_json().encode())

    async def noted(self, job_id: str) -> Job:
        """The job as it was last noted. Raises `NotFound`."""
        note = await self.queue.noted(job_id, JOB) if _ID.fullmatch(job_id) else None
        if note is None:
            raise no_job(job_id)
        return Job.model_validate_json(note)

    async def ordered(self, task: DocumentsTask) -> tuple[SourceFiles, ChosenExtractors]:
        """The files of a task, one after another, and what reads them. Raises what `Extractors.chosen` raises."""
        reading = task.reading
        options = options_of(reading)
        if task.retry:
            retry = await FailedDocuments(self.store, self.choices).retry(reading.collection, options)
            return retry.files, retry.chosen
        extractors = self.choices.extractors.chosen(options)
        if task.stored:
            return await self._stored(task.stored, reading.collection), extractors
        return self.waiting.files(task.files), extractors

    async def _stored(self, documents: Sequence[str], collection: str) -> SourceFiles:
        collections = self.choices.collections
        catalogue = DocumentCatalogue(self.store, await collections.require(collection))
        contents = Contents(self.store, self.choices.library, collections.explain_collection)
        return stored_files(catalogue, contents, collection, [NamedNode(document) for document in documents])


def options_of(reading: ReadingTask) -> ExtractionOptions:
    ontology = OntologyFile(reading.ontology_name, reading.ontology) if reading.ontology_name else None
    return ExtractionOptions(
        tuple(reading.extractors), ontology, reading.max_tokens, reading.sparing, reading.replace
    )


def no_job(job_id: str) -> NotFound:
    return NotFound(
        f"There is no job {job_id[:80]}. The last jobs are known, and those that are not over; "
        "ingest the same file again to see where it stands."
    )


def _reading(collection: str, extractors: ChosenExtractors) -> ReadingTask:
    ontology = extractors.ontology
    return ReadingTask(
        collection=collection,
        extractors=extractors.names,
        ontology_name=ontology.name if ontology else "",
        ontology=ontology.content if ontology else b"",
        max_tokens=extractors.max_tokens,
        sparing=extractors.sparing,
        replace=extractors.replace,
    )


@dataclass(frozen=True)
class DeadTasks:
    """`revive` is told of a task before it is given out again."""

    queue: WorkQueue
    waiting: WaitingFiles
    revive: Callable[[Task], Awaitable[None]]
    has_small: bool = False
    """Whether small documents stand in a line of their own; they are counted with the others."""

    async def depths(self) -> dict[str, QueueDepth]:
        depths = {kind: await self.queue.depth(kind) for kind in KINDS}
        if self.has_small:
            small, others = await self.queue.depth(SMALL_DOCUMENTS), depths[DOCUMENTS]
            depths[DOCUMENTS] = QueueDepth(
                others.waiting + small.waiting, others.under_way + small.under_way, others.dead + small.dead
            )
        return depths

    async def all(self) -> list[DeadTask]:
        return await self.queue.dead()

    async def replay(self, task_id: str) -> Task:
        """Raises `NotFound`."""
        await self.revive(await self._one(task_id))
        return await self.queue.replay(task_id)

    async def discard(self, task_id: str) -> Task:
        """Drop the task and the files that it waits with. Raises `NotFound`."""
        task = await self.queue.discard(task_id)
        if task.kind != CHUNKS:
            with suppress(ValueError):  # what cannot be read names no files
                await self.waiting.drop(DocumentsTask.model_validate_json(task.body).files)
        return task

    async def _one(self, task_id: str) -> Task:
        for dead in await self.queue.dead():
            if dead.task.id == task_id:
                return dead.task
        raise NotFound(
            f"There is no failed task {task_id[:80]}. See what there is with 'provgraph queue dead'."
        )


def names_of(task: Task) -> list[str]:
    """What a person calls the files that a task is about."""
    try:
        if task.kind != CHUNKS:
            return [file.name for file in DocumentsTask.model_validate_json(task.body).files]
        chunks = ChunksTask.model_validate_json(task.body).chunks
        return list(dict.fromkeys(chunk.source for chunk in chunks))
    except ValueError:  # what cannot be read may be just what is wrong with it
        return []
