"""`QuadStore` as one principal sees it: what is not to be seen is not there.

A collection of which everything is to be seen is read where it is; one of which only some documents are is read from
a store that holds nothing else (a *view*). Traces are filtered by what their sessions stood on.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol, TypeVar

from provgraph.access.scope import AccessScope
from provgraph.access.sessions import VisibleSessions
from provgraph.errors import Forbidden
from provgraph.ports.quad_store import (
    QuadPattern,
    QuadStore,
    Solution,
    StoreChange,
    StoreReader,
)
from provgraph.provenance.access import ACCESS
from provgraph.rdf.graphs import (
    collection_of_graph,
    knowledge_graph,
    retrieval_graph,
    source_graph,
)
from provgraph.rdf.iris import collection_iri
from provgraph.rdf.terms import NamedNode, Quad, Term, named

T = TypeVar("T")

_NAMED: Final = re.compile(r"<(urn:graph:[^>\s]*)>")


class ViewStore(QuadStore, Protocol):
    """A store that is there to be read, also within a transaction of another one."""

    def reader(self) -> StoreReader: ...


@dataclass(frozen=True, eq=False)
class ScopedStore(QuadStore):
    """`views` are the stores of the collections of which the scope names documents; `bookkeeping` are graphs of our
    own that a session writes to."""

    real: QuadStore
    scope: AccessScope
    views: Mapping[str, ViewStore]
    sessions: VisibleSessions
    bookkeeping: frozenset[NamedNode] = frozenset()

    @property
    def revision(self) -> int:
        return self.real.revision

    def of(self, collection: str) -> QuadStore:
        return replace(self, real=self.real.of(collection))

    async def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        found: list[list[Quad]] = [[] for _ in patterns]
        for store, numbers in self._by_store(patterns).items():
            some = [patterns[number] for number in numbers]
            bounded = (
                limit
                if store is not self.real or all(self._is_open(pattern.graph) for pattern in some)
                else None
            )
            for number, quads in zip(numbers, await store.match(some, bounded), strict=True):
                found[number] += await self._shown(patterns[number].graph, quads, store)
        return [quads[:limit] for quads in found]

    def scan(self, pattern: QuadPattern, size: int) -> AsyncGenerator[list[Quad]]:
        return self._scanned(pattern, size)

    async def _scanned(self, pattern: QuadPattern, size: int) -> AsyncGenerator[list[Quad]]:
        for store in self._stores(pattern):
            async with aclosing(store.scan(pattern, size)) as batches:
                async for quads in batches:
                    yield await self._shown(pattern.graph, quads, store)

    async def contains(self, quads: Sequence[Quad]) -> list[bool]:
        patterns = [_pattern(quad) for quad in quads]
        return [bool(quads) for quads in await self.match(patterns, limit=1)]

    async def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> list[Solution]:
        """A query that names the graphs of one collection; any other is refused to who does not see everything."""
        if self.scope.is_whole:
            return await self.real.select(query, bindings)
        graphs = {NamedNode(name) for name in _NAMED.findall(query)}
        stores = {id(store): store for graph in graphs for store in [self._open_store(graph)] if store}
        if not graphs or len(stores) != 1 or not all(self._open_store(graph) for graph in graphs):
            raise Forbidden("This cannot be asked with the rights of this token.")
        (store,) = stores.values()
        return await store.select(query, bindings)

    async def add(self, quads: Sequence[Quad]) -> None:
        self._require_writable(quads)
        await self.real.add(quads)

    async def transact(self, decide: Callable[[StoreReader], StoreChange[T]]) -> T:
        def decided(reader: StoreReader) -> StoreChange[T]:
            change = decide(_ScopedReader(self, reader))
            self._require_writable(change.added)
            self._require_removable(change.removed)
            return change

        return await self.real.transact(decided)

    async def remove(self, quads: Sequence[Quad]) -> None:
        self._require_removable(quads)
        await self.real.remove(quads)

    async def clear(self, graphs: Sequence[NamedNode]) -> None:  # noqa: ARG002
        """Collections are removed by an admin, who has the store as it is."""
        raise _refused()

    async def rewrite(self) -> None:
        raise _refused()

    async def graph_names(self) -> list[NamedNode]:
        names = [graph for graph in await self.real.graph_names() if self._open_store(graph) is self.real]
        for view in self.views.values():
            names += await view.graph_names()
        return names

    async def backup(self, folder: Path) -> int:  # noqa: ARG002
        raise _refused()

    def open_backup(self, folder: Path) -> QuadStore:  # noqa: ARG002
        raise _refused()

    async def close(self) -> None:
        """The stores behind it are others'."""

    # which store has a graph

    def _stores(self, pattern: QuadPattern) -> list[QuadStore]:
        if pattern.graph is None:
            return [self.real, *self.views.values()]
        if self._is_filtered(pattern.graph) or self._is_of_collection(pattern):
            return [self.real]
        store = self._open_store(pattern.graph)
        return [store] if store else []

    def _by_store(self, patterns: Sequence[QuadPattern]) -> dict[QuadStore, list[int]]:
        found: dict[QuadStore, list[int]] = {}
        for number, pattern in enumerate(patterns):
            for store in self._stores(pattern):
                found.setdefault(store, []).append(number)
        return found

    def _open_store(self, graph: NamedNode | None) -> QuadStore | None:
        """The store whose graph of this name may be seen whole."""
        if graph is None or graph == ACCESS:
            return None
        if self.scope.is_whole:
            return self.real
        collection = collection_of_graph(graph.value)
        if collection is None:
            return self.real if graph in self.bookkeeping else None
        if collection in self.views:
            return self.views[collection]
        return self.real if self.scope.shows_all_of(collection) else None

    def _is_open(self, graph: NamedNode | None) -> bool:
        return self._open_store(graph) is self.real

    def _is_filtered(self, graph: NamedNode | None) -> bool:
        return graph == retrieval_graph(self.sessions.explain_collection)

    def _is_of_collection(self, pattern: QuadPattern) -> bool:
        """Whether the pattern asks for what is said of a collection as such: its name and settings."""
        collection = collection_of_graph(pattern.graph.value) if pattern.graph else None
        return collection in self.views and pattern.subject == collection_iri(collection or "")

    async def _shown(self, graph: NamedNode | None, quads: list[Quad], store: QuadStore) -> list[Quad]:
        """Of what a store has of a pattern with this graph, what is to be seen."""
        if store is not self.real:
            return quads
        if graph is None:
            traces = [quad for quad in quads if self._is_filtered(_graph(quad))]
            return [
                *(quad for quad in quads if self._is_open(_graph(quad))),
                *await self.sessions.shown(traces, self.real),
            ]
        return await self.sessions.shown(quads, self.real) if self._is_filtered(graph) else quads

    # what may be written

    def _require_writable(self, quads: Sequence[Quad]) -> None:
        if not all(self._may_write(graph) for graph in {_graph(quad) for quad in quads}):
            raise _refused()

    def _require_removable(self, quads: Sequence[Quad]) -> None:
        """What was asked and answered stays, whoever asked."""
        self._require_writable(quads)
        if any(self._is_filtered(_graph(quad)) for quad in quads):
            raise _refused()

    def _may_write(self, graph: NamedNode | None) -> bool:
        if graph is None:
            return False
        if self._is_filtered(graph) or graph in self.bookkeeping:
            return True
        collection = collection_of_graph(graph.value)
        return self.scope.writes and collection is not None and self.scope.shows_all_of(collection)


