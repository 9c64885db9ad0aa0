"""The facts of a collection as nanopublications, one or all of them, read by bound patterns."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from provgraph.catalogue.naming import fact_terms, is_statement, labels
from provgraph.catalogue.sources import Source, SourceReader
from provgraph.errors import NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.nanopublication import NANOPUB_PREFIXES, PublishedFact, nanopublication_quads
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.serialization import RdfFormat, serialize
from provgraph.rdf.terms import NamedNode, Quad, Triple, named
from provgraph.rdf.vocabulary import PROV

_BATCH: Final = 100


@dataclass(frozen=True)
class Nanopublications:
    """Of one collection; labels and types name things and say nothing, so they are not published."""

    store: QuadStore
    graphs: CollectionGraphs
    now: Callable[[], datetime]
    form: RdfFormat = RdfFormat.TRIG
    """TriG, N-Quads or JSON-LD."""

    async def one(self, fact: Triple) -> bytes:
        """In that format. Raises `NotFound` for a fact that no sentence of the collection says."""
        published = await self._published([fact])
        if not published:
            raise NotFound(
                "No sentence of this collection says this fact. Look up the parts of facts with 'provgraph document'."
            )
        return self._written(published[0])

    async def all(self) -> AsyncGenerator[bytes]:
        """Those of all facts, one by one; together they are one document."""
        is_array = self.form is RdfFormat.JSON_LD
        separator, end = (b"[", b"]") if is_array else (b"", b"")
        async with aclosing(self.store.scan(QuadPattern(graph=self.graphs.knowledge), _BATCH)) as batches:
            async for batch in batches:
                facts = [quad.triple for quad in batch if is_statement(quad.triple)]
                for published in await self._published(facts):
                    written = self._written(published)
                    yield separator + (written.strip()[1:-1] if is_array else written)
                    separator = b",\n" if is_array else b""
        if end:
            yield end if separator != b"[" else b"[]"

    async def _published(self, facts: Sequence[Triple]) -> list[PublishedFact]:
        reader = SourceReader(self.store, self.graphs.source)
        sources = await reader.sources(facts)
        words = await labels(
            self.store, self.graphs.knowledge, [t for fact in facts for t in fact_terms(fact)]
        )
        subgraphs = {source.subgraph for found in sources.values() for source in found}
        nodes = _Nodes([*reader.quads, *await self._extractions(subgraphs)])
        return [
            nodes.published(fact, " ".join(words[term] for term in fact_terms(fact)), found)
            for fact, found in sources.items()
            if found
        ]

    async def _extractions(self, subgraphs: Iterable[NamedNode]) -> list[Quad]:
        """Which activity made each subgraph, the activities, and their agents."""
        quads = await self._objects(subgraphs, PROV.was_generated_by)
        activities = await self._objects({named(quad.object) for quad in quads})
        agents = {named(quad.object) for quad in activities if quad.predicate == PROV.was_associated_with}
        return [*quads, *activities, *await self._objects(agents)]

    async def _objects(self, subjects: Iterable[NamedNode], predicate: NamedNode | None = None) -> list[Quad]:
        patterns = [QuadPattern(node, predicate, graph=self.graphs.source) for node in subjects]
        return [quad for quads in await self.store.match(patterns) for quad in quads]

    def _written(self, published: PublishedFact) -> bytes:
        quads = nanopublication_quads(published, self.now())
        prefixes = NANOPUB_PREFIXES if self.form is RdfFormat.TRIG else None
        return serialize(quads, format=self.form, prefixes=prefixes) or b""


class _Nodes:
    """What was read of many facts, to be told apart again: a fact is published with its own chain only."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self._said: dict[NamedNode, dict[Quad, None]] = {}
        for quad in quads:
            self._said.setdefault(named(quad.subject), {})[quad] = None

    def published(self, fact: Triple, words: str, sources: Sequence[Source]) -> PublishedFact:
        quotations = [source.quotation for source in sources]
        subgraphs = {source.subgraph for source in sources}
        activities = [
            named(quad.object)
            for node in sorted(subgraphs, key=str)
            for quad in self._said[node]
            if quad.predicate == PROV.was_generated_by
        ]
        return PublishedFact(fact, words, quotations, activities, self._chain([*quotations, *activities]))

    def _chain(self, nodes: Sequence[NamedNode]) -> list[Quad]:
        """All that is said of these nodes and of whatever they lead to."""
        chain: list[Quad] = []
        seen, waiting = set(nodes), list(nodes)
        while waiting:
            for quad in self._said.get(waiting.pop(), ()):
                chain.append(quad)
                if isinstance(quad.object, NamedNode) and quad.object not in seen:
                    seen.add(quad.object)
                    waiting.append(quad.object)
        return chain
