"""What goes from the store when nodes of a document do: their quads, facts without a source, agents without a task."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from provgraph.ingestion.removal.document_closure import Holdings
from provgraph.ingestion.removal.losses import losses
from provgraph.ingestion.removal.support import LostSupport, lost_support, orphaned_agents
from provgraph.ports.quad_store import QuadPattern, StoreReader
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, TG
from provgraph.traces.stale_answers import Losses


@dataclass(frozen=True)
class Taken:
    """`nodes` are all that go; `removed` their quads and those of what goes with them."""

    nodes: Set[NamedNode]
    removed: list[Quad]
    support: LostSupport
    losses: Losses

    def counts(self, holdings: Holdings) -> dict[NamedNode, int]:
        return {
            TG.removed_pages: len(self.nodes & set(holdings.pages)),
            TG.removed_chunks: len(self.nodes & set(holdings.chunks)),
            TG.removed_subgraphs: len(self.nodes & set(holdings.subgraphs)),
            TG.removed_facts: len(self.support.gone),
            TG.kept_facts: len(self.support.kept),
            TG.removed_entities: len(self.support.entities),
        }


def taken(
    reader: StoreReader,
    graphs: CollectionGraphs,
    holdings: Holdings,
    nodes: Set[NamedNode],
    coming: Iterable[Quad] = (),
) -> Taken:
    """What goes with these nodes, where `coming` is written in the same transaction."""
    going = [quad for node in nodes for quad in holdings.quads[node]]
    facts_of = {node: holdings.facts(node) for node in holdings.subgraphs if node in nodes}
    support = lost_support(reader, graphs, facts_of)
    needed = {quad.object for quad in coming if quad.predicate == PROV.was_associated_with}
    agents = orphaned_agents(reader, graphs.source, nodes, going) - needed
    described = reader.match([QuadPattern(agent, graph=graphs.source) for agent in agents])
    facts = (Quad(fact.subject, fact.predicate, fact.object, graphs.knowledge) for fact in support.gone)
    removed = [*going, *(quad for quads in described for quad in quads), *facts]
    lost = Losses(
        losses(holdings, facts_of, support.gone), [node for node in holdings.chunks if node in nodes]
    )
    return Taken(nodes, removed, support, lost)
