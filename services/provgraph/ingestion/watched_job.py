"""A job as the process that does it knows it, and those who watch it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

from provgraph.wire.documents import Job


def is_over(job: Job) -> bool:
    return job.state in ("done", "failed", "cancelled")


@dataclass
class WatchedJob:
    """A job, and an event that is set and made anew at every change."""

    job: Job
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    work: asyncio.Task[Any] | None = None

    @property
    def over(self) -> bool:
        return is_over(self.job)

    def tell(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()

    async def states(self) -> AsyncGenerator[Job]:
        """The job as it stands, and again whenever it has changed, up to its end."""
        while not self.over:
            changed = self.changed  # taken before the reader takes its time, in which the job may end
            yield self.job
            await changed.wait()
        yield self.job
