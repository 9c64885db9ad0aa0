"""Queries in turn: who may run, for how long, and in which child."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from provgraph.adapters.child_memory import ChildMemory
from provgraph.adapters.sparql_limits import QueryTurns, SparqlLimits
from provgraph.adapters.sparql_processes.frames import Header
from provgraph.adapters.sparql_processes.process import QueryProcess
from provgraph.adapters.sparql_processes.snapshots import BackedUpStore, Lease, StoreSnapshots
from provgraph.errors import (
    Forbidden,
    InvalidInput,
    InvalidQuery,
    NotAcceptable,
    ProvGraphError,
    TooLarge,
    Unavailable,
)
from provgraph.ports.sparql_endpoint import SparqlAnswer, SparqlRequest

_ERRORS: Final[dict[str, type[ProvGraphError]]] = {
    error.__name__: error for error in (Forbidden, InvalidInput, InvalidQuery, NotAcceptable, TooLarge)
}


class SparqlProcesses:
    """`SparqlEndpoint` over an embedded store, whose snapshots lie in `folder`. Belongs to one event loop."""

    def __init__(self, store: BackedUpStore, folder: Path, limits: SparqlLimits) -> None:
        self._limits = limits
        self._snapshots = StoreSnapshots(store, folder)
        self._turns = QueryTurns(limits)
        self._memory = ChildMemory(limits.together_bytes)
        self._idle: list[QueryProcess] = []

    async def run(self, request: SparqlRequest) -> SparqlAnswer:
        """First come, first served; a caller that is cancelled takes its query with it."""
        async with self._turns.turn(), self._snapshots.lease() as lease:
            process = await self._free_process()
            header, body = await self._answer(process, self._task(request, lease))
            self._idle.append(process)
            if "error" in header:
                raise _error(header)
            return SparqlAnswer(
                header["content_type"], body, header["truncated"], lease.age_s, header["star_read"]
            )

    async def _answer(self, process: QueryProcess, task: Header) -> tuple[Header, bytes]:
        with self._memory.counted(process.id) as child:
            try:
                return await process.answer(task, self._limits.seconds)
            except Unavailable as error:
                if child.is_ended:
                    raise TooLarge(
                        "The queries that run now need more memory together than they may have, and this one the most "
                        "of it. Narrow it, or add LIMIT."
                    ) from error
                raise

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

    async def _free_process(self) -> QueryProcess:
        while self._idle:
            process = self._idle.pop()
            if process.is_alive:
                return process
        return await QueryProcess.start(self._limits.memory_bytes, self._limits.stack_bytes)

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
