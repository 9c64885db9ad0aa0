"""`SparqlEndpoint` that hands queries on to the server, which reads the graphs of the collection and no others.

A server runs everybody's queries in one process, and one that is nested deeper than its stack would end it. So each
query is tasted first: a child process reads and runs it over an empty store, with less stack than the server has.
What a query may cost here is limited here: time, rows, bytes. What it goes on costing in the server after its time is
the server's own limit (`oxigraph serve --timeout-s`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

import httpx2
from anyio import to_thread
from pyoxigraph import (
    QueryBoolean,
    QueryResultsFormat,
    QuerySolution,
    RdfFormat,
    Store,
    Triple,
    parse,
    parse_query_results,
)

from provgraph.adapters.remote_store.connection import ASKS, StoreConnection
from provgraph.adapters.remote_store.queries_1_1 import PlainQuery, plain_query, read_row
from provgraph.adapters.remote_store.quotations import Quotations, shown_term
from provgraph.adapters.remote_store.rdf_1_1 import QUOTATIONS
from provgraph.adapters.sparql_processes.endpoint import QueryTurns, SparqlLimits, SparqlProcesses
from provgraph.errors import TimedOut, TooLarge
from provgraph.ports.sparql_endpoint import SparqlAnswer, SparqlRequest
from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import PREFIXES
from provgraph.sparql.dataset import Dataset
from provgraph.sparql.query import SparqlQuery, read_query
from provgraph.sparql.results import (
    ResultLimits,
    SerializedResults,
    serialized,
    serialized_graph,
    serialized_solutions,
)
from provgraph.tls import trusted

_TRIPLES: Final = "application/n-triples"
_RESULTS: Final = "application/sparql-results+json"
_PROLOGUE: Final = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())

_AT_ONCE: Final = 1_000

_TASTER_STACK: Final = 1 << 20
"""Half of what the server's threads have."""


class _EmptyStore:
    revision = 0

    async def backup(self, folder: Path) -> int:
        Store(folder).flush()
        return self.revision


class _ServerEnded(Exception):
    """The answer is not whole, though nothing here cut it."""


