"""Port of the endpoint that runs SPARQL written by users, who may write anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.sparql.dataset import Dataset


@dataclass(frozen=True)
class SparqlRequest:
    """One read-only query over a dataset of one collection, which its FROM clauses may narrow.

    `dataset_is_chosen` tells that the client chose the dataset outside the query, and FROM is not read (SPARQL 1.1
    Protocol, section 2.1.4). `accept` is an HTTP Accept header; the answer is in the best of the formats that
    the form of the query has. `star_syntax` reads SPARQL-star's quoted edges as triple terms.
    """

    query: str
    dataset: Dataset
    accept: str = "*/*"
    star_syntax: bool = True
    dataset_is_chosen: bool = False
    collection: str = DEFAULT_COLLECTION


@dataclass(frozen=True)
class SparqlAnswer:
    """Serialised results.

    `truncated` tells that the row limit cut them, `age_s` how old the data read is, and `star_read` that
    SPARQL-star syntax was read as triple terms.
    """

    media_type: str
    body: bytes
    truncated: bool
    age_s: float
    star_read: bool = False


class SparqlEndpoint(Protocol):
    """Runs a query with a limit of time, memory and rows that holds, whatever the query.

    Errors: `InvalidQuery` (with line and column), `Forbidden` for updates and SERVICE, `TimedOut`, `TooLarge`
    for a query or a result beyond its limit, `Unavailable` when too many others wait, `InvalidInput` when no
    format satisfies `accept` or a graph is not in the dataset.
    """

    async def run(self, request: SparqlRequest) -> SparqlAnswer: ...

    async def forget(self) -> None:
        """Drop the copies that queries read, where the endpoint has any; what was removed is then nowhere in them."""
        ...

    async def close(self) -> None: ...
