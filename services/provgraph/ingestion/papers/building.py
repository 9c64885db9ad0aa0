"""Collections of papers are built by jobs: an ingest that ends with the paper graph and lists what it missed. Papers on
a topic are fetched one after another, unless the collection has them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final
from uuid import uuid4

from provgraph.documents.bibliography import Bibliography
from provgraph.errors import NotFound, ProvGraphError, UnreadableDocument
from provgraph.extraction.extractors import ChosenExtractors, Extractors
from provgraph.extraction.workers import ExtractionWorkers
from provgraph.ingestion.events import DocumentRefused, IngestEvent, PapersLinked
from provgraph.ingestion.jobs import WatchedJob, add_event
from provgraph.ingestion.papers.bibtex import abstract_file
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.planning import LostFile, SourceFile, SourceFiles, each_file
from provgraph.ports.paper_search import FoundPaper, PaperSearch, UnusableEntry, Waits
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.provenance.papers import BuildRecord, GapRecord, build_quads, gap_quads
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.iris import build_iri, collection_iri, gap_iri
from provgraph.rdf.terms import Literal, NamedNode, Quad
from provgraph.rdf.vocabulary import DC, TG
from provgraph.wire.documents import Job
from provgraph.wire.problem import Problem

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


logger = logging.getLogger(__name__)

KEPT_BUILDS: Final = 100


class BuildJobs:
    """The builds of one process. `turn` is held while one runs; who holds it writes documents alone."""

    def __init__(
        self, building: PaperBuilding, turn: asyncio.Lock, watch: Callable[[IngestEvent], None]
    ) -> None:
        self._building = building
        self._turn = turn
        self._watch = watch
        self._builds: dict[str, WatchedJob] = {}

    def submit(self, papers: PaperFiles, collection: str, chosen: ChosenExtractors) -> Job:
        build = WatchedJob(Job(id=str(uuid4()), collection=collection, extractors=chosen.names))
        self._builds[build.job.id] = build
        build.work = asyncio.create_task(self._work(build, papers, chosen))
        for job_id in [job_id for job_id, each in self._builds.items() if each.over][:-KEPT_BUILDS]:
            del self._builds[job_id]
        return build.job

    def job(self, job_id: str) -> Job:
        """Raises `NotFound` for a build that this process does not know."""
        return self._build(job_id).job

    async def watch(self, job_id: str) -> AsyncGenerator[Job]:
        async with aclosing(self._build(job_id).states()) as states:
            async for job in states:
                yield job

    def cancel(self, job_id: str) -> Job:
        """End a build, and its calls of a model; what it has stored stays."""
        build = self._build(job_id)
        if not build.over:
            build.job.state = "cancelled"
            build.tell()
            if build.work:
                build.work.cancel()
        return build.job

    async def forget_finished(self) -> None:
        """Forget what builds that are over told of their papers."""
        self._builds = {job_id: build for job_id, build in self._builds.items() if not build.over}

    async def close(self) -> None:
        """Stop working; a build that runs is cut off after the batch at hand."""
        works = [build.work for build in self._builds.values() if build.work]
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)
        self._building.workers.close()

    async def _work(self, build: WatchedJob, papers: PaperFiles, extractors: ChosenExtractors) -> None:
        job = build.job
        try:
            async with self._turn:
                job.state = "running"
                build.tell()
                await self._read(build, papers, extractors)
            job.state = "done"
        except ProvGraphError as error:
            job.state, job.problem = "failed", Problem.of(error)
        except asyncio.CancelledError:
            job.state = "cancelled"
            raise
        except Exception as error:
            logger.exception("a build failed in a way that nobody foresaw")
            failure = ProvGraphError(
                f"The build failed unexpectedly ({type(error).__name__}). Please report it."
            )
            job.state, job.problem = "failed", Problem.of(failure)
        finally:
            build.tell()

    async def _read(self, build: WatchedJob, papers: PaperFiles, extractors: ChosenExtractors) -> None:
        def watch(doing: str) -> None:
            build.job.doing = doing
            build.tell()

        papers.watch = watch
        async with aclosing(self._building.ingest(papers, build.job.collection, extractors)) as events:
            async for event in events:
                add_event(build.job, event)
                self._watch(event)
                build.tell()

    def _build(self, job_id: str) -> WatchedJob:
        if job_id not in self._builds:
            raise NotFound(
                f"There is no build {job_id[:80]}. Builds are known until the service stops; build again to see where "
                "it stands."
            )
        return self._builds[job_id]


Doing = Callable[[str], None]
"""Is told what a search is at, in words; an empty text when that is over."""


@dataclass(frozen=True)
class SearchedPapers:
    """`store` knows which papers a collection has."""

    search: PaperSearch
    store: QuadStore

    async def on(
        self, topic: str, most: int, collection: str, doing: Doing
    ) -> AsyncGenerator[SourceFile | LostFile]:
        """Ends after what went wrong, where the search itself fails."""
        try:
            with _reporting_waits(doing, "searching arXiv") as waits:
                found = await self.search.search(topic, most, waits)
        except ProvGraphError as error:
            yield LostFile(f"arXiv: {topic}", error, f"The search for {topic!r}")
            return
        if not found:
            none = NotFound(
                f"arXiv has no paper with all the words of {topic[:80]!r}. Use fewer or other words."
            )
            yield LostFile(f"arXiv: {topic}", none, f"The search for {topic!r}")
        for paper in found:
            if isinstance(paper, UnusableEntry):
                yield LostFile(paper.title, UnreadableDocument(paper.reason), paper.title)
            elif not await self._is_there(paper, collection):
                async for file in self._fetched(paper, doing):
                    yield file

    async def _is_there(self, paper: FoundPaper, collection: str) -> bool:
        """Whether the collection has this version of it, and not its abstract only."""
        node, graph = NamedNode(paper.id), source_graph(collection)
        said = ((DC.identifier, paper.version), (TG.mime_type, "application/pdf"))
        return all(
            await self.store.contains(
                [Quad(node, predicate, Literal(text), graph) for predicate, text in said]
            )
        )

    async def _fetched(self, paper: FoundPaper, doing: Doing) -> AsyncGenerator[SourceFile | LostFile]:
        """The paper; or why it cannot be had, and its abstract in its place."""
        name = paper.version.removeprefix("arXiv:").replace("/", "-")
        described = Bibliography(
            paper.creators, paper.published, paper.identifiers, paper.abstract, paper.address
        )
        file = SourceFile(f"{name}.pdf", b"", "application/pdf", paper.title, paper.id, described)
        try:
            with _reporting_waits(doing, f"fetching {name}") as waits:
                content = await self.search.pdf(paper, waits)
            yield replace(file, content=content)
        except ProvGraphError as error:
            yield LostFile(file.name, error, paper.title, paper.address)
            if paper.abstract:
                yield abstract_file(f"{name}.txt", paper.title, file)


@contextmanager
def _reporting_waits(doing: Doing, what: str) -> Iterator[Waits]:
    """What is being done is told, and each wait that it takes."""
    doing(what)
    try:
        yield lambda seconds: doing(f"waiting {seconds:.0f} s for arXiv")
    finally:
        doing("")
