"""Processings of the library: each has a deposit read into a collection, as an ingest that anyone can watch.

What was cut off with its service is taken up again at the next start. These clients know no state of a processing;
it stands among the tags, where they show it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from provgraph.catalogue.deposits import Deposits, Processing, Processings
from provgraph.errors import NotFound, ProvGraphError
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body
from provgraph.gateway.trustgraph.services import FLOW
from provgraph.gateway.trustgraph.shelves import seconds
from provgraph.ingestion.jobs import Jobs
from provgraph.ingestion.planning import SourceFile
from provgraph.provenance.library import ProcessingOutcome, ProcessingRecord
from provgraph.rdf.graphs import DEFAULT_COLLECTION, collection_name
from provgraph.rdf.iris import given_iri
from provgraph.wire.documents import Job

logger = logging.getLogger(__name__)


@dataclass
class ProcessingDesk:
    """Owns the tasks that follow the jobs; `close` ends them before the jobs themselves are closed."""

    deposits: Deposits
    processings: Processings
    jobs: Jobs
    _followed: dict[str, tuple[str, asyncio.Task[None]]] = field(default_factory=dict)

    async def add(self, body: Body) -> Mapping[str, Any]:
        said = fields.part(body, "processing-metadata")
        flow = fields.text(said, "flow", "") or FLOW
        if flow != FLOW:
            raise NotFound(f"There is no flow {flow[:80]!r}. The one there is has the name {FLOW!r}.")
        record = ProcessingRecord(
            name=fields.text(said, "id"),
            document=given_iri(fields.text(said, "document-id")),
            collection=collection_name(fields.text(said, "collection", "") or DEFAULT_COLLECTION),
            tags=tuple(dict.fromkeys(filter(None, fields.texts(said, "tags")))),
        )
        await self._start(record)
        return {}

    async def list(self, body: Body) -> Mapping[str, Any]:  # noqa: ARG002 (an operation takes its request)
        return {"processing-metadatas": [_view(each) for each in await self.processings.all()]}

    async def remove(self, body: Body) -> Mapping[str, Any]:
        """Stop what still runs; what was read stays."""
        name = fields.text(body, "processing-id")
        if name in self._followed:
            job, following = self._followed[name]
            await self.jobs.cancel(job)
            await asyncio.gather(following, return_exceptions=True)
        if not await self.processings.remove(name):
            raise NotFound(f"There is no processing {name[:80]!r}. Look up the ids in their list.")
        return {}

    async def resume(self) -> None:
        """Take up what an earlier run of the service did not end."""
        for each in await self.processings.all():
            if not each.outcome:
                await self._start(each.record)

    async def close(self) -> None:
        tasks = [following for _, following in self._followed.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _start(self, record: ProcessingRecord) -> None:
        if record.name in self._followed:
            return
        deposit = await self.deposits.one(record.document)
        content = await self.deposits.content(record.document)
        await self.processings.begin(record, datetime.now(UTC))
        said = deposit.record
        file = SourceFile(said.title, content, said.media_type, said.title, record.document.value)
        job = await self.jobs.submit([file], record.collection)
        self._followed[record.name] = job.id, asyncio.create_task(self._follow(record.name, job.id))

    async def _follow(self, name: str, job_id: str) -> None:
        try:
            async with aclosing(self.jobs.watch(job_id)) as states:
                async for job in states:
                    last = job
            outcome, failure = _outcome(last)
            await self.processings.end(name, outcome, failure, datetime.now(UTC))
        except ProvGraphError:
            logger.exception("how a processing ended was not recorded; the next start takes it up again")
        finally:
            self._followed.pop(name, None)


def _outcome(job: Job) -> tuple[ProcessingOutcome, str]:
    problems = [*(each.problem for each in job.refused), *([job.problem] if job.problem else [])]
    if problems:
        return ProcessingOutcome.FAILED, problems[0].detail
    return (ProcessingOutcome.CANCELLED if job.state == "cancelled" else ProcessingOutcome.DONE), ""


def _view(processing: Processing) -> Mapping[str, Any]:
    record = processing.record
    state = processing.outcome or "running"
    return {
        "id": record.name,
        "document-id": record.document.value,
        "time": seconds(processing.at),
        "flow": FLOW,
        "collection": record.collection,
        "tags": [*record.tags, f"{state}: {processing.failure}" if processing.failure else state],
    }
