"""HTTP face of collections of papers: which papers there are, what was missed, and both graphs, told and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, Response

from provgraph.catalogue.papers import PaperCatalogue, StoredPaper
from provgraph.flows.research.entity_graph import EntityGraph, entity_graph
from provgraph.flows.research.paper_graph import LEAST_WEIGHT, PaperGraph, PaperGraphs
from provgraph.late_routes import LateRouter
from provgraph.pictures.graph import DrawnEdge, DrawnNode, Graph, NodeKind
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.terms import NamedNode, Quad, Term, text_of
from provgraph.rdf.vocabulary import DC, RDF, TG
from provgraph.traces.drawings import Drawing, Form
from provgraph.wire import research as wire
from provgraph.wire.picture import PlacedGraph

_KINDS: Final = {"metric": NodeKind.METRIC, "dataset": NodeKind.VALUE}

Which = Annotated[Literal["papers", "entities"], Query(description="The papers, or what they are about.")]
Most = Annotated[int, Query(ge=1, le=300, description="How many relations of entities to show.")]
Names = Annotated[list[str], Query(max_length=1_000, description="Only what these papers say.")]


def paper_router(graphs: PaperGraphs) -> APIRouter:
    router = LateRouter(prefix="/api/v1/research", tags=["research"])

    @router.get("/papers")
    async def papers(collection: str = DEFAULT_COLLECTION) -> wire.Papers:
        """The papers of a collection, which of them are alike, and what builds have missed."""
        return _papers(collection, await graphs.current(collection), await missed(graphs, collection))

    @router.get("/picture", response_class=Response)
    async def picture(
        collection: str = DEFAULT_COLLECTION,
        graph: Which = "papers",
        format: Form = "svg",
        most: Most = 60,
        paper: Names = [],  # noqa: B006 (FastAPI makes it anew for each request)
    ) -> Response:
        """One of the two graphs, drawn."""
        drawing = await _drawn(graphs, collection, graph, most, paper)
        return await drawing.picture(format)

    @router.get("/graph")
    async def graph(
        collection: str = DEFAULT_COLLECTION,
        graph: Which = "papers",
        most: Most = 60,
        paper: Names = [],  # noqa: B006
    ) -> PlacedGraph:
        """The same as places, for a program that draws it itself."""
        drawing = await _drawn(graphs, collection, graph, most, paper)
        return await drawing.places(collection)

    return router


async def _drawn(graphs: PaperGraphs, collection: str, which: str, most: int, papers: list[str]) -> Drawing:
    if which == "papers":
        return drawn_papers(await graphs.current(collection))
    of = await graphs.collections.require(collection)
    nodes = [paper.iri for paper in await PaperCatalogue(graphs.store, of).chosen(papers)] if papers else []
    return drawn_entities(await entity_graph(graphs.store, of, most, nodes))


def _papers(collection: str, graph: PaperGraph, gaps: list[wire.PaperGap]) -> wire.Papers:
    return wire.Papers(
        collection=collection,
        papers=[_paper(paper) for paper in graph.papers],
        likenesses=[
            wire.PaperLikeness(
                papers=(likeness.papers[0].value, likeness.papers[1].value), weight=round(likeness.weight, 4)
            )
            for likeness in graph.likenesses
        ],
        gaps=gaps,
        method=graph.method,
        vectors=graph.vectors,
    )


def _paper(paper: StoredPaper) -> wire.Paper:
    return wire.Paper(
        id=paper.iri.value,
        title=paper.title,
        creators=list(paper.creators),
        date=paper.date,
        identifiers=list(paper.identifiers),
        source=paper.source,
        abstract=paper.abstract,
        reference=paper.reference,
    )


async def missed(graphs: PaperGraphs, collection: str) -> list[wire.PaperGap]:
    """What builds could not take in, and none has since."""
    graph = (await graphs.collections.require(collection)).source
    (quads,) = await graphs.store.match([QuadPattern(None, RDF.type, TG.PaperGap, graph)])
    nodes = [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]
    described = await graphs.store.match([QuadPattern(node, graph=graph) for node in nodes])
    gaps = map(_gap, described)
    return sorted(gaps, key=lambda gap: (gap.title.casefold(), gap.reason))


def _gap(quads: Sequence[Quad]) -> wire.PaperGap:
    return wire.PaperGap(
        title=text_of(quads, DC.title),
        reason=text_of(quads, DC.description),
        source=text_of(quads, DC.source),
    )


def drawn_papers(graph: PaperGraph) -> Drawing:
    """Papers as boxes; the line between two is the thicker, the more alike they are."""
    nodes = tuple(
        DrawnNode(paper.iri.value, paper.title, NodeKind.DOCUMENT, ", ".join(paper.creators[:3]))
        for paper in graph.papers
    )
    edges = tuple(
        DrawnEdge(
            f"{first.value} {second.value}",
            first.value,
            second.value,
            f"{likeness.weight:.2f}",
            (likeness.weight - LEAST_WEIGHT) / (1 - LEAST_WEIGHT),
            directed=False,
        )
        for likeness in graph.likenesses
        for first, second in (likeness.papers,)
    )
    title = f"{len(nodes)} papers, {len(edges)} pairs alike"
    return Drawing(Graph(nodes, edges, title), {paper.iri.value: paper.iri for paper in graph.papers})


def drawn_entities(graph: EntityGraph) -> Drawing:
    """Entities in the shape of their kind; the line of a fact is the thicker, the more papers say it."""
    most = max((len(papers) for papers in graph.papers.values()), default=1)
    terms = dict.fromkeys(term for fact in graph.facts for term in (fact.subject, fact.object))
    nodes = tuple(_entity(graph, term) for term in terms)
    edges = tuple(
        DrawnEdge(
            str(fact),
            str(fact.subject),
            str(fact.object),
            graph.labels[fact.predicate],
            len(graph.papers[fact]) / most,
        )
        for fact in graph.facts
    )
    title = f"{len(nodes)} entities, {len(edges)} relations"
    return Drawing(
        Graph(nodes, edges, title),
        {str(term): term for term in terms},
        {str(fact): fact for fact in graph.facts},
    )


def _entity(graph: EntityGraph, term: Term) -> DrawnNode:
    kind = graph.type_of(term).lower()
    return DrawnNode(str(term), graph.labels[term], _KINDS.get(kind, NodeKind.ENTITY), kind)
