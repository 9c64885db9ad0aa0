"""What a principal may see: collections, and of those with hidden documents only some of their documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from provgraph.access.principals import Principal, Right
from provgraph.catalogue.collections import Collections
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.terms import Literal, NamedNode, Quad
from provgraph.rdf.vocabulary import RDF, TG


@dataclass(frozen=True)
class AccessScope:
    """`collections` are the ones that there are for somebody, None for all; of those in `documents` only these
    documents."""

    collections: frozenset[str] | None = None
    documents: Mapping[str, frozenset[NamedNode]] = field(default_factory=dict)
    writes: bool = False

    def shows(self, collection: str) -> bool:
        return self.collections is None or collection in self.collections

    def shows_all_of(self, collection: str) -> bool:
        return self.shows(collection) and collection not in self.documents

    def holds(self, other: AccessScope) -> bool:
        """Whether all is shown that another scope shows, of the same collections."""
        return (
            self.collections == other.collections
            and self.documents.keys() <= other.documents.keys()
            and all(other.documents[name] <= shown for name, shown in self.documents.items())
        )

    @property
    def is_whole(self) -> bool:
        return self.collections is None and not self.documents


@dataclass(frozen=True)
class Scopes:
    """Reads the rules of the documents of one store."""

    collections: Collections

    async def of(self, principal: Principal) -> AccessScope:
        """What a principal may see at this moment."""
        named = frozenset(principal.collections) if principal.collections else None
        writes = principal.may(Right.WRITE)
        if principal.sees_every_document:
            return AccessScope(named, {}, writes)
        names = sorted(named) if named is not None else await self.collections.names()
        patterns = [QuadPattern(None, TG.readable_by, None, source_graph(name)) for name in names]
        found = await self.collections.store.match(patterns)
        hidden = {
            name: hidden
            for name, quads in zip(names, found, strict=True)
            if (hidden := _hidden(quads, principal.names))
        }
        return AccessScope(named, await self._others(hidden), writes)

    async def _others(self, hidden: Mapping[str, frozenset[NamedNode]]) -> dict[str, frozenset[NamedNode]]:
        """The documents of these collections that are not hidden."""
        patterns = [QuadPattern(None, RDF.type, TG.Document, source_graph(name)) for name in hidden]
        found = await self.collections.store.match(patterns)
        return {
            name: frozenset(
                quad.subject
                for quad in quads
                if isinstance(quad.subject, NamedNode) and quad.subject not in hidden[name]
            )
            for name, quads in zip(hidden, found, strict=True)
        }


def _hidden(rules: list[Quad], names: frozenset[str]) -> frozenset[NamedNode]:
    """The documents that others may read, and none of these names."""
    ruled = {quad.subject for quad in rules if isinstance(quad.subject, NamedNode)}
    own = {quad.subject for quad in rules if isinstance(quad.object, Literal) and quad.object.value in names}
    return frozenset(ruled - own)
