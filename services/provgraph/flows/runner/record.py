"""What is written of one session: each step is in the store before it is told, and the end however it comes."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol
from uuid import uuid4

import anyio

from provgraph.documents.library import Library
from provgraph.errors import ProvGraphError
from provgraph.flows.runner.events import Event, Explained, Finished
from provgraph.flows.runner.session_leases import HERE, note, noted
from provgraph.flows.runner.usage import Accounts
from provgraph.ports.quad_store import QuadStore, StoreChange, StoreReader
from provgraph.provenance import trace
from provgraph.provenance.flows import Flow
from provgraph.provenance.trace import Outcome, TraceScope
from provgraph.rdf.graphs import CollectionGraphs, collection_graphs, retrieval_graph
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.traces.stale_answers import late_loss_quads, still_quoted

logger = logging.getLogger(__name__)


CUT_OFF: Final = "Cut off before the answer was complete."


class Keeping(Protocol):
    """Where a way of asking keeps its traces: `explain_collection` names their collection; `process` is who asks."""

    @property
    def store(self) -> QuadStore: ...
    @property
    def library(self) -> Library: ...
    @property
    def explain_collection(self) -> str: ...
    @property
    def now(self) -> Callable[[], datetime]: ...
    @property
    def process(self) -> NamedNode: ...


@dataclass
class SessionRecord:
    """`store` is where the collection lies that was asked, and `graphs` are its own."""

    store: QuadStore
    scope: TraceScope
    accounts: Accounts
    graphs: CollectionGraphs
    now: Callable[[], datetime]
    process: NamedNode = HERE
    _ended: bool = field(default=False, init=False)

    @classmethod
    def of(cls, keeping: Keeping, flow: Flow, collection: str) -> SessionRecord:
        """The record of a new session that asks `collection`."""
        names = SessionNames(str(uuid4()), flow.asked)
        scope = TraceScope(names, retrieval_graph(keeping.explain_collection), flow)
        accounts = Accounts(keeping.library, keeping.explain_collection, scope)
        graphs = collection_graphs(collection, keeping.explain_collection)
        store = keeping.store.of(collection)
        return cls(store, scope, accounts, graphs, keeping.now, keeping.process)

    async def explained(self, entity: NamedNode, quads: Sequence[Quad]) -> Explained:
        session = self.scope.names.session
        begun = [note(session, self.process)] if entity == session else []
        await self.store.add([*quads, *begun])
        return Explained(entity, quads)

    async def events(self, steps: AsyncGenerator[Event]) -> AsyncGenerator[Event]:
        """The events of `steps`, `Finished` last.

        The session ends in the store however the generator ends: answered, refused, failed (told by
        `Finished.error`), or cut off, when the caller closes the generator or cancels its task.
        """
        try:
            async with aclosing(steps) as events:
                async for event in events:
                    yield event
        except ProvGraphError as error:
            yield await self._failed(error)
        except Exception as error:
            failure = ProvGraphError(
                f"The answer failed unexpectedly ({type(error).__name__}). The service's log says more; "
                "please report it."
            )
            yield await self._failed(failure)
            raise
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._cut_off()
            raise

    async def end(self, outcome: Outcome, quads: Iterable[Quad] = (), failure: str = "") -> None:
        """Record how the session ended, once: later calls change nothing, nor does one after another process ended it.

        A write that is cut off still takes place, so only one that fails may be tried again.
        """
        if self._ended:
            return
        self._ended = True
        at, names = self.now(), self.scope.names
        ending = [*quads, *trace.ending_quads(self.scope, outcome, at, failure)]

        def decide(reader: StoreReader) -> StoreChange[None]:
            if not (at_work := noted(reader, names.session)):
                return StoreChange(None)
            standing = still_quoted(reader, ending, self.graphs)
            return StoreChange(None, at_work, [*standing, *late_loss_quads(reader, names, self.graphs, at)])

        try:
            await self.store.transact(decide)
        except ProvGraphError:
            self._ended = False
            raise

    async def _cut_off(self) -> None:
        """Record that the client went away, with what a model had been asked by then."""
        quads = await self.accounts.keep_cut_off()
        await self.end(Outcome.CUT_OFF, quads, CUT_OFF)

    async def _failed(self, error: ProvGraphError) -> Finished:
        """The last event of a session that failed; told also where the store can no longer record it."""
        try:
            await self.end(Outcome.FAILED, failure=str(error))
        except ProvGraphError:
            logger.exception(
                "that a session failed is not recorded yet; it is tried again, or the next start does it"
            )
        return Finished(
            self.scope.names.session,
            Outcome.FAILED,
            usage=self.accounts.usage,
            warnings=tuple(self.accounts.warnings),
            error=error,
        )
