"""`QuadStore` on a SPARQL server that several processes may write to."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeVar

from anyio import CapacityLimiter, to_thread
from pyoxigraph import NamedNode, Quad

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.remote_store.address import StoreAddress
from provgraph.adapters.remote_store.connection import StoreConnection
from provgraph.adapters.remote_store.reading import PatternReader, copy_into
from provgraph.adapters.remote_store.receipts import ReceiptedWrites
from provgraph.adapters.remote_store.turns import Turn, Turns
from provgraph.errors import NotProvided, ProvGraphError
from provgraph.ports.quad_store import (
    QuadPattern,
    Solution,
    StoreChange,
    StoreReader,
    WriteUnit,
    absent_units,
)
from provgraph.rdf.batches import in_batches
from provgraph.rdf.terms import Term, named
from provgraph.sparql.quad_data import quad_data, term_text

T = TypeVar("T")

_AT_ONCE: Final = 32
GRAPHS: Final = "SELECT ?graph WHERE { GRAPH ?graph { } FILTER EXISTS { GRAPH ?graph { ?s ?p ?o } } }"


class SparqlHttpQuadStore:
    """Blocking calls run in worker threads. What is decided on what was read, is decided one at a time: in this
    process by a limiter, among processes by turns; what is only added needs no turn.
    """

    def __init__(self, address: StoreAddress, put_aside_after_s: float = 10.0) -> None:
        self.connection = StoreConnection(address)
        self._reader = PatternReader(self.connection)
        self._writes = ReceiptedWrites(self.connection)
        self._turns = Turns(self.connection, put_aside_after_s)
        self._calls = CapacityLimiter(_AT_ONCE)
        self._decisions = CapacityLimiter(1)
        self._revision = 0

    @classmethod
    def opened(cls, address: StoreAddress) -> SparqlHttpQuadStore:
        """The store, when its server answers. Raises `Unavailable` when it does not for as long as the address says."""
        store = cls(address)
        try:
            store.connection.holds("ASK { }")
        except ProvGraphError:
            store.connection.close()
            raise
        return store

    @property
    def revision(self) -> int:
        return self._revision

    @property
    def shards(self) -> tuple[Self, ...]:
        return (self,)

    def of(self, collection: str) -> Self:  # noqa: ARG002
        return self

    async def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        return await self._call(lambda: self._reader.match(patterns, limit))

    def scan(self, pattern: QuadPattern, size: int) -> AsyncGenerator[list[Quad]]:
        return in_batches(lambda: self._reader.scan(pattern), size)

    async def contains(self, quads: Sequence[Quad]) -> list[bool]:
        return await self._call(lambda: self._reader.contains(quads))

    async def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> list[Solution]:
        return await self._call(lambda: self._select(query, bindings or {}))

    async def add(self, quads: Sequence[Quad]) -> None:
        await self._call(lambda: self._writes.carry_out(partial(_addition, quads)))
        self._revision += 1

    async def add_absent(self, units: Sequence[WriteUnit]) -> list[bool]:
        return await self.transact(lambda reader: absent_units(reader, units))

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
            f"The files of the store at {self.connection.address.told} are its server's, and only written anew there: "
            "stop it, 'oxigraph dump' the store, 'oxigraph load' that into an empty folder, and serve this one."
        )

    async def graph_names(self) -> list[NamedNode]:
        rows = await self._call(lambda: self.connection.solutions(GRAPHS))
        return [named(row["graph"]) for row in rows]

    async def backup(self, folder: Path) -> int:
        """Copy what is stored into a folder of this machine, as an embedded store; returns the revision it shows."""
        revision = self._revision
        await self._call(lambda: copy_into(folder, self.connection))
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
        names = " ".join(f"?{name}" for name in bindings)
        values = " ".join(term_text(term) for term in bindings.values())
        bound = f"\nVALUES ({names}) {{ ({values}) }}" if bindings else ""
        columns, rows = self.connection.table(query + bound)
        return [{name: term for name in columns if (term := row[name]) is not None} for row in rows]

    def _decided(self, decide: Callable[[StoreReader], StoreChange[T]]) -> T:
        while True:
            with self._turns.turn() as turn:
                change = decide(self._reader)
                if not change.removed and not change.added:
                    return change.outcome
                if self._applied(turn, partial(_change, turn, change)):
                    return change.outcome

    def _cleared(self, graphs: Sequence[NamedNode]) -> None:
        if not graphs:
            return
        with self._turns.turn() as turn:
            self._applied(turn, partial(_clearing, turn, graphs))

    def _applied(self, turn: Turn, wording: Callable[[Quad, list[Quad]], str]) -> bool:
        """Whether the turn still held, and what was decided in it is written; the claim has gone with it."""
        turn.over = self._writes.carry_out_if(wording, lambda: self._turns.stands(turn), lambda: turn.is_sure)
        return turn.over

    async def _call(self, call: Callable[[], T], limiter: CapacityLimiter | None = None) -> T:
        return await to_thread.run_sync(call, limiter=limiter or self._calls)


def _addition(quads: Sequence[Quad], receipt: Quad, settled: list[Quad]) -> str:
    return f"{_forgetting(settled)} INSERT DATA {{ {quad_data([receipt, *quads])} }}"


def _change(turn: Turn, change: StoreChange[T], receipt: Quad, settled: list[Quad]) -> str:
    """Takes place only while the claim stands, and takes it away."""
    going, coming = quad_data([*settled, *change.removed]), quad_data([receipt, *change.added])
    return f"DELETE {{ {turn.condition} {going} }} INSERT {{ {coming} }} WHERE {{ {turn.condition} }}"


def _clearing(turn: Turn, graphs: Sequence[NamedNode], receipt: Quad, settled: list[Quad]) -> str:
    steps = [f"DROP SILENT GRAPH {graph}" for graph in graphs]
    steps += [f"DELETE WHERE {{ {turn.condition} }}", f"INSERT DATA {{ {quad_data([receipt])} }}"]
    return f"{_forgetting(settled)} {' ; '.join(steps)}"


def _forgetting(settled: list[Quad]) -> str:
    return f"DELETE DATA {{ {quad_data(settled)} }} ;" if settled else ""
