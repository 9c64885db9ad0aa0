"""The service `sparql`: a query over the graphs of a collection, within the limits of the SPARQL endpoint."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from provgraph.catalogue.collections import Collections
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body, wire_quad, wire_term
from provgraph.gateway.trustgraph.services import ServiceReply
from provgraph.ports.sparql_endpoint import SparqlEndpoint, SparqlRequest
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.serialization import RdfFormat
from provgraph.rdf.terms import BlankNode, Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.untrusted import untrusted_quads
from provgraph.sparql.dataset import Dataset
from provgraph.sparql.formats import N_TRIPLES, RESULTS_JSON

DEFAULT_LIMIT: Final = 10_000
MOST: Final = 1_000_000
DEFAULT_BATCH: Final = 20
_ACCEPT: Final = f"{RESULTS_JSON.media_type}, {N_TRIPLES.media_type}"


@dataclass(frozen=True)
class SparqlService:
    endpoint: SparqlEndpoint
    collections: Collections

    async def __call__(self, body: Body) -> AsyncGenerator[ServiceReply]:
        query = fields.text(body, "query")
        collection = fields.text(body, "collection", "") or DEFAULT_COLLECTION
        limit = fields.number(body, "limit", DEFAULT_LIMIT, MOST)
        dataset = Dataset.of(await self.collections.require(collection))
        asked = SparqlRequest(query, dataset, _ACCEPT, collection=collection)
        answer = await self.endpoint.run(asked)
        if answer.media_type.startswith(N_TRIPLES.media_type):
            yield ServiceReply({"query-type": "construct", "triples": _triples(answer.body)[:limit]})
            return
        results = json.loads(answer.body)
        if "boolean" in results:
            yield ServiceReply({"query-type": "ask", "ask-result": results["boolean"]})
            return
        size = (
            fields.number(body, "batch-size", DEFAULT_BATCH, MOST) if fields.flag(body, "streaming") else MOST
        )
        for reply in _rows(results, limit, size):
            yield reply


def _rows(results: Mapping[str, Any], limit: int, size: int) -> Sequence[ServiceReply]:
    """The solutions in batches; one without any where there are none, since it names the variables."""
    variables = results["head"]["vars"]
    rows = results["results"]["bindings"][:limit]
    return [
        ServiceReply(
            {
                "query-type": "select",
                "variables": variables,
                "bindings": [{"values": _values(variables, row)} for row in rows[start : start + size]],
            },
            complete=start + size >= len(rows),
        )
        for start in range(0, max(len(rows), 1), size)
    ]


def _values(variables: Sequence[str], row: Mapping[str, Any]) -> list[Any]:
    return [wire_term(_term(row[name])) if name in row else None for name in variables]


def _term(told: Mapping[str, Any]) -> Term:
    """A term of SPARQL 1.1 Query Results JSON (section 3.2.2), with the triple terms of SPARQL 1.2."""
    value = told["value"]
    match told["type"]:
        case "uri":
            return NamedNode(value)
        case "bnode":
            return BlankNode(value)
        case "triple":
            parts = (_term(value[place]) for place in ("subject", "predicate", "object"))
            return Triple(*parts)  # type: ignore[arg-type]
        case _ if language := told.get("xml:lang"):
            return Literal(value, language=language)
        case _:
            return (
                Literal(value, datatype=NamedNode(told["datatype"])) if "datatype" in told else Literal(value)
            )


def _triples(body: bytes) -> list[dict[str, Any]]:
    quads = untrusted_quads(body, RdfFormat.N_TRIPLES)
    return [wire_quad(Quad(quad.subject, quad.predicate, quad.object)) for quad in quads]
