"""A task of chunks, done: the models that have not read them do, and what they read is in the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pyoxigraph import NamedNode

from provgraph.errors import NotFound
from provgraph.extraction.accepting import Accepting, options_of
from provgraph.extraction.chunk_places import planned_chunks
from provgraph.extraction.events import ChunkFailed, IngestEvent, ModelCalled
from provgraph.extraction.extractors import ChosenExtractors
from provgraph.extraction.job_notes import chunks_key
from provgraph.extraction.job_progress import add_event
from provgraph.extraction.model_stage import ChunkCall, ChunkRead, ModelStage
from provgraph.extraction.pipeline import Ingestion
from provgraph.extraction.recording import Recorder
from provgraph.ports.work_queue import Delivery, Task
from provgraph.wire.documents import Job
from provgraph.wire.problem import Problem
from provgraph.wire.tasks import ChunksNote, ChunksTask, TaskState


@dataclass(frozen=True)
class ChunksWork:
    ingestion: Ingestion
    accepting: Accepting
    watch: Callable[[IngestEvent], None]

    async def do(self, delivery: Delivery) -> None:
        """Durable on return, and noted as done; only then may the task be ended. Twice is once."""
        task = ChunksTask.model_validate_json(delivery.task.body)
        note = ChunksNote(state="done", document=task.document)
        try:
            await self._read(task, note)
        except NotFound:
            note.state = (
                "done"  # the document or its collection was deleted since: there is nothing left to read
            )
        await self._note(delivery.task, note)

    async def give_up(self, task: Task, problem: Problem | None = None) -> None:
        """Note that nothing more comes of it: a person cancelled it, or there is a problem and it is put away."""
        state: TaskState = "dead" if problem else "cancelled"
        await self._note(task, ChunksNote(state=state, document=document_of(task), problem=problem))

    async def _read(self, task: ChunksTask, note: ChunksNote) -> None:
        ingestion, reading = self.ingestion, task.reading
        graphs = await ingestion.collections.require(reading.collection)
        chunks = await planned_chunks(ingestion.library, task)
        recorder = Recorder(graphs, ingestion.chunking, ingestion.now())
        stage: ModelStage[str] = ModelStage(self._chosen(task), recorder, ingestion.store)
        try:
            for chunk, extractors in zip(chunks, await stage.missing(chunks), strict=True):
                for extractor in extractors:
                    stage.start(ChunkCall(chunk, extractor, task.source))
            told, new = Job(id="", collection=""), set()
            while stage.busy:
                for read in await stage.finished():
                    self._count(read, told)
                    new |= {read.call.chunk.iri} if read.new else set()
                    note.facts += len(read.extraction.facts) if read.extraction and read.new else 0
                    note.failed_chunks += bool(read.failure)
        finally:
            await stage.close()
        note.new_chunks, note.failed, note.model = len(new), told.failed, told.model
        if new:
            await ingestion.retriever.follow(reading.collection, [NamedNode(task.document)])

    def _chosen(self, task: ChunksTask) -> ChosenExtractors:
        """Only those extractors for each chunk that had not read it when it was handed on."""
        chosen = self.accepting.choices.extractors.chosen(options_of(task.reading))
        only = {NamedNode(place.iri): frozenset(place.extractors) for place in task.chunks}
        return replace(chosen, only=only, sparing=False)

    def _count(self, read: ChunkRead[str], told: Job) -> None:
        events: list[IngestEvent] = []
        if read.failure:
            events.append(ChunkFailed(read.call.owner, read.call.extractor.profile.name, read.failure))
        if read.extraction and read.extraction.usage:
            events.append(ModelCalled(read.extraction.usage, read.extraction.dropped))
        for event in events:
            self.watch(event)
            add_event(told, event)

    async def _note(self, task: Task, note: ChunksNote) -> None:
        await self.accepting.queue.note(task.job, chunks_key(task.id), note.model_dump_json().encode())


def document_of(task: Task) -> str:
    """The IRI of its document; empty where the task cannot be read."""
    try:
        return ChunksTask.model_validate_json(task.body).document
    except ValueError:
        return ""
