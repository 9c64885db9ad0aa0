"""`WorkQueue` in a file of the local disk, for the one process that has the folder.

What is put is in the file before it is acknowledged; who has which task is known to the process alone, so that a
restart gives out again whatever was not done.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from anyio import CapacityLimiter, to_thread

from provgraph.errors import NoRoom, NotFound, Unavailable
from provgraph.ports.work_queue import DeadTask, Delivery, QueueDepth, Task

T = TypeVar("T")

_TABLES: Final = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS task (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, job TEXT NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, reason TEXT, at TEXT
);
CREATE TABLE IF NOT EXISTS note (
    number INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL,
    UNIQUE (job, key)
);
"""
_WATCH_S: Final = 1.0
_Row = tuple[str, str, str, bytes, int]


class DiskWorkQueue:
    """Raises `Unavailable` where the file cannot be opened."""

    def __init__(self, file: Path, patience_s: float = 30.0) -> None:
        self._file = file
        self._patience_s = patience_s
        self._held: dict[str, float] = {}
        """Until when a worker has a task, or until when one that was given back rests."""
        self._turn = CapacityLimiter(1)
        self._lock = threading.Lock()
        self._taking = asyncio.Lock()
        self._changed = asyncio.Event()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._rows = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
            self._rows.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            raise _unavailable(file, error) from error

    @property
    def patience_s(self) -> float:
        return self._patience_s

    async def put(self, tasks: Sequence[Task]) -> None:
        def put() -> None:
            rows = [(task.id, task.job, task.kind, task.body) for task in tasks]
            self._rows.execute("BEGIN IMMEDIATE")
            self._rows.executemany(
                "INSERT OR IGNORE INTO task (id, job, kind, body) VALUES (?, ?, ?, ?)", rows
            )
            self._rows.execute("COMMIT")

        await self._call(put)
        self._tell()

    async def take(self, kind: str, limit: int, wait_s: float) -> list[Delivery]:
        until = time.monotonic() + wait_s
        while True:
            changed = self._changed
            taken = await self._taken(kind, limit)
            if taken or time.monotonic() >= until:
                return taken
            rest = min([until, *self._held.values()]) - time.monotonic()
            await _either(changed, max(rest, 0.01))

    async def depth(self, kind: str) -> QueueDepth:
        def counted() -> QueueDepth:
            rows = self._rows.execute("SELECT id, reason FROM task WHERE kind = ?", (kind,)).fetchall()
            alive = [task for task, reason in rows if reason is None]
            now = time.monotonic()
            under_way = sum(self._held.get(task, 0) > now for task in alive)
            return QueueDepth(len(alive) - under_way, under_way, len(rows) - len(alive))

        return await self._call(counted)

    async def dead(self) -> list[DeadTask]:
        def listed() -> list[DeadTask]:
            rows = self._rows.execute(
                "SELECT id, job, kind, body, reason, attempts, at FROM task WHERE reason IS NOT NULL"
                " ORDER BY at, number"
            )
            return [
                DeadTask(Task(*task), reason, attempts, datetime.fromisoformat(at))
                for *task, reason, attempts, at in rows
            ]

        return await self._call(listed)

    async def replay(self, task_id: str) -> Task:
        task = await self._dead_one("UPDATE task SET reason = NULL, at = NULL, attempts = 0", task_id)
        self._tell()
        return task

    async def discard(self, task_id: str) -> Task:
        return await self._dead_one("DELETE FROM task", task_id)

    async def note(self, job: str, key: str, body: bytes) -> None:
        await self._execute("INSERT OR REPLACE INTO note (job, key, body) VALUES (?, ?, ?)", job, key, body)
        self._tell()

    async def noted(self, job: str, key: str) -> bytes | None:
        return (await self.notes(job)).get(key)

    async def notes(self, job: str) -> Mapping[str, bytes]:
        return (await self._call(lambda: self._noted(job, 0)))[1]

    async def watch(self, job: str) -> AsyncGenerator[Mapping[str, bytes]]:
        seen, first = 0, True
        while True:
            changed = self._changed
            after = seen
            seen, notes = await self._call(partial(self._noted, job, after))
            if notes or first or not await _either(changed, _WATCH_S):
                yield notes
            first = False

    async def jobs(self, key: str) -> list[str]:
        statement = "SELECT job FROM note WHERE key = ?"
        return await self._call(lambda: [job for (job,) in self._rows.execute(statement, (key,))])

    async def forget(self, job: str) -> None:
        """Nothing of it stays in the file, nor in what SQLite writes beside it."""
        await self._execute("DELETE FROM note WHERE job = ?", job)
        await self._execute("PRAGMA wal_checkpoint(TRUNCATE)")

    async def close(self) -> None:
        await self._call(self._rows.close)

    async def end(self, task_id: str) -> None:
        await self._execute("DELETE FROM task WHERE id = ?", task_id)
        self.hold(task_id, None)

    async def mark_dead(self, task_id: str, reason: str) -> None:
        at = datetime.now(UTC).isoformat()
        await self._execute("UPDATE task SET reason = ?, at = ? WHERE id = ?", reason, at, task_id)
        self.hold(task_id, None)

    def hold(self, task_id: str, seconds: float | None) -> None:
        """Give the task to nobody else for so many seconds; None lets it go."""
        if seconds is None:
            self._held.pop(task_id, None)
        else:
            self._held[task_id] = time.monotonic() + seconds
        self._tell()

    async def _taken(self, kind: str, limit: int) -> list[Delivery]:
        async with self._taking:
            now = time.monotonic()
            self._held = {task: until for task, until in self._held.items() if until > now}
            held = frozenset(self._held)
            rows = await self._call(lambda: self._given_out(kind, limit, held))
            self._held |= {row[0]: now + self._patience_s for row in rows}
        return [_Held(self, Task(*row[:4]), row[4]) for row in rows]

    def _given_out(self, kind: str, limit: int, held: frozenset[str]) -> list[_Row]:
        rows: list[_Row] = self._rows.execute(
            "SELECT id, job, kind, body, attempts + 1 FROM task WHERE kind = ? AND reason IS NULL"
            " ORDER BY number LIMIT ?",
            (kind, limit + len(held)),
        ).fetchall()
        free = [row for row in rows if row[0] not in held][:limit]
        given = [(row[0],) for row in free]
        self._rows.executemany("UPDATE task SET attempts = attempts + 1 WHERE id = ?", given)
        return free

    def _noted(self, job: str, after: int) -> tuple[int, dict[str, bytes]]:
        rows = self._rows.execute(
            "SELECT number, key, body FROM note WHERE job = ? AND number > ? ORDER BY number", (job, after)
        ).fetchall()
        return (rows[-1][0] if rows else after), {key: body for _, key, body in rows}

    async def _dead_one(self, statement: str, task_id: str) -> Task:
        whole = f"{statement} WHERE id = ? AND reason IS NOT NULL RETURNING id, job, kind, body"
        found: tuple[str, str, str, bytes] | None = await self._call(
            lambda: self._rows.execute(whole, (task_id,)).fetchone()
        )
        if found is None:
            raise NotFound(
                f"There is no failed task {task_id[:80]}. See what there is with 'provgraph queue dead'."
            )
        return Task(*found)

    async def _execute(self, statement: str, *values: str | bytes) -> None:
        await self._call(lambda: self._rows.execute(statement, values))

    async def _call(self, call: Callable[[], T]) -> T:
        try:
            return await to_thread.run_sync(partial(self._alone, call), limiter=self._turn)
        except sqlite3.Error as error:
            raise _unavailable(self._file, error) from error

    def _alone(self, call: Callable[[], T]) -> T:
        """A call whose task was cancelled is still in its thread when the next one begins: SQLite does not survive
        that a connection is closed meanwhile."""
        with self._lock:
            try:
                return call()
            except sqlite3.Error:
                with suppress(sqlite3.ProgrammingError):  # the file is closed
                    if self._rows.in_transaction:
                        self._rows.rollback()
                raise

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


@dataclass(frozen=True)
class _Held:
    queue: DiskWorkQueue
    task: Task
    attempt: int

    async def sign_of_life(self) -> None:
        self.queue.hold(self.task.id, self.queue.patience_s)

    async def done(self) -> None:
        await self.queue.end(self.task.id)

    async def give_back(self, after_s: float = 0) -> None:
        self.queue.hold(self.task.id, after_s or None)

    async def bury(self, reason: str) -> None:
        await self.queue.mark_dead(self.task.id, reason)


async def _either(changed: asyncio.Event, seconds: float) -> bool:
    """Whether something changed before the seconds were over."""
    try:
        async with asyncio.timeout(seconds):
            await changed.wait()
    except TimeoutError:
        return False
    return True


def _unavailable(file: Path, error: Exception) -> Unavailable:
    """SQLite has a code for a full disk; what it says of other limits, such as a file that grows too large, is that of
    a disk that fails."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return NoRoom(
            f"The work queue in {file} has no room ({error}). Free some space on its disk, then try again."
        )
    return Unavailable(
        f"The work queue in {file} cannot be used ({error}). Free some space or fix its permissions, "
        "then try again."
    )
