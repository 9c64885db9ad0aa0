"""`QuadStore` on a SPARQL server that several processes may write to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from anyio import CapacityLimiter, to_thread
from pyoxigraph import (
    NamedNode,
    Quad,
    QueryResultsFormat,
    QuerySolution,
    QuerySolutions,
    RdfFormat,
    Store,
    parse_query_results,
)

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.remote_store.connection import StoreAddress, StoreConnection
from provgraph.adapters.remote_store.turns import ReceiptedWrites, Turn, Turns
from provgraph.errors import NotProvided, ProvGraphError, Unavailable
from provgraph.ports.quad_store import (
    QuadPattern,
    QuadStore,
    Solution,
    StoreChange,
    StoreReader,
)
from provgraph.rdf.batches import in_batches
from provgraph.rdf.terms import Term, named
from provgraph.sparql.quad_data import quad_data, term_text

T = TypeVar("T")

_AT_ONCE: Final = 32
GRAPHS: Final = "SELECT ?graph WHERE { GRAPH ?graph { } FILTER EXISTS { GRAPH ?graph { ?s ?p ?o } } }"


class SparqlHttpQuadStore(QuadStore):
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


AT_ONCE: Final = 500
"""Patterns in one table: a query of about 50 kilobytes."""

LIMITED_AT_ONCE: Final = 50
"""Branches in one query: planning grows with their square."""

_PLACES: Final = ("s", "p", "o", "g")
_ROW: Final = "row"

Terms = tuple[NamedNode | None, NamedNode | None, Term | None, NamedNode | None]


@dataclass(frozen=True)
class PatternQuery:
    """`text` asks for the patterns at these places of a sequence."""

    text: str
    patterns: dict[int, Terms]

    def quad(self, row: QuerySolution) -> tuple[int, Quad]:
        """The place of the pattern that a solution belongs to, and the quad that it stands for."""
        place = int(row[_ROW].value)
        subject, predicate, object_, graph = self.patterns[place]
        return place, Quad(subject or row["s"], predicate or row["p"], object_ or row["o"], graph or row["g"])


def pattern_queries(patterns: Sequence[QuadPattern], limit: int | None) -> Iterator[PatternQuery]:
    """Queries that together ask for every pattern, each at most `limit` times."""
    terms = {
        place: (pattern.subject, pattern.predicate, pattern.object, pattern.graph)
        for place, pattern in enumerate(patterns)
    }
    if limit is not None:
        for some in _slices(list(terms), LIMITED_AT_ONCE):
            own = {place: terms[place] for place in some}
            branches = (f"{{ {_limited(place, each, limit)} }}" for place, each in own.items())
            yield PatternQuery(f"SELECT * WHERE {{ {' UNION '.join(branches)} }}", own)
        return
    by_shape: dict[tuple[bool, ...], list[int]] = defaultdict(list)
    for place, each in terms.items():
        by_shape[tuple(term is None for term in each)].append(place)
    for places in by_shape.values():
        for some in _slices(places, AT_ONCE):
            own = {place: terms[place] for place in some}
            yield PatternQuery(_table(own), own)


def scan_query(pattern: QuadPattern) -> PatternQuery:
    """One query for all quads of one pattern."""
    own: dict[int, Terms] = {0: (pattern.subject, pattern.predicate, pattern.object, pattern.graph)}
    return PatternQuery(_table(own), own)


def _table(patterns: dict[int, Terms]) -> str:
    """Terms that differ stand in the table; one that all share, a graph for the most part, in the pattern itself."""
    shared = [each[0] if len(set(each)) == 1 else None for each in zip(*patterns.values(), strict=True)]
    first = next(iter(patterns.values()))
    varying = [at for at, term in enumerate(first) if term is not None and shared[at] is None]
    free = " ".join(f"?{_PLACES[at]}" for at, term in enumerate(first) if term is None)
    columns = " ".join(f"?{_PLACES[at]}" for at in varying)
    rows = " ".join(
        f"({place} {' '.join(term_text(term) for at in varying if (term := each[at]) is not None)})"
        for place, each in patterns.items()
    )
    return (
        f"SELECT ?{_ROW} {free} WHERE {{ VALUES (?{_ROW} {columns}) {{ {rows} }} {_asked(tuple(shared))} }}"
    )


def _limited(place: int, terms: Terms, limit: int) -> str:
    free = " ".join(f"?{name}" for name, term in zip(_PLACES, terms, strict=True) if term is None)
    return f"SELECT ({place} AS ?{_ROW}) {free} WHERE {{ {_asked(terms)} }} LIMIT {limit}"


def _asked(terms: Sequence[Term | None]) -> str:
    subject, predicate, object_, graph = (
        f"?{name}" if term is None else term_text(term) for name, term in zip(_PLACES, terms, strict=True)
    )
    return f"GRAPH {graph} {{ {subject} {predicate} {object_} }}"


def _slices(places: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (places[start : start + size] for start in range(0, len(places), size))


class PatternReader:
    """`StoreReader` over a connection. Blocking."""

    def __init__(self, connection: StoreConnection) -> None:
        self._connection = connection

    def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        """As `QuadStore.match`. Each query sees one moment; a sequence of several patterns may see more."""
        found: list[list[Quad]] = [[] for _ in patterns]
        for query in pattern_queries(patterns, limit):
            for row in self._connection.solutions(query.text):
                place, quad = query.quad(row)
                found[place].append(quad)
        return found

    def contains(self, quads: Sequence[Quad]) -> list[bool]:
        """As `QuadStore.contains`."""
        patterns = [
            QuadPattern(named(quad.subject), quad.predicate, quad.object, named(quad.graph_name))
            for quad in quads
        ]
        return [bool(quads) for quads in self.match(patterns)]

    def scan(self, pattern: QuadPattern) -> Iterator[Quad]:
        """All quads of a pattern, as they were at one moment."""
        query = scan_query(pattern)
        with self._connection.spooled(self._connection.question(query.text)) as file:
            rows = parse_query_results(file, format=QueryResultsFormat.JSON)
            assert isinstance(rows, QuerySolutions)
            try:
                for row in rows:
                    yield query.quad(row)[1]
            except SyntaxError:
                del rows  # it must end in this thread, and a traceback would hold it
                raise Unavailable(
                    f"The store at {self._connection.address.shown} cut a long answer off. "
                    "Let it have more time for a query (--timeout-s)."
                ) from None


_N_QUADS: Final = "application/n-quads"


def copy_into(folder: Path, connection: StoreConnection) -> None:
    """Write what the server holds at one moment into `folder`, by Graph Store Protocol.

    Raises `Unavailable` for a copy that does not come whole, and `OSError` where the disk has no room.
    """
    request = connection.client.build_request("GET", connection.address.graphs, headers={"Accept": _N_QUADS})
    with connection.spooled(request) as file:
        store = Store(folder)
        try:
            store.bulk_load(file, format=RdfFormat.N_QUADS)
        except SyntaxError as error:
            raise Unavailable(
                f"The store at {connection.address.shown} sent a copy that cannot be read ({error}). Try again."
            ) from error
        store.update("CLEAR DEFAULT")  # the notes of writers
        store.flush()
