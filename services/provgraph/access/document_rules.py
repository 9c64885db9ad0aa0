"""The rules of documents: which groups and principals may read each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.provenance.access import reader_quads
from provgraph.rdf.iris import principal_name
from provgraph.rdf.terms import NamedNode, texts_of
from provgraph.rdf.vocabulary import TG


@dataclass(frozen=True)
class DocumentRules:
    """The documents of one collection; `graph` is its source graph."""

    store: QuadStore
    graph: NamedNode

    async def readers(self, documents: Sequence[NamedNode]) -> list[list[str]]:
        """Of each document, by name; nobody is everybody who may read the collection."""
        patterns = [QuadPattern(node, TG.readable_by, None, self.graph) for node in documents]
        return [sorted(texts_of(quads, TG.readable_by)) for quads in await self.store.match(patterns)]

    async def set(self, documents: Sequence[NamedNode], readers: Sequence[str]) -> None:
        """Put these readers in the place of those that there are, all at once. Raises `InvalidInput`."""
        names = [principal_name(name) for name in readers]
        patterns = [QuadPattern(node, TG.readable_by, None, self.graph) for node in documents]
        after = {quad for node in documents for quad in reader_quads(node, names, self.graph)}

        def decide(reader: StoreReader) -> StoreChange[None]:
            before = {quad for quads in reader.match(patterns) for quad in quads}
            return StoreChange(None, sorted(before - after, key=str), sorted(after - before, key=str))

        await self.store.transact(decide)
