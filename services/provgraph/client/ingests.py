"""How far an ingest is, and what came of it, as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from provgraph.client.evidence import Json
from provgraph.client.files import files_of
from provgraph.client.metadata import GivenMetadata, without_sidecars
from provgraph.client.sending import JobUpdate, UploadForm


@dataclass(frozen=True)
class IngestedDocument:
    """A document that is stored. `facts` were read from its new chunks; there are none where nothing has changed."""

    iri: str
    title: str
    pages: int
    chunks: int
    new_chunks: int
    facts: int
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        sizes = ((self.pages, "page"), (self.chunks, "chunk"), (self.facts, "new fact"))
        return f"{self.title}: {', '.join(_counted(*size) for size in sizes)}"


@dataclass(frozen=True)
class RefusedFile:
    """A file that was not read, and why."""

    file: str
    reason: str

    def __str__(self) -> str:
        return self.reason if self.file in self.reason else f"{self.file}: {self.reason}"


@dataclass(frozen=True)
class IngestProgress:
    """How far an ingest is: the file and page at hand, and the chunks read of those found in this group of files.

    The last one of each group has its `documents`, and the files that were `refused`. `job` is the id of the group's
    work in the service, empty for a file that was not sent.
    """

    file: str
    files_done: int
    files: int
    page: int = 0
    pages: int = 0
    chunks_done: int = 0
    chunks: int = 0
    state: str = "running"
    job: str = ""
    waits_for: str = ""
    documents: tuple[IngestedDocument, ...] = ()
    refused: tuple[RefusedFile, ...] = ()

    def __str__(self) -> str:
        if self.documents or self.refused:
            refused = (f"refused: {file}" for file in self.refused)
            return "\n".join([*map(str, self.documents), *refused])
        page = f", page {self.page:,} of {self.pages:,}" if self.pages > 1 else ""
        waits = f"; waits: {self.waits_for}" if self.waits_for else ""
        return f"{self.file}{page}: {self.chunks_done:,} of {self.chunks:,} chunks{waits}"

    @staticmethod
    def of(update: JobUpdate, files: int) -> IngestProgress:
        job = update.job
        ended = update.ended
        return IngestProgress(
            file=job.get("file") or update.name,
            files_done=update.files_done,
            files=files,
            page=job.get("page", 0),
            pages=job.get("pages", 0),
            chunks_done=job.get("chunks_done", 0),
            chunks=job.get("chunks_total", 0),
            state=job["state"],
            job=job.get("id", ""),
            waits_for=(job.get("waits_for") or {}).get("detail", ""),
            documents=tuple(map(_document, job["documents"])) if ended else (),
            refused=_refused(job) if ended else (),
        )


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _document(told: Json) -> IngestedDocument:
    return IngestedDocument(
        iri=told["id"],
        title=told["title"],
        pages=told["pages"],
        chunks=told["chunks"],
        new_chunks=told["new_chunks"],
        facts=told["facts"],
        warnings=tuple(told.get("warnings", ())),
    )


def _refused(job: Json) -> tuple[RefusedFile, ...]:
    """Files that were refused, and what a model could not read; of a job that failed, why."""
    refused = [RefusedFile(each["name"], each["problem"]["detail"]) for each in job["refused"]]
    refused += [RefusedFile(each["name"], each["problem"]["detail"]) for each in job.get("failed", ())]
    if problem := job.get("problem"):
        refused.append(RefusedFile(job.get("file", ""), problem["detail"]))
    elif job["state"] == "cancelled":
        refused.append(RefusedFile(job.get("file", ""), "The ingest was cancelled."))
    return tuple(refused)


@dataclass(frozen=True, repr=False)
class IngestResult:
    """What an ingest stored, and what it could not read."""

    documents: tuple[IngestedDocument, ...]
    refused: tuple[RefusedFile, ...]

    @property
    def facts(self) -> int:
        return sum(document.facts for document in self.documents)

    def __str__(self) -> str:
        refused = (f"refused: {file}" for file in self.refused)
        return "\n".join([*map(str, self.documents), *refused])

    __repr__ = __str__
    """In a notebook, a line for each document."""

    @staticmethod
    def of(steps: Iterable[IngestProgress]) -> IngestResult:
        told = list(steps)
        return IngestResult(
            documents=tuple(document for step in told for document in step.documents),
            refused=tuple(file for step in told for file in step.refused),
        )


@dataclass(frozen=True)
class IngestRequest:
    """The files of an ingest and what goes with them."""

    files: Sequence[Path]
    form: UploadForm = field(repr=False)
    collection: str

    @staticmethod
    def of(
        paths: str | Path | Iterable[str | Path], collection: str, metadata: Json, fields: Json
    ) -> IngestRequest:
        """Raises `NotFound` for a path that is not there."""
        given = [paths] if isinstance(paths, str | Path) else paths
        files = without_sidecars(files_of(map(Path, given)))
        values = {name: _values(value) for name, value in metadata.items()}
        form = {"collection": collection, **{name: _field(value) for name, value in fields.items() if value}}
        return IngestRequest(files, UploadForm(form, given=GivenMetadata(values)), collection)


def _values(value: Any) -> list[str]:
    return [str(each) for each in (value if isinstance(value, list | tuple) else [value])]


def _field(value: Any) -> str | list[str]:
    if isinstance(value, bool):
        return "true"
    return list(map(str, value)) if isinstance(value, list | tuple) else str(value)


@dataclass(frozen=True)
class TextToIngest:
    """A text that becomes a document, and what goes with it."""

    text: str = field(repr=False)
    title: str
    id: str
    collection: str
    options: Json

    @property
    def body(self) -> dict[str, Any]:
        """The fields of the request."""
        return {
            "text": self.text,
            "title": self.title,
            "id": self.id,
            "collection": self.collection,
            **self.options,
        }

    def update(self, state: Mapping[str, Any], ended: bool) -> JobUpdate:
        return JobUpdate(self.title or "text", dict(state), ended, 0)
