"""Old traces go: sessions with their steps, edges and candidates, and their words in the library.

A purge writes down first which sessions it takes, and crosses each out when nothing is left of it, in the store or
in the library. One that a crash cuts off is finished at the next start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.purge import PurgeRecord, purge_quads, purging_quads
from provgraph.provenance.trace_reading import TracedSession
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.terms import NamedNode, named
from provgraph.rdf.vocabulary import TG
from provgraph.traces.reader import Traces


@dataclass(frozen=True)
class Purged:
    """`purge` is the IRI of the record that remains; none for a purge that was only planned, or had nothing to do."""

    before: datetime
    sessions: Sequence[TracedSession]
    purge: NamedNode | None = None


@dataclass(frozen=True)
class TracePurge:
    store: QuadStore
    traces: Traces
    now: Callable[[], datetime]

    async def plan(self, before: datetime) -> Purged:
        """The sessions that began before a time and have ended, the newest first. Changes nothing."""
        sessions = [
            session
            for session in await self.traces.sessions()
            if session.ended and datetime.fromisoformat(session.started) < before
        ]
        return Purged(before, sessions)

    async def purge(self, before: datetime) -> Purged:
        """Remove them. Where there are none, nothing is recorded either."""
        planned = await self.plan(before)
        if not planned.sessions:
            return planned
        node = NamedNode(f"urn:trustgraph:purge:{uuid4()}")
        record = PurgeRecord(node, before, len(planned.sessions))
        taken = [session.iri for session in planned.sessions]
        graph = self._graph
        await self.store.add([*purge_quads(record, self.now(), graph), *purging_quads(node, taken, graph)])
        await self._remove(node, taken)
        return Purged(before, planned.sessions, node)

    async def resume(self) -> int:
        """Finish the purges that a crash cut off; returns how many sessions were left of them."""
        (left,) = await self.store.match([QuadPattern(None, TG.purging, None, self._graph)])
        for quad in left:
            await self._remove(named(quad.subject), [named(quad.object)])
        return len(left)

    async def _remove(self, purge: NamedNode, sessions: Sequence[NamedNode]) -> None:
        for session in sessions:
            await self.traces.remove_session(session)
            await self.store.remove(purging_quads(purge, [session], self._graph))

    @property
    def _graph(self) -> NamedNode:
        return retrieval_graph(self.traces.explain_collection)
