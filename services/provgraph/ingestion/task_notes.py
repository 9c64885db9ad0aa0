"""What a worker notes of a task of documents while it reads them: often enough to be watched, rarely enough to cost
nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from provgraph.ingestion.events import IngestEvent
from provgraph.ingestion.job_notes import documents_key, part_key
from provgraph.ingestion.job_progress import add_event
from provgraph.ports.work_queue import Task, WorkQueue
from provgraph.wire.documents import Job, StoredDocument
from provgraph.wire.problem import Problem
from provgraph.wire.tasks import DocumentsNote, PartNote, TaskState

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
        self._part.documents += [self._added_up(each) for each in self._seen.documents]
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
