"""One child process, as the endpoint sees it."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from contextlib import suppress
from typing import Final

from provgraph.adapters.sparql_processes.frames import LENGTHS, Header, encoded
from provgraph.child_environment import child_environment
from provgraph.errors import ProvGraphError, TimedOut, TooLarge, Unavailable

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
