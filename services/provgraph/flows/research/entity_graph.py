"""The entities of papers, and how they relate in the terms of the research ontology."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.naming import fact_terms, labels
from provgraph.catalogue.sources import SourceReader
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import NamedNode, Term, Triple
from provgraph.rdf.vocabulary import RDF, RESEARCH

MOST_READ: Final = 5_000
"""Facts of each relation that are looked at, so that no collection is too large to draw."""


@dataclass(frozen=True)
class EntityGraph:
    """`papers` are the documents that say each fact; `types` are of the research ontology, by its local names."""

    facts: tuple[Triple, ...]
    labels: Mapping[Term, str]
    types: Mapping[NamedNode, str]
    papers: Mapping[Triple, tuple[NamedNode, ...]]

    def type_of(self, term: Term) -> str:
        """The name of its class, empty where it has none."""
        return self.types.get(term, "") if isinstance(term, NamedNode) else ""


async def entity_graph(
    store: QuadStore, graphs: CollectionGraphs, most: int, papers: Iterable[NamedNode] = ()
) -> EntityGraph:
    """The facts between entities that most papers say, at most so many; of `papers` only, where any are named."""
    patterns = [
        QuadPattern(None, relation, None, graphs.knowledge) for relation in RESEARCH.relations.values()
    ]
    triples = [quad.triple for quads in await store.match(patterns, limit=MOST_READ) for quad in quads]
    facts = [fact for fact in triples if isinstance(fact.object, NamedNode)]
    sources = await SourceReader(store, graphs.source).sources(facts)
    papers_of = {
        fact: tuple(dict.fromkeys(source.place.document for source in sources[fact])) for fact in facts
    }
    nodes = set(papers)
    kept = [fact for fact in facts if papers_of[fact] and (not nodes or nodes.intersection(papers_of[fact]))]
    joints: dict[Term, int] = defaultdict(int)
    for fact in kept:
        joints[fact.subject] += 1
        joints[fact.object] += 1
    kept.sort(
        key=lambda fact: (-len(papers_of[fact]), -(joints[fact.subject] + joints[fact.object]), str(fact))
    )
    chosen = tuple(kept[:most])
    terms = [term for fact in chosen for term in fact_terms(fact)]
    return EntityGraph(
        chosen,
        await labels(store, graphs.knowledge, terms),
        await _types(store, graphs, terms),
        {fact: papers_of[fact] for fact in chosen},
    )


async def _types(store: QuadStore, graphs: CollectionGraphs, terms: Iterable[Term]) -> dict[NamedNode, str]:
    """The narrowest class of each entity."""
    nodes = [term for term in dict.fromkeys(terms) if isinstance(term, NamedNode)]
    typed = await store.match([QuadPattern(node, RDF.type, None, graphs.knowledge) for node in nodes])
    types: dict[NamedNode, str] = {}
    for node, quads in zip(nodes, typed, strict=True):
        classes = {quad.object for quad in quads}
        named = next((name for name, kind in RESEARCH.classes.items() if kind in classes), "")
        if named:
            types[node] = named
    return types
