"""HTTP face of building collections of papers: `/api/v1/research/build` and its jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import JSONResponse
from pydantic import ValidationError

from provgraph.errors import InvalidInput
from provgraph.extraction.extractors import ChosenExtractors
from provgraph.ingestion.papers.bibtex import given_papers
from provgraph.ingestion.papers.building import BuildJobs, Doing, PaperFiles
from provgraph.ingestion.planning import SourceFiles
from provgraph.ingestion.routes import progress
from provgraph.ingestion.uploads import read_upload
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import collection_name
from provgraph.wire.documents import Job
from provgraph.wire.event_stream import event_stream, wants_stream
from provgraph.wire.research import BuildRequest

Search = Callable[[str, int, str, Doing], SourceFiles]
"""The papers on a topic, at most so many, for a collection, one after another as they come; what it does is told."""


Choice = Callable[[], ChosenExtractors]
"""What reads the papers of a build, chosen anew for each."""


def build_router(jobs: BuildJobs, chosen: Choice, search: Search) -> APIRouter:
    router = LateRouter(prefix="/api/v1/research", tags=["research"])

    @router.post("/build", status_code=202, response_model=Job)
    async def build(request: Request, accept: Annotated[str, Header()] = "*/*") -> Response:
        """Build a collection of papers: from a search on `topic` as JSON, or from files, multipart; a `.bib` describes
        the others. Without either the paper graph alone is made anew. Watch the job that comes back, or stream it."""
        collection, files = await _asked(request, search)
        job = jobs.submit(files, collection, chosen())
        if wants_stream(accept):
            return event_stream(progress(jobs, job.id))
        return JSONResponse(job.model_dump(mode="json", exclude_none=True), status_code=202)

    @router.get("/builds/{job_id}", response_model=Job)
    async def job(job_id: str, accept: Annotated[str, Header()] = "*/*") -> Response:
        """A build as it stands; as a stream of events, every change of it up to its end."""
        found = jobs.job(job_id)
        if wants_stream(accept):
            return event_stream(progress(jobs, job_id))
        return JSONResponse(found.model_dump(mode="json", exclude_none=True))

    @router.delete("/builds/{job_id}", response_model=Job)
    async def cancel(job_id: str) -> Job:
        """End a build. What it has stored stays; the same build goes on where it ended."""
        return jobs.cancel(job_id)

    return router


async def _asked(request: Request, search: Search) -> tuple[str, PaperFiles]:
    if request.headers.get("content-type", "").casefold().startswith("multipart/form-data"):
        upload = await read_upload(request)
        return upload.collection, PaperFiles(list(given_papers(upload.files)))
    try:
        asked = BuildRequest.model_validate_json(await request.body() or b"{}")
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the body"
        raise InvalidInput(
            f"The build is not as expected: {place}: {first['msg']}. Send a topic as JSON, or files."
        ) from error
    return built_from(asked, search)


def built_from(asked: BuildRequest, search: Search) -> tuple[str, PaperFiles]:
    """The collection and the papers of a build from a search."""
    collection, topic = collection_name(asked.collection), " ".join(asked.topic.split())
    if not topic:
        return collection, PaperFiles(())
    papers = PaperFiles((), topic)
    papers.files = search(topic, asked.max_results, collection, papers.doing)
    return collection, papers
