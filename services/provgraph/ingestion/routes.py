"""HTTP face of documents: ingest and its jobs, the queue of work, what is stored, pages as pictures, and the
facts of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import asdict
from typing import Annotated, Final

from anyio import CapacityLimiter
from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import JSONResponse

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.contents import Contents
from provgraph.catalogue.document_names import named_document
from provgraph.catalogue.documents import (
    ChunkView,
    DocumentCatalogue,
    DocumentCounts,
    DocumentSummary,
    FactView,
    PageView,
    failed_readings,
)
from provgraph.catalogue.page_pictures import PagePictures
from provgraph.catalogue.readings import DocumentReading
from provgraph.catalogue.sources import Extraction, SourceReader
from provgraph.disconnects import computed, while_connected
from provgraph.documents.drawn_pages import MEDIA_TYPE, DrawnPages
from provgraph.documents.library import Library
from provgraph.documents.metadata import values_by_name
from provgraph.errors import InvalidInput
from provgraph.extraction.extractors import ExtractionOptions, OntologyFile, extract_text, text_extractor
from provgraph.ingestion.dead_tasks import DeadTasks, names_of
from provgraph.ingestion.jobs import Jobs, WatchedJobs
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.rereading import Rereading
from provgraph.ingestion.uploads import read_upload
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.iris import iri
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import (
    CollectionReadings,
    Document,
    DocumentChunk,
    DocumentFact,
    DocumentPage,
    DocumentTree,
    Job,
    MarkedRectangle,
    PageRecognition,
    PageWords,
    ReadingVersion,
    RereadRequest,
    RetryRequest,
)
from provgraph.wire.event_stream import StreamedMessage, event_stream, wants_stream
from provgraph.wire.extract import ExtractedFacts, ExtractedTexts, ExtractRequest
from provgraph.wire.tasks import DeadWork, QueuedWork, RevivedWork

Listed = list[Document] | DocumentTree

DOWNLOAD: Final = {"X-Content-Type-Options": "nosniff", "Content-Disposition": "attachment"}
"""A document is anybody's HTML: a browser must not take it for a page of this service."""


def extraction_router(ingestion: Ingestion, jobs: Jobs) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["extraction"])
    rereading = Rereading(ingestion.collections, ingestion.extractors)
    router.routes.extend(_text_router().routes)
    router.routes.extend(_reading_router(rereading, jobs).routes)
    router.routes.extend(page_router(ingestion.collections, ingestion.library).routes)

    @router.post("/documents", status_code=202, response_model=Job)
    async def add_documents(request: Request) -> Job:
        """Take documents in: multipart files, or one JSON document. Watch the job that is returned."""
        upload = await read_upload(request)
        return await jobs.submit(upload.files, upload.collection, upload.options)

    @router.post("/documents/retry", status_code=202, response_model=Job)
    async def retry(body: RetryRequest) -> Job:
        """Read again what failed, and nothing else: documents come from the library. Watch the job that is returned."""
        return await jobs.retry(body.collection, _options(body))

    @router.get("/documents", response_model=Listed)
    async def documents(id: str = "", collection: str = DEFAULT_COLLECTION, counts: bool = False) -> Listed:
        """All documents of a collection, with `counts` those of chunks and facts; with `id`, one down to its facts."""
        graphs = await ingestion.collections.require(collection)
        return await _documents(DocumentCatalogue(ingestion.store, graphs), rereading, id, counts)

    @router.get("/documents/content")
    async def content(id: str, collection: str = DEFAULT_COLLECTION) -> Response:
        """The bytes of a document, by id, file name or title; or the text of a page, a chunk or an answer, by IRI."""
        graphs = await ingestion.collections.require(collection)
        node = await named_document(DocumentCatalogue(ingestion.store, graphs), id)
        explain_collection = ingestion.collections.explain_collection
        contents = Contents(ingestion.store, ingestion.library, explain_collection)
        found = await contents.content(collection, node)
        media_type = "text/plain; charset=utf-8" if found.is_text else "application/octet-stream"
        return Response(found.content, media_type=media_type, headers=DOWNLOAD)

    @router.get("/jobs/{job_id}", response_model=Job)
    async def job(job_id: str, accept: Annotated[str, Header()] = "*/*") -> Response:
        """A job as it stands; as a stream of events, every change of it up to its end."""
        found = await jobs.job(job_id)
        if wants_stream(accept):
            return event_stream(progress(jobs, job_id))
        return JSONResponse(found.model_dump(mode="json", exclude_none=True))

    @router.delete("/jobs/{job_id}", response_model=Job)
    async def cancel(job_id: str) -> Job:
        """End a job. What it has stored stays; the same ingest goes on where it ended."""
        return await jobs.cancel(job_id)

    return router


