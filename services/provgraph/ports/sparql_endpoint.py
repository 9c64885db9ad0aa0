"""Port of the endpoint that runs SPARQL written by users, who may write anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pyoxigraph import NamedNode


@dataclass(frozen=True)
class SparqlRequest:
    """One read-only query.

    `default_graphs` are merged into the default graph, `named_graphs` are what GRAPH can see. `accept` is an
    HTTP Accept header; the answer is in the best of the formats that the form of the query has.
    """

    query: str
    default_graphs: tuple[NamedNode, ...]
    named_graphs: tuple[NamedNode, ...]
    accept: str = "*/*"


@dataclass(frozen=True)
class SparqlAnswer:
    """Serialised results. `truncated` tells that the row limit cut them; `age_s` how old the data read is."""

    media_type: str
    body: bytes
    truncated: bool
    age_s: float


class SparqlEndpoint(Protocol):
    """Runs a query with a limit of time and rows that holds, whatever the query.

    Errors: `InvalidQuery` (with line and column), `Forbidden` for updates and SERVICE, `TimedOut`,
    `InvalidInput` when no format satisfies `accept`.
    """

    async def run(self, request: SparqlRequest) -> SparqlAnswer: ...

    async def close(self) -> None: ...
