"""`QuadStore` and `SparqlEndpoint` over several stores, divided by collection: one step reads and changes one
store, since two have no transaction in common."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from anyio import to_thread
from pyoxigraph import NamedNode, Quad

from provgraph.adapters.divided_store.placement import MAIN, Placement, several_stores
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.ports.quad_store import (
    QuadPattern,
    QuadStore,
    Solution,
    StoreChange,
    StoreReader,
    WriteUnit,
)
from provgraph.ports.sparql_endpoint import SparqlAnswer, SparqlEndpoint, SparqlRequest
from provgraph.rdf.terms import Term

T = TypeVar("T")

Decide = Callable[[StoreReader], StoreChange[T]]


class _Reads(Exception):
    """What a decision asks for first has told where it is made."""

    def __init__(self, part: int) -> None:
        self.part = part


def store_of_decision(decide: Decide[T], placement: Placement) -> int:
    """The store that has the graph which a decision reads first, or, where it reads none, what it changes; the main one
    for what says nothing of a collection.

    `decide` is begun, and left where it first reads: a decision may be made again (`QuadStore.transact`).
    """
    try:
        change = decide(_Scout(placement))
    except _Reads as reading:
        return reading.part
    part = placement.of_quads([*change.removed, *change.added])
    return MAIN if part is None else part


def decided(decide: Decide[T], reader: StoreReader, part: int, placement: Placement) -> StoreChange[T]:
    """What `decide` makes of one store. Raises `NotProvided` where it reads or changes another one's graphs."""
    change = decide(_OfOneStore(reader, part, placement))
    if placement.of_quads([*change.removed, *change.added]) not in (None, part):
        raise several_stores()
    return change


@dataclass(frozen=True)
class _Scout:
    """Reads nothing, and ends whatever reads."""

    placement: Placement

    def match(
        self,
        patterns: Sequence[QuadPattern],
        limit: int | None = None,  # noqa: ARG002
    ) -> list[list[Quad]]:
        return self._end(bool(patterns), self.placement.of_graphs(pattern.graph for pattern in patterns))

    def contains(self, quads: Sequence[Quad]) -> list[bool]:
        return self._end(bool(quads), self.placement.of_quads(quads))

    def _end(self, reads: bool, part: int | None) -> list[T]:
        if reads:
            raise _Reads(MAIN if part is None else part)
        return []


@dataclass(frozen=True)
class _OfOneStore:
    reader: StoreReader
    part: int
    placement: Placement

    def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        self._require_own(self.placement.of_graphs(pattern.graph for pattern in patterns))
        return self.reader.match(patterns, limit)

    def contains(self, quads: Sequence[Quad]) -> list[bool]:
        self._require_own(self.placement.of_quads(quads))
        return self.reader.contains(quads)

    def _require_own(self, part: int | None) -> None:
        if part not in (None, self.part):
            raise several_stores()


K = TypeVar("K")

_GRAPHS_IN_TEXT: Final = re.compile(r"<(urn:graph:[^>\s]*)>")


