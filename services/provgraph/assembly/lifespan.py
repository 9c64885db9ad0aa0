"""What the services of one process do when they start, beside their requests, and when they end."""

from __future__ import annotations

import asyncio
import ctypes
import resource
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from anyio import to_thread

from provgraph.archiving.import_journal import roll_back_interrupted
from provgraph.assembly.process import now
from provgraph.catalogue.deposits import Processings
from provgraph.flows.runner.session_leases import SessionWatch
from provgraph.gateway.app import ServiceLifespan
from provgraph.ports.quad_store import QuadStore
from provgraph.provenance.change import is_purging
from provgraph.rdf.graphs import retrieval_graph
from provgraph.roles import Role

if TYPE_CHECKING:
    from provgraph.assembly.process import Assembly


def service_lifespan(parts: Assembly) -> ServiceLifespan:
    """What is done around the requests of an app over these parts."""
    steps = _LifespanSteps(parts)
    watches = [steps.watch(shard) for shard in parts.store.shards]
    return ServiceLifespan(
        [parts.prover.open, *steps.begin(watches)], list(steps.beside(watches)), [steps.end], steps.hurry
    )


@dataclass(frozen=True)
class _LifespanSteps:
    parts: Assembly

    def watch(self, shard: QuadStore) -> SessionWatch:
        """What looks after the sessions in one part of the store."""
        explain, process = self.parts.settings.explain_collection, self.parts.folder.process
        return SessionWatch(
            shard, explain, process, now, lambda: self.parts.is_answering, ended_badly=self.parts.ended_badly
        )

    def begin(self, watches: list[SessionWatch]) -> Iterator[Callable[[], Awaitable[object]]]:
        """What ends, or goes on with, what a crash left."""
        yield partial(
            roll_back_interrupted, self.parts.folder.workspace, self.parts.store, self.parts.library
        )
        if self.parts.role.does(Role.GRAPH_RAG):
            for watch in watches:
                yield partial(watch.close_interrupted, alone=not self.parts.settings.store_url)
        if self.parts.role.does(Role.GATEWAY):
            clear = partial(self.parts.outbox.work_off, self.parts.owner)
            yield from (self._resume_processings, self._resume_purges, clear)
        if self.parts.lasting or self.parts.settings.queue_url:
            yield lambda: self.parts.extraction.begin(self.parts.lasting)

    async def _resume_processings(self) -> None:
        if any(not processing.outcome for processing in await Processings(self.parts.store).all()):
            await self.parts.trustgraph.desk.resume()

    async def _resume_purges(self) -> None:
        if await is_purging(self.parts.store, retrieval_graph(self.parts.settings.explain_collection)):
            await self.parts.purge.resume()

    def beside(self, watches: list[SessionWatch]) -> Iterator[Callable[[], Coroutine[Any, Any, None]]]:
        """What is done again and again, most of it where other processes work on the same store."""
        yield give_back_freed_memory
        if self.parts.role.does(Role.GRAPH_RAG):
            yield from (watch.run if self.parts.settings.store_url else watch.run_alone for watch in watches)
        if self.parts.role.does(Role.GATEWAY) and self.parts.lasting:
            yield self.parts.subscriptions.run
        if self.parts.settings.store_url and self.parts.role.does(Role.RETRIEVAL):
            from provgraph.retrieval.pipeline import keep_agreeing

            yield partial(keep_agreeing, self.parts.indexes.own)

    async def end(self) -> None:
        """Close what was made, that first which uses the rest."""
        closing: dict[str, Callable[[], Awaitable[None]]] = {
            "authentication": lambda: self.parts.authentication.close(),
            "hub": lambda: self.parts.hub.close(),
            "trustgraph": lambda: self.parts.trustgraph.desk.close(),
            "extraction": lambda: self.parts.extraction.close(),
            "research": lambda: self.parts.research.jobs.close(),
            "sparql": lambda: self.parts.sparql.close(),
            "model": self._close_model,
            "indexes": lambda: self.parts.indexes.own.close(),
            "peers": lambda: self.parts.peers.close(),
            "storage": lambda: self.parts.storage.close(),
            "prover": lambda: self.parts.prover.close(),
            "ingestion": lambda: asyncio.to_thread(self.parts.ingestion.reader.close),
        }
        await self.parts.of_those_made(closing)

    async def _close_model(self) -> None:
        if self.parts.model:
            await self.parts.model.close()

    def hurry(self) -> None:
        self.parts.storage.opened.stop_waiting()
        if "work" in vars(self.parts):
            self.parts.work.stop_waiting()


_LOOK_S: Final = 3.0
_WORTH_IT: Final = 64_000_000
"""Bytes by which a process has grown since it last gave something back."""


async def give_back_freed_memory() -> None:
    """Hand memory that nobody uses back to the machine, every few seconds that the process has grown.

    The GNU C library keeps what was freed for whoever asks next: after a table of 400 kB a service kept 180 MB
    (malloc_trim(3)). Where there is another library, nothing is done.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    kept = 0
    while trim:
        await asyncio.sleep(_LOOK_S)
        resident = _resident_bytes()
        if resident > kept + _WORTH_IT:
            await to_thread.run_sync(trim, 0)
            kept = resident = _resident_bytes()
        kept = min(kept, resident)


def _resident_bytes() -> int:
    """Of this process (Linux, proc_pid_statm(5)); 0 where the system does not tell."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * resource.getpagesize() if statm.exists() else 0
