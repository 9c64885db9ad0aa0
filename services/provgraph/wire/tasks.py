"""Work for extraction: the tasks and notes that workers of one release exchange, and the queue as a person
sees it."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from provgraph.wire.documents import FailedChunks, ModelUse, RefusedDocument, StoredDocument
from provgraph.wire.problem import Problem

DOCUMENTS: Final = "documents"
SMALL_DOCUMENTS: Final = "small-documents"
"""A few small files that need not wait for what was sent before them."""
CHUNKS: Final = "chunks"
KINDS: Final = (DOCUMENTS, CHUNKS)


class WaitingFile(BaseModel):
    """A file that was accepted; its bytes wait under `key`. `title` and `id` are what the client calls it, or empty,
    and `metadata` what it gave with it, as names and values."""

    key: str
    name: str
    media_type: str = ""
    title: str = ""
    id: str = ""
    metadata: list[tuple[str, str]] = []


class ReadingTask(BaseModel):
    """How the documents of a job are read; nothing is left to the settings of whoever reads them."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    collection: str
    extractors: list[str]
    ontology_name: str = ""
    ontology: bytes = b""
    max_tokens: int = 0
    sparing: bool = False
    replace: bool = False


class DocumentsTask(BaseModel):
    """Files to read into a collection; or documents of the library that are `stored`, to be read once more; with
    `retry` what failed."""

    reading: ReadingTask
    files: list[WaitingFile] = []
    stored: list[str] = []
    retry: bool = False


class OpenClausePlace(BaseModel):
    """`documents.outline.OpenClause`."""

    number: str
    kind: Literal["section", "letter", "roman", "digit"]
    words: str = ""
    is_item: bool = False


class OutlinePlace(BaseModel):
    """`documents.outline.Outline`."""

    clauses: list[OpenClausePlace] = []
    lead: str = ""
    is_beside: bool = False


class ChunkPlace(BaseModel):
    """A chunk that models are to read, and where it stands: its words are in the library, under its pages.

    `source` is what its file is called, `extractors` are those that have not read it yet; the other names are those of
    `documents.chunks.Chunk`.
    """

    document: str
    source: str
    iri: str
    title: str
    page: str
    next_page: str | None
    number: int
    index: int
    start: int
    end: int
    own_start: int
    own_end: int
    occurrence: int
    continuation: str
    continuation_start: int
    extractors: list[str]
    outline: OutlinePlace = OutlinePlace()


class ChunksTask(BaseModel):
    """Some chunks, for the models."""

    reading: ReadingTask
    chunks: list[ChunkPlace]


TaskState = Literal["waiting", "running", "done", "dead", "cancelled"]


class DocumentsNote(BaseModel):
    """How far a task of documents is; what it stored stands in as many notes of their own as `parts` says."""

    state: TaskState = "waiting"
    file: str = ""
    chunks_done: int = 0
    chunks_total: int = 0
    parts: int = 0
    retired: int = 0
    failed: list[FailedChunks] = []
    model: ModelUse | None = None
    problem: Problem | None = None


class PartNote(BaseModel):
    """Some documents of a task, and the tasks of chunks that came of them, each with the number of its chunks."""

    documents: list[StoredDocument] = []
    refused: list[RefusedDocument] = []
    left: dict[str, int] = {}


class ChunkCounts(BaseModel):
    """What models read in some chunks of a document."""

    new_chunks: int = 0
    facts: int = 0
    failed_chunks: int = 0


class ChunksNote(BaseModel):
    """What became of a task of chunks, by document."""

    state: TaskState
    documents: dict[str, ChunkCounts] = {}
    failed: list[FailedChunks] = []
    model: ModelUse | None = None
    problem: Problem | None = None


class QueuedWork(BaseModel):
    """Tasks of one kind: whole documents, or chunks for language models."""

    kind: str
    waiting: int
    under_way: int
    dead: int


class DeadWork(BaseModel):
    """A task that was given up and waits for a person."""

    id: str
    job: str
    kind: str
    files: list[str] = Field(description="What the files are called that it is about.")
    reason: str
    attempts: int
    at: str


class RevivedWork(BaseModel):
    """A task that was dead, and the job that it belongs to."""

    id: str
    job: str
