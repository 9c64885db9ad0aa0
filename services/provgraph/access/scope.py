"""What a principal may see: collections, and of those with hidden documents only some of their documents; and the rules
of documents, which say which groups and principals may read each.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from provgraph.access.principals import Principal, Right
from provgraph.catalogue.collections import Collections
from provgraph.catalogue.deposits import GRAPH
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.provenance.access import reader_quads
from provgraph.rdf.graphs import DEFAULT_COLLECTION, source_graph
from provgraph.rdf.iris import collection_of_iri, principal_name
from provgraph.rdf.terms import Literal, NamedNode, Quad, nodes_of, texts_of
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
        """What a principal may see at this moment. A collection of which it sees no document, though there are some, is
        not there either: its name may say what they are about."""
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
            if (hidden := hidden_documents(principal, _readers_of(quads)))
        }
        if self._shows_deposits(named, hidden) and await self._has_hidden_deposit(named, hidden):
            hidden[DEFAULT_COLLECTION] = frozenset()  # a view has no deposits
        documents = await self._others(hidden)
        unseen = {name for name in documents if not documents[name] and name != DEFAULT_COLLECTION}
        if unseen:
            named = frozenset(names) - unseen
            documents = {name: shown for name, shown in documents.items() if name not in unseen}
        return AccessScope(named, documents, writes)

    def _shows_deposits(self, named: frozenset[str] | None, hidden: Mapping[str, object]) -> bool:
        return (named is None or DEFAULT_COLLECTION in named) and DEFAULT_COLLECTION not in hidden

    async def _has_hidden_deposit(
        self, named: frozenset[str] | None, hidden: Mapping[str, frozenset[NamedNode]]
    ) -> bool:
        """Deposits lie in the default collection, whatever collection they are read into: whether there is one whose
        document is hidden, or in a collection that is not there for the principal."""
        patterns = [QuadPattern(None, predicate, None, GRAPH) for predicate in (TG.document, TG.collection)]
        deposited, read_into = await self.collections.store.match(patterns)
        documents = set(nodes_of(deposited, TG.document))
        if any(documents & nodes for nodes in hidden.values()):
            return True
        return named is not None and any(
            collection_of_iri(collection) not in named for collection in nodes_of(read_into, TG.collection)
        )

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


def hidden_documents(
    principal: Principal, readers: Mapping[NamedNode, Collection[str]]
) -> frozenset[NamedNode]:
    """Of documents of a collection that the principal may use those that it may not read; `readers` may read each,
    everybody where nobody is named."""
    if principal.sees_every_document:
        return frozenset()
    return frozenset(node for node, names in readers.items() if names and principal.names.isdisjoint(names))


def _readers_of(rules: Sequence[Quad]) -> dict[NamedNode, list[str]]:
    readers: dict[NamedNode, list[str]] = {}
    for quad in rules:
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, Literal):
            readers.setdefault(quad.subject, []).append(quad.object.value)
    return readers


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
