"""Queries in turn: who may run, for how long, and in which child."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provgraph.adapters.sparql_processes.frames import Header
from provgraph.adapters.sparql_processes.process import QueryProcess
from provgraph.adapters.sparql_processes.snapshots import BackedUpStore, Lease, StoreSnapshots
from provgraph.errors import Forbidden, InvalidInput, InvalidQuery, ProvGraphError, TooLarge, Unavailable
from provgraph.ports.sparql_endpoint import SparqlAnswer, SparqlRequest

_ERRORS: Final[dict[str, type[ProvGraphError]]] = {
    error.__name__: error for error in (Forbidden, InvalidInput, InvalidQuery, TooLarge)
}


@dataclass(frozen=True)
class SparqlLimits:
    """What one query may cost, and how many run at once.

    `seconds` count from when the query begins to run; it waits for its turn at most `waiting_seconds`.
    """

    seconds: float
    rows: int
    processes: int
    waiting_seconds: float = 30.0
    result_bytes: int = 64 << 20
    memory_bytes: int = 512 << 20


class SparqlProcesses:
    """`SparqlEndpoint` over an embedded store, whose snapshots lie in `folder`. Belongs to one event loop."""

    def __init__(self, store: BackedUpStore, folder: Path, limits: SparqlLimits) -> None:
        self._limits = limits
        self._snapshots = StoreSnapshots(store, folder)
        self._turns = asyncio.Semaphore(self._limits.processes)
        self._idle: list[QueryProcess] = []

    async def run(self, request: SparqlRequest) -> SparqlAnswer:
        """First come, first served; a caller that is cancelled takes its query with it."""
        async with self._turn(), self._snapshots.lease() as lease:
            process = await self._free_process()
            header, body = await process.answer(self._task(request, lease), self._limits.seconds)
            self._idle.append(process)
            if "error" in header:
                raise _error(header)
            return SparqlAnswer(
                header["content_type"], body, header["truncated"], lease.age_s, header["star_read"]
            )

    async def forget(self) -> None:
        """Let go of the snapshot and of the children that have it open; queries that run go on with theirs."""
        await self._end_idle()
        await self._snapshots.discard()

    async def close(self) -> None:
        """End all children and delete the snapshots; queries must have ended or been cancelled."""
        await self._end_idle()
        await self._snapshots.close()

    async def _end_idle(self) -> None:
        while self._idle:
            await self._idle.pop().end()

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self._limits.waiting_seconds):
                await self._turns.acquire()
        except TimeoutError as error:
            raise Unavailable(
                "Too many queries are running. Wait a few seconds, then send yours again."
            ) from error
        try:
            yield
        finally:
            self._turns.release()

    async def _free_process(self) -> QueryProcess:
        while self._idle:
            process = self._idle.pop()
            if process.is_alive:
                return process
        return await QueryProcess.start(self._limits.memory_bytes)

    def _task(self, request: SparqlRequest, lease: Lease) -> Header:
        return {
            "snapshot": str(lease.folder),
            "query": request.query,
            "default_graphs": [graph.value for graph in request.dataset.default_graphs],
            "named_graphs": [graph.value for graph in request.dataset.named_graphs],
            "dataset_is_chosen": request.dataset_is_chosen,
            "star_syntax": request.star_syntax,
            "accept": request.accept,
            "rows": self._limits.rows,
            "bytes": self._limits.result_bytes,
        }


def _error(header: Header) -> ProvGraphError:
    error = _ERRORS[header["error"]]
    if error is InvalidQuery:
        return InvalidQuery(header["message"], header["line"], header["column"])
    return error(header["message"])
