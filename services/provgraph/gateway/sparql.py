"""`GET` and `POST /sparql`: SPARQL 1.1 Protocol over the graphs of one collection, read only; the saved queries; and
what there is to ask, as VoID.

A client that goes away ends its query. Graphs that the request names must be of the collection.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request, Response

from provgraph.catalogue.collections import Collections
from provgraph.errors import Forbidden, InvalidInput, TimedOut, TooLarge, Unavailable, UnsupportedDocument
from provgraph.late_routes import LateRouter
from provgraph.ports.sparql_endpoint import SparqlAnswer, SparqlEndpoint, SparqlRequest
from provgraph.rdf.graphs import DEFAULT_COLLECTION, CollectionGraphs
from provgraph.rdf.iris import iri
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.versions import RdfVersion
from provgraph.sparql.dataset import Dataset
from provgraph.sparql.descriptions import (
    DescribedCollection,
    DescribedGraph,
    dataset_description,
    service_description,
)
from provgraph.sparql.formats import RESULTS_JSON, accept_of_name, with_version
from provgraph.sparql.query import MAX_QUERY_CHARACTERS
from provgraph.sparql.results import ResultLimits, serialized_graph
from provgraph.sparql.saved_queries import SavedQuery, saved_queries, saved_query
from provgraph.wire.service import QueryParameter, QueryText

_FORM_TYPE: Final = "application/x-www-form-urlencoded"
_QUERY: Final = "application/sparql-query"
_UPDATE: Final = "application/sparql-update"
_RDF_12: Final = "rdf-1.2"
_MAX_BODY: Final = 12 * MAX_QUERY_CHARACTERS
"""Four bytes a character, each of them percent-encoded."""


@dataclass(frozen=True)
class ProtocolRequest:
    """`query` is None for a GET without one. `accept` holds the `format` and `rdf` parameters where there are any."""

    query: str | None
    collection: str
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    star_syntax: bool
    accept: str


async def protocol_request(request: Request) -> ProtocolRequest:
    """Read a request, its body with a limit.

    Raises `InvalidInput` for a request that is not the protocol's, `Forbidden` for an update, `TooLarge` and
    `UnsupportedDocument` for its body.
    """
    parameters = _Parameters([*request.query_params.multi_items(), *await _posted(request)])
    if parameters.all("update"):
        raise _update_refused()
    query = parameters.one("query")
    if query is None and request.method == "POST":
        raise InvalidInput(
            f"There is no query. Send it as the form field 'query' or as a body of type {_QUERY}."
        )
    syntax = parameters.one("syntax")
    if syntax not in (None, _RDF_12):
        raise InvalidInput(f"{syntax[:40]!r} is not a syntax. Leave it out, or use syntax={_RDF_12}.")
    return ProtocolRequest(
        query,
        parameters.one("collection") or DEFAULT_COLLECTION,
        parameters.all("default-graph-uri"),
        parameters.all("named-graph-uri"),
        syntax is None,
        _accept(parameters.all("format"), parameters.one("rdf"), request),
    )


@dataclass(frozen=True)
class _Parameters:
    pairs: Sequence[tuple[str, str]]

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(value for key, value in self.pairs if key == name)

    def one(self, name: str) -> str | None:
        values = self.all(name)
        if len(values) > 1:
            raise InvalidInput(f"There are {len(values)} parameters {name!r}. Send one.")
        return values[0] if values else None


def _accept(formats: Sequence[str], version: str | None, request: Request) -> str:
    """What the client wants. SPARQLWrapper names a format twice, by its short name and its media types."""
    named = [each if "/" in each else accept_of_name(each) for each in formats if each]
    accept = ", ".join(named or request.headers.getlist("accept")) or "*/*"
    return with_version(accept, version) if version else accept


async def _posted(request: Request) -> list[tuple[str, str]]:
    """The parameters in the body of a POST; a query that is the body counts as the parameter `query`."""
    if request.method != "POST":
        return []
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type == _UPDATE:
        raise _update_refused()
    if media_type not in (_FORM_TYPE, _QUERY):
        raise UnsupportedDocument(
            f"A query does not come as {media_type[:80]!r}. Send it as {_QUERY} or {_FORM_TYPE}."
        )
    body = await _body(request)
    try:
        text = body.decode()
        return (
            [("query", text)]
            if media_type == _QUERY
            else parse_qsl(text, errors="strict", max_num_fields=100)
        )
    except ValueError as error:
        raise InvalidInput(f"The request's body cannot be read ({error}). Encode it as UTF-8.") from error


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _MAX_BODY:
            raise TooLarge(
                f"The request's body has more than {_MAX_BODY} bytes. Split it into several queries."
            )
    return bytes(body)


def _update_refused() -> Forbidden:
    return Forbidden(
        "An update would change the store, and this endpoint only reads. "
        "Change data by ingesting and importing."
    )


T = TypeVar("T")
CollectionLookup = Callable[[str], Awaitable[CollectionGraphs]]

STAR_READ: Final = "sparql-star read as triple terms"
TRUNCATED: Final = "cut at the row limit"
_CLIENT_CLOSED_REQUEST: Final = 499
_OF_DESCRIPTION: Final = frozenset(("collection", "format", "rdf"))
_DESCRIPTION_LIMITS: Final = ResultLimits(rows=10_000, bytes=1 << 20)
_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>SPARQL · ProvGraph</title>
<form method="post"><p><label>Query over facts and provenance<br>
<textarea name="query" rows="12" cols="90">SELECT * WHERE {
  ?subgraph tg:contains &lt;&lt;( ?subject ?predicate ?object )&gt;&gt; ; prov:wasDerivedFrom ?chunk .
} LIMIT 20</textarea></label></p>
<p><label>Format <select name="format"><option>json<option>csv<option>tsv<option>xml<option>turtle</select></label>
<button>Run</button></p></form></html>
"""