class DividedStore:
    """`stores` by the numbers of the placement, the main one first.

    With `home` it is the part that this store has: of shared graphs it reads and writes that store's share alone.
    """

    def __init__(self, stores: Sequence[QuadStore], placement: Placement, home: int | None = None) -> None:
        self._stores = stores
        self._placement = placement
        self._home = home
        self._shared = range(len(stores)) if home is None else (home,)
        self._shards: list[DividedStore] = []
        if home is None:
            self._shards += [DividedStore(stores, placement, number) for number in self._shared]
            for part in self._shards:
                part._shards = self._shards

    @property
    def revision(self) -> int:
        return sum(store.revision for store in self._stores)

    @property
    def shards(self) -> list[DividedStore]:
        return self._shards if self._home is None else [self]

    def of(self, collection: str) -> DividedStore:
        return self._shards[self._placement.of_collection(collection)]

    async def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        asked = _by_store(patterns, lambda pattern: self._having(pattern.graph))
        if len(asked) == 1:
            (only,) = asked
            return await self._stores[only].match(patterns, limit)
        answers = await _all(
            self._stores[store].match([patterns[place] for place in places], limit)
            for store, places in asked.items()
        )
        found: list[dict[Quad, None]] = [{} for _ in patterns]
        for places, answer in zip(asked.values(), answers, strict=True):
            for place, quads in zip(places, answer, strict=True):
                found[place].update(dict.fromkeys(quads))
        return [list(quads)[:limit] for quads in found]

    async def scan(self, pattern: QuadPattern, size: int) -> AsyncGenerator[list[Quad]]:
        """Of a graph that is shared, each store's quads as they were when the scan came to it."""
        before: list[QuadStore] = []
        for store in (self._stores[number] for number in self._having(pattern.graph)):
            async with aclosing(store.scan(pattern, size)) as batches:
                async for batch in batches:
                    if fresh := await _in_none_of(before, batch):
                        yield fresh
            before.append(store)

    async def contains(self, quads: Sequence[Quad]) -> list[bool]:
        asked = _by_store(quads, lambda quad: self._having(quad.graph_name))
        answers = await _all(
            self._stores[store].contains([quads[place] for place in places])
            for store, places in asked.items()
        )
        there = {
            place
            for places, answer in zip(asked.values(), answers, strict=True)
            for place, is_there in zip(places, answer, strict=True)
            if is_there
        }
        return [place in there for place in range(len(quads))]

    async def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> list[Solution]:
        """Where the graphs that are named are shared, the solutions of each store, one after the other."""
        bound = [term for term in (bindings or {}).values() if isinstance(term, NamedNode)]
        named = [*map(NamedNode, _GRAPHS_IN_TEXT.findall(query)), *bound]
        part = self._placement.of_graphs(named)
        asked = self._shared if part is None else (part,)
        answers = await _all(self._stores[number].select(query, bindings) for number in asked)
        return [row for rows in answers for row in rows]

    async def add(self, quads: Sequence[Quad]) -> None:
        for store, own in self._parted(quads, lambda quad: (self._written(quad.graph_name),)):
            await store.add(own)

    async def add_absent(self, units: Sequence[WriteUnit]) -> list[bool]:
        """In one transaction for each store. Raises `NotProvided` for a unit of two, before anything is written."""
        asked = _by_store(units, lambda unit: (self._store_of(unit),))
        added = [False] * len(units)
        for store, places in asked.items():
            outcomes = await self._stores[store].add_absent([units[place] for place in places])
            for place, outcome in zip(places, outcomes, strict=True):
                added[place] = outcome
        return added

    async def transact(self, decide: Callable[[StoreReader], StoreChange[T]]) -> T:
        """Raises `NotProvided` where a decision needs two stores, and has changed nothing then."""
        placement, part = self._placement, self._home
        if part is None:
            part = await to_thread.run_sync(store_of_decision, decide, placement)
        at = part
        return await self._stores[at].transact(lambda reader: decided(decide, reader, at, placement))

    async def clear(self, graphs: Sequence[NamedNode]) -> None:
        for store, own in self._parted(graphs, self._having):
            await store.clear(own)

    async def remove(self, quads: Sequence[Quad]) -> None:
        for store, own in self._parted(quads, lambda quad: self._having(quad.graph_name)):
            await store.remove(own)

    async def rewrite(self) -> None:
        for number in self._shared:
            await self._stores[number].rewrite()

    async def graph_names(self) -> list[NamedNode]:
        found = await _all(self._stores[number].graph_names() for number in self._shared)
        return list(dict.fromkeys(name for names in found for name in names))

    async def backup(self, folder: Path) -> int:
        """Each store as it is at a moment of its own: whole for each collection."""
        revision = self.revision
        for number in self._shared:
            await self._stores[number].backup(folder)
        return revision

    def open_backup(self, folder: Path) -> QuadStore:
        return OxigraphQuadStore.reading(folder)

    async def close(self) -> None:
        await _all(store.close() for store in self._stores)

    def _having(self, graph: object) -> Sequence[int]:
        """The stores in which there may be something of a graph."""
        part = self._placement.of_graph(graph)
        return self._shared if part is None else (part,)

    def _written(self, graph: object) -> int:
        """Where additions to a graph go."""
        part = self._placement.of_graph(graph)
        return part if part is not None else self._shared[0]

    def _store_of(self, unit: WriteUnit) -> int:
        required = [] if unit.requires is None else [unit.requires]
        part = self._placement.of_quads([unit.marker, *unit.quads, *required])
        return part if part is not None else self._shared[0]

    def _parted(
        self, things: Sequence[K], having: Callable[[K], Sequence[int]]
    ) -> list[tuple[QuadStore, list[K]]]:
        """What each store is to write; the part's own store is told also of nothing, which raises the revision."""
        asked = _by_store(things, having) or {self._home or MAIN: []}
        return [(self._stores[store], [things[place] for place in places]) for store, places in asked.items()]


def _by_store(things: Sequence[K], having: Callable[[K], Sequence[int]]) -> dict[int, list[int]]:
    """By the number of a store, the places in `things` of those that it has."""
    places: dict[int, list[int]] = defaultdict(list)
    for place, thing in enumerate(things):
        for store in having(thing):
            places[store].append(place)
    return dict(places)


async def _in_none_of(stores: Iterable[QuadStore], batch: list[Quad]) -> list[Quad]:
    for store in stores:
        batch = [quad for quad, known in zip(batch, await store.contains(batch), strict=True) if not known]
    return batch


async def _all(calls: Iterable[Awaitable[T]]) -> list[T]:
    """The outcomes of calls that go on at the same time; when all have ended, the first error is raised."""
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]


class DividedSparql:
    """`endpoints` by the numbers of the placement. No query reads two collections, so none needs two endpoints."""

    def __init__(self, endpoints: Sequence[SparqlEndpoint], placement: Placement) -> None:
        self._endpoints = endpoints
        self._placement = placement

    async def run(self, request: SparqlRequest) -> SparqlAnswer:
        return await self._endpoints[self._placement.of_collection(request.collection)].run(request)

    async def forget(self) -> None:
        for endpoint in self._endpoints:
            await endpoint.forget()

    async def close(self) -> None:
        for endpoint in self._endpoints:
            await endpoint.close()
