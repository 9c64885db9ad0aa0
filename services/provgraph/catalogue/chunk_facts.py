"""The facts that were read in chunks, with the words that say them, by bound patterns only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from provgraph.catalogue.labels import fact_terms, is_statement, labels
from provgraph.catalogue.sources import Source, SourceReader
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import NamedNode, Triple
from provgraph.rdf.vocabulary import PROV, TG


@dataclass(frozen=True)
class ChunkFact:
    """A fact in readable labels, as one sentence says it."""

    subject: str
    relation: str
    object: str
    source: Source


async def chunk_facts(
    store: QuadStore, graphs: CollectionGraphs, chunks: Iterable[NamedNode]
) -> list[ChunkFact]:
    """Every fact that was read in these chunks, by each of its sentences there, in the order of the chunks."""
    derived = await store.match(
        [QuadPattern(None, PROV.was_derived_from, chunk, graphs.source) for chunk in dict.fromkeys(chunks)]
    )
    subgraphs = [quad.subject for quads in derived for quad in quads if isinstance(quad.subject, NamedNode)]
    contained = await store.match([QuadPattern(node, TG.contains, None, graphs.source) for node in subgraphs])
    facts = list(
        dict.fromkeys(
            quad.object
            for quads in contained
            for quad in quads
            if isinstance(quad.object, Triple) and is_statement(quad.object)
        )
    )
    sources = await SourceReader(store, graphs.source).sources(facts)
    own = set(subgraphs)
    names = await labels(store, graphs.knowledge, [term for fact in facts for term in fact_terms(fact)])
    return [
        ChunkFact(names[fact.subject], names[fact.predicate], names[fact.object], source)
        for fact in facts
        for source in sources[fact]
        if source.subgraph in own
    ]
