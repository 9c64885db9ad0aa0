"""Chunks as they are handed to other processes: their places in a message, their words in the library."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from typing import Final

from provgraph.documents.chunks import Chunk
from provgraph.documents.document import Page
from provgraph.documents.library import Library
from provgraph.documents.outline import OpenClause, Outline
from provgraph.errors import NotFound
from provgraph.ingestion.events import ChunkLeft, ChunksLeft
from provgraph.ingestion.planning import PlannedChunk, PlannedPage
from provgraph.ports.work_queue import Task
from provgraph.rdf.terms import NamedNode
from provgraph.wire.tasks import CHUNKS, ChunkPlace, ChunksTask, OutlinePlace, Reading

CHUNKS_PER_TASK: Final = 8
"""So few that a crash costs a few calls of a model; so many that the queue costs little."""
_OF_CHUNK: Final = frozenset(
    ("index", "start", "end", "own_start", "own_end", "occurrence", "continuation", "continuation_start")
)


def chunk_tasks(job: str, reading: Reading, left: ChunksLeft) -> Iterator[tuple[Task, int]]:
    """Tasks for what is left, each with the number of its chunks; the same chunks give the same task."""
    for start in range(0, len(left.chunks), CHUNKS_PER_TASK):
        chunks = left.chunks[start : start + CHUNKS_PER_TASK]
        body = (
            ChunksTask(reading=reading, chunks=[_place(each) for each in chunks]).model_dump_json().encode()
        )
        yield Task(f"{job}-{hashlib.sha256(body).hexdigest()[:24]}", job, CHUNKS, body), len(chunks)


async def planned_chunks(library: Library, task: ChunksTask) -> list[tuple[ChunkPlace, PlannedChunk]]:
    """The chunks with their words, but for those of which the library has lost a page, as after a deletion."""
    numbers = {each.page: each.number for each in task.chunks}
    numbers |= {each.next_page: each.number + 1 for each in task.chunks if each.next_page}
    pages: dict[str | None, PlannedPage | None] = {None: None}
    for iri, number in numbers.items():
        with suppress(NotFound):
            text = (await library.content(task.reading.collection, NamedNode(iri))).decode()
            pages[iri] = PlannedPage(NamedNode(iri), Page(number, text))
    return [
        (each, _planned(each, page, pages[each.next_page]))
        for each in task.chunks
        if (page := pages.get(each.page)) and each.next_page in pages
    ]


def _place(left: ChunkLeft) -> ChunkPlace:
    planned = left.chunk
    chunk = {name: value for name, value in asdict(planned.chunk).items() if name in _OF_CHUNK}
    return ChunkPlace(
        document=left.document.iri.value,
        source=left.document.source,
        iri=planned.iri.value,
        title=planned.title,
        page=planned.page.iri.value,
        next_page=planned.next_page.iri.value if planned.next_page else None,
        number=planned.chunk.page,
        extractors=list(left.extractors),
        outline=OutlinePlace.model_validate(asdict(planned.outline)),
        **chunk,
    )


def _planned(place: ChunkPlace, page: PlannedPage, next_page: PlannedPage | None) -> PlannedChunk:
    of_chunk = {name: value for name, value in place.model_dump().items() if name in _OF_CHUNK}
    chunk = Chunk(page=place.number, text=page.page.text[place.start : place.end], **of_chunk)
    clauses = tuple(OpenClause(**each.model_dump()) for each in place.outline.clauses)
    outline = Outline(clauses, place.outline.lead, place.outline.is_beside)
    return PlannedChunk(NamedNode(place.iri), page, next_page, chunk, place.title, outline)