@dataclass(frozen=True)
class _ScopedReader:
    """The same within a transaction of the real store."""

    store: ScopedStore
    inner: StoreReader

    def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        return [self._found(pattern)[:limit] for pattern in patterns]

    def contains(self, quads: Sequence[Quad]) -> list[bool]:
        return [bool(self._found(_pattern(quad))) for quad in quads]

    def _found(self, pattern: QuadPattern) -> list[Quad]:
        scoped = self.store
        found: list[Quad] = []
        if pattern.graph is None:
            graphs = [graph for name in scoped.views for graph in (knowledge_graph(name), source_graph(name))]
            return [quad for graph in graphs for quad in self._found(replace(pattern, graph=graph))]
        for store in scoped._stores(pattern):
            view = next((view for view in scoped.views.values() if view is store), None)
            (quads,) = (view.reader() if view else self.inner).match([pattern])
            found += (
                scoped.sessions.shown_in(quads, self.inner) if scoped._is_filtered(pattern.graph) else quads
            )
        return found


def _pattern(quad: Quad) -> QuadPattern:
    return QuadPattern(named(quad.subject), quad.predicate, quad.object, _graph(quad))


def _graph(quad: Quad) -> NamedNode | None:
    return quad.graph_name if isinstance(quad.graph_name, NamedNode) else None


def _refused() -> Forbidden:
    return Forbidden("The rights of this token do not include that. Ask whoever keeps this service.")
