"""Library and SPARQL as one principal has them: the contents of what the scoped store names, and queries over it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from provgraph.access.scope import AccessScope
from provgraph.access.scoped_store import ScopedStore
from provgraph.documents.library import Library
from provgraph.errors import Forbidden, NotFound
from provgraph.ports.content_store import ContentStore
from provgraph.ports.quad_store import QuadPattern
from provgraph.ports.sparql_endpoint import SparqlAnswer, SparqlEndpoint, SparqlRequest
from provgraph.rdf.graphs import retrieval_graph, source_graph
from provgraph.rdf.terms import NamedNode
from provgraph.sparql.dataset import Dataset


class ScopedLibrary(Library):
    """What may not be seen is not there."""

    def __init__(self, contents: ContentStore, store: ScopedStore) -> None:
        super().__init__(contents)
        self._store = store

    async def keep_all(self, collection: str, contents: Mapping[NamedNode, bytes]) -> None:
        self._require_writable(collection)
        await super().keep_all(collection, contents)

    async def content(self, collection: str, iri: NamedNode) -> bytes:
        if not await self._shows(collection, iri):
            raise NotFound(
                f"The library holds no content for {iri.value} in collection {collection!r}. "
                "Look up the ids with 'provgraph documents'."
            )
        return await super().content(collection, iri)

    async def sizes(self, collection: str, iris: Sequence[NamedNode]) -> list[int | None]:
        sizes = await super().sizes(collection, iris)
        return [
            size if size is not None and await self._shows(collection, iri) else None
            for iri, size in zip(iris, sizes, strict=True)
        ]

    async def keep_companions(self, collection: str, contents: Mapping[NamedNode, bytes]) -> None:
        self._require_writable(collection)
        await super().keep_companions(collection, contents)

    async def companion(self, collection: str, iri: NamedNode) -> bytes:
        if not await self._shows(collection, iri):
            raise NotFound(f"Nothing is known of {iri.value}.")
        return await super().companion(collection, iri)

    async def drop(self, collection: str, iri: NamedNode) -> None:
        self._require_removable(collection)
        await super().drop(collection, iri)

    async def drop_all(self, collection: str, iris: Iterable[NamedNode]) -> None:
        self._require_removable(collection)
        await super().drop_all(collection, iris)

    async def forget(self, collection: str) -> None:
        self._require_removable(collection)
        await super().forget(collection)

    @property
    def _scope(self) -> AccessScope:
        return self._store.scope

    async def _shows(self, collection: str, iri: NamedNode) -> bool:
        sessions = self._store.sessions
        if collection == sessions.explain_collection:
            return await sessions.shows(iri, self._store.real)
        if self._scope.shows_all_of(collection):
            return True
        if not self._scope.shows(collection):
            return False
        (quads,) = await self._store.match([QuadPattern(iri, None, None, source_graph(collection))], limit=1)
        return bool(quads)

    def _require_writable(self, collection: str) -> None:
        if collection != self._store.sessions.explain_collection:
            self._require_removable(collection)

    def _require_removable(self, collection: str) -> None:
        is_trace = collection == self._store.sessions.explain_collection
        if is_trace or not (self._scope.writes and self._scope.shows_all_of(collection)):
            raise Forbidden("The rights of this token do not include writing to this collection.")


@dataclass(frozen=True)
class ScopedSparql:
    """Queries of a collection that is seen whole go to `real`, those of others to the endpoint over their view.

    Traces of several collections stand in one graph, which a query could not be kept to a part of: it is left out.
    """

    real: SparqlEndpoint
    views: Mapping[str, SparqlEndpoint]
    scope: AccessScope
    explain_collection: str

    async def run(self, request: SparqlRequest) -> SparqlAnswer:
        endpoint = self.views.get(request.collection)
        if endpoint is None:
            if not self.scope.shows_all_of(request.collection):
                raise Forbidden("This cannot be asked with the rights of this token.")
            endpoint = self.real
        return await endpoint.run(replace(request, dataset=self._without_traces(request.dataset)))

    def _without_traces(self, dataset: Dataset) -> Dataset:
        traces = retrieval_graph(self.explain_collection)
        kept = Dataset(_others(dataset.default_graphs, traces), _others(dataset.named_graphs, traces))
        if not (kept.default_graphs or kept.named_graphs):
            raise Forbidden(
                "Traces cannot be queried with a token that does not see everything. Read them with 'provgraph traces'."
            )
        return kept

    async def forget(self) -> None:
        """The endpoints behind it are others'."""

    async def close(self) -> None:
        """The endpoints behind it are others'."""


def _others(graphs: Sequence[NamedNode], graph: NamedNode) -> tuple[NamedNode, ...]:
    return tuple(named_node for named_node in graphs if named_node != graph)
