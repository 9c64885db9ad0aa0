"""`SparqlEndpoint` over several stores: a query goes where the collection lies whose graphs it reads."""

from __future__ import annotations

from collections.abc import Sequence

from provgraph.adapters.divided_store.placement import Placement
from provgraph.ports.sparql_endpoint import ForgetfulEndpoint, SparqlAnswer, SparqlRequest


class DividedSparql:
    """`endpoints` by the numbers of the placement. No query reads two collections, so none needs two endpoints."""

    def __init__(self, endpoints: Sequence[ForgetfulEndpoint], placement: Placement) -> None:
        self._endpoints = endpoints
        self._placement = placement

    async def run(self, request: SparqlRequest) -> SparqlAnswer:
        return await self._endpoints[self._placement.of_collection(request.collection)].run(request)

    async def forget(self) -> None:
        for endpoint in self._endpoints:
            await endpoint.forget()

    async def close(self) -> None:
        for endpoint in self._endpoints:
            await endpoint.close()
