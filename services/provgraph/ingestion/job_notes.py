"""A job that several processes do, as the sum of the notes that they leave of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from provgraph.ingestion.accepting import JOB
from provgraph.wire.documents import FailedChunks, Job, ModelUse, StoredDocument
from provgraph.wire.problem import Problem
from provgraph.wire.tasks import ChunksNote, DocumentsNote, PartNote

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
        found = {each.id: each.model_copy() for part in parts for each in part.documents}
        for note in self._chunks.values():
            for iri, read in note.documents.items():
                if document := found.get(iri):
                    document.facts += read.facts
                    document.failed_chunks += read.failed_chunks
                    document.new_chunks = min(document.new_chunks + read.new_chunks, document.chunks)
        return list(found.values())


def _added_up(failures: Iterator[FailedChunks]) -> list[FailedChunks]:
    added: dict[tuple[str, str, str], FailedChunks] = {}
    for each in failures:
        key = each.name, each.extractor, each.problem.detail
        if key in added:
            added[key].chunks += each.chunks
        else:
            added[key] = each.model_copy()
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
