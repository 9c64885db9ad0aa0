"""The two graphs of a collection of papers → what is drawn: papers and their likeness, entities and their relations."""

from __future__ import annotations

from typing import Final

from provgraph.flows.research.entity_graph import EntityGraph
from provgraph.flows.research.paper_graph import PaperGraph
from provgraph.flows.research.similarity import LEAST_WEIGHT
from provgraph.pictures.graph import Edge, Graph, Kind, Node
from provgraph.rdf.terms import Term
from provgraph.traces.drawings import Drawing

_KINDS: Final = {"metric": Kind.METRIC, "dataset": Kind.VALUE}


def drawn_papers(found: PaperGraph) -> Drawing:
    """Papers as boxes; the line between two is the thicker, the more alike they are."""
    nodes = tuple(
        Node(paper.iri.value, paper.title, Kind.DOCUMENT, ", ".join(paper.creators[:3]))
        for paper in found.papers
    )
    edges = tuple(
        Edge(
            f"{first.value} {second.value}",
            first.value,
            second.value,
            f"{each.weight:.2f}",
            (each.weight - LEAST_WEIGHT) / (1 - LEAST_WEIGHT),
            directed=False,
        )
        for each in found.likenesses
        for first, second in (each.papers,)
    )
    title = f"{len(nodes)} papers, {len(edges)} pairs alike"
    return Drawing(Graph(nodes, edges, title), {paper.iri.value: paper.iri for paper in found.papers})


def drawn_entities(found: EntityGraph) -> Drawing:
    """Entities in the shape of their kind; the line of a fact is the thicker, the more papers say it."""
    most = max((len(papers) for papers in found.papers.values()), default=1)
    terms = dict.fromkeys(term for fact in found.facts for term in (fact.subject, fact.object))
    nodes = tuple(_entity(found, term) for term in terms)
    edges = tuple(
        Edge(
            str(fact),
            str(fact.subject),
            str(fact.object),
            found.labels[fact.predicate],
            len(found.papers[fact]) / most,
        )
        for fact in found.facts
    )
    title = f"{len(nodes)} entities, {len(edges)} relations"
    return Drawing(
        Graph(nodes, edges, title),
        {str(term): term for term in terms},
        {str(fact): fact for fact in found.facts},
    )


def _entity(found: EntityGraph, term: Term) -> Node:
    kind = found.type_of(term).lower()
    return Node(str(term), found.labels[term], _KINDS.get(kind, Kind.ENTITY), kind)
