"""Ingest with real parts: a store in memory, a library on disk, and an extractor of one fact a sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Quad

from loop_watchdog import LoopWatchdog
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.catalogue.collections import Collections
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.document import Header, OpenDocument, Page
from provgraph.documents.document_reader import FileReading, ReadsHere
from provgraph.documents.library import Library
from provgraph.documents.page_layout import Heading, PageLayout
from provgraph.errors import Conflict, ProvGraphError, Unavailable, UnreadableDocument
from provgraph.extraction.extractors import Extractors
from provgraph.extraction.facts import Entity, Fact, Passage
from provgraph.extraction.names import PROPOSITIONS
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.ingestion.events import ChunksRead, DocumentRefused, DocumentStored, IngestEvent
from provgraph.ingestion.pipeline import BATCH_CHUNKS, BATCHES_AHEAD, DOCUMENTS_AT_ONCE, Ingestion
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.removal.outbox import Outbox
from provgraph.ports.quad_store import QuadPattern, WriteUnit
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.rdf.vocabulary import PROV
from provgraph.wire.documents import ChunkChanges


class FirstWords:
    """Says that the first word of a passage begins it."""

    name = "first-words"
    version = "1"

    def __init__(self) -> None:
        self.passages = 0

    def extract(self, passage: Passage) -> Sequence[Fact]:
        self.passages += 1
        first = passage.text.split()[0]
        return [Fact(Entity(first), "begins", Entity(passage.title), 0.9, 0, len(first))]


class FailingStore(OxigraphQuadStore):
    """Cannot be written any more after so many writes of units."""

    def __init__(self, writes: int) -> None:
        super().__init__()
        self.writes = writes

    async def add_absent(self, units: Sequence[WriteUnit]) -> list[bool]:
        self.writes -= 1
        if self.writes < 0:
            raise Unavailable("The disk is full. Free some space.")
        return await super().add_absent(units)


class NotingRetriever:
    """Notes what it is to follow."""

    def __init__(self) -> None:
        self.followed: list[list[NamedNode]] = []

    async def accept(self, request: RetrievalRequest) -> None: ...

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        raise NotImplementedError

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        assert collection == "default"
        self.followed.append(list(documents))

    async def forget(self, collection: str) -> None:
        raise NotImplementedError

    async def rewrite(self, collection: str) -> None:
        raise NotImplementedError


@dataclass
class Bench:
    """An ingestion and its parts."""

    folder: Path
    store: OxigraphQuadStore = field(default_factory=OxigraphQuadStore)
    retriever: NotingRetriever = field(default_factory=NotingRetriever)
    extractor: FirstWords = field(default_factory=FirstWords)
    workers: ExtractionWorkers = field(default_factory=lambda: ExtractionWorkers(0))

    def ingestion(self, now: datetime = datetime(2026, 1, 2, tzinfo=UTC)) -> Ingestion:
        library = Library(FolderContentStore(self.folder))
        return Ingestion(
            store=self.store,
            library=library,
            retriever=self.retriever,
            collections=Collections(self.store, "explainability"),
            workers=self.workers,
            extractors=Extractors(rules={PROPOSITIONS: lambda: self.extractor}),
            chunking=ChunkingSettings(200, 20),
            outbox=Outbox(self.store, library, lambda: self.retriever, "explainability"),
            now=lambda: now,
        )

    async def ingest(
        self, *files: SourceFile, now: datetime = datetime(2026, 1, 2, tzinfo=UTC)
    ) -> list[IngestEvent]:
        return [event async for event in self.ingestion(now).ingest(files, "default")]

    async def quads(self) -> set[Quad]:
        (found,) = await self.store.match([QuadPattern()])
        return set(found)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "library")


def records(count: int, **more: str) -> SourceFile:
    lines = [json.dumps({"text": f"Word{number} stands first.", **more}) for number in range(count)]
    return SourceFile("records.jsonl", "\n".join(lines).encode())


def book(paragraphs: int) -> SourceFile:
    text = "\n\n".join(
        f"Word{number} begins a paragraph. {'It goes on. ' * 12}" for number in range(paragraphs)
    )
    return SourceFile("book.txt", text.encode())


def stored(events: Sequence[IngestEvent]) -> list[DocumentStored]:
    return [event for event in events if isinstance(event, DocumentStored)]


def refusals(events: Sequence[IngestEvent]) -> Iterator[ProvGraphError]:
    return (event.error for event in events if isinstance(event, DocumentRefused))


async def test_a_second_ingest_changes_nothing_and_extracts_nothing(bench: Bench) -> None:
    await bench.ingest(book(40), records(40))
    before, passages = await bench.quads(), bench.extractor.passages
    events = await bench.ingest(book(40), records(40), now=datetime(2027, 1, 1, tzinfo=UTC))
    assert await bench.quads() == before
    assert bench.extractor.passages == passages
    assert {document.new_chunks for document in stored(events)} == {0}


@pytest.mark.parametrize("batches", range(3))
async def test_an_ingest_that_is_cut_off_is_completed_by_the_next(
    bench: Bench, batches: int, tmp_path: Path
) -> None:
    files = [book(120), records(100)]
    whole = Bench(tmp_path / "whole")
    await whole.ingest(*files)
    async with aclosing(bench.ingestion().ingest(files, "default")) as events:
        seen = 0
        async for event in events:
            seen += isinstance(event, ChunksRead)
            if seen > batches:
                break
    assert await bench.quads() < await whole.quads()
    await bench.ingest(*files)
    assert await bench.quads() == await whole.quads()


async def test_a_store_that_fails_ends_the_ingest_and_keeps_what_was_written(
    bench: Bench, tmp_path: Path
) -> None:
    whole = Bench(tmp_path / "whole")
    await whole.ingest(book(150))
    bench.store = FailingStore(3)
    with pytest.raises(Unavailable, match="disk is full"):
        await bench.ingest(book(150))
    kept = await bench.quads()
    assert kept < await whole.quads()
    assert len(kept) > BATCH_CHUNKS


async def test_chunks_are_read_only_a_few_batches_ahead_of_what_is_written(bench: Bench) -> None:
    async with aclosing(bench.ingestion().ingest([book(1000)], "default")) as events:
        async for event in events:
            if isinstance(event, ChunksRead):
                break
    assert bench.extractor.passages <= BATCH_CHUNKS * (BATCHES_AHEAD + 2)


async def test_progress_only_grows_and_ends_at_the_whole(bench: Bench) -> None:
    events = await bench.ingest(book(80), records(80))
    progress = [(event.done, event.total) for event in events if isinstance(event, ChunksRead)]
    assert progress == sorted(progress)
    done, total = progress[-1]
    assert done == total == sum(document.chunk_count for document in stored(events))


@pytest.mark.parametrize("answering", [True, False])
async def test_each_batch_that_was_written_leaves_the_interpreter_to_answers(
    bench: Bench, answering: bool
) -> None:
    rests: list[float] = []
    bench.workers.give_way(lambda: answering, rests.append)
    await bench.ingest(records(BATCH_CHUNKS * 3))
    extracted = bench.extractor.passages if answering else 0
    assert len(rests) - extracted == (3 if answering else 0)


async def test_every_stored_document_is_followed_once(bench: Bench) -> None:
    events = await bench.ingest(records(DOCUMENTS_AT_ONCE + 50), book(3))
    followed = [document for documents in bench.retriever.followed for document in documents]
    assert followed == [document.document for document in stored(events)]
    assert len(bench.retriever.followed) > 1


async def test_unchanged_documents_are_not_followed_again(bench: Bench) -> None:
    await bench.ingest(records(3))
    bench.retriever.followed.clear()
    await bench.ingest(records(4))
    assert [len(documents) for documents in bench.retriever.followed] == [1]


async def documents_in(store: OxigraphQuadStore) -> set[object]:
    (found,) = await store.match([QuadPattern(predicate=PROV.specialization_of)])
    return {quad.object for quad in found}


async def test_what_is_stored_when_an_ingest_fails_is_followed(bench: Bench) -> None:
    bench.store = FailingStore(3)
    with pytest.raises(Unavailable):
        await bench.ingest(records(BATCH_CHUNKS * 5))
    (followed,) = bench.retriever.followed
    assert set(followed) == await documents_in(bench.store)
    assert followed


@pytest.mark.parametrize("documents", [1, BATCH_CHUNKS, BATCH_CHUNKS + 1])
async def test_what_is_stored_when_an_ingest_is_cut_off_is_followed(bench: Bench, documents: int) -> None:
    async with aclosing(bench.ingestion().ingest([records(BATCH_CHUNKS * 8)], "default")) as events:
        seen = 0
        async for event in events:
            seen += isinstance(event, DocumentStored)
            if seen == documents:
                break
    (followed,) = bench.retriever.followed
    assert set(followed) == await documents_in(bench.store)
    assert documents <= len(followed) < BATCH_CHUNKS * 8


async def test_of_two_records_with_one_id_the_first_is_stored_and_the_second_refused(bench: Bench) -> None:
    events = await bench.ingest(records(2, id="urn:one"), records(1))
    (error,) = refusals(events)
    assert isinstance(error, Conflict)
    assert [document.title for document in stored(events)] == ["records 1", "records 1"]


async def test_other_content_under_a_stored_id_takes_the_place_of_the_older(bench: Bench) -> None:
    await bench.ingest(SourceFile("a.txt", b"First text.", id="urn:one"))
    (document,) = stored(await bench.ingest(SourceFile("a.txt", b"Other text.", id="urn:one")))
    assert document.changes == ChunkChanges(kept=0, changed=1, added=0, removed=0)
    said = {str(quad.object) for quad in await bench.quads()}
    assert not any("First" in each for each in said)
    texts = [path.read_bytes() for path in bench.folder.rglob("*") if path.is_file()]
    assert texts == [b"Other text.", b"Other text."]


async def test_a_file_that_cannot_be_read_leaves_nothing_and_the_others_go_on(bench: Bench) -> None:
    events = await bench.ingest(SourceFile("empty.txt", b""), records(1), SourceFile("bad.json", b"{"))
    assert [type(error) for error in refusals(events)] == [UnreadableDocument, UnreadableDocument]
    assert len(stored(events)) == 1


def long_text(words: str) -> bytes:
    """A text of some hundreds of chunks."""
    return "\n\n".join(
        f"{words} number {number} begins a paragraph of its own. " * 3 for number in range(400)
    ).encode()


async def test_a_long_document_is_followed_while_the_rest_of_it_is_read(bench: Bench) -> None:
    early = []
    async with aclosing(
        bench.ingestion().ingest([SourceFile("long.txt", long_text("Words"))], "default")
    ) as events:
        async for event in events:
            if isinstance(event, DocumentStored):
                early = list(bench.retriever.followed)
    assert early, "nobody could ask it before it was read to its end"
    assert len(bench.retriever.followed) == len(early) + 1
    bench.retriever.followed.clear()
    await bench.ingest(SourceFile("long.txt", long_text("Words")))
    assert bench.retriever.followed == [[]]


async def test_progress_tells_the_page_at_hand(bench: Bench) -> None:
    events = await bench.ingest(SourceFile("two.txt", b"First page here.\fSecond page there.", "text/plain"))
    last = [event for event in events if isinstance(event, ChunksRead)][-1]
    assert last.page == last.pages


async def test_files_that_are_read_side_by_side_are_stored_in_their_order(bench: Bench) -> None:
    files = [
        SourceFile(f"{name}.txt", f"{name} is a word.".encode()) for name in ("one", "two", "three", "four")
    ]
    ingestion = replace(bench.ingestion(), reader=ReadsTwo())
    found = [event async for event in ingestion.ingest(files, "default")]
    assert [event.title for event in found if isinstance(event, DocumentStored)] == [
        "one",
        "two",
        "three",
        "four",
    ]


class ReadsTwo(ReadsHere):
    """Reads two files at once."""

    @property
    def files_at_once(self) -> int:
        return 2


@dataclass(frozen=True)
class LaidOutReading:
    """One page with very many headings, as a reader gives it that found them."""

    def documents(self) -> Iterator[OpenDocument]:
        text = "Radium begins it. It goes on."
        headings = tuple(Heading(0, 6, 1 + number % 3, "Radium") for number in range(600_000))
        yield LaidOutDocument(
            Header("Radium", "text/plain", 1), b"radium", Page(1, text, layout=PageLayout(headings))
        )

    def stop(self) -> None: ...


@dataclass(frozen=True)
class LaidOutDocument:
    header: Header
    content: bytes
    page: Page

    def pages(self) -> Iterator[Page]:
        yield self.page


class ReadsLaidOut(ReadsHere):
    def read(self, content: bytes, name: str, media_type: str = "") -> FileReading:  # noqa: ARG002
        return LaidOutReading()


async def test_how_a_page_is_laid_out_is_kept_beside_the_loop(bench: Bench, _watchdog: LoopWatchdog) -> None:
    before = len(_watchdog.found)
    ingestion = replace(bench.ingestion(), reader=ReadsLaidOut())
    events = [event async for event in ingestion.ingest([SourceFile("radium.txt", b"radium")], "default")]
    assert [document.title for document in stored(events)] == ["Radium"]
    assert _watchdog.found[before:] == []
