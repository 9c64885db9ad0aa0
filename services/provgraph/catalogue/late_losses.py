"""An answer that lost what it stands on while it was being given: it marks itself when it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from provgraph.ports.quad_store import QuadPattern, StoreReader
from provgraph.provenance import change
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import PROV, RDF, TG

_CHANGES: Final = (TG.Deletion, TG.Revision, TG.Replacement)


def late_loss_quads(
    reader: StoreReader, names: SessionNames, graphs: CollectionGraphs, at: datetime
) -> list[Quad]:
    """The marks of a session that ends at `at`: of edges and chunks that a change has marked meanwhile, and of those
    that were gone before they were written down; none where all still stand."""
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
    lost = "edges lost a source" if any("prov:edge:" in node.value for node in marked) else "chunks went"
    reason = f"{len(marked)} selected {lost}, as {document} was changed while the question was answered."
    return [
        *quads,
        *change.stale_reason_quads(names, reason, graph),
        *change.invalidation_quads(names, first, at, graph),
    ]


def _marked(
    reader: StoreReader, names: SessionNames, graphs: CollectionGraphs
) -> Iterator[tuple[NamedNode, NamedNode]]:
    """Each selected edge that lost a source, or chunk that went, with the change that took it."""
    selection = names.step("selection")
    selected = reader.match(
        [
            QuadPattern(selection, link, None, graphs.retrieval)
            for link in (TG.selected_edge, TG.selected_chunk)
        ]
    )
    edges = [quad.object for quads in selected for quad in quads if isinstance(quad.object, NamedNode)]
    described = reader.match([QuadPattern(edge, graph=graphs.retrieval) for edge in edges])
    chosen = [
        [quad.object for quad in quads if quad.predicate in (TG.edge, TG.document)] for quads in described
    ]
    gone = _gone(reader, [each for own in chosen for each in own], graphs)
    for edge, quads, own in zip(edges, described, chosen, strict=True):
        lost = [quad.object for quad in quads if quad.predicate == TG.evidence_lost_in]
        is_gone = any(each in gone for each in own)
        why = lost[0] if lost else (_last_change(reader, graphs) if is_gone else None)
        if isinstance(why, NamedNode):
            yield edge, why


def still_quoted(reader: StoreReader, quads: Sequence[Quad], graphs: CollectionGraphs) -> list[Quad]:
    """What a session writes as it ends, without spans of pages that went meanwhile: their words are gone."""
    pages = {
        quad.subject: quad.object
        for quad in quads
        if quad.predicate == PROV.was_quoted_from and isinstance(quad.object, NamedNode)
    }
    stand = reader.contains([Quad(page, RDF.type, TG.Page, graphs.source) for page in pages.values()])
    gone = {span for span, stands in zip(pages, stand, strict=True) if not stands}
    return [quad for quad in quads if quad.subject not in gone]


def _gone(reader: StoreReader, chosen: Sequence[Term], graphs: CollectionGraphs) -> set[Term]:
    """Which of these facts and chunks the store no longer holds."""
    quads = {
        each: Quad(each.subject, each.predicate, each.object, graphs.knowledge)
        if isinstance(each, Triple)
        else Quad(each, RDF.type, TG.Chunk, graphs.source)
        for each in chosen
        if isinstance(each, NamedNode | Triple)
    }
    stands = reader.contains(list(quads.values()))
    return {each for each, is_there in zip(quads, stands, strict=True) if not is_there}


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
