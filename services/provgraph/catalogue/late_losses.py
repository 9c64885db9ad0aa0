"""An answer that lost what it stands on while it was being given: it marks itself when it ends."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad, Triple

from provgraph.ports.quad_store import QuadPattern, StoreReader
from provgraph.provenance import change
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.vocabulary import PROV, RDF, TG

_CHANGES: Final = (TG.Deletion, TG.Revision, TG.Replacement)


def late_loss_quads(
    reader: StoreReader, names: SessionNames, graphs: CollectionGraphs, at: datetime
) -> list[Quad]:
    """The marks of a session that ends at `at`: of edges that a change has marked meanwhile, and of edges that were
    gone before they were written down; none where all still stand."""
    marked = dict(_marked(reader, names, graphs))
    if not marked:
        return []
    graph, answer = graphs.retrieval, names.step("answer")
    quads = [quad for edge, why in marked.items() for quad in change.loss_quads(edge, why, graph)]
    if not reader.contains([Quad(answer, RDF.type, TG.Answer, graph)])[0]:
        return quads
    first = min(marked.values(), key=lambda node: node.value)
    (described,) = reader.match([QuadPattern(first, TG.changed_document, None, graphs.source)])
    document = next((str(quad.object).strip("<>") for quad in described), "a document")
    reason = f"{len(marked)} selected edges lost a source, as {document} was changed while the question was answered."
    return [
        *quads,
        *change.stale_reason_quads(names, reason, graph),
        *change.invalidation_quads(names, first, at, graph),
    ]


def _marked(
    reader: StoreReader, names: SessionNames, graphs: CollectionGraphs
) -> Iterator[tuple[NamedNode, NamedNode]]:
    """Each selected edge that lost a source, with the change that took it."""
    (selected,) = reader.match(
        [QuadPattern(names.step("selection"), TG.selected_edge, None, graphs.retrieval)]
    )
    for edge in (quad.object for quad in selected):
        if not isinstance(edge, NamedNode):
            continue
        (described,) = reader.match([QuadPattern(edge, graph=graphs.retrieval)])
        lost = [quad.object for quad in described if quad.predicate == TG.evidence_lost_in]
        gone = any(
            quad.predicate == TG.edge and not _stands(reader, quad.object, graphs) for quad in described
        )
        why = lost[0] if lost else (_last_change(reader, graphs) if gone else None)
        if isinstance(why, NamedNode):
            yield edge, why


def _stands(reader: StoreReader, fact: object, graphs: CollectionGraphs) -> bool:
    if not isinstance(fact, Triple):
        return True
    return reader.contains([Quad(fact.subject, fact.predicate, fact.object, graphs.knowledge)])[0]


def _last_change(reader: StoreReader, graphs: CollectionGraphs) -> NamedNode | None:
    """The youngest change of the collection: asked only where a fact is gone that was there a moment ago."""
    found = reader.match([QuadPattern(None, RDF.type, kind, graphs.source) for kind in _CHANGES])
    nodes = [quad.subject for quads in found for quad in quads if isinstance(quad.subject, NamedNode)]
    begun = reader.match([QuadPattern(node, PROV.started_at_time, None, graphs.source) for node in nodes])
    times = {
        node: datetime.fromisoformat(quad.object.value)
        for node, quads in zip(nodes, begun, strict=True)
        for quad in quads
        if isinstance(quad.object, Literal)
    }
    return max(times, key=lambda node: times[node], default=None)
