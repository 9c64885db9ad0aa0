"""Where facts come from: every sentence that says one, who read it there, and what contradicts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from provgraph.catalogue.contradictions import Contradiction, Contradictions
from provgraph.catalogue.naming import fact_terms, labels
from provgraph.catalogue.sources import Extraction, Source, SourceReader
from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import NamedNode, Quad, Term, Triple


@dataclass(frozen=True)
class FactLineage:
    """`sources` are by document, page and place, `subgraphs` all that contain the fact; without any it is not there."""

    fact: Triple
    sources: tuple[Source, ...]
    subgraphs: tuple[NamedNode, ...]
    contradictions: tuple[Contradiction, ...]

    @property
    def documents(self) -> int:
        """How many documents say it."""
        return len({source.place.document for source in self.sources})


@dataclass(frozen=True)
class Lineages:
    """The lineages of some facts; `extractions` are by subgraph, `labels` by term, `quads` what was read for them."""

    of: Mapping[Triple, FactLineage]
    extractions: Mapping[NamedNode, Extraction]
    labels: Mapping[Term, str]
    quads: Sequence[Quad]

    def sources(self) -> dict[Triple, tuple[Source, ...]]:
        return {fact: lineage.sources for fact, lineage in self.of.items()}


async def lineages(store: QuadStore, graphs: CollectionGraphs, facts: Sequence[Triple]) -> Lineages:
    """The lineage of each fact of a collection, by bound patterns: its time does not grow with the collection."""
    reader, rivals = SourceReader(store, graphs.source), SourceReader(store, graphs.source)
    sources = await reader.sources(facts)
    subgraphs = await reader.subgraphs(facts)
    extractions = await reader.extractions(node for nodes in subgraphs.values() for node in nodes)
    against = await Contradictions(store, graphs, rivals).of(sources)
    found = [contradiction for rival in against.values() for contradiction in rival]
    read = await rivals.extractions(source.subgraph for rival in found for source in rival.sources)
    terms = [term for fact in (*facts, *(rival.fact for rival in found)) for term in fact_terms(fact)]
    return Lineages(
        of={fact: FactLineage(fact, sources[fact], subgraphs[fact], against[fact]) for fact in sources},
        extractions={**read, **extractions},
        labels=await labels(store, graphs.knowledge, terms),
        quads=reader.quads,
    )
