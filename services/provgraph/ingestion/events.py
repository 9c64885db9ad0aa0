"""What happens during an ingest, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from provgraph.errors import ProvGraphError
from provgraph.ingestion.planning import PlannedChunk, PlannedDocument
from provgraph.ports.language_model import TokenUsage
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import ChunkChanges


@dataclass(frozen=True)
class ChunksRead:
    """Progress: of the chunks found so far, how many are written; both only grow. The last of them stands on `page` of
    the `pages` of its document."""

    name: str
    done: int
    total: int
    page: int = 0
    pages: int = 0


@dataclass(frozen=True)
class DocumentStored:
    """A document is in the store; `new_chunks` is 0 when all of it was there before, `failed_chunks` counts those that
    an extractor could not read, `changes` is None unless it took the place of an older version, and `warnings` are what
    to know of its pages before relying on them."""

    document: NamedNode
    title: str
    page_count: int
    chunk_count: int
    new_chunks: int
    fact_count: int
    failed_chunks: int = 0
    changes: ChunkChanges | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class DocumentRefused:
    """A file, or one record of it, that could not be read; the others go on."""

    name: str
    error: ProvGraphError


@dataclass(frozen=True)
class PapersLinked:
    """The paper graph of the collection is made: how many papers there are, and how many pairs are alike."""

    papers: int
    likenesses: int


@dataclass(frozen=True)
class ChunkFailed:
    """A chunk that an extractor by model could not read; its document goes on without, and the next ingest of it
    reads what is missing."""

    name: str
    extractor: str
    error: ProvGraphError


@dataclass(frozen=True)
class ModelCalled:
    """A chunk was read by model: what the call cost, and what the model proposed that was dropped, by its fault."""

    usage: TokenUsage
    dropped: Mapping[str, int]


@dataclass(frozen=True)
class ReadingsReplaced:
    """What extractors had read in a document before and read otherwise now was retired: so many subgraphs."""

    document: NamedNode
    subgraphs: int


@dataclass(frozen=True)
class ChunkLeft:
    """A chunk that is in the store and that models of other workers are to read: the extractors that have not."""

    document: PlannedDocument
    chunk: PlannedChunk
    extractors: tuple[str, ...]


@dataclass(frozen=True)
class ChunksLeft:
    chunks: tuple[ChunkLeft, ...]


IngestEvent = (
    ChunksLeft
    | ChunksRead
    | DocumentStored
    | DocumentRefused
    | PapersLinked
    | ChunkFailed
    | ModelCalled
    | ReadingsReplaced
)
