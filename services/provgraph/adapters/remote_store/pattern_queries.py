"""Patterns of quads as queries: many in one request, and what each of them gives.

A store of RDF 1.1 is asked by the nodes of triple terms, and its answers are read as what these stand for.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pyoxigraph import (
    Literal,
    NamedNode,
    Quad,
    QueryResultsFormat,
    QuerySolution,
    QuerySolutions,
    Triple,
    parse_query_results,
)

from provgraph.adapters.remote_store.connection import StoreConnection
from provgraph.adapters.remote_store.quotations import (
    DESCRIBED,
    QuotationLost,
    Quotations,
    described,
    slices,
)
from provgraph.adapters.remote_store.rdf_1_1 import QUOTATIONS, is_quotation, quoted_terms, written_term
from provgraph.errors import Unavailable
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.terms import Term, named
from provgraph.sparql.quad_data import term_text

OWN_GRAPHS: Final = "urn:graph:"
"""How the names of all graphs of ours begin, where a store may have graphs of others."""

AT_ONCE: Final = 500
"""Patterns in one table: a query of about 50 kilobytes."""

LIMITED_AT_ONCE: Final = 50
"""Branches in one query: planning grows with their square."""

_IN_A_TABLE: Final = 1_000
"""Characters of a literal that may stand in a table: Virtuoso has no room there for long ones."""

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


def pattern_queries(
    patterns: Sequence[QuadPattern], limit: int | None, named_so: str = ""
) -> Iterator[PatternQuery]:
    """Queries that together ask for every pattern, each at most `limit` times; of graphs whose names begin so."""
    terms = {
        place: (pattern.subject, pattern.predicate, pattern.object, pattern.graph)
        for place, pattern in enumerate(patterns)
    }
    if limit is not None:
        for some in slices(list(terms), LIMITED_AT_ONCE):
            own = {place: terms[place] for place in some}
            branches = (f"{{ {_limited(place, each, limit, named_so)} }}" for place, each in own.items())
            yield PatternQuery(f"SELECT * WHERE {{ {' UNION '.join(branches)} }}", own)
        return
    by_shape: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for place, each in terms.items():
        is_long = isinstance(each[2], Literal) and len(each[2].value) > _IN_A_TABLE
        alone = place if named_so and is_long else None
        by_shape[(alone, *(term is None for term in each))].append(place)
    for places in by_shape.values():
        for some in slices(places, AT_ONCE):
            own = {place: terms[place] for place in some}
            yield PatternQuery(_table(own, named_so), own)


def scan_query(pattern: QuadPattern, named_so: str = "") -> PatternQuery:
    """One query for all quads of one pattern; where graphs are named so, also for what the terms are that it quotes."""
    own: dict[int, Terms] = {0: (pattern.subject, pattern.predicate, pattern.object, pattern.graph)}
    free, asked = _free(own[0]), _asked(own[0], named_so)
    if not named_so or pattern.object is not None:
        return PatternQuery(f"SELECT (0 AS ?{_ROW}) {free} WHERE {{ {asked} }}", own)
    quoted = f"OPTIONAL {{ GRAPH {QUOTATIONS} {{ ?o {DESCRIBED} }} }}"
    return PatternQuery(f"SELECT (0 AS ?{_ROW}) {free} ?qs ?qp ?qo WHERE {{ {asked} {quoted} }}", own)


def _table(patterns: dict[int, Terms], named_so: str) -> str:
    """Terms that differ stand in the table; one that all share, a graph for the most part, in the pattern itself."""
    shared = [each[0] if len(set(each)) == 1 else None for each in zip(*patterns.values(), strict=True)]
    first = next(iter(patterns.values()))
    varying = [at for at, term in enumerate(first) if term is not None and shared[at] is None]
    free = _free(first)
    columns = " ".join(f"?{_PLACES[at]}" for at in varying)
    rows = " ".join(
        f"({place} {' '.join(term_text(term) for at in varying if (term := each[at]) is not None)})"
        for place, each in patterns.items()
    )
    asked = _asked(tuple(shared), named_so)
    return f"SELECT ?{_ROW} {free} WHERE {{ VALUES (?{_ROW} {columns}) {{ {rows} }} {asked} }}"


def _limited(place: int, terms: Terms, limit: int, named_so: str) -> str:
    return f"SELECT ({place} AS ?{_ROW}) {_free(terms)} WHERE {{ {_asked(terms, named_so)} }} LIMIT {limit}"


def _free(terms: Terms) -> str:
    return " ".join(f"?{name}" for name, term in zip(_PLACES, terms, strict=True) if term is None)


def _asked(terms: Sequence[Term | None], named_so: str) -> str:
    subject, predicate, object_, graph = (
        f"?{name}" if term is None else term_text(term) for name, term in zip(_PLACES, terms, strict=True)
    )
    own = f' FILTER(STRSTARTS(STR(?g), "{named_so}"))' if named_so and graph == "?g" else ""
    return f"GRAPH {graph} {{ {subject} {predicate} {object_} }}{own}"


def graph_names_query(connection: StoreConnection) -> str:
    """Asks for each `?graph` that holds at least one quad."""
    if connection.address.is_rdf_1_1:
        own = f'FILTER(STRSTARTS(STR(?graph), "{OWN_GRAPHS}"))'
        return f"SELECT DISTINCT ?graph WHERE {{ GRAPH ?graph {{ ?s ?p ?o }} {own} }}"
    return "SELECT ?graph WHERE { GRAPH ?graph { } FILTER EXISTS { GRAPH ?graph { ?s ?p ?o } } }"


class PatternReader:
    """`StoreReader` over a connection. Blocking. `quotations` where the store is one of RDF 1.1."""

    def __init__(self, connection: StoreConnection, quotations: Quotations | None = None) -> None:
        self._connection = connection
        self._quotations = quotations
        self._named_so = "" if quotations is None else OWN_GRAPHS

    def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        """As `QuadStore.match`. Each query sees one moment; a sequence of several patterns may see more."""
        if self._quotations is None:
            return self._matched(patterns, limit)
        asked = [_written(pattern) for pattern in patterns]
        self._quotations.learn(quoted_terms(_objects(patterns)))
        for pause_s in _PAUSES_S:
            found = self._matched(asked, limit)
            try:
                read = iter(self._quotations.quads([quad for quads in found for quad in quads]))
                return [list(islice(read, len(quads))) for quads in found]
            except QuotationLost as error:
                lost = error
            time.sleep(pause_s)  # what it stands in is being removed, or described, at this moment
        raise _damaged(self._connection, lost)

    def contains(self, quads: Sequence[Quad]) -> list[bool]:
        """As `QuadStore.contains`."""
        patterns = [
            QuadPattern(named(quad.subject), quad.predicate, quad.object, named(quad.graph_name))
            for quad in quads
        ]
        if self._quotations is not None:
            patterns = [_written(pattern) for pattern in patterns]
        return [bool(quads) for quads in self._matched(patterns, None)]

    def scan(self, pattern: QuadPattern) -> Iterator[Quad]:
        """All quads of a pattern, as they were at one moment."""
        query = scan_query(pattern if self._quotations is None else _written(pattern), self._named_so)
        with self._connection.spooled(self._connection.question(query.text)) as file:
            rows = parse_query_results(file, format=QueryResultsFormat.JSON)
            assert isinstance(rows, QuerySolutions)
            try:
                for row in rows:
                    yield self._read(query.quad(row)[1], row, pattern)
            except SyntaxError:
                del rows  # it must end in this thread, and a traceback would hold it
                raise Unavailable(
                    f"The store at {self._connection.address.shown} cut a long answer off. "
                    "Let it have more time for a query (--timeout-s)."
                ) from None

    def _matched(self, patterns: Sequence[QuadPattern], limit: int | None) -> list[list[Quad]]:
        found: list[list[Quad]] = [[] for _ in patterns]
        for query in pattern_queries(patterns, limit, self._named_so):
            for row in self._connection.solutions(query.text):
                place, quad = query.quad(row)
                found[place].append(quad)
        return found

    def _read(self, quad: Quad, row: QuerySolution, pattern: QuadPattern) -> Quad:
        """The quad of a scan's row as it was written."""
        if self._quotations is None:
            return quad
        if pattern.object is not None:
            return Quad(quad.subject, quad.predicate, pattern.object, quad.graph_name)
        if is_quotation(quad.object) and row["qs"] is not None:
            term = described(row, self._quotations.terms([row["qo"]]))
            if term is not None:
                return Quad(quad.subject, quad.predicate, term, quad.graph_name)
        try:
            return self._quotations.quads([quad])[0]
        except QuotationLost as error:
            raise _damaged(self._connection, error) from error


_PAUSES_S: Final = (0.02, 0.1, 0.3, 0.0)


def _written(pattern: QuadPattern) -> QuadPattern:
    object_ = None if pattern.object is None else written_term(pattern.object)
    return QuadPattern(pattern.subject, pattern.predicate, object_, pattern.graph)


def _objects(patterns: Sequence[QuadPattern]) -> Iterator[Quad]:
    for pattern in patterns:
        if isinstance(pattern.object, Triple):
            yield Quad(QUOTATIONS, QUOTATIONS, pattern.object)


def _damaged(connection: StoreConnection, lost: QuotationLost) -> Unavailable:
    return Unavailable(
        f"The store at {connection.address.shown} does not say what {lost} stands for in {QUOTATIONS.value}. "
        "Something else has changed that graph: restore a backup, and let nothing but ProvGraph write to it."
    )