def _parameter(name: str, description: str, **schema: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "description": description, "schema": {"type": "string", **schema}}


_OPENAPI: Final = {
    "parameters": [
        _parameter("query", "SELECT, ASK, CONSTRUCT or DESCRIBE."),
        _parameter("collection", "Whose graphs are read.", default="default"),
        _parameter("default-graph-uri", "A graph of the default graph; may be repeated."),
        _parameter("named-graph-uri", "A graph that GRAPH can see; may be repeated."),
        _parameter("syntax", "Take << >> as a reifier everywhere.", enum=["rdf-1.2"]),
        _parameter("format", "A short name such as json, csv or turtle, in place of the Accept header."),
        _parameter(
            "rdf",
            "1.1 for readers that know no triple terms, as `version=1.1` in Accept.",
            enum=[*RdfVersion],
        ),
    ]
}
_BODY: Final = {
    "application/sparql-query": {"schema": {"type": "string"}},
    "application/x-www-form-urlencoded": {},
}


def sparql_router(endpoint: SparqlEndpoint, graphs: CollectionLookup) -> APIRouter:
    """The routes; `graphs` gives the graphs of a collection and raises `NotFound` for one that is not there."""
    router = LateRouter(tags=["sparql"])

    @router.get("/sparql", openapi_extra=_OPENAPI, response_class=Response)
    async def query_by_get(request: Request) -> Response:
        """Run a query. Without one: what this endpoint offers, as RDF or as a form to write one."""
        asked = await protocol_request(request)
        if asked.query is None:
            return await _introduction(asked, request, graphs)
        return await _answer(asked, asked.query, request)

    @router.post(
        "/sparql", openapi_extra={**_OPENAPI, "requestBody": {"content": _BODY}}, response_class=Response
    )
    async def query_by_post(request: Request) -> Response:
        """Run a query that is the body, or the form field `query`."""
        asked = await protocol_request(request)
        return await _answer(asked, asked.query or "", request)

    async def _answer(asked: ProtocolRequest, query: str, request: Request) -> Response:
        collection = Dataset.of(await graphs(asked.collection))
        running = endpoint.run(
            SparqlRequest(
                query,
                collection.narrowed(asked.default_graphs, asked.named_graphs),
                asked.accept,
                asked.star_syntax,
                bool(asked.default_graphs or asked.named_graphs),
                asked.collection,
            )
        )
        return await sparql_response(request, running)

    return router


async def sparql_response(request: Request, running: Coroutine[Any, Any, SparqlAnswer]) -> Response:
    """The answer of a query that runs; a client that goes away ends it."""
    answer = await _while_connected(request, running)
    return Response(status_code=_CLIENT_CLOSED_REQUEST) if answer is None else _response(answer)


def _response(answer: SparqlAnswer) -> Response:
    headers = {"ProvGraph-Data-Age": f"{answer.age_s:.3f}", "Vary": "Accept"}
    if answer.star_read:
        headers["ProvGraph-Syntax"] = STAR_READ
    if answer.truncated:
        headers["ProvGraph-Truncated"] = TRUNCATED
    return Response(answer.body, headers={**headers, "Content-Type": answer.media_type})