def _reading_router(rereading: Rereading, jobs: Jobs) -> APIRouter:
    """What was read by which version, and what an older one read once more."""
    router = LateRouter(prefix="/api/v1", tags=["extraction"])

    @router.get("/documents/readings")
    async def readings(collection: str = DEFAULT_COLLECTION) -> CollectionReadings:
        """Which extractors read the documents of a collection, in which versions, and which of these are outdated."""
        return CollectionReadings(
            collection=collection, readings=_versions(rereading, await rereading.readings(collection))
        )

    @router.post("/documents/reread", status_code=202, response_model=Job)
    async def reread(body: RereadRequest) -> Job:
        """Read again what an older version of an extractor read, and retire that. Watch the job that is returned."""
        old = await rereading.outdated(body.collection, body.extractors)
        return await jobs.read_again(old.documents, body.collection, old.options)

    return router


def _text_router() -> APIRouter:
    """What is read of a text and stored nowhere."""
    router = LateRouter(prefix="/api/v1", tags=["extraction"])
    extracting = CapacityLimiter(1)  # one interpreter: others would only wait for it

    @router.post("/extract")
    async def extract(body: ExtractRequest, request: Request) -> ExtractedFacts | ExtractedTexts:
        """The facts of a text, or of several, with spans and confidence; nothing is stored."""
        if (body.text is None) == (body.texts is None):
            raise InvalidInput("One of `text` and `texts` is needed. Give one of them, and not both.")
        texts = [body.text] if body.text is not None else body.texts or []

        def extracted(step: Callable[[], None]) -> list[ExtractedFacts]:
            extractor = text_extractor(body.stored, step)
            return [extract_text(extractor, text, body.title) for text in texts]

        found = await while_connected(request, lambda: computed(extracted, extracting))
        return found[0] if body.text is not None else ExtractedTexts(results=found)

    return router


async def progress(jobs: WatchedJobs, job_id: str) -> AsyncGenerator[StreamedMessage]:
    number = 0
    async with aclosing(jobs.watch(job_id)) as states:
        async for job in states:
            over = job.state in ("done", "failed", "cancelled")
            shown = job if over else job.model_copy(update={"documents": [], "refused": [], "failed": []})
            yield StreamedMessage(number, "job" if over else "progress", shown)
            number += 1


def _options(body: RetryRequest) -> ExtractionOptions:
    ontology = OntologyFile(body.ontology_name, body.ontology.encode()) if body.ontology else None
    return ExtractionOptions(tuple(body.extractors), ontology, body.max_tokens)


async def _documents(
    catalogue: DocumentCatalogue, rereading: Rereading, id: str, counts: bool
) -> list[Document] | DocumentTree:
    readings = await failed_readings(catalogue.store, catalogue.graphs.source)
    failed = Counter(document for document, _ in {(each.document, each.chunk) for each in readings})
    if id:
        return await _tree(catalogue, rereading, await named_document(catalogue, id), failed)
    counted = await catalogue.counts() if counts else {}
    return [_document(summary, failed, counted.get(summary.iri)) for summary in await catalogue.documents()]


def _versions(rereading: Rereading, readings: Iterable[DocumentReading]) -> list[ReadingVersion]:
    """By extractor and version, of all documents together."""
    together: dict[tuple[str, str, str], ReadingVersion] = {}
    for each in sorted(readings, key=lambda each: (each.extractor, each.version, each.model)):
        found = together.setdefault(
            (each.extractor, each.version, each.model),
            ReadingVersion(
                extractor=each.extractor,
                version=each.version,
                model=each.model,
                documents=0,
                chunks=0,
                outdated=not rereading.is_current(each.extractor, each.version),
            ),
        )
        found.documents += 1
        found.chunks += each.chunks
    return list(together.values())


async def _tree(
    catalogue: DocumentCatalogue, rereading: Rereading, node: NamedNode, failed: Mapping[NamedNode, int]
) -> DocumentTree:
    summary = await catalogue.document(node)
    views = await catalogue.pages(node)
    subgraphs = {fact.source.subgraph for page in views for chunk in page.chunks for fact in chunk.facts}
    readers = await SourceReader(catalogue.store, catalogue.graphs.source).extractions(subgraphs)
    outdated = {
        subgraph: rereading.extractors.knows(by.extractor)
        and not rereading.is_current(by.extractor, by.version)
        for subgraph, by in readers.items()
    }

    def told(fact: FactView) -> DocumentFact:
        by = readers.get(fact.source.subgraph)
        return _fact(fact, by, outdated.get(fact.source.subgraph, False))

    pages = [_page(page, told) for page in views]
    return DocumentTree(**_document(summary, failed).model_dump(), content=pages)


