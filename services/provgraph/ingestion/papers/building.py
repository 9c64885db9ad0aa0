"""A collection of papers is built: an ingest that ends with the paper graph, and keeps account of what it missed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from uuid import uuid4

from provgraph.extraction.extractors import ChosenExtractors, Extractors
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.ingestion.events import DocumentRefused, IngestEvent, PapersLinked
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.planning import LostFile, SourceFile, SourceFiles, each_file
from provgraph.ports.quad_store import QuadPattern, StoreChange, StoreReader
from provgraph.provenance.papers import BuildRecord, GapRecord, build_quads, gap_quads
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.iris import build_iri, collection_iri, gap_iri

Linking = Callable[[str], Awaitable[tuple[int, int]]]
"""Makes the paper graph of a collection; gives how many papers and how many pairs of them it has."""


@dataclass
class PaperFiles:
    """Papers for a build, and what was searched for; `seen` are those that came so far, by name.

    `watch` is told what is done to get the next one.
    """

    files: SourceFiles
    topic: str = ""
    seen: dict[str, SourceFile | LostFile] = field(default_factory=dict)
    watch: Callable[[str], None] = lambda _: None

    def doing(self, what: str) -> None:
        self.watch(what)

    async def __aiter__(self) -> AsyncIterator[SourceFile | LostFile]:
        async with aclosing(each_file(self.files)) as coming:
            async for file in coming:
                self.seen[file.name] = file
                yield file


@dataclass(frozen=True)
class PaperBuilding:
    """Ingests as `Ingestion` does, which reads with extractors for papers; `link` makes the paper graph."""

    ingestion: Ingestion
    link: Linking

    @property
    def extractors(self) -> Extractors:
        return self.ingestion.extractors

    @property
    def workers(self) -> ExtractionWorkers:
        return self.ingestion.workers

    async def ingest(
        self, files: SourceFiles, collection: str, chosen: ChosenExtractors | None = None
    ) -> AsyncGenerator[IngestEvent]:
        """The events of the ingest, then `PapersLinked`. What was missed is in the store when that comes.

        Raises what the ingest raises, and what linking does, when all papers are stored.
        """
        papers = files if isinstance(files, PaperFiles) else PaperFiles(files)
        started, refused = self.ingestion.now(), list[DocumentRefused]()
        async with aclosing(self.ingestion.ingest(papers, collection, chosen)) as events:
            async for event in events:
                if isinstance(event, DocumentRefused):
                    refused.append(event)
                yield event
        await self._account(papers, collection, refused, started)
        count, pairs = await self.link(collection)
        yield PapersLinked(count, pairs)

    async def _account(
        self, papers: PaperFiles, collection: str, refused: list[DocumentRefused], started: datetime
    ) -> None:
        build = BuildRecord(
            build_iri(str(uuid4())), collection_iri(collection), papers.topic, started, self.ingestion.now()
        )
        gaps = {gap.iri: gap for gap in (_gap(papers, collection, each) for each in refused)}
        tried = {gap_iri(collection, name) for name in papers.seen} | gaps.keys()
        graph = source_graph(collection)
        coming = [quad for gap in gaps.values() for quad in gap_quads(gap, build.iri, graph)]

        def decide(reader: StoreReader) -> StoreChange[None]:
            found = reader.match([QuadPattern(node, graph=graph) for node in tried])
            before = [quad for quads in found for quad in quads]
            return StoreChange(None, before, [*build_quads(build, graph), *coming])

        await self.ingestion.store.transact(decide)


def _gap(papers: PaperFiles, collection: str, refused: DocumentRefused) -> GapRecord:
    file = papers.seen.get(refused.name)
    title = file.title if file and file.title else refused.name
    source = file.source if isinstance(file, LostFile) else (file.described.source if file else "")
    return GapRecord(gap_iri(collection, refused.name), title, str(refused.error), source)
