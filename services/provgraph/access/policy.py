"""Who would read what by a policy, as the service decides it, and whether that is what is expected."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from provgraph.access.principals import Principal
from provgraph.access.scope import hidden_documents
from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class ReadDocuments:
    """What a principal reads of a collection; `missing` is expected and not read, `unexpected` read and not
    expected."""

    principal: Principal
    documents: frozenset[NamedNode]
    missing: frozenset[NamedNode] = frozenset()
    unexpected: frozenset[NamedNode] = frozenset()


@dataclass(frozen=True)
class CollectionPolicy:
    """The documents of one collection, each with those who may read it: everybody where nobody is named."""

    collection: str
    readers: Mapping[NamedNode, Collection[str]]

    def read_by(self, principal: Principal) -> frozenset[NamedNode]:
        if principal.collections and self.collection not in principal.collections:
            return frozenset()
        return frozenset(self.readers) - hidden_documents(principal, self.readers)

    def tested(
        self, principals: Iterable[Principal], expected: Mapping[str, Collection[NamedNode]]
    ) -> list[ReadDocuments]:
        """Of each principal, by name; of one in `expected` what differs too."""
        return [
            self._compared(principal, expected.get(principal.name))
            for principal in sorted(principals, key=lambda principal: principal.name)
        ]

    def _compared(self, principal: Principal, expected: Collection[NamedNode] | None) -> ReadDocuments:
        read = self.read_by(principal)
        if expected is None:
            return ReadDocuments(principal, read)
        return ReadDocuments(principal, read, frozenset(expected) - read, read - frozenset(expected))
