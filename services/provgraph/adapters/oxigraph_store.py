"""`QuadStore` on an embedded Oxigraph: in memory, or in a folder that this process alone owns."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Condition, Lock
from typing import Final, TypeVar

from anyio import to_thread
from pyoxigraph import NamedNode, Quad, QuerySolutions, Store, Variable

from provgraph.adapters.store_folder import (
    alone,
    empty_log,
    log_bytes,
    opened,
    pack,
    put_in_place,
    remove_leftovers,
    require_room,
    unwritten,
    write_draft,
)
from provgraph.errors import InvalidQuery
from provgraph.ports.quad_store import (
    QuadPattern,
    QuadStore,
    Solution,
    StoreChange,
    StoreReader,
)
from provgraph.rdf.batches import in_batches
from provgraph.rdf.terms import Term
from provgraph.sparql.quad_data import quad_data


class ReadingGate:
    """Lets readers in side by side; `closed` waits until all have left, and lets none in while it lasts."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._readers = 0
        self._is_closed = False

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_closed)
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @contextmanager
    def closed(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_closed)
            self._is_closed = True
            self._changed.wait_for(lambda: not self._readers)
        try:
            yield
        finally:
            with self._changed:
                self._is_closed = False
                self._changed.notify_all()


T = TypeVar("T")

FLUSHED_FROM: Final = 5_000_000
"""Bytes of the log, some 10,000 quads, whose replay takes longer than a flush, about 0.1 s."""

HELD_IN_MEMORY: Final = 25_000
"""Quads after which what was written goes from memory to the disk: RocksDB by itself holds some 3 GB before that, and
of 100,000 quads 60 MB more than of these. A flush takes less time than it saves."""


