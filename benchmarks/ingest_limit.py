"""The fastest that an ingest could be: the text of the files read, and the very quads of an ingest written raw."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pymupdf
from pyoxigraph import NamedNode, Quad, Store

from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.assembly.reading import extractors
from provgraph.catalogue.collections import Collections
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.library import Library
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.removal.outbox import Outbox
from provgraph.ports.quad_store import WriteUnit
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.rdf.graphs import DEFAULT_COLLECTION, knowledge_graph
from provgraph.rdf.vocabulary import TG
from provgraph.settings import Settings


@dataclass(frozen=True)
class Corpus:
    name: str
    files: Sequence[SourceFile]


@dataclass(frozen=True)
class Seconds:
    """On the clock, and of processor time, children that have ended included."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Self:
        used = os.times()
        return cls(time.perf_counter(), used.user + used.system + used.children_user + used.children_system)

    def since(self, before: Seconds) -> Seconds:
        return Seconds(self.wall - before.wall, self.cpu - before.cpu)


class NotingStore(OxigraphQuadStore):
    """A store in memory that keeps what each transaction wrote."""

    def __init__(self) -> None:
        super().__init__()
        self.transactions: list[list[Quad]] = []

    async def add(self, quads: Sequence[Quad]) -> None:
        await super().add(quads)
        self.transactions.append(list(quads))

    async def add_absent(self, units: Sequence[WriteUnit]) -> list[bool]:
        absent = await super().add_absent(units)
        pairs = zip(units, absent, strict=True)
        self.transactions.append([quad for unit, is_absent in pairs if is_absent for quad in unit.quads])
        return absent


class NoRetriever:
    """Follows nothing."""

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        raise NotImplementedError

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        pass

    async def forget(self, collection: str) -> None:
        pass


async def transactions_of(corpus: Corpus) -> list[list[Quad]]:
    """What each transaction of an ingest writes."""
    store = NotingStore()
    with tempfile.TemporaryDirectory() as folder:
        workers = ExtractionWorkers(0)
        library = Library(FolderContentStore(Path(folder)))
        settings = Settings()
        retriever = NoRetriever()
        ingestion = Ingestion(
            store=store,
            library=library,
            retriever=retriever,
            collections=Collections(store, settings.explain_collection),
            workers=workers,
            extractors=extractors(settings, None),
            chunking=ChunkingSettings(settings.chunk_size, settings.chunk_overlap),
            clearing=Outbox(store, library, lambda: retriever, settings.explain_collection),
        )
        async for _ in ingestion.ingest(corpus.files, DEFAULT_COLLECTION):
            pass
    return store.transactions


def limit(corpus: Corpus, transactions: Sequence[Sequence[Quad]]) -> Seconds:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        started = Seconds.now()
        _read_text(corpus)
        for quads in transactions:
            store.extend(quads)
        store.flush()
        return Seconds.now().since(started)


def _read_text(corpus: Corpus) -> None:
    for file in corpus.files:
        if file.name.endswith(".jsonl"):
            for line in file.content.splitlines():
                json.loads(line)
        elif _is_readable(file):
            with pymupdf.open(stream=file.content) as document:
                for page in document:
                    page.get_text()


def _is_readable(file: SourceFile) -> bool:
    try:
        with pymupdf.open(stream=file.content) as document:
            return not document.needs_pass
    except (pymupdf.FileDataError, pymupdf.EmptyFileError):
        return False


def quads_by_part(transactions: Iterable[Iterable[Quad]]) -> Mapping[str, int]:
    """How many quads are asserted facts, `contained` facts, parts of quotations, and the `chain` of the rest.

    Contained and chain together are the N + 12 of each chunk, and its share of page and document.
    """
    quads = {quad for transaction in transactions for quad in transaction}
    quotations = {quad.subject for quad in quads if quad.object == TG.Quotation}
    return Counter(_part(quad, quotations) for quad in quads)


def _part(quad: Quad, quotations: set[object]) -> str:
    if quad.graph_name == knowledge_graph():
        return "asserted"
    if quad.predicate == TG.contains:
        return "contained"
    return "quotation" if quad.subject in quotations else "chain"
