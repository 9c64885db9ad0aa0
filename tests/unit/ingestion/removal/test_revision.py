"""A changed document costs what changed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pymupdf
import pytest

from plans import planned_documents
from provgraph.errors import Conflict, ModelUnavailable
from provgraph.extraction.extractors import ExtractionOptions
from provgraph.ingestion.events import DocumentRefused, DocumentStored
from provgraph.ingestion.model_stage import FailureNotes
from provgraph.ingestion.planning import PlannedDocument, SourceFile
from provgraph.ingestion.recording import Recorder, rules_profile
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.vocabulary import TG
from provgraph.wire.documents import ChunkChanges
from unit.ingestion.removal.mortal import Collected, held, opened


def paragraph(number: int, word: str = "quiet") -> str:
    return f"Person{number} founded Town{number}. It was a {word} place by the river, and people came to it in boats."


def book(*changed: int, paragraphs: int = 400) -> str:
    return "\n\n".join(
        paragraph(number, "loud" if number in changed else "quiet") for number in range(paragraphs)
    )


def leaflet(*changed: int) -> str:
    """A text of several batches of chunks all the same."""
    return book(*changed, paragraphs=60)


def pdf(*pages: str) -> bytes:
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        for text in pages:
            document.new_page().insert_text((72, 72), text)
        content: bytes = document.tobytes()
    return content


async def ingest_pdf(collected: Collected, content: bytes) -> DocumentStored:
    file = SourceFile("paper.pdf", content, "application/pdf", "A paper", "paper")
    events = [event async for event in collected.ingestion.ingest([file], "default")]
    (stored,) = [event for event in events if isinstance(event, DocumentStored)]
    return stored


@pytest.mark.slow
async def test_a_changed_paragraph_of_a_long_text_is_at_most_two_per_cent_of_its_reading(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as collected:
        await collected.ingest("book", book())
        read = collected.extractor.passages
        stored = await collected.ingest("book", book(200))
        assert isinstance(stored, DocumentStored)
        assert 1 <= collected.extractor.passages - read <= read * 0.02
        assert stored.changes is not None
        assert stored.changes.kept >= read * 0.98


async def test_the_chunks_of_pages_that_did_not_change_are_kept_behind_a_page_that_came_before_them(
    tmp_path: Path,
) -> None:
    pages = [f"Anna{number} founded Rome{number}.\n\nShe left Oslo{number}." for number in range(5)]
    longer = pdf("Berta visited Paris.", *pages)
    async with opened(tmp_path / "revised") as collected:
        first = await ingest_pdf(collected, pdf(*pages))
        read = collected.extractor.passages
        second = await ingest_pdf(collected, longer)
        assert second.changes == ChunkChanges(kept=first.chunk_count, changed=0, added=1, removed=0)
        assert collected.extractor.passages == read + 1
        revised = await held(collected)
    async with opened(tmp_path / "alone") as collected:
        await ingest_pdf(collected, longer)
        assert (await held(collected)).quads ^ revised.quads == frozenset()


async def test_a_title_that_changes_with_the_text_reads_every_chunk_anew(tmp_path: Path) -> None:
    async with opened(tmp_path / "revised") as collected:
        await collected.ingest("book", leaflet(), title="One title")
        await collected.ingest("book", leaflet(30), title="Another title")
        revised = await held(collected)
    async with opened(tmp_path / "alone") as collected:
        await collected.ingest("book", leaflet(30), title="Another title")
        assert (await held(collected)).quads ^ revised.quads == frozenset()


async def test_older_readings_stay_beside_the_new_until_they_are_replaced(tmp_path: Path) -> None:
    async with opened(tmp_path / "replaced", version="1") as collected:
        await collected.ingest("book", leaflet())
        alone = await held(collected)
    async with opened(tmp_path / "replaced", version="2") as collected:
        await collected.ingest("book", leaflet())
        beside = await held(collected)
        assert beside.quads > alone.quads
        await collected.ingest(
            "book", leaflet(), chosen=collected.ingestion.extractors.chosen(ExtractionOptions(replace=True))
        )
        replaced = await held(collected)
    async with opened(tmp_path / "alone", version="2") as collected:
        await collected.ingest("book", leaflet())
        assert (await held(collected)).quads ^ replaced.quads == frozenset()


async def test_a_document_that_is_deleted_while_it_is_read_takes_nothing_more_in(tmp_path: Path) -> None:
    async with opened(tmp_path / "deleted") as collected:
        file = SourceFile("book.txt", book().encode(), "text/plain", "A title", "book")
        refused: list[DocumentRefused] = []
        deleted = False
        async for event in collected.ingestion.ingest([file], "default"):
            if not deleted:
                await collected.delete("book")
                deleted = True
            if isinstance(event, DocumentRefused):
                refused.append(event)
        assert [type(event.error) for event in refused] == [Conflict]
        found = await held(collected)
    assert found.contents == {}
    assert not any("Person" in quad for quad in found.quads)


async def test_of_two_ingests_of_one_id_at_once_one_is_the_document(tmp_path: Path) -> None:
    async with opened(tmp_path / "both") as collected:
        outcomes = await asyncio.gather(
            collected.ingest("book", leaflet()), collected.ingest("book", leaflet(7))
        )
        left = leaflet() if isinstance(outcomes[0], DocumentStored) else leaflet(7)
        stored = [outcome for outcome in outcomes if isinstance(outcome, DocumentStored)]
        both = await held(collected)
        if len(stored) == 2:  # the second revised what the first had stored
            left = leaflet(7)
    async with opened(tmp_path / "alone") as collected:
        await collected.ingest("book", left)
        assert (await held(collected)).quads ^ both.quads == frozenset()


async def test_what_a_model_failed_at_is_not_noted_at_a_chunk_that_is_gone(tmp_path: Path) -> None:
    async with opened(tmp_path / "deleted") as collected:
        ingestion = collected.ingestion
        graphs = collection_graphs("default", "explainability")
        recorder = Recorder(graphs, ingestion.chunking, ingestion.now())
        file = SourceFile("book.txt", book().encode(), "text/plain", "A title", "book")
        (planned,) = planned_documents(file, ingestion.chunking)
        assert isinstance(planned, PlannedDocument)
        notes = FailureNotes(recorder, collected.store)
        profile, failure = rules_profile(collected.extractor), ModelUnavailable("It is gone. Try later.")
        await collected.ingest("book", book())
        before = await collected.store.match([QuadPattern()])
        await notes.note(planned.chunks[0], profile, failure)
        assert await collected.store.match([QuadPattern()]) != before
        await collected.delete("book")
        await notes.note(planned.chunks[0], profile, failure)
        assert await collected.store.match([QuadPattern(predicate=TG.failure)]) == [[]]