class OxigraphQuadStore(QuadStore):
    """Blocking calls run in a worker thread; writes are one at a time, so that `add_absent` is atomic.

    Raises `Unavailable` on opening when another process holds the folder or it cannot be written.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._begin(opened(folder))

    @classmethod
    def reading(cls, folder: Path) -> OxigraphQuadStore:
        """The store of a copy that nobody writes to; it cannot be written through this object either."""
        store = cls.__new__(cls)
        store._folder = folder
        store._begin(Store.read_only(str(folder)))
        return store

    def _begin(self, store: Store) -> None:
        self._store = store
        self._writing = Lock()
        self._gate = ReadingGate()
        self._revision = 0
        self._unflushed = 0
        self._failed: OSError | None = None
        """What failed of a write: from then on RocksDB takes none, whatever room there is, until it is opened anew."""

    @property
    def revision(self) -> int:
        return self._revision

    def reader(self) -> StoreReader:
        """The store as it is, for a thread that may wait for it."""
        return _Reader(self)

    async def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        return await self._read(lambda: self._all_matches(patterns, limit))

    def scan(self, pattern: QuadPattern, size: int) -> AsyncGenerator[list[Quad]]:
        def found() -> Iterator[Quad]:
            with self._gate.reading():
                return self._found(pattern)

        return in_batches(found, size)

    async def contains(self, quads: Sequence[Quad]) -> list[bool]:
        return await self._read(lambda: [quad in self._store for quad in quads])

    async def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> list[Solution]:
        return await self._read(lambda: self._select(query, bindings or {}))

    async def add(self, quads: Sequence[Quad]) -> None:
        await self._write(lambda: self._extend(quads))

    async def transact(self, decide: Callable[[_Reader], StoreChange[T]]) -> T:
        def decided() -> T:
            change = decide(_Reader(self))
            if change.removed:
                self._store.update(
                    f"DELETE DATA {{ {quad_data(change.removed)} }} ; INSERT DATA {{ {quad_data(change.added)} }}"
                )
                self._unflushed += len(change.removed) + len(change.added)
            elif change.added:
                self._extend(change.added)
            return change.outcome

        return await self._write(decided)

    async def rewrite(self) -> None:
        await self._write(self._rewrite)

    async def clear(self, graphs: Sequence[NamedNode]) -> None:
        statements = [f"DROP SILENT GRAPH {graph}" for graph in graphs]
        await self._write(lambda: self._store.update(";".join(statements)))

    async def remove(self, quads: Sequence[Quad]) -> None:
        await self._write(lambda: self._store.update(f"DELETE DATA {{ {quad_data(quads)} }}"))

    async def graph_names(self) -> list[NamedNode]:
        return await self._read(self._graph_names)

    async def backup(self, folder: Path) -> int:
        """Write a copy of the store into `folder`, which must not exist unless this store is in memory."""

        def copy() -> int:
            if self._folder:
                self._store.backup(folder)
            else:
                copied = Store(folder)
                copied.bulk_extend(self._store)
                copied.flush()
            return self._revision

        return await to_thread.run_sync(self._by_itself, copy)

    def open_backup(self, folder: Path) -> OxigraphQuadStore:
        return OxigraphQuadStore.reading(folder)

    async def close(self) -> None:
        """Leave little to be replayed at the next opening, and small files; what was written is in the log either
        way."""
        written = self._folder if self._revision else None
        flushed: Path | None = None
        if written is not None and log_bytes(written) > FLUSHED_FROM:
            with suppress(OSError):
                await to_thread.run_sync(
                    lambda: self._store.flush()
                )  # a bound method would keep the store open
                flushed = written
            self._unflushed = 0
        del self._store  # the lock on the folder goes with it
        if flushed is not None:
            await to_thread.run_sync(empty_log, flushed)
        if written is not None:
            await to_thread.run_sync(pack, written)

    def _rewrite(self) -> None:
        """The copy is made while others read; the swap waits until nobody does."""
        if self._folder is None:
            anew = Store()
            anew.bulk_extend(self._store)
            self._store = anew
            return
        write_draft(self._folder, self._store)
        with self._gate.closed(), alone(self._folder):
            del self._store
            try:
                put_in_place(self._folder)
            finally:
                self._store = Store(self._folder)
        self._unflushed = 0
        remove_leftovers(self._folder)

    def _all_matches(self, patterns: Sequence[QuadPattern], limit: int | None) -> list[list[Quad]]:
        return [self._matches(pattern, limit) for pattern in patterns]

    def _matches(self, pattern: QuadPattern, limit: int | None) -> list[Quad]:
        quads = self._found(pattern)
        if limit is None:
            return [quad for quad in quads]  # noqa: C416 (list(found) would keep the interpreter until its end)
        return [quad for quad, _ in zip(quads, range(limit), strict=False)]

    def _found(self, pattern: QuadPattern) -> Iterator[Quad]:
        return self._store.quads_for_pattern(
            pattern.subject, pattern.predicate, pattern.object, pattern.graph
        )

    def _graph_names(self) -> list[NamedNode]:
        """Oxigraph remembers the names of graphs that have become empty."""
        return [
            name
            for name in self._store.named_graphs()
            if isinstance(name, NamedNode) and self._matches(QuadPattern(graph=name), limit=1)
        ]

    def _select(self, query: str, bindings: Mapping[str, Term]) -> list[Solution]:
        substitutions = {Variable(name): term for name, term in bindings.items()}
        try:
            solutions = self._store.query(query, substitutions=substitutions)
        except SyntaxError as error:
            raise InvalidQuery(str(error)) from error
        assert isinstance(solutions, QuerySolutions)
        names = [variable.value for variable in solutions.variables]
        return [{name: term for name in names if (term := row[name]) is not None} for row in solutions]

    def _extend(self, quads: Collection[Quad]) -> None:
        self._store.extend(quads)
        self._unflushed += len(quads)

    async def _read(self, question: Callable[[], T]) -> T:
        def gated() -> T:
            with self._gate.reading():
                return question()

        return await to_thread.run_sync(gated)

    async def _write(self, change: Callable[[], T]) -> T:
        return await to_thread.run_sync(self._written, change)

    def _written(self, change: Callable[[], T]) -> T:
        def counted() -> T:
            result = change()
            self._revision += 1
            return result

        result = self._by_itself(counted)
        self._let_memory_go()
        return result

    def _by_itself(self, act: Callable[[], T]) -> T:
        """Nothing else is written meanwhile. Raises `Unavailable` where the disk does not take it."""
        with self._writing:
            try:
                self._open_again_after_a_failure()
                return act()
            except OSError as error:
                self._failed = error
                raise unwritten(error) from error

    def _open_again_after_a_failure(self) -> None:
        """Raises `Unavailable` as long as that cannot be done; others read on."""
        if self._failed is None or self._folder is None:
            return
        require_room(self._folder, self._failed)
        with self._gate.closed(), alone(self._folder):
            del self._store
            try:
                self._store = Store(self._folder)
            except OSError:  # also while something is still read in batches
                self._store = Store.read_only(str(self._folder))
                raise unwritten(self._failed) from self._failed
        self._failed = None
        self._unflushed = 0

    def _let_memory_go(self) -> None:
        """Others write and read meanwhile; what does not fit on the disk, the next write tells of."""
        if self._folder is None or self._unflushed <= HELD_IN_MEMORY:
            return
        self._unflushed = 0
        with self._gate.reading(), suppress(OSError):
            self._store.flush()


class _Reader:
    """The store inside a transaction, which holds the lock."""

    def __init__(self, store: OxigraphQuadStore) -> None:
        self._store = store

    def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        return self._store._all_matches(patterns, limit)

    def contains(self, quads: Sequence[Quad]) -> list[bool]:
        return [quad in self._store._store for quad in quads]
