"""Reading a SPARQL server: quad patterns in few queries and round trips, and a copy of all it holds for
backups and archives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyoxigraph import (
    NamedNode,
    Quad,
    QueryResultsFormat,
    QuerySolution,
    QuerySolutions,
    RdfFormat,
    Store,
    parse_query_results,
)

from provgraph.adapters.remote_store.connection import StoreConnection
from provgraph.errors import Unavailable
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.terms import Term, named
from provgraph.sparql.quad_data import term_text

AT_ONCE: Final = 500
"""Patterns in one table: a query of about 50 kilobytes."""

LIMITED_AT_ONCE: Final = 50
"""Branches in one query: planning grows with their square."""

_PLACES: Final = ("s", "p", "o", "g")
_ROW: Final = "row"

Terms = tuple[NamedNode | None, NamedNode | None, Term | None, NamedNode | None]


@dataclass(frozen=True)
class PatternQuery:
    """`text` asks for the patterns at these places of a sequence."""

    text: str
    patterns: dict[int, Terms]

    def quad(self, row: QuerySolution) -> tuple[int, Quad]:
        """The place of the pattern that a solution belongs to, and the quad that it stands for."""
        place = int(row[_ROW].value)
        subject, predicate, object_, graph = self.patterns[place]
        return place, Quad(subject or row["s"], predicate or row["p"], object_ or row["o"], graph or row["g"])


def pattern_queries(patterns: Sequence[QuadPattern], limit: int | None) -> Iterator[PatternQuery]:
    """Queries that together ask for every pattern, each at most `limit` times."""
    terms = {
        place: (pattern.subject, pattern.predicate, pattern.object, pattern.graph)
        for place, pattern in enumerate(patterns)
    }
    if limit is not None:
        for some in _in_parts(list(terms), LIMITED_AT_ONCE):
            own = {place: terms[place] for place in some}
            branches = (f"{{ {_limited(place, each, limit)} }}" for place, each in own.items())
            yield PatternQuery(f"SELECT * WHERE {{ {' UNION '.join(branches)} }}", own)
        return
    by_shape: dict[tuple[bool, ...], list[int]] = defaultdict(list)
    for place, each in terms.items():
        by_shape[tuple(term is None for term in each)].append(place)
    for places in by_shape.values():
        for some in _in_parts(places, AT_ONCE):
            own = {place: terms[place] for place in some}
            yield PatternQuery(_table(own), own)


def scan_query(pattern: QuadPattern) -> PatternQuery:
    """One query for all quads of one pattern."""
    own: dict[int, Terms] = {0: (pattern.subject, pattern.predicate, pattern.object, pattern.graph)}
    return PatternQuery(_table(own), own)


def _table(patterns: dict[int, Terms]) -> str:
    """Terms that differ stand in the table; one that all share, a graph for the most part, in the pattern itself."""
    shared = [each[0] if len(set(each)) == 1 else None for each in zip(*patterns.values(), strict=True)]
    first = next(iter(patterns.values()))
    varying = [at for at, term in enumerate(first) if term is not None and shared[at] is None]
    free = " ".join(f"?{_PLACES[at]}" for at, term in enumerate(first) if term is None)
    columns = " ".join(f"?{_PLACES[at]}" for at in varying)
    rows = " ".join(
        f"({place} {' '.join(term_text(term) for at in varying if (term := each[at]) is not None)})"
        for place, each in patterns.items()
    )
    return (
        f"SELECT ?{_ROW} {free} WHERE {{ VALUES (?{_ROW} {columns}) {{ {rows} }} {_asked(tuple(shared))} }}"
    )


def _limited(place: int, terms: Terms, limit: int) -> str:
    free = " ".join(f"?{name}" for name, term in zip(_PLACES, terms, strict=True) if term is None)
    return f"SELECT ({place} AS ?{_ROW}) {free} WHERE {{ {_asked(terms)} }} LIMIT {limit}"


def _asked(terms: Sequence[Term | None]) -> str:
    subject, predicate, object_, graph = (
        f"?{name}" if term is None else term_text(term) for name, term in zip(_PLACES, terms, strict=True)
    )
    return f"GRAPH {graph} {{ {subject} {predicate} {object_} }}"


def _in_parts(places: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (places[start : start + size] for start in range(0, len(places), size))


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


_N_QUADS: Final = "application/n-quads"


def copy_into(folder: Path, connection: StoreConnection) -> None:
    """Write what the server holds at one moment into `folder`, by Graph Store Protocol.

    Raises `Unavailable` for a copy that does not come whole, and `OSError` where the disk has no room.
    """
    request = connection.client.build_request("GET", connection.address.graphs, headers={"Accept": _N_QUADS})
    with connection.spooled(request) as file:
        store = Store(folder)
        try:
            store.bulk_load(file, format=RdfFormat.N_QUADS)
        except SyntaxError as error:
            raise Unavailable(
                f"The store at {connection.address.told} sent a copy that cannot be read ({error}). Try again."
            ) from error
        store.update("CLEAR DEFAULT")  # the notes of writers
        store.flush()
