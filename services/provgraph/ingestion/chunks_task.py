"""A task of chunks, done: the models that have not read them do, and what they read is in the store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from provgraph.errors import NotFound
from provgraph.extraction.extractors import ChosenExtractors
from provgraph.ingestion.accepting import Accepting, options_of
from provgraph.ingestion.chunk_places import planned_chunks
from provgraph.ingestion.events import ChunkFailed, IngestEvent, ModelCalled
from provgraph.ingestion.job_notes import chunks_key
from provgraph.ingestion.job_progress import add_event
from provgraph.ingestion.model_stage import ChunkCall, ChunkRead, ModelStage
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.recording import Recorder
from provgraph.ports.work_queue import Delivery, Task
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import Job
from provgraph.wire.problem import Problem
from provgraph.wire.tasks import ChunkCounts, ChunkPlace, ChunksNote, ChunksTask

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ChunksWork:
    ingestion: Ingestion
    accepting: Accepting
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
        chosen = self.accepting.choices.extractors.chosen(options_of(task.reading))
        only = {NamedNode(place.iri): frozenset(place.extractors) for place in task.chunks}
        return replace(chosen, only=only, sparing=False)

    def _count(self, read: Sequence[ChunkRead[ChunkPlace]], note: ChunksNote) -> None:
        told = Job(id="", collection="")
        for each in read:
            counts = note.documents.setdefault(each.call.owner.document, ChunkCounts())
            counts.new_chunks += each.new
            counts.facts += len(each.extraction.facts) if each.extraction and each.new else 0
            counts.failed_chunks += bool(each.failure)
            for event in _events(each):
                self.watch(event)
                add_event(told, event)
        note.failed, note.model = told.failed, told.model

    async def _note(self, task: Task, note: ChunksNote) -> None:
        await self.accepting.queue.note(task.job, chunks_key(task.id), note.model_dump_json().encode())


def _events(read: ChunkRead[ChunkPlace]) -> Iterator[IngestEvent]:
    if read.failure:
        yield ChunkFailed(read.call.owner.source, read.call.extractor.profile.name, read.failure)
    if read.extraction and read.extraction.usage:
        yield ModelCalled(read.extraction.usage, read.extraction.dropped)
