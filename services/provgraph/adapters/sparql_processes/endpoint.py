"""Queries in turn: who may run, for how long, and in which child."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provgraph.adapters.child_frames import LENGTHS, Header, encoded
from provgraph.adapters.child_memory import ChildMemory
from provgraph.adapters.sparql_processes.snapshots import BackedUpStore, Lease, StoreSnapshots
from provgraph.child_environment import child_environment
from provgraph.errors import (
    Forbidden,
    InvalidInput,
    InvalidQuery,
    NotAcceptable,
    ProvGraphError,
    TimedOut,
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


_WORKER: Final = "provgraph.adapters.sparql_processes.worker"
_READ_AHEAD: Final = 1 << 20


class QueryProcess:
    """Runs one task at a time, and is dead when a task did not come to its end."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._tasks = process.stdin
        self._answers = process.stdout

    @classmethod
    async def start(cls, memory_bytes: int, stack_bytes: int = 0) -> QueryProcess:
        """In a session of its own, so that a Ctrl-C in the terminal reaches the service alone."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            _WORKER,
            str(memory_bytes),
            str(stack_bytes),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=child_environment(RUST_BACKTRACE="0"),
            start_new_session=True,
            limit=_READ_AHEAD,
        )
        return cls(process)

    @property
    def id(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None and not self._answers.at_eof()

    async def answer(self, task: Header, seconds: float) -> tuple[Header, bytes]:
        """The answer to a task, within its time.

        Raises `TimedOut` after `seconds`, `TooLarge` when the child died of its memory limit, `Unavailable` when
        it died otherwise. After these, and when the caller is cancelled, the child has been killed.
        """
        finished = False
        try:
            async with asyncio.timeout(seconds):
                self._tasks.write(encoded(task))
                await self._tasks.drain()
                answer = await self._received()
            finished = True
        except TimeoutError as error:
            raise TimedOut(
                f"The query ran longer than {seconds:g} seconds and was ended. "
                "Make the query more selective, start with its most selective pattern, or add LIMIT."
            ) from error
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise await self._death() from error
        finally:
            if not finished:
                await self.end()
        return answer

    async def _received(self) -> tuple[Header, bytes]:
        head, body = LENGTHS.unpack(await self._answers.readexactly(LENGTHS.size))
        return json.loads(await self._answers.readexactly(head)), await self._answers.readexactly(body)

    async def _death(self) -> ProvGraphError:
        """Why the child ended by itself: without memory the allocator aborts, and a full stack faults."""
        status = await self._process.wait()
        if status in (-signal.SIGABRT, -signal.SIGSEGV):
            return TooLarge(
                "The query needed more memory than it may have and was ended. Narrow it, or add LIMIT."
            )
        return Unavailable(
            f"The query could not be run: its process ended with status {status}. See the service's log."
        )

    async def end(self) -> None:
        """Kill the child, whatever it is doing, and wait until it is gone."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


@dataclass(frozen=True)
class SparqlLimits:
    """What one query may cost, and how many run at once.

    `seconds` count from when the query begins to run; it waits for its turn at most `waiting_seconds`.
    `memory_bytes` and, where it is not 0, `stack_bytes` limit the process that a query runs in, `together_bytes` all of
    these processes at once.
    """

    seconds: float
    rows: int
    processes: int
    waiting_seconds: float = 30.0
    result_bytes: int = 64 << 20
    memory_bytes: int = 256 << 20
    together_bytes: int = 320 << 20
    stack_bytes: int = 0


class QueryTurns:
    """Lets so many queries run at once, first come, first served. Belongs to one event loop."""

    def __init__(self, limits: SparqlLimits) -> None:
        self._turns = asyncio.Semaphore(limits.processes)
        self._waiting_seconds = limits.waiting_seconds

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Raises `Unavailable` when it does not come in time."""
        try:
            async with asyncio.timeout(self._waiting_seconds):
                await self._turns.acquire()
        except TimeoutError as error:
            raise Unavailable(
                "Too many queries are running. Wait a few seconds, then send yours again."
            ) from error
        try:
            yield
        finally:
            self._turns.release()
