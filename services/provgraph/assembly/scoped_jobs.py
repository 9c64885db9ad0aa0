"""Ingest jobs and deletions as one principal has them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from provgraph.access.scope import AccessScope
from provgraph.errors import Forbidden
from provgraph.extraction.extractors import ExtractionOptions
from provgraph.ingestion.jobs import IngestJobs
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.queued_jobs import QueuedJobs
from provgraph.ingestion.removal.deletion import DeletionOutcome, DeletionRequest, Deletions
from provgraph.ingestion.submission import no_job
from provgraph.ports.work_queue import Task
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import Job


@dataclass(frozen=True)
class ScopedJobs:
    """The jobs of collections that a principal writes; others are not there."""

    jobs: AnyJobs
    scope: AccessScope

    async def submit(
        self, files: Sequence[SourceFile], collection: str, options: ExtractionOptions | None = None
    ) -> Job:
        self._require_written(collection)
        return await self.jobs.submit(files, collection, options)

    async def retry(self, collection: str, options: ExtractionOptions) -> Job:
        self._require_written(collection)
        return await self.jobs.retry(collection, options)

    async def read_again(
        self, documents: Sequence[NamedNode], collection: str, options: ExtractionOptions
    ) -> Job:
        self._require_written(collection)
        return await self.jobs.read_again(documents, collection, options)

    async def job(self, job_id: str) -> Job:
        found = await self.jobs.job(job_id)
        if not self._writes(found.collection):
            raise no_job(job_id)
        return found

    async def cancel(self, job_id: str) -> Job:
        await self.job(job_id)
        return await self.jobs.cancel(job_id)

    async def watch(self, job_id: str) -> AsyncGenerator[Job]:
        await self.job(job_id)
        async with aclosing(self.jobs.watch(job_id)) as states:
            async for state in states:
                yield state

    async def resume(self) -> None:
        """The jobs are begun by the process that they are of."""

    async def revive(self, task: Task) -> None:
        await self.job(task.job)
        await self.jobs.revive(task)

    def _writes(self, collection: str) -> bool:
        return self.scope.writes and self.scope.shows_all_of(collection)

    def _require_written(self, collection: str) -> None:
        if not self._writes(collection):
            raise Forbidden("The rights of this token do not include writing to this collection.")


@dataclass(frozen=True)
class ScopedDeletions(Deletions):
    """Deletions in collections that a principal writes. What follows from one concerns traces of others too, so it is
    decided over the whole store."""

    whole: Deletions = field(kw_only=True)
    scope: AccessScope = field(kw_only=True)
    by: str = field(kw_only=True)

    async def delete(self, request: DeletionRequest) -> DeletionOutcome:
        if not (self.scope.writes and self.scope.shows_all_of(request.collection)):
            raise Forbidden("The rights of this token do not include writing to this collection.")
        await self.collections.require(request.collection)
        return await self.whole.delete(replace(request, by=self.by))


AnyJobs = IngestJobs | QueuedJobs | ScopedJobs
