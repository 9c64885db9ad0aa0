"""HTTP face of documents: ingest and its jobs, the queue of work, what is stored, pages as pictures, and the
facts of a text."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import asdict, replace
from typing import Annotated

from anyio import CapacityLimiter
from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import JSONResponse

from provgraph.catalogue.document_names import named_document
from provgraph.catalogue.documents import DocumentCatalogue
from provgraph.catalogue.lineage import DocumentReading
from provgraph.disconnects import computed, while_connected
from provgraph.documents.metadata import pairs_of, read_metadata
from provgraph.errors import InvalidInput
from provgraph.extraction.extractors import (
    ExtractionOptions,
    OntologyFile,
    extract_text_as_json,
    text_extractor,
)
from provgraph.ingestion.extracting_again import Rereading
from provgraph.ingestion.jobs import Jobs, WatchedJobs
from provgraph.ingestion.metadata import StoredMetadata
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.submission import DeadTasks, names_of
from provgraph.ingestion.uploads import read_upload
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.wire.documents import (
    CollectionReadings,
    Job,
    MetadataRequest,
    ReadingVersion,
    RereadRequest,
    RetryRequest,
)
from provgraph.wire.event_stream import StreamedMessage, event_stream, wants_stream
from provgraph.wire.extract import ExtractedFacts, ExtractedTexts, ExtractRequest, bounded_texts
from provgraph.wire.tasks import DeadWork, QueuedWork, RevivedWork


def extraction_router(ingestion: Ingestion, jobs: Jobs) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["extraction"])
    rereading = Rereading(ingestion.collections, ingestion.extractors)
    router.routes.extend(_text_router().routes)
    router.routes.extend(_reading_router(rereading, jobs).routes)
    router.routes.extend(_metadata_router(ingestion).routes)

    @router.post("/documents", status_code=202, response_model=Job)
    async def add_documents(request: Request) -> Job:
        """Take documents in: multipart files, or one JSON document. Watch the job that is returned."""
        upload = await read_upload(request)
        return await jobs.submit(upload.files, upload.collection, upload.options)

    @router.post("/documents/retry", status_code=202, response_model=Job)
    async def retry(body: RetryRequest) -> Job:
        """Read again what failed, and nothing else: documents come from the library. Watch the job that is returned."""
        return await jobs.retry(body.collection, _options(body))

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


def _metadata_router(ingestion: Ingestion) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["extraction"])

    @router.put("/documents/metadata", status_code=204)
    async def set_metadata(body: MetadataRequest) -> None:
        """Put metadata in the place of all that a document has; `title`, `author` and `date` change where they are
        given."""
        titled = [("title", body.title)] if body.title.strip() else []
        given = read_metadata([*pairs_of(body.metadata or {}), *titled])
        if given.readers:
            raise InvalidInput("Readers are set with `provgraph access set`. Leave them out.")
        if not given and body.metadata is None:
            raise InvalidInput("Nothing is given that should change. Give a title or metadata.")
        graphs = await ingestion.collections.require(body.collection)
        catalogue = DocumentCatalogue(ingestion.store, graphs)
        document = await named_document(catalogue, body.document)
        if body.metadata is None:
            given = replace(given, entries=(await catalogue.document(document)).metadata)
        await StoredMetadata(ingestion.store, graphs.source).renew_one(document, given)
        if given.title:
            await ingestion.retriever.follow(body.collection, [document])

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

    @router.post("/extract", response_model=ExtractedFacts | ExtractedTexts)
    async def extract(body: ExtractRequest, request: Request) -> Response:
        """The facts of a text, or of several, with spans and confidence; nothing is stored."""
        texts = bounded_texts(body)

        def extracted(step: Callable[[], None]) -> bytes:
            """As JSON, for hundreds of thousands of facts are written, and taken down, beside the loop."""
            extractor = text_extractor(body.stored, step)
            results = [extract_text_as_json(extractor, text, body.title) for text in texts]
            return results[0] if body.text is not None else b'{"results":[' + b",".join(results) + b"]}"

        content = await while_connected(request, lambda: computed(extracted, extracting))
        return Response(content, media_type="application/json")

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


def _versions(rereading: Rereading, readings: Iterable[DocumentReading]) -> list[ReadingVersion]:
    """By extractor and version, of all documents together."""
    together: dict[tuple[str, str, str], ReadingVersion] = {}
    for reading in sorted(readings, key=lambda reading: (reading.extractor, reading.version, reading.model)):
        version = together.setdefault(
            (reading.extractor, reading.version, reading.model),
            ReadingVersion(
                extractor=reading.extractor,
                version=reading.version,
                model=reading.model,
                documents=0,
                chunks=0,
                outdated=not rereading.is_current(reading.extractor, reading.version),
            ),
        )
        version.documents += 1
        version.chunks += reading.chunks
    return list(together.values())


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
                id=dead_task.task.id,
                job=dead_task.task.job,
                kind=dead_task.task.kind,
                files=names_of(dead_task.task),
                reason=dead_task.reason,
                attempts=dead_task.attempts,
                at=dead_task.at.isoformat(),
            )
            for dead_task in await tasks.all()
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