async def _introduction(asked: ProtocolRequest, request: Request, graphs: CollectionLookup) -> Response:
    if "text/html" in asked.accept:
        return Response(_PAGE, media_type="text/html; charset=utf-8")
    if unknown := set(request.query_params) - _OF_DESCRIPTION:
        raise InvalidInput(
            f"There is no query. Send it as the parameter 'query', or ask without {', '.join(sorted(unknown))}."
        )
    endpoint = iri(str(request.url.replace(query="")))
    description = service_description(endpoint, Dataset.of(await graphs(asked.collection)))
    results = serialized_graph(description, asked.accept, _DESCRIPTION_LIMITS)
    return Response(results.body, headers={"Content-Type": results.format.content_type, "Vary": "Accept"})


async def _while_connected(request: Request, running: Coroutine[Any, Any, T]) -> T | None:
    """The outcome of what is running, or None when the client went away first, which cancels it."""
    task = asyncio.create_task(running)
    leaving = asyncio.create_task(_disconnection(request))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        leaving.cancel()
        await asyncio.wait({task, leaving})


async def _disconnection(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


_OWN: Final = ("collection", "format", "rdf")


def saved_query_router(endpoint: SparqlEndpoint, graphs: CollectionLookup) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["sparql"])

    @router.get("/queries")
    async def queries() -> list[QueryText]:
        """The shipped queries, with their parameters and their text."""
        return [_view(query) for query in saved_queries().values()]

    @router.get("/queries/{name}", response_class=Response)
    async def run(
        name: str, request: Request, collection: str = DEFAULT_COLLECTION, format: str = "", rdf: str = ""
    ) -> Response:
        """Run a shipped query; its parameters are query parameters of the same names, the formats those of /sparql."""
        query = saved_query(name)
        given = [(key, value) for key, value in request.query_params.multi_items() if key not in _OWN]
        if len(dict(given)) < len(given):
            raise InvalidInput("A parameter is given twice. Give each once.")
        dataset = Dataset.of(await graphs(collection))
        accept = accept_of_name(format) if format else request.headers.get("accept", "*/*")
        accept = with_version(accept, rdf) if rdf else accept
        asked = SparqlRequest(query.bound(dict(given)), dataset, accept, collection=collection)
        return await sparql_response(request, endpoint.run(asked))

    return router


def _view(query: SavedQuery) -> QueryText:
    return QueryText(
        name=query.name,
        description=query.description,
        parameters=[
            QueryParameter(
                name=parameter.name, kind=parameter.kind, meaning=parameter.meaning, default=parameter.default
            )
            for parameter in query.parameters
        ],
        text=query.text,
    )


_COUNT: Final = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
_TITLES: Final = ("facts", "where the facts were read", "how questions were answered")
_MOST_DESCRIBED: Final = 100


def dataset_router(endpoint: SparqlEndpoint, collections: Collections) -> APIRouter:
    router = LateRouter(tags=["sparql"])

    async def counted(name: str, graph: NamedNode) -> int | None:
        """The triples of a graph; None where they are too many to be counted in the time of a query."""
        try:
            asked = SparqlRequest(_COUNT, Dataset.of([graph]), RESULTS_JSON.media_type, collection=name)
            answer = await endpoint.run(asked)
        except (Forbidden, TimedOut, Unavailable):
            return None
        return int(json.loads(answer.body)["results"]["bindings"][0]["n"]["value"])

    async def described(name: str) -> DescribedCollection:
        graphs = await collections.require(name)
        described_graphs = [
            DescribedGraph(graph, title, await counted(name, graph))
            for graph, title in zip(graphs, _TITLES, strict=True)
        ]
        return DescribedCollection(name, described_graphs)

    @router.get("/.well-known/void", response_class=Response)
    async def description(request: Request, format: str = "") -> Response:
        """What this service holds, as VoID: each collection with its graphs, endpoint and export."""
        names = (await collections.names())[:_MOST_DESCRIBED]
        described_collections = [await described(name) for name in names]
        accept = accept_of_name(format) if format else request.headers.get("accept", "*/*")
        results = serialized_graph(
            dataset_description(str(request.base_url), described_collections), accept, _DESCRIPTION_LIMITS
        )
        return Response(results.body, headers={"Content-Type": results.format.content_type, "Vary": "Accept"})

    return router
