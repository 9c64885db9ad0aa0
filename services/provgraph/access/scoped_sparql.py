"""SPARQL as one principal sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from provgraph.access.scope import AccessScope
from provgraph.errors import Forbidden
from provgraph.ports.sparql_endpoint import SparqlAnswer, SparqlEndpoint, SparqlRequest
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.terms import NamedNode
from provgraph.sparql.dataset import Dataset


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
    return tuple(each for each in graphs if each != graph)
