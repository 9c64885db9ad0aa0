"""Which sessions are at work, and in which process: so that those of a process that died can be told from the others.

A session's first step brings a note with it, in the same write, and its end takes the note away, so what is noted is as
much as is running. A process that has had a session for a while gives signs of life. Whoever watches another one's
notes stand without a new sign, by its own clock, ends those sessions: `interrupted`. A session whose note is gone has
been ended by somebody else, and is not ended a second time. One that is over in its own process, and still noted, could
not be ended when its time came, as where the store was away or full: that is done as soon as it can be, also by a
process that has its store to itself.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from provgraph.errors import ProvGraphError
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.provenance.trace import SessionOutcome, TraceScope, ending_quads
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.iris import SessionNames, session_uuid
from provgraph.rdf.terms import Literal, NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, TG

logger = logging.getLogger(__name__)

GRAPH: Final = NamedNode("urn:graph:at-work")
"""Beside the three graphs of the collections: neither queried nor exported."""
HERE: Final = NamedNode("urn:trustgraph:process:here")
"""The process of a store that has only one."""

_HELD_BY: Final = NamedNode("urn:trustgraph:at-work:held-by")
_SIGN: Final = NamedNode("urn:trustgraph:at-work:sign")
_RUNNING: Final = f"""
SELECT ?graph ?session WHERE {{
  GRAPH ?graph {{ ?session a {TG.Session} FILTER NOT EXISTS {{ ?session {PROV.ended_at_time} ?end }} }}
}}
"""


End = tuple[SessionOutcome, str]
"""How a session ended, and what failed."""
_INTERRUPTED: Final[End] = SessionOutcome.INTERRUPTED, "The service stopped before the answer was complete."


def note(session: NamedNode, process: NamedNode) -> Quad:
    """That a session is at work in a process."""
    return Quad(session, _HELD_BY, process, GRAPH)


@dataclass(frozen=True)
class Patience:
    """Seconds between two looks and two signs, and without a sign until a process counts as dead."""

    between_s: float = 5.0
    dead_after_s: float = 60.0


@dataclass
class SessionWatch:
    """Ends what processes that died left open. `busy` says whether a session is at work in this one; `ended_badly` are
    those of this one whose end the store may not have, and how they ended."""

    store: QuadStore
    explain_collection: str
    process: NamedNode
    now: Callable[[], datetime]
    busy: Callable[[], bool] = lambda: False
    patience: Patience = Patience()
    ended_badly: Mapping[NamedNode, End] = field(default_factory=dict)
    _since: dict[tuple[NamedNode, frozenset[str]], float] = field(default_factory=dict, init=False)
    _signs: itertools.count[int] = field(default_factory=itertools.count, init=False)
    _settled: set[NamedNode] = field(default_factory=set, init=False)

    async def close_interrupted(self, *, alone: bool) -> int:
        """End what a crash left open, when this process starts; returns how many sessions there were.

        `alone` says that no other process answers over this store; else what others have noted is left to them.
        """
        graph = retrieval_graph(self.explain_collection)
        rows = await self.store.select(_RUNNING, {"graph": graph})
        running = {row["session"] for row in rows}
        noted, _ = await self._noted()
        others = set() if alone else {each for each, holder in noted.items() if holder != self.process}
        left = [named_node for named_node in running - others if isinstance(named_node, NamedNode)]
        (signs,) = await self.store.match([QuadPattern(self.process, _SIGN, None, GRAPH)])
        done = [note(each, holder) for each, holder in noted.items() if each not in others | running]
        if unnoted := [note(named_node, HERE) for named_node in left if named_node not in noted]:
            await self.store.add(unnoted)
        await self._close(left)
        if signs or done:
            await self.store.remove([*signs, *done])
        return len(left)

    async def run(self) -> None:
        """Give signs while this process answers, and look after the others, until cancelled."""
        given: list[Quad] = []

        async def watch() -> None:
            nonlocal given
            given = await self._signed(given)
            await self.look()

        await self._again_and_again(watch)

    async def run_alone(self) -> None:
        """For a process that has its store to itself, which is not asked while there is nothing to be settled."""
        await self._again_and_again(self.settle)

    async def settle(self) -> None:
        """Record the ends of this process's sessions that the store may not have. Raises as the store does."""
        self._settled &= self.ended_badly.keys()
        for session, end in list(self.ended_badly.items()):
            if session not in self._settled:
                await self._close([session], end, self.process)
                self._settled.add(session)

    async def _again_and_again(self, act: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(self.patience.between_s)
            try:
                await act()
            except ProvGraphError as error:
                logger.warning("sessions cannot be watched: %s", error)
            except Exception:
                logger.exception("watching sessions failed in a way that nobody foresaw")

    async def look(self) -> int:
        """End the sessions of processes that have given no sign for too long, and returns how many there were; and
        those of this one whose end could not be recorded."""
        await self.settle()
        noted, signs = await self._noted()
        now = time.monotonic()
        state = {holder: frozenset(signs[holder]) for holder in noted.values() if holder != self.process}
        self._since = {item: self._since.get(item, now) for item in state.items()}
        dead = {
            holder for (holder, _), since in self._since.items() if now - since >= self.patience.dead_after_s
        }
        left = [session for session, holder in noted.items() if holder in dead]
        if left:
            logger.warning("ended %d sessions of processes that no longer exist", len(left))
            await self._close(left)
        return len(left)

    async def _signed(self, before: list[Quad]) -> list[Quad]:
        """A new sign in the place of those before, while there is something to hold."""
        if not self.busy():
            if before:
                await self.store.remove(before)
            return []
        sign = Quad(self.process, _SIGN, Literal(f"{time.time_ns()}-{next(self._signs)}"), GRAPH)
        await self.store.add([sign])
        await self.store.remove(before)
        return [sign]

    async def _noted(self) -> tuple[dict[NamedNode, NamedNode], dict[NamedNode, set[str]]]:
        """Of each noted session its process, and of each process its signs."""
        noted: dict[NamedNode, NamedNode] = {}
        signs: dict[NamedNode, set[str]] = defaultdict(set)
        (quads,) = await self.store.match([QuadPattern(graph=GRAPH)])
        for quad in quads:
            assert isinstance(quad.subject, NamedNode)
            if isinstance(quad.object, NamedNode):
                noted[quad.subject] = quad.object
            else:
                signs[quad.subject].add(str(quad.object))
        return noted, signs

    async def _close(
        self, sessions: Iterable[NamedNode], end: End = _INTERRUPTED, holder: NamedNode | None = None
    ) -> None:
        for session in sessions:
            scope = TraceScope(SessionNames(session_uuid(session)), retrieval_graph(self.explain_collection))
            ending = ending_quads(scope, end[0], self.now(), end[1])
            await self.store.transact(_ended_once(session, ending, holder))


def noted(reader: StoreReader, session: NamedNode, holder: NamedNode | None = None) -> list[Quad]:
    """The note of a session, or nothing where it has been ended, or where another process than `holder` has it."""
    (leases,) = reader.match([QuadPattern(session, _HELD_BY, holder, GRAPH)])
    return leases


def _ended_once(
    session: NamedNode, ending: Sequence[Quad], holder: NamedNode | None
) -> Callable[[StoreReader], StoreChange[None]]:
    def decide(reader: StoreReader) -> StoreChange[None]:
        standing = noted(reader, session, holder)
        return StoreChange(None, removed=standing, added=ending if standing else ())

    return decide
