"""Documents on their way through an ingest, and the batches in which their chunks go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from provgraph.errors import Conflict
from provgraph.extraction.by_model.extractor import PassageExtractor
from provgraph.extraction.facts import Fact
from provgraph.ingestion.events import ChunkLeft, ChunksLeft, DocumentRefused, DocumentStored, RevisedChunks
from provgraph.ingestion.planning import PlannedChunk, PlannedDocument
from provgraph.ports.quad_store import WriteUnit
from provgraph.rdf.terms import NamedNode


@dataclass
class DocumentOnItsWay:
    """`units` go with its first chunk; `waiting` is how many of its chunks are still to be read, each once for the
    rules and once for each extractor by model; `new_chunks` are those of which the store has something new, and
    `failed_chunks` those that an extractor could not read; `lost` tells that it was deleted or revised by somebody
    else."""

    planned: PlannedDocument
    changes: RevisedChunks | None
    units: list[WriteUnit]
    waiting: int
    new_chunks: set[NamedNode] = field(default_factory=set)
    failed_chunks: set[NamedNode] = field(default_factory=set)
    fact_count: int = 0
    lost: bool = False

    def outcome(self) -> DocumentStored | DocumentRefused:
        planned = self.planned
        if self.lost:
            return DocumentRefused(
                planned.source,
                Conflict(
                    f"{planned.source}: the document {planned.iri.value} was deleted or replaced while it was being "
                    "read. Ingest it again if it should be there."
                ),
            )
        return DocumentStored(
            document=planned.iri,
            title=planned.header.title,
            page_count=len(planned.pages),
            chunk_count=len(planned.chunks),
            new_chunks=len(self.new_chunks),
            fact_count=self.fact_count,
            failed_chunks=len(self.failed_chunks),
            changes=self.changes,
            warnings=tuple(warning for each in planned.pages if (warning := each.page.warning)),
        )


@dataclass(frozen=True)
class ChunkWork:
    document: DocumentOnItsWay
    chunk: PlannedChunk


@dataclass(frozen=True)
class Batch:
    """Chunks that are extracted and written together; `facts` has for each chunk what each extractor by rules found in
    it, None where the store has that already."""

    works: Sequence[ChunkWork]
    facts: Sequence[Sequence[Sequence[Fact] | None]]


def chunks_left(missing: Iterable[tuple[ChunkWork, Sequence[PassageExtractor]]]) -> ChunksLeft:
    """The chunks that some extractor has still to read."""
    return ChunksLeft(
        tuple(
            ChunkLeft(work.document.planned, work.chunk, tuple(each.profile.name for each in by))
            for work, by in missing
            if by
        )
    )
