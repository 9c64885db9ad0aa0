"""A collection on disk whose process may die at any write; and what it holds, to be compared with another's."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from pyoxigraph import Literal, NamedNode, Quad

from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.catalogue.collections import Collections
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.library import Library
from provgraph.errors import Unavailable
from provgraph.extraction.extractors import ChosenExtractors, Extractors
from provgraph.extraction.facts import Entity, Fact, Passage
from provgraph.extraction.names import PROPOSITIONS
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.ingestion.events import DocumentRefused, DocumentStored, IngestEvent
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.removal.deletion import DeletionOutcome, DeletionRequest, Deletions
from provgraph.ingestion.removal.outbox import Outbox
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.iris import given_iri
from provgraph.rdf.vocabulary import PROV, RDF, TG
from provgraph.retrieval.keyword_index import KeywordIndex
from provgraph.retrieval.pipeline import GraphRetriever

T = TypeVar("T")

EXPLAIN: Final = "explainability"
_SENTENCE: Final = re.compile(r"(\w+) (\w+) (\w+)\.")


class ThreeWords:
    """Reads every sentence of three words."""

    name = "three-words"

    def __init__(self, version: str = "1") -> None:
        self.version = version
        self.passages = 0

    def extract(self, passage: Passage) -> Sequence[Fact]:
        self.passages += 1
        return [
            Fact(Entity(found[1]), found[2], Entity(found[3]), 0.9, found.start(), found.end())
            for found in _SENTENCE.finditer(passage.text)
            if passage.own_start <= found.start() < passage.own_end
        ]


@dataclass
class Life:
    """So many writes, and then none. With `kills` the process dies there as by a power cut."""

    writes: int = 1_000_000
    kills: bool = False

    def spend(self) -> None:
        self.writes -= 1
        if self.writes < 0:
            if self.kills:
                os.kill(os.getpid(), signal.SIGKILL)
            raise Unavailable("The process is dead. Start it again.")


class MortalStore(OxigraphQuadStore):
    def __init__(self, folder: Path, life: Life) -> None:
        super().__init__(folder)
        self._life = life

    async def _write(self, change: Callable[[], T]) -> T:
        self._life.spend()
        return await super()._write(change)


class MortalContents(FolderContentStore):
    def __init__(self, folder: Path, life: Life) -> None:
        super().__init__(folder)
        self._life = life

    async def put(self, contents: Mapping[str, bytes]) -> None:
        for key, content in contents.items():
            self._life.spend()
            await super().put({key: content})

    async def delete(self, prefix: str) -> None:
        self._life.spend()
        await super().delete(prefix)


class MortalRetriever(GraphRetriever):
    def __init__(self, store: OxigraphQuadStore, library: Library, folder: Path, life: Life) -> None:
        super().__init__(store, library, folder)
        self._life = life

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        self._life.spend()
        await super().follow(collection, documents)


@dataclass
class Collected:
    """A collection and its services."""

    folder: Path
    store: OxigraphQuadStore
    library: Library
    retriever: GraphRetriever
    ingestion: Ingestion
    deletions: Deletions
    extractor: ThreeWords

    async def ingest(
        self, name: str, text: str, title: str = "A title", chosen: ChosenExtractors | None = None
    ) -> IngestEvent:
        """What came of the one document."""
        file = SourceFile(f"{name}.txt", text.encode(), "text/plain", title, name)
        events = [event async for event in self.ingestion.ingest([file], "default", chosen)]
        (outcome,) = [event for event in events if isinstance(event, DocumentStored | DocumentRefused)]
        return outcome

    async def delete(self, name: str, *, redact: bool = False, dry_run: bool = False) -> DeletionOutcome:
        request = DeletionRequest("default", given_iri(name), "ada", redact=redact, dry_run=dry_run)
        return await self.deletions.delete(request)

    async def documents(self) -> dict[str, str]:
        """The version of each document, by its IRI."""
        (found,) = await self.store.match([QuadPattern(predicate=PROV.specialization_of)])
        return {str(quad.object): str(quad.subject) for quad in found}


@asynccontextmanager
async def opened(folder: Path, life: Life | None = None, version: str = "1") -> AsyncIterator[Collected]:
    """The collection in a folder, with what a crash left undone done, as at the start of a service."""
    life = life or Life()
    store = MortalStore(folder / "store", life)
    library = Library(MortalContents(folder / "library", life))
    retriever = MortalRetriever(store, library, folder / "index", life)
    collections = Collections(store, EXPLAIN)
    outbox = Outbox(store, library, lambda: retriever, EXPLAIN)
    extractor = ThreeWords(version)
    ingestion = Ingestion(
        store=store,
        library=library,
        retriever=retriever,
        collections=collections,
        workers=ExtractionWorkers(0),
        extractors=Extractors(rules={PROPOSITIONS: lambda: extractor}),
        chunking=ChunkingSettings(100, 20),
        outbox=outbox,
        now=lambda: datetime(2026, 1, 2, tzinfo=UTC),
    )
    deletions = Deletions(store, collections, outbox)
    try:
        await outbox.work_off()
        yield Collected(folder, store, library, retriever, ingestion, deletions, extractor)
    finally:
        await retriever.close()
        await store.close()


@dataclass(frozen=True)
class Held:
    """Everything that a collection holds, but for times, changes and what they say of versions."""

    quads: frozenset[str]
    contents: Mapping[str, bytes]
    indexed: Mapping[str, frozenset[str]] = field(default_factory=dict)


async def held(collected: Collected) -> Held:
    (found,) = await collected.store.match([QuadPattern()])
    changes = {
        quad.subject
        for quad in found
        if quad.predicate == RDF.type and quad.object in (TG.Deletion, TG.Revision, TG.Replacement)
    }
    people = {
        quad.object
        for quad in found
        if quad.subject in changes and quad.predicate == PROV.was_associated_with
    }
    index = await collected.retriever._follower.current("default")
    return Held(
        frozenset(
            _timeless(quad)
            for quad in found
            if quad.subject not in changes | people and quad.predicate != PROV.was_revision_of
        ),
        {
            str(path.relative_to(collected.folder)): path.read_bytes()
            for path in (collected.folder / "library").rglob("*")
            if path.is_file()
        },
        {
            "chunks": _payloads(index.chunks, "document"),
            "readings": _payloads(index.readings, "document"),
            "entities": _payloads(index.entities, "key"),
        },
    )


def _timeless(quad: Quad) -> str:
    if isinstance(quad.object, Literal) and quad.predicate in (PROV.started_at_time, PROV.generated_at_time):
        return str(Quad(quad.subject, quad.predicate, Literal("at some time"), quad.graph_name))
    return str(quad)


def _payloads(index: KeywordIndex, key: str) -> frozenset[str]:
    found: list[dict[str, Any]] = [
        index.payload(address) for value in index.values(key) for address in index.all_having(key, value)
    ]
    return frozenset(repr(sorted(payload.items(), key=lambda item: item[0])) for payload in found)
