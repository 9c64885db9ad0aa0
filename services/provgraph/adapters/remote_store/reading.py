"""Patterns → quads, with few round trips: what the store and its transactions read by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyoxigraph import Quad, QueryResultsFormat, QuerySolutions, parse_query_results

from provgraph.adapters.remote_store.connection import StoreConnection
from provgraph.adapters.remote_store.pattern_queries import pattern_queries, scan_query
from provgraph.errors import Unavailable
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.terms import named


class PatternReader:
    """`StoreReader` over a connection. Blocking."""

    def __init__(self, connection: StoreConnection) -> None:
        self._connection = connection

    def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        """As `QuadStore.match`. Each query sees one moment; a sequence of several patterns may see more."""
        found: list[list[Quad]] = [[] for _ in patterns]
        for query in pattern_queries(patterns, limit):
            for row in self._connection.solutions(query.text):
                place, quad = query.quad(row)
                found[place].append(quad)
        return found

    def contains(self, quads: Sequence[Quad]) -> list[bool]:
        """As `QuadStore.contains`."""
        patterns = [
            QuadPattern(named(quad.subject), quad.predicate, quad.object, named(quad.graph_name))
            for quad in quads
        ]
        return [bool(found) for found in self.match(patterns)]

    def scan(self, pattern: QuadPattern) -> Iterator[Quad]:
        """All quads of a pattern, as they were at one moment."""
        query = scan_query(pattern)
        with self._connection.spooled(self._connection.question(query.text)) as file:
            rows = parse_query_results(file, format=QueryResultsFormat.JSON)
            assert isinstance(rows, QuerySolutions)
            try:
                for row in rows:
                    yield query.quad(row)[1]
            except SyntaxError:
                del rows  # it must end in this thread, and a traceback would hold it
                raise Unavailable(
                    f"The store at {self._connection.address.told} cut a long answer off. "
                    "Let it have more time for a query (--timeout-s)."
                ) from None
