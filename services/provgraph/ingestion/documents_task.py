"""A task of documents, done: files read, rules applied, and what models are to read handed on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass

from provgraph.ingestion.accepting import Accepting
from provgraph.ingestion.announced_jobs import is_divisible
from provgraph.ingestion.chunk_places import chunk_tasks
from provgraph.ingestion.events import ChunksLeft, IngestEvent
from provgraph.ingestion.job_notes import documents_key
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.share import Share
from provgraph.ingestion.task_notes import TaskNotes, stored_before
from provgraph.ports.work_queue import Delivery, Task
from provgraph.wire.problem import Problem
from provgraph.wire.tasks import DocumentsNote, DocumentsTask


@dataclass(frozen=True)
class DocumentsWork:
    ingestion: Ingestion
    accepting: Accepting
    watch: Callable[[IngestEvent], None]

    async def do(self, delivery: Delivery) -> None:
        """Durable on return, and noted as done; only then may the task be ended. Twice is once."""
        task, queue = delivery.task, self.accepting.queue
        if await self._is_done(task):
            return
        asked = DocumentsTask.model_validate_json(task.body)
        files, chosen = await self.accepting.ordered(asked)
        before = await stored_before(queue, task) if delivery.attempt > 1 else {}
        notes = TaskNotes(queue, task, before)
        await notes.note("running")
        share = Share(task.id, hands_on=is_divisible(asked))
        collection = asked.reading.collection
        async with aclosing(self.ingestion.ingest(files, collection, chosen, share)) as events:
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
        await self.ingestion.clearing.work_off(task.id)
        notes = TaskNotes(self.accepting.queue, task)
        await notes.note("dead" if problem else "cancelled", problem)
        if not problem:
            await self.accepting.waiting.drop(DocumentsTask.model_validate_json(task.body).files)
