"""`QuadStore` on an embedded Oxigraph: in memory, or in a folder that this process alone owns."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from anyio import to_thread
from pyoxigraph import NamedNode, Quad, QuerySolutions, Store, Variable

from provgraph.errors import InvalidQuery, Unavailable
from provgraph.ports.quad_store import QuadPattern, Solution, WriteUnit
from provgraph.rdf.batches import in_batches
from provgraph.rdf.terms import Term

T = TypeVar("T")

FLUSHED_FROM: Final = 10_000
"""Quads whose replay takes longer than a flush, about 0.1 s."""


class OxigraphQuadStore:
    """Blocking calls run in a worker thread; writes are one at a time, so that `add_absent` is atomic.

    Raises `Unavailable` on opening when another process holds the folder or it cannot be written.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._begin(_open(folder))

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
        self._revision = 0
        self._unflushed = 0

    @property
    def revision(self) -> int:
        return self._revision

    async def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        return await to_thread.run_sync(lambda: [self._matches(pattern, limit) for pattern in patterns])

    def scan(self, pattern: QuadPattern, size: int) -> AsyncGenerator[list[Quad]]:
        return in_batches(
            lambda: self._store.quads_for_pattern(
                pattern.subject, pattern.predicate, pattern.object, pattern.graph
            ),
            size,
        )

    async def contains(self, quads: Sequence[Quad]) -> list[bool]:
        return await to_thread.run_sync(lambda: [quad in self._store for quad in quads])

    async def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> list[Solution]:
        return await to_thread.run_sync(self._select, query, bindings or {})

    async def add(self, quads: Sequence[Quad]) -> None:
        await self._write(lambda: self._store.extend(quads))

    async def add_absent(self, units: Sequence[WriteUnit]) -> list[bool]:
        return await self._write(lambda: self._add_absent(units))

    async def clear(self, graphs: Sequence[NamedNode]) -> None:
        statements = [f"DROP SILENT GRAPH {graph}" for graph in graphs]
        await self._write(lambda: self._store.update(";".join(statements)))

    async def remove(self, quads: Sequence[Quad]) -> None:
        data = " ".join(f"GRAPH {quad.graph_name} {{ {quad.triple} }}" for quad in quads)
        await self._write(lambda: self._store.update(f"DELETE DATA {{ {data} }}"))

    async def graph_names(self) -> list[NamedNode]:
        return await to_thread.run_sync(self._graph_names)

    async def backup(self, folder: Path) -> int:
        """Write a copy of the store into `folder`, which must not exist; returns the revision it shows."""

        def copy() -> int:
            with self._writing:
                self._store.backup(folder)
                return self._revision

        return await to_thread.run_sync(copy)

    async def close(self) -> None:
        """Leave little to be replayed at the next opening; what was written is in the log either way."""
        if self._unflushed > FLUSHED_FROM:
            await to_thread.run_sync(self._store.flush)
            self._unflushed = 0
        del self._store  # the lock on the folder goes with it

    def _matches(self, pattern: QuadPattern, limit: int | None) -> list[Quad]:
        found = self._store.quads_for_pattern(
            pattern.subject, pattern.predicate, pattern.object, pattern.graph
        )
        return list(found) if limit is None else [quad for quad, _ in zip(found, range(limit), strict=False)]

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

    def _add_absent(self, units: Sequence[WriteUnit]) -> list[bool]:
        absent: list[bool] = []
        markers: set[Quad] = set()
        for unit in units:
            absent.append(unit.marker not in self._store and unit.marker not in markers)
            markers.add(unit.marker)
        pairs = zip(units, absent, strict=True)
        quads = dict.fromkeys(quad for unit, is_absent in pairs if is_absent for quad in unit.quads)
        self._store.extend(quads)
        self._unflushed += len(quads)
        return absent

    async def _write(self, change: Callable[[], T]) -> T:
        def locked() -> T:
            with self._writing:
                try:
                    result = change()
                except OSError as error:
                    raise Unavailable(
                        f"The store cannot be written ({error}). Nothing of this step was kept. "
                        "Free some space on its disk, then run the same command again."
                    ) from error
                self._revision += 1
                return result

        return await to_thread.run_sync(locked)


def _open(folder: Path | None) -> Store:
    if folder is None:
        return Store()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return Store(folder)
    except OSError as error:
        reason = (
            "another provgraph process is using it. Wait for it to end; if it is a service, give its address with --url"
            if "lock" in str(error).lower()
            else f"{error}. Check the folder's permissions and the disk"
        )
        raise Unavailable(f"The store in {folder} cannot be opened: {reason}.") from error
    except RuntimeError as error:  # what RocksDB calls corruption
        raise Unavailable(
            f"The store in {folder} is damaged ({error}). Put a backup of the folder in its place, "
            "or ingest the documents into a new one."
        ) from error
