"""The two kinds of task: documents, read and their chunks handed on; chunks, read by models. Each notes its
progress."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Final

from provgraph.documents.chunks import Chunk
from provgraph.documents.document import Page
from provgraph.documents.library import Library
from provgraph.documents.outline import OpenClause, Outline
from provgraph.errors import NotFound
from provgraph.extraction.extractors import ChosenExtractors
from provgraph.ingestion.events import ChunkFailed, ChunkLeft, ChunksLeft, IngestEvent, ModelCalled
from provgraph.ingestion.jobs import add_event
from provgraph.ingestion.model_stage import ChunkCall, ChunkRead, ModelStage
from provgraph.ingestion.pipeline import Ingestion, Share
from provgraph.ingestion.planning import PlannedChunk, PlannedPage
from provgraph.ingestion.queued_jobs import chunks_key, documents_key, is_divisible, part_key
from provgraph.ingestion.recording import Recorder
from provgraph.ingestion.submission import TaskSubmission, options_of
from provgraph.ports.work_queue import Delivery, Task, WorkQueue
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import Job, StoredDocument
from provgraph.wire.problem import Problem
from provgraph.wire.tasks import (
    CHUNKS,
    ChunkCounts,
    ChunkPlace,
    ChunksNote,
    ChunksTask,
    DocumentsNote,
    DocumentsTask,
    OutlinePlace,
    PartNote,
    ReadingTask,
    TaskState,
)

CHUNKS_PER_TASK: Final = 8
"""So few that a crash costs a few calls of a model; so many that the queue costs little."""
_OF_CHUNK: Final = frozenset(
    ("index", "start", "end", "own_start", "own_end", "occurrence", "continuation", "continuation_start")
)


def chunk_tasks(job: str, reading: ReadingTask, left: ChunksLeft) -> Iterator[tuple[Task, int]]:
    """Tasks for what is left, each with the number of its chunks; the same chunks give the same task."""
    for start in range(0, len(left.chunks), CHUNKS_PER_TASK):
        chunks = left.chunks[start : start + CHUNKS_PER_TASK]
        body = (
            ChunksTask(reading=reading, chunks=[_place(chunk) for chunk in chunks]).model_dump_json().encode()
        )
        yield Task(f"{job}-{hashlib.sha256(body).hexdigest()[:24]}", job, CHUNKS, body), len(chunks)


async def planned_chunks(library: Library, task: ChunksTask) -> list[tuple[ChunkPlace, PlannedChunk]]:
    """The chunks with their words, but for those of which the library has lost a page, as after a deletion."""
    numbers = {chunk.page: chunk.number for chunk in task.chunks}
    numbers |= {chunk.next_page: chunk.number + 1 for chunk in task.chunks if chunk.next_page}
    pages: dict[str | None, PlannedPage | None] = {None: None}
    for iri, number in numbers.items():
        with suppress(NotFound):
            text = (await library.content(task.reading.collection, NamedNode(iri))).decode()
            pages[iri] = PlannedPage(NamedNode(iri), Page(number, text))
    return [
        (chunk, _planned(chunk, page, pages[chunk.next_page]))
        for chunk in task.chunks
        if (page := pages.get(chunk.page)) and chunk.next_page in pages
    ]


def _place(left: ChunkLeft) -> ChunkPlace:
    planned = left.chunk
    chunk = {name: value for name, value in asdict(planned.chunk).items() if name in _OF_CHUNK}
    return ChunkPlace(
        document=left.document.iri.value,
        source=left.document.source,
        iri=planned.iri.value,
        title=planned.title,
        page=planned.page.iri.value,
        next_page=planned.next_page.iri.value if planned.next_page else None,
        number=planned.chunk.page,
        extractors=list(left.extractors),
        outline=OutlinePlace.model_validate(asdict(planned.outline)),
        **chunk,
    )


def _planned(place: ChunkPlace, page: PlannedPage, next_page: PlannedPage | None) -> PlannedChunk:
    of_chunk = {name: value for name, value in place.model_dump().items() if name in _OF_CHUNK}
    chunk = Chunk(page=place.number, text=page.page.text[place.start : place.end], **of_chunk)
    clauses = tuple(OpenClause(**clause.model_dump()) for clause in place.outline.clauses)
    outline = Outline(clauses, place.outline.lead, place.outline.is_beside)
    return PlannedChunk(NamedNode(place.iri), page, next_page, chunk, place.title, outline)


_EVERY_S: Final = 0.3
_PART: Final = 100
"""Documents, or tasks of chunks, in one note: a broker takes messages of a megabyte at most."""


@dataclass
class TaskNotes:
    """`before` are the documents that an attempt before this one had stored."""

    queue: WorkQueue
    task: Task
    before: Mapping[str, StoredDocument] = field(default_factory=dict)
    _seen: Job = field(default_factory=lambda: Job(id="", collection=""))
    _part: PartNote = field(default_factory=PartNote)
    _parts: int = 0
    _noted: float = 0.0

    async def add(self, event: IngestEvent) -> None:
        add_event(self._seen, event)
        self._part.documents += [self._added_up(document) for document in self._seen.documents]
        self._part.refused += self._seen.refused
        self._seen.documents, self._seen.refused = [], []
        if len(self._part.documents) + len(self._part.refused) >= _PART:
            await self._note_part()
        if time.monotonic() > self._noted + _EVERY_S:
            await self.note("running")

    async def left(self, tasks: Mapping[str, int]) -> None:
        """Tasks of chunks that came of it, each with the number of its chunks."""
        self._part.left |= tasks
        if len(self._part.left) >= _PART:
            await self._note_part()

    async def note(self, state: TaskState, problem: Problem | None = None) -> None:
        if self._part.documents or self._part.refused or self._part.left:
            await self._note_part(is_full=state != "running")
        seen = self._seen
        note = DocumentsNote(
            state=state,
            file=seen.file,
            chunks_done=seen.chunks_done,
            chunks_total=seen.chunks_total,
            parts=self._parts,
            retired=seen.retired,
            failed=seen.failed,
            model=seen.model,
            problem=problem,
        )
        await self.queue.note(self.task.job, documents_key(self.task.id), note.model_dump_json().encode())
        self._noted = time.monotonic()

    async def _note_part(self, is_full: bool = True) -> None:
        """One that is not full is noted again with what comes next."""
        body = self._part.model_dump_json().encode()
        await self.queue.note(self.task.job, part_key(self.task.id, self._parts), body)
        if is_full:
            self._parts += 1
            self._part = PartNote(documents=[], refused=[], left={})

    def _added_up(self, stored: StoredDocument) -> StoredDocument:
        """The document with what was stored of it by an attempt that was cut off."""
        if (before := self.before.get(stored.id)) is None:
            return stored
        new = min(stored.new_chunks + before.new_chunks, stored.chunks)
        return stored.model_copy(update={"new_chunks": new, "facts": stored.facts + before.facts})


async def stored_before(queue: WorkQueue, task: Task) -> dict[str, StoredDocument]:
    """The documents that earlier attempts at the task noted."""
    prefix = part_key(task.id, 0).removesuffix("0")
    notes = await queue.notes(task.job)
    parts = (PartNote.model_validate_json(body) for key, body in notes.items() if key.startswith(prefix))
    return {document.id: document for part in parts for document in part.documents}


@dataclass(frozen=True)
class DocumentsWork:
    ingestion: Ingestion
    accepting: TaskSubmission
    watch: Callable[[IngestEvent], None]

    async def do(self, delivery: Delivery) -> None:
        """Durable on return, and noted as done; only then may the task be ended. Twice is once."""
        task, queue = delivery.task, self.accepting.queue
        if await self._is_done(task):
            return
        asked = DocumentsTask.model_validate_json(task.body)
        files, extractors = await self.accepting.ordered(asked)
        before = await stored_before(queue, task) if delivery.attempt > 1 else {}
        notes = TaskNotes(queue, task, before)
        await notes.note("running")
        share = Share(task.id, hands_on=is_divisible(asked))
        collection = asked.reading.collection
        async with aclosing(self.ingestion.ingest(files, collection, extractors, share)) as events:
            async for event in events:
                if isinstance(event, ChunksLeft):
                    left = list(chunk_tasks(task.job, asked.reading, event))
                    await queue.put([each for each, _ in left])
                    await notes.left({each.id: chunks for each, chunks in left})
                    continue
                self.watch(event)
                await notes.add(event)
        await notes.note("done")
        await self.accepting.waiting.drop(asked.files)

    async def _is_done(self, task: Task) -> bool:
        """Whether only the word was lost that it is done."""
        note = await self.accepting.queue.noted(task.job, documents_key(task.id))
        return note is not None and DocumentsNote.model_validate_json(note).state == "done"

    async def wait(self, task: Task, problem: Problem) -> None:
        """Note what the task waits for at present; the note of the next step takes that back."""
        await TaskNotes(self.accepting.queue, task).note("running", problem)

    async def give_up(self, task: Task, problem: Problem | None = None) -> None:
        """Note that nothing more comes of it: a person cancelled it, or there is a problem and it is put away."""
        await self.ingestion.outbox.work_off(task.id)
        notes = TaskNotes(self.accepting.queue, task)
        await notes.note("dead" if problem else "cancelled", problem)
        if not problem:
            await self.accepting.waiting.drop(DocumentsTask.model_validate_json(task.body).files)


logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ChunksWork:
    ingestion: Ingestion
    accepting: TaskSubmission
    watch: Callable[[IngestEvent], None]

    async def do(self, delivery: Delivery) -> None:
        """Durable on return, and noted as done; only then may the task be ended. Twice is once."""
        task = ChunksTask.model_validate_json(delivery.task.body)
        note = ChunksNote(state="done", documents={})
        try:
            await self._read(task, note)
        except NotFound as error:  # the collection was removed since: nothing is left to be read
            logger.info("task %s: %s", delivery.task.id, error)
        await self._note(delivery.task, note)

    async def wait(self, task: Task, problem: Problem) -> None:
        """Note what the task waits for at present."""
        await self._note(task, ChunksNote(state="waiting", problem=problem))

    async def give_up(self, task: Task, problem: Problem | None = None) -> None:
        """Note that nothing more comes of it: a person cancelled it, or there is a problem and it is put away."""
        await self._note(task, ChunksNote(state="dead" if problem else "cancelled", problem=problem))

    async def _read(self, task: ChunksTask, note: ChunksNote) -> None:
        ingestion, reading = self.ingestion, task.reading
        graphs = await ingestion.collections.require(reading.collection)
        recorder = Recorder(graphs, ingestion.chunking, ingestion.now())
        chunks = await planned_chunks(ingestion.library, task)
        stage: ModelStage[ChunkPlace] = ModelStage(self._chosen(task), recorder, ingestion.store)
        read: list[ChunkRead[ChunkPlace]] = []
        try:
            missing = await stage.missing([chunk for _, chunk in chunks])
            for (place, chunk), extractors in zip(chunks, missing, strict=True):
                for extractor in extractors:
                    stage.start(ChunkCall(chunk, extractor, place))
            while stage.busy:
                read += await stage.finished()
        finally:
            await stage.close()
        self._count(read, note)
        if new := [NamedNode(document) for document, counts in note.documents.items() if counts.new_chunks]:
            await ingestion.retriever.follow(reading.collection, new)

    def _chosen(self, task: ChunksTask) -> ChosenExtractors:
        """Only those extractors for each chunk that had not read it when it was handed on."""
        extractors = self.accepting.choices.extractors.chosen(options_of(task.reading))
        only = {NamedNode(place.iri): frozenset(place.extractors) for place in task.chunks}
        return replace(extractors, only=only, sparing=False)

    def _count(self, read: Sequence[ChunkRead[ChunkPlace]], note: ChunksNote) -> None:
        job = Job(id="", collection="")
        for each in read:
            counts = note.documents.setdefault(each.call.owner.document, ChunkCounts())
            counts.new_chunks += each.new
            counts.facts += len(each.extraction.facts) if each.extraction and each.new else 0
            counts.failed_chunks += bool(each.failure)
            for event in _events(each):
                self.watch(event)
                add_event(job, event)
        note.failed, note.model = job.failed, job.model

    async def _note(self, task: Task, note: ChunksNote) -> None:
        await self.accepting.queue.note(task.job, chunks_key(task.id), note.model_dump_json().encode())


def _events(read: ChunkRead[ChunkPlace]) -> Iterator[IngestEvent]:
    if read.failure:
        yield ChunkFailed(read.call.owner.source, read.call.extractor.profile.name, read.failure)
    if read.extraction and read.extraction.usage:
        yield ModelCalled(read.extraction.usage, read.extraction.dropped)
