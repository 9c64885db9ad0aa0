"""The service `triples`: what stands in the graphs of a collection, by any parts of a triple, in one reply or in many.

An entity's types come first, since clients read no more than its first hundred triples; of several labels the first
in code point order, since they take one.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.collections import Collections
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.additions import Additions
from provgraph.gateway.trustgraph.fields import Body
from provgraph.gateway.trustgraph.patterns import PatternLookup, Scope, TriplePattern
from provgraph.gateway.trustgraph.services import Reply
from provgraph.gateway.trustgraph.terms import graphs_of, wire_quad
from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.terms import Quad
from provgraph.rdf.vocabulary import RDF, RDFS, TG

DEFAULT_LIMIT: Final = 10_000
MOST: Final = 200_000
DEFAULT_BATCH: Final = 20
MOST_IN_BATCH: Final = 10_000


@dataclass(frozen=True)
class TripleService:
    store: QuadStore
    collections: Collections
    additions: Additions

    async def __call__(self, body: Body) -> AsyncGenerator[Reply]:
        triples = [wire_quad(quad) for quad in await self._quads(body)]
        if not fields.flag(body, "streaming"):
            yield Reply({"response": triples})
            return
        size = fields.number(body, "batch-size", DEFAULT_BATCH, MOST_IN_BATCH)
        for start in range(0, max(len(triples), 1), size):
            yield Reply({"response": triples[start : start + size]}, start + size >= len(triples))

    async def _quads(self, body: Body) -> Sequence[Quad]:
        limit = fields.number(body, "limit", DEFAULT_LIMIT, MOST)
        collection = fields.text(body, "collection", "") or DEFAULT_COLLECTION
        graphs = await self.collections.require(collection)
        scope = Scope(collection, graphs, graphs_of(body.get("g"), graphs))
        pattern = TriplePattern.of(body)
        if pattern is None or not scope.wanted:
            return []
        found = await (self._about_one if pattern.subject else self._about_any)(pattern, scope, limit)
        if pattern.predicate == RDFS.label:
            found.sort(key=lambda quad: str(quad.object))
        return found[:limit]

    async def _about_one(self, pattern: TriplePattern, scope: Scope, limit: int) -> list[Quad]:
        """Of a subject that is given: its types, what clients look for besides, and all else of it."""
        assert pattern.subject
        lookup = PatternLookup(self.store, scope)
        of_types = TriplePattern(pattern.subject, RDF.type, pattern.object)
        types = [] if pattern.predicate else await lookup.quads(of_types, limit)
        found = await lookup.quads(pattern, limit)
        added = [
            quad
            for quad in await self.additions.about(pattern.subject, scope.graphs)
            if pattern.admits(quad) and quad.graph_name in scope.wanted
        ]
        return list(dict.fromkeys([*types, *added, *found]))

    async def _about_any(self, pattern: TriplePattern, scope: Scope, limit: int) -> list[Quad]:
        if (
            pattern.predicate == TG.query
            and pattern.object is None
            and scope.graphs.retrieval in scope.wanted
        ):
            return await self.additions.questions(scope)
        found = await PatternLookup(self.store, scope).quads(pattern, limit)
        return list(dict.fromkeys([*found, *await self.additions.derived(pattern, scope)]))