def _page(view: PageView, told: Callable[[FactView], DocumentFact]) -> DocumentPage:
    recognition = PageRecognition(**asdict(view.recognition)) if view.recognition else None
    chunks = [_chunk(chunk, told) for chunk in view.chunks]
    return DocumentPage(id=view.iri.value, number=view.number, recognition=recognition, chunks=chunks)


def _document(
    summary: DocumentSummary, failed: Mapping[NamedNode, int], counted: DocumentCounts | None = None
) -> Document:
    return Document(
        id=summary.iri.value,
        title=summary.title,
        media_type=summary.media_type,
        pages=summary.page_count,
        creators=list(summary.creators),
        date=summary.date,
        source=summary.source,
        metadata=values_by_name(summary.metadata),
        failed_chunks=failed.get(summary.iri, 0),
        chunks=counted.chunks if counted else None,
        facts=counted.facts if counted else None,
    )


def _chunk(view: ChunkView, told: Callable[[FactView], DocumentFact]) -> DocumentChunk:
    return DocumentChunk(
        id=view.iri.value,
        number=view.index + 1,
        start=view.start,
        end=view.end,
        facts=[told(fact) for fact in view.facts],
    )


def _fact(view: FactView, by: Extraction | None, outdated: bool) -> DocumentFact:
    subject, relation, object_ = view.labels
    source = view.source
    return DocumentFact(
        subject=subject,
        relation=relation,
        object=object_,
        confidence=source.confidence,
        page=source.page.value,
        start=source.start,
        end=source.end,
        text=source.text,
        read_by=f"{by.extractor} {by.version}" if by else "",
        outdated=outdated,
    )


def queue_router(tasks: DeadTasks) -> APIRouter:
    router = LateRouter(prefix="/api/v1/queue", tags=["extraction"])

    @router.get("")
    async def queue() -> list[QueuedWork]:
        """How much waits, is under way, and was given up, by kind."""
        return [QueuedWork(kind=kind, **asdict(depth)) for kind, depth in (await tasks.depths()).items()]

    @router.get("/dead")
    async def dead() -> list[DeadWork]:
        """What was given up, oldest first, with the reason."""
        return [
            DeadWork(
                id=each.task.id,
                job=each.task.job,
                kind=each.task.kind,
                files=names_of(each.task),
                reason=each.reason,
                attempts=each.attempts,
                at=each.at.isoformat(),
            )
            for each in await tasks.all()
        ]

    @router.post("/dead/{task_id}/replay", status_code=202)
    async def replay(task_id: str) -> RevivedWork:
        """Have it tried again, as if for the first time. Watch its job."""
        task = await tasks.replay(task_id)
        return RevivedWork(id=task.id, job=task.job)

    @router.delete("/dead/{task_id}")
    async def discard(task_id: str) -> RevivedWork:
        """Drop it for good, and the files that it waits with."""
        task = await tasks.discard(task_id)
        return RevivedWork(id=task.id, job=task.job)

    return router


NEVER_CHANGES: Final = {
    "Cache-Control": "private, max-age=86400, immutable",
    "X-Content-Type-Options": "nosniff",
}
"""A page is named by the bytes of its document."""


def page_router(collections: Collections, library: Library) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["extraction"])
    pictures = PagePictures(collections.store, library, DrawnPages())

    @router.get("/documents/page", response_class=Response)
    async def picture(
        id: str,
        collection: str = DEFAULT_COLLECTION,
        width: Annotated[int, Query(ge=50, le=2400, description="In pixels.")] = 1200,
        regions: Annotated[bool, Query(description="Draw what the reader finds: regions and cells.")] = False,
    ) -> Response:
        """A page of a PDF as PNG, by its IRI."""
        await collections.require(collection)
        return Response(
            await pictures.picture(collection, iri(id), width, regions),
            media_type=MEDIA_TYPE,
            headers=NEVER_CHANGES,
        )

    @router.get("/documents/page/words")
    async def words(id: str, start: int, end: int, collection: str = DEFAULT_COLLECTION) -> PageWords:
        """Where the characters `start` to `end` of a page's text stand on its picture."""
        await collections.require(collection)
        found = await pictures.words(collection, iri(id), start, end)
        return PageWords(
            page=id,
            start=start,
            end=end,
            aspect=found.width / found.height,
            rectangles=[
                MarkedRectangle(
                    x=left / found.width,
                    y=top / found.height,
                    width=(right - left) / found.width,
                    height=(bottom - top) / found.height,
                )
                for left, top, right, bottom in found.rectangles
            ],
        )

    return router
