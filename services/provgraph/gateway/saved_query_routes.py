"""HTTP face of the queries that are shipped: `GET /api/v1/queries`, and each by its name."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request, Response

from provgraph.errors import InvalidInput
from provgraph.gateway.sparql import CollectionLookup, sparql_response
from provgraph.late_routes import LateRouter
from provgraph.ports.sparql_endpoint import SparqlEndpoint, SparqlRequest
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.sparql.dataset import Dataset
from provgraph.sparql.formats import accept_of_name
from provgraph.sparql.saved_queries import SavedQuery, saved_queries, saved_query
from provgraph.wire.service import QueryParameter, QueryText

_OWN: Final = ("collection", "format")


def saved_query_router(endpoint: SparqlEndpoint, graphs: CollectionLookup) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["sparql"])

    @router.get("/queries")
    async def queries() -> list[QueryText]:
        """The shipped queries, with their parameters and their text."""
        return [_told(query) for query in saved_queries().values()]

    @router.get("/queries/{name}", response_class=Response)
    async def run(
        name: str, request: Request, collection: str = DEFAULT_COLLECTION, format: str = ""
    ) -> Response:
        """Run a shipped query; its parameters are query parameters of the same names, the formats those of /sparql."""
        query = saved_query(name)
        given = [(key, value) for key, value in request.query_params.multi_items() if key not in _OWN]
        if len(dict(given)) < len(given):
            raise InvalidInput("A parameter is given twice. Give each once.")
        dataset = Dataset.of(await graphs(collection))
        accept = accept_of_name(format) if format else request.headers.get("accept", "*/*")
        asked = SparqlRequest(query.bound(dict(given)), dataset, accept, collection=collection)
        return await sparql_response(request, endpoint.run(asked))

    return router


def _told(query: SavedQuery) -> QueryText:
    return QueryText(
        name=query.name,
        description=query.description,
        parameters=[
            QueryParameter(name=each.name, kind=each.kind, meaning=each.meaning, default=each.default)
            for each in query.parameters
        ],
        text=query.text,
    )
