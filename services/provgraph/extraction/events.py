"""What happens during an ingest, as values."""

from __future__ import annotations

from dataclasses import dataclass

from pyoxigraph import NamedNode

from provgraph.errors import ProvGraphError


@dataclass(frozen=True)
class ChunksRead:
    """Progress: of the chunks found so far, how many are written; both only grow."""

    name: str
    done: int
    total: int


@dataclass(frozen=True)
class DocumentStored:
    """A document is in the store; `new_chunks` is 0 when all of it was there before."""

    document: NamedNode
    title: str
    page_count: int
    chunk_count: int
    new_chunks: int
    fact_count: int


@dataclass(frozen=True)
class DocumentRefused:
    """A file, or one record of it, that could not be read; the others go on."""

    name: str
    error: ProvGraphError


IngestEvent = ChunksRead | DocumentStored | DocumentRefused
