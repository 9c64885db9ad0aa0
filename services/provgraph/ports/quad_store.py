"""Port of the RDF store: an embedded Oxigraph, a SPARQL server over HTTP, or several of these, divided by collection.

A store of another kind implements `QuadStore`, and `ports.sparql_endpoint.SparqlEndpoint` for the queries of users;
`assembly.stores` opens it by the scheme of its address. Copies for backups and archives are part of the port: a store
writes them, and opens them again.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, Generic, Protocol, TypeVar

from provgraph.rdf.terms import NamedNode, Quad, Term

Solution = Mapping[str, Term]
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class QuadPattern:
    """Any quad that agrees with the terms that are given; None stands for any."""

    subject: NamedNode | None = None
    predicate: NamedNode | None = None
    object: Term | None = None
    graph: NamedNode | None = None


@dataclass(frozen=True)
class WriteUnit:
    """Quads that are written together or not at all, and only where `marker` is not yet in the store.

    Where `requires` is given, it must be there, in the store or in a unit written before this one.
    """

    marker: Quad
    quads: tuple[Quad, ...]
    requires: Quad | None = None


@dataclass(frozen=True)
class StoreChange(Generic[Outcome]):
    """What a transaction is to do: quads that go, then quads that come; `outcome` is what it tells its caller."""

    outcome: Outcome
    removed: Sequence[Quad] = ()
    added: Sequence[Quad] = ()


class StoreReader(Protocol):
    """The store as one transaction sees it."""

    def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        """As `QuadStore.match`."""
        ...

    def contains(self, quads: Sequence[Quad]) -> list[bool]:
        """As `QuadStore.contains`."""
        ...


class QuadStore(Protocol):
    """One RDF dataset. Every write is one transaction: all of it or nothing, and durable on return.

    Errors: `Unavailable` when the store cannot be reached or written, `InvalidQuery` for SPARQL that does not
    parse.
    """

    @property
    def revision(self) -> int:
        """Rises with every write through this port; equal revisions mean an unchanged store."""
        ...

    @property
    def shards(self) -> Sequence[QuadStore]:
        """The stores that this one is made up of, each of which may be away while the others answer; itself, where it
        is one."""
        return (self,)

    def of(self, collection: str) -> QuadStore:  # noqa: ARG002
        """The shard in which a collection lies, one of `shards`.

        Graphs that collections share (traces, notes of what is under way) are in it as far as they say something of
        this shard's collections, and what is written to them through it stands there. Other graphs are where they
        always are.
        """
        return self

    async def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        """The quads of each pattern, in the order of the patterns, at most `limit` for each."""
        ...

    def scan(self, pattern: QuadPattern, size: int) -> AsyncGenerator[list[Quad]]:
        """The quads of a pattern as they were at the first batch, `size` at a time: for what fills no memory whole."""
        ...

    async def contains(self, quads: Sequence[Quad]) -> list[bool]:
        """Whether each of these quads is in the store."""
        ...

    async def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> list[Solution]:
        """Solutions of a SELECT query of our own; the variables in `bindings` are replaced by their terms."""
        ...

    async def add(self, quads: Sequence[Quad]) -> None:
        """Add the quads in one transaction."""
        ...

    async def add_absent(self, units: Sequence[WriteUnit]) -> list[bool]:
        """Add, in one transaction, the units whose marker is absent; tells for each whether it was added.

        Of two writers of one unit the first to commit wins, and the other one's quads are dropped.
        """
        return await self.transact(lambda reader: absent_units(reader, units))

    async def transact(self, decide: Callable[[StoreReader], StoreChange[Outcome]]) -> Outcome:
        """Apply what `decide` makes of the store, in one transaction that no other decision comes in between.

        What only adds (`add`) may stand before or after it, whole, where the store is shared with other processes.

        `decide` runs in a worker thread. It must do nothing but read and compute: a store that cannot be locked
        calls it again where something that it read has changed before its change was applied.
        """
        ...

    async def clear(self, graphs: Sequence[NamedNode]) -> None:
        """Remove all quads of these graphs in one transaction."""
        ...

    async def remove(self, quads: Sequence[Quad]) -> None:
        """Remove these quads in one transaction; quads that are not there are no error."""
        ...

    async def rewrite(self) -> None:
        """Write the store anew, so that nothing is left in its files of what was removed; writes wait meanwhile.

        Raises `Unavailable` when there is no room for it, and then nothing has changed.
        """
        ...

    async def graph_names(self) -> list[NamedNode]:
        """The named graphs that hold at least one quad."""
        ...

    async def backup(self, folder: Path) -> int:
        """Copy what is stored into a folder, beside what such a copy brought there; returns the revision it shows.

        The copy is an embedded store, whatever this one is: it becomes the `store` folder of a restored data folder.
        """
        ...

    def open_backup(self, folder: Path) -> QuadStore:
        """A copy that `backup` wrote, for reading alone."""
        ...

    async def close(self) -> None: ...


MATCHED_AT_ONCE: Final = 2_000
"""Patterns that are matched before others have their turn."""


async def match_in_turns(store: QuadStore, patterns: Iterable[QuadPattern]) -> list[list[Quad]]:
    """What `QuadStore.match` gives for any number of patterns, which are made and matched some at a time: those of a
    large import would hold the event loop."""
    waiting, found = iter(patterns), list[list[Quad]]()
    while few := list(islice(waiting, MATCHED_AT_ONCE)):
        found += await store.match(few)
    return found


def absent_units(reader: StoreReader, units: Sequence[WriteUnit]) -> StoreChange[list[bool]]:
    """What `QuadStore.add_absent` does, as a decision of one transaction: which units are written, and their quads."""
    required = [unit.requires for unit in units if unit.requires is not None]
    asked = list(dict.fromkeys([*(unit.marker for unit in units), *required]))
    there = {quad for quad, is_there in zip(asked, reader.contains(asked), strict=True) if is_there}
    added: list[bool] = []
    quads: dict[Quad, None] = {}
    for unit in units:
        fits = unit.requires is None or unit.requires in there
        added.append(fits and unit.marker not in there)
        if added[-1]:
            quads.update(dict.fromkeys((unit.marker, *unit.quads)))
            there.update((unit.marker, *unit.quads))
    return StoreChange(added, added=list(quads))