class ForwardedSparql:
    """`SparqlEndpoint` at the server of a connection. Belongs to one event loop."""

    def __init__(self, connection: StoreConnection, limits: SparqlLimits, folder: Path) -> None:
        """`folder` is for the empty store, and belongs to this object alone."""
        self._connection = connection
        self._limits = limits
        self._taster = SparqlProcesses(_EmptyStore(), folder, replace(limits, stack_bytes=_TASTER_STACK))
        self._turns = QueryTurns(limits)
        self._client = httpx2.AsyncClient(
            timeout=httpx2.Timeout(None, connect=limits.seconds),
            trust_env=False,
            verify=trusted(),
            auth=connection.auth,
        )
        self._quotations = Quotations(connection) if connection.address.is_rdf_1_1 else None

    async def run(self, request: SparqlRequest) -> SparqlAnswer:
        """First come, first served; a caller that is cancelled lets go of its query."""
        await self._taster.run(request)
        query = read_query(request.query, star=request.star_syntax)
        dataset = request.dataset
        if not request.dataset_is_chosen:
            dataset = dataset.narrowed(query.default_graphs, query.named_graphs)
        plain = await to_thread.run_sync(plain_query, query) if self._quotations is not None else None
        async with self._turns.turn():
            try:
                async with asyncio.timeout(self._limits.seconds):
                    media_type, body, is_cut = await self._received(self._asked(query, plain, dataset))
            except TimeoutError as error:
                raise self._timed_out() from error
        try:
            results = await to_thread.run_sync(
                partial(self._serialized, media_type, body, is_cut, request.accept, plain)
            )
        except _ServerEnded as error:
            raise self._timed_out() from error
        return SparqlAnswer(
            results.format.content_type, results.body, results.truncated, 0.0, bool(query.triple_terms)
        )

    async def forget(self) -> None:
        """There is no copy to let go of."""

    async def close(self) -> None:
        await self._client.aclose()
        await self._taster.close()

    def _asked(self, query: SparqlQuery, plain: PlainQuery | None, dataset: Dataset) -> httpx2.Request:
        default, named = dataset.default_graphs, dataset.named_graphs
        text, accept = _PROLOGUE + query.engine_text, f"{_RESULTS}, {_TRIPLES}"
        if plain is not None:
            named = (*named, QUOTATIONS) if plain.reads_quotations else named
            text, accept = plain.text, _TRIPLES if plain.is_graph else _RESULTS
        graphs = {
            "default-graph-uri": [graph.value for graph in default],
            "named-graph-uri": [graph.value for graph in named],
        }
        return self._connection.question(text, accept, **graphs)

    async def _received(self, asked: httpx2.Request) -> tuple[str, bytes, bool]:
        """The media type of the server's answer, the answer, and whether it was cut at the limit of bytes."""
        body = bytearray()
        try:
            async with self._client.stream(
                "POST", asked.url, content=asked.content, headers=asked.headers, extensions=ASKS
            ) as response:
                if response.is_error:
                    await response.aread()
                    raise self._connection.refusal(response)
                self._connection.require_whole(response)
                async for piece in response.aiter_bytes():
                    body += piece
                    if len(body) > self._limits.result_bytes:
                        return _media_type(response), bytes(body), True
                return _media_type(response), bytes(body), False
        except httpx2.TransportError as error:
            raise self._connection.unreached(error) from error

    def _serialized(
        self, media_type: str, body: bytes, is_cut: bool, accept: str, plain: PlainQuery | None
    ) -> SerializedResults:
        limits = ResultLimits(self._limits.rows, self._limits.result_bytes)
        if media_type == _TRIPLES:
            if is_cut:
                raise TooLarge(
                    f"The graph has more than {limits.bytes} bytes. Narrow the query, or add LIMIT."
                )
            return serialized_graph(self._shown_triples(_triples(body)), accept, limits)
        read = _read_results(body, limits.rows + 1, is_cut)
        if isinstance(read, QueryBoolean):
            return serialized(read, accept, limits)
        names, rows = (read.names, read.rows) if plain is None else self._shown_rows(read, plain)
        table = serialized_solutions(names, rows, accept, limits)
        return SerializedResults(table.format, table.body, table.truncated or is_cut)

    def _shown_rows(self, table: _Table, plain: PlainQuery) -> tuple[list[str], list[list[Term | None]]]:
        """The columns that were asked for, with quoted edges in place of the nodes that stand for them."""
        assert self._quotations is not None
        terms = self._quotations.terms(term for row in table.rows for term in row)
        names = plain.names(table.names)
        rows: list[list[Term | None]] = []
        for row in table.rows:
            bound = {name: term for name in table.names if (term := row[name]) is not None}
            made = read_row({name: shown_term(term, terms) for name, term in bound.items()}, plain)
            rows.append([made.get(name) for name in names])
        return names, rows

    def _shown_triples(self, triples: Iterator[Triple]) -> Iterator[Triple]:
        if self._quotations is None:
            yield from triples
            return
        while some := list(islice(triples, _AT_ONCE)):
            terms = self._quotations.terms(triple.object for triple in some)
            for triple in some:
                yield Triple(triple.subject, triple.predicate, shown_term(triple.object, terms))

    def _timed_out(self) -> TimedOut:
        return TimedOut(
            f"The query ran longer than {self._limits.seconds:g} seconds, or than its server lets it, and was ended. "
            "Make the query more selective, start with its most selective pattern, or add LIMIT."
        )


@dataclass(frozen=True)
class _Table:
    names: list[str]
    rows: list[QuerySolution]


def _read_results(body: bytes, rows: int, is_cut: bool) -> _Table | QueryBoolean:
    """The results, with so many rows at most; of an answer that was cut here, those that came whole."""
    table = _Table([], [])
    try:
        results = parse_query_results(body, format=QueryResultsFormat.JSON)
        if isinstance(results, QueryBoolean):
            return results
        table = _Table([variable.value for variable in results.variables], [])
        table.rows.extend(islice(results, rows))
    except SyntaxError:
        results = None  # it must end in this thread, and a traceback would hold it
        if not is_cut:
            raise _ServerEnded from None
    return table


def _triples(body: bytes) -> Iterator[Triple]:
    try:
        for quad in parse(body, format=RdfFormat.N_TRIPLES):
            yield quad.triple
    except SyntaxError as error:
        raise _ServerEnded from error


def _media_type(response: httpx2.Response) -> str:
    return response.headers.get("Content-Type", "").partition(";")[0].strip()
