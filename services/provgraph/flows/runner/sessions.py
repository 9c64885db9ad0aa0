"""Sessions that outlive a connection: a stream that breaks is continued, and the question is never asked again.

Each session runs in a task of its own and keeps its messages. Message ids are whole numbers that rise and also
name the session: session number · 1,000,000 + position. A reader that reconnects with the last id it saw gets
what follows. When the last reader has gone, the session is ended after a time of grace.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from provgraph.errors import NotFound
from provgraph.flows.runner.events import Emit, Event, Explained, Finished
from provgraph.flows.runner.run import CUT_OFF
from provgraph.flows.runner.session_leases import End
from provgraph.provenance.trace import SessionOutcome
from provgraph.rdf.iris import session_uuid
from provgraph.rdf.terms import NamedNode

logger = logging.getLogger(__name__)

MESSAGES_PER_SESSION: Final = 1_000_000
KEPT_SESSIONS: Final = 200
_SESSIONS_OF_A_PROCESS: Final = 1_000_000_000
_PROCESSES: Final = 1_000_000_000
"""Each process counts from a place of its own: an id that another one gave must never lead into a session here."""

Watcher = Callable[[], Callable[[Event], None]]
"""Makes what sees the events of one session as they happen."""


@dataclass
class RunningSession:
    """The events of a session so far; `changed` is set, and replaced, whenever there is another event."""

    number: int
    events: list[Event] = field(default_factory=list)
    readers: int = 0
    finished: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    ending: asyncio.Task[None] | None = None

    @property
    def session(self) -> NamedNode | None:
        """Its IRI, as soon as its first step is explained."""
        first = self.events[0] if self.events else None
        return first.entity if isinstance(first, Explained) else None

    @property
    def uuid(self) -> str:
        """Its UUID, as soon as its first step is explained; empty until then."""
        return session_uuid(self.session) if self.session else ""

    async def begun(self) -> str:
        """Its UUID, when its first step is explained; empty for one that ends before."""
        while not (self.events or self.finished):
            await self.changed.wait()
        return self.uuid

    @property
    def end(self) -> End:
        """How it ended; it has finished."""
        last = self.events[-1] if self.events else None
        if isinstance(last, Finished):
            return last.outcome, str(last.error or "")
        return SessionOutcome.CUT_OFF, CUT_OFF

    def message_id(self, position: int) -> int:
        return self.number * MESSAGES_PER_SESSION + position

    def wake_readers(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


class SessionHub:
    """Owns the tasks of all running sessions of this process; `grace_s` is how long a lost reader may be away."""

    def __init__(
        self,
        grace_s: float,
        watcher: Watcher | None = None,
        most_s: float | None = None,
        ended_badly: dict[NamedNode, End] | None = None,
    ) -> None:
        """`watcher` sees the events of each session as they happen; one is cut off after `most_s`; `ended_badly` is
        filled."""
        self._grace_s = grace_s
        self._most_s = most_s
        self._watcher = watcher or (lambda: lambda _: None)
        self._sessions: dict[int, RunningSession] = {}
        self._numbers = itertools.count(secrets.randbelow(_PROCESSES) * _SESSIONS_OF_A_PROCESS)
        self._waiting: set[asyncio.Task[None]] = set()
        self.ended_badly = {} if ended_badly is None else ended_badly
        """Sessions that failed or were cut off, and how: where the store was away or full it may not have their ends.
        The latest, as many as sessions are kept."""

    @property
    def busy(self) -> bool:
        """Whether a session is running. Other threads may ask while sessions come and go."""
        return any(not session.finished for session in list(self._sessions.values()))

    def start(self, answer: Callable[[Emit], Awaitable[None]]) -> RunningSession:
        """Begin to answer, whether or not anyone reads. `answer` emits the events of one session."""
        session = RunningSession(next(self._numbers))
        session.task = asyncio.create_task(self._run(session, answer))
        self._sessions[session.number] = session
        self._drop_oldest()
        return session

    def resume(self, last_message_id: int) -> tuple[RunningSession, int]:
        """The session of a message that was sent, and the position after it.

        Raises `NotFound` for any other, and for a session that is no longer kept.
        """
        number, position = divmod(last_message_id, MESSAGES_PER_SESSION)
        session = self._sessions.get(number)
        if session is None or position >= len(session.events):
            raise NotFound(
                "The session of this stream is no longer kept. "
                "Look up its trace with 'provgraph traces', or ask again."
            )
        return session, position + 1

    def session(self, uuid: str) -> RunningSession:
        """The session of that UUID, running or just ended. Raises `NotFound` where it is no longer kept.

        A session that has explained nothing yet has no UUID, so the empty one is nobody's.
        """
        session = next(
            (
                running_session
                for running_session in self._sessions.values()
                if uuid and running_session.uuid == uuid
            ),
            None,
        )
        if session is None:
            raise NotFound(
                f"No session {uuid[:100]} is running here. Look up its trace: GET /api/v1/traces/{uuid[:100]}."
            )
        return session

    async def stop(self, uuid: str) -> None:
        """End a session as if its last reader had gone long ago; nothing, where it has ended.

        Raises `NotFound` where it is no longer kept.
        """
        await _ended(self.session(uuid))

    async def read(self, session: RunningSession, position: int = 0) -> AsyncGenerator[tuple[int, Event]]:
        """The events from `position` on, with their message ids, while they happen, up to the last."""
        session.readers += 1
        if session.ending:
            session.ending.cancel()
        try:
            while True:
                while position < len(session.events):
                    yield session.message_id(position), session.events[position]
                    position += 1
                if session.finished:
                    return
                await session.changed.wait()
        finally:
            session.readers -= 1
            if not session.readers and not session.finished:
                self._end_unless_resumed(session)

    async def forget_finished(self) -> None:
        """Forget the events of finished sessions; a reader that is in the middle of one keeps it."""
        for number in [number for number, session in self._sessions.items() if session.finished]:
            del self._sessions[number]

    async def close(self) -> None:
        """End all running sessions; each is recorded as cut off."""
        tasks = [session.task for session in self._sessions.values() if session.task and not session.finished]
        for task in (*tasks, *self._waiting):
            task.cancel()
        await asyncio.gather(*tasks, *self._waiting, return_exceptions=True)

    async def _run(self, session: RunningSession, answer: Callable[[Emit], Awaitable[None]]) -> None:
        watch = self._watcher()

        async def emit(event: Event) -> None:
            watch(event)
            session.events.append(event)
            session.wake_readers()

        try:
            async with asyncio.timeout(self._most_s):
                await answer(emit)
        except TimeoutError:
            logger.warning("a session was cut off after %s seconds", self._most_s)
        except Exception:
            logger.exception("a session failed unexpectedly")
        finally:
            session.finished = True
            self._note_a_bad_end(session)
            session.wake_readers()

    def _note_a_bad_end(self, running: RunningSession) -> None:
        if running.session and running.end[0] in (SessionOutcome.FAILED, SessionOutcome.CUT_OFF):
            self.ended_badly[running.session] = running.end
            for oldest in list(self.ended_badly)[:-KEPT_SESSIONS]:
                del self.ended_badly[oldest]

    def _end_unless_resumed(self, session: RunningSession) -> None:
        async def end() -> None:
            await asyncio.sleep(self._grace_s)
            await _ended(session)

        session.ending = asyncio.create_task(end())
        self._waiting.add(session.ending)
        session.ending.add_done_callback(self._waiting.discard)

    def _drop_oldest(self) -> None:
        for number in [number for number, session in self._sessions.items() if session.finished][
            :-KEPT_SESSIONS
        ]:
            del self._sessions[number]


async def _ended(session: RunningSession) -> None:
    if session.task and not session.finished:
        session.task.cancel()
        await asyncio.wait([session.task])
