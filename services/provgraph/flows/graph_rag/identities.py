"""The entities that a question took as one: what its trace says of them."""

from __future__ import annotations

from provgraph.flows.graph_rag.engine import Sources
from provgraph.ports.retriever import RetrievalResult, TakenAsOne
from provgraph.provenance.resolution import ResolutionUse


async def resolution_uses(found: RetrievalResult, sources: Sources) -> list[ResolutionUse]:
    """Each pair of entities that was taken as one on the way to an edge, with every sentence that says so."""
    by_pair: dict[object, TakenAsOne] = {}
    for edge in found.edges:
        for each in edge.ties:
            by_pair.setdefault((each.entities, each.rule), each)
    said = await sources([each.fact for each in by_pair.values() if each.fact])
    return [
        ResolutionUse(
            entities=each.entities,
            rule=each.rule,
            reasoning=f"{each.told}.",
            quotations=tuple(source.quotation for source in said[each.fact]) if each.fact else (),
            decision=each.decision,
        )
        for each in by_pair.values()
    ]
