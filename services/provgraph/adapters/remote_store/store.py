"""`QuadStore` on a SPARQL server that several processes may write to."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from anyio import CapacityLimiter, to_thread
from pyoxigraph import NamedNode, Quad

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.remote_store.connection import StoreAddress, StoreConnection
from provgraph.adapters.remote_store.copying import copy_graphs_into, copy_into
from provgraph.adapters.remote_store.pattern_queries import PatternReader, graph_names_query
from provgraph.adapters.remote_store.probe import require_exact, require_own_form
from provgraph.adapters.remote_store.queries_1_1 import selected
from provgraph.adapters.remote_store.quotations import Quotations
from provgraph.adapters.remote_store.rdf_1_1 import quoted_terms
from provgraph.adapters.remote_store.staging import Stage, is_large, staged, sweep
from provgraph.adapters.remote_store.turns import ReceiptedWrites, Turn, Turns, Wording
from provgraph.adapters.remote_store.updates import Updates, UpdatesInRdf11, UpdatesInRdf12
from provgraph.errors import NotProvided, ProvGraphError
from provgraph.ports.quad_store import (
    QuadPattern,
    QuadStore,
    Solution,
    StoreChange,
    StoreReader,
)
from provgraph.rdf.batches import in_batches
from provgraph.rdf.terms import Term, named
from provgraph.sparql.quad_data import with_values

T = TypeVar("T")

_AT_ONCE: Final = 32


class SparqlHttpQuadStore(QuadStore):
    """Blocking calls run in worker threads. What is decided on what was read, is decided one at a time: in this
    process by a limiter, among processes by turns; what is only added needs no turn.
    """

    def __init__(self, address: StoreAddress, put_aside_after_s: float = 10.0) -> None:
        self.connection = StoreConnection(address)
        self._quotations = Quotations(self.connection) if address.is_rdf_1_1 else None
        self._updates: Updates = UpdatesInRdf11() if address.is_rdf_1_1 else UpdatesInRdf12()
        self._reader = PatternReader(self.connection, self._quotations)
        self._writes = ReceiptedWrites(self.connection)
        self._turns = Turns(self.connection, put_aside_after_s)
        self._calls = CapacityLimiter(_AT_ONCE)
        self._decisions = CapacityLimiter(1)
        self._revision = 0

    @classmethod
    def opened(cls, address: StoreAddress) -> SparqlHttpQuadStore:
        """The store, when its server answers. Raises `Unavailable` when it does not for as long as the address says,
        `InvalidInput` where the graph is in another form, and `NotProvided` where a store of RDF 1.1 changes terms.
        """
        store = cls(address)
        try:
            require_own_form(store.connection, store._writes)
            if address.is_rdf_1_1:
                require_exact(store.connection, store._reader, store._writes)
                sweep(store.connection, store._writes)
        except ProvGraphError:
            store.connection.close()
            raise
        return store

    @property
    def revision(self) -> int:
        return self._revision

    async def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        return await self._call(lambda: self._reader.match(patterns, limit))

    def scan(self, pattern: QuadPattern, size: int) -> AsyncGenerator[list[Quad]]:
        return in_batches(lambda: self._reader.scan(pattern), size)

    async def contains(self, quads: Sequence[Quad]) -> list[bool]:
        return await self._call(lambda: self._reader.contains(quads))

    async def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> list[Solution]:
        return await self._call(lambda: self._select(query, bindings or {}))

    async def add(self, quads: Sequence[Quad]) -> None:
        await self._call(lambda: self._added(quads))
        self._revision += 1

    async def transact(self, decide: Callable[[StoreReader], StoreChange[T]]) -> T:
        outcome = await self._call(lambda: self._decided(decide), self._decisions)
        self._revision += 1
        return outcome

    async def clear(self, graphs: Sequence[NamedNode]) -> None:
        await self._call(lambda: self._cleared(graphs), self._decisions)
        self._revision += 1

    async def remove(self, quads: Sequence[Quad]) -> None:
        if quads:
            await self.transact(lambda _: StoreChange(None, quads))

    async def rewrite(self) -> None:
        """Raises `NotProvided`: the files are the server's."""
        raise NotProvided(
            f"The files of the store at {self.connection.address.shown} are its server's, and only rewritten there: "
            "stop it, 'oxigraph dump' the store, 'oxigraph load' that into an empty folder, and serve this one."
        )

    async def graph_names(self) -> list[NamedNode]:
        rows = await self._call(lambda: self.connection.solutions(graph_names_query(self.connection)))
        return [named(row["graph"]) for row in rows]

    async def backup(self, folder: Path) -> int:
        """Copy what is stored into a folder of this machine, as an embedded store; returns the revision it shows."""
        revision = self._revision
        if self._quotations is None:
            await self._call(lambda: copy_into(folder, self.connection))
        else:
            graphs = await self.graph_names()
            await self._call(lambda: self._copied(folder, graphs), self._decisions)
        return revision

    def open_backup(self, folder: Path) -> OxigraphQuadStore:
        return OxigraphQuadStore.reading(folder)

    async def answers(self, seconds: float) -> None:
        """Raises `Unavailable` where the server does not answer within so many seconds."""
        await to_thread.run_sync(self.connection.answers_now, seconds)

    async def close(self) -> None:
        """Calls that wait for a server which cannot be reached end at once."""

        def settle() -> None:
            self._writes.settle_all()
            self.connection.close()

        self.connection.stop_waiting()
        await to_thread.run_sync(settle)

    def _select(self, query: str, bindings: Mapping[str, Term]) -> list[Solution]:
        if self._quotations is not None:
            return selected(self.connection, self._quotations, query, bindings)
        columns, rows = self.connection.table(with_values(query, bindings))
        return [{name: term for name in columns if (term := row[name]) is not None} for row in rows]

    def _decided(self, decide: Callable[[StoreReader], StoreChange[T]]) -> T:
        while True:
            with self._turns.turn() as turn:
                change = decide(self._reader)
                if not change.removed and not change.added:
                    return change.outcome
                is_applied = self._applied(turn, self._wording(turn, change))
                self._restore(change.removed)  # also where the turn was lost: cleaning does not depend on it
                if is_applied:
                    return change.outcome

    def _wording(self, turn: Turn, change: StoreChange[T]) -> Wording:
        """The update of a change; what is too large for one is put down first."""
        if self._quotations is None:
            return partial(self._updates.change, turn, change)
        quads = [*change.removed, *change.added]
        if not is_large(quads, quoted_terms(quads)):
            return partial(self._updates.change, turn, change)
        stage = Stage(turn)
        stage.remove(change.removed)
        stage.add(change.added)
        stage.clean(quoted_terms(change.removed))
        stage.put_down(self._writes)
        return partial(staged, stage)

    def _cleared(self, graphs: Sequence[NamedNode]) -> None:
        if not graphs:
            return
        with self._turns.turn() as turn:
            quoted = [] if self._quotations is None else self._quotations.used_in(graphs)
            if is_large((), quoted):
                stage = Stage(turn, steps=[f"DROP SILENT GRAPH {graph}" for graph in graphs])
                stage.clean(quoted)
                stage.put_down(self._writes)
                self._applied(turn, partial(staged, stage))
            else:
                self._applied(turn, partial(self._updates.clearing, turn, graphs, quoted))
            if self._quotations is not None:
                self._quotations.restore(quoted, self._writes)

    def _added(self, quads: Sequence[Quad]) -> None:
        self._writes.carry_out(partial(self._updates.addition, quads))
        self._restore(quads)

    def _restore(self, quads: Sequence[Quad]) -> None:
        """Put back what another process has lost of what these quote, which may have written at the same moment."""
        if self._quotations is not None:
            self._quotations.restore(quoted_terms(quads), self._writes)

    def _copied(self, folder: Path, graphs: Sequence[NamedNode]) -> None:
        """No decision comes between the copies of two graphs."""
        with self._turns.turn():
            copy_graphs_into(folder, self._reader, graphs)

    def _applied(self, turn: Turn, wording: Wording) -> bool:
        """Whether the turn still held, and what was decided in it is written; the claim has gone with it."""
        turn.over = self._writes.carry_out_if(wording, lambda: self._turns.stands(turn), lambda: turn.is_sure)
        return turn.over

    async def _call(self, call: Callable[[], T], limiter: CapacityLimiter | None = None) -> T:
        return await to_thread.run_sync(call, limiter=limiter or self._calls)
