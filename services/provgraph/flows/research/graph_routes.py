"""HTTP face of collections of papers: which papers there are, what was missed, and both graphs, told and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from provgraph.catalogue.papers import Paper, PaperCatalogue
from provgraph.flows.research.entity_graph import entity_graph
from provgraph.flows.research.paper_graph import PaperGraph, PaperGraphs
from provgraph.flows.research.pictures import drawn_entities, drawn_papers
from provgraph.late_routes import LateRouter
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.terms import NamedNode, Quad, text_of
from provgraph.rdf.vocabulary import DC, RDF, TG
from provgraph.traces.drawings import Drawing, Form
from provgraph.wire import research as wire
from provgraph.wire.picture import PlacedGraph

Which = Annotated[Literal["papers", "entities"], Query(description="The papers, or what they are about.")]
Most = Annotated[int, Query(ge=1, le=300, description="How many relations of entities to show.")]
Names = Annotated[list[str], Query(max_length=1_000, description="Only what these papers say.")]


def paper_router(graphs: PaperGraphs) -> APIRouter:
    router = LateRouter(prefix="/api/v1/research", tags=["research"])

    @router.get("/papers")
    async def papers(collection: str = DEFAULT_COLLECTION) -> wire.Papers:
        """The papers of a collection, which of them are alike, and what builds have missed."""
        return told(collection, await graphs.current(collection), await missed(graphs, collection))

    @router.get("/picture", response_class=Response)
    async def picture(
        collection: str = DEFAULT_COLLECTION,
        graph: Which = "papers",
        format: Form = "svg",
        most: Most = 60,
        paper: Names = [],  # noqa: B006 (FastAPI makes it anew for each request)
    ) -> Response:
        """One of the two graphs, drawn."""
        found = await _drawn(graphs, collection, graph, most, paper)
        return await found.picture(format)

    @router.get("/graph")
    async def graph(
        collection: str = DEFAULT_COLLECTION,
        graph: Which = "papers",
        most: Most = 60,
        paper: Names = [],  # noqa: B006
    ) -> PlacedGraph:
        """The same as places, for a program that draws it itself."""
        found = await _drawn(graphs, collection, graph, most, paper)
        return await found.places(collection)

    return router


async def _drawn(graphs: PaperGraphs, collection: str, which: str, most: int, papers: list[str]) -> Drawing:
    if which == "papers":
        return drawn_papers(await graphs.current(collection))
    of = await graphs.collections.require(collection)
    chosen = [paper.iri for paper in await PaperCatalogue(graphs.store, of).chosen(papers)] if papers else []
    return drawn_entities(await entity_graph(graphs.store, of, most, chosen))


def told(collection: str, found: PaperGraph, gaps: list[wire.PaperGap]) -> wire.Papers:
    return wire.Papers(
        collection=collection,
        papers=[_paper(paper) for paper in found.papers],
        likenesses=[
            wire.PaperLikeness(
                papers=(each.papers[0].value, each.papers[1].value), weight=round(each.weight, 4)
            )
            for each in found.likenesses
        ],
        gaps=gaps,
        method=found.method,
        vectors=found.vectors,
    )


def _paper(paper: Paper) -> wire.Paper:
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
    (found,) = await graphs.store.match([QuadPattern(None, RDF.type, TG.PaperGap, graph)])
    nodes = [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]
    described = await graphs.store.match([QuadPattern(node, graph=graph) for node in nodes])
    gaps = map(_gap, described)
    return sorted(gaps, key=lambda gap: (gap.title.casefold(), gap.reason))


def _gap(quads: Sequence[Quad]) -> wire.PaperGap:
    return wire.PaperGap(
        title=text_of(quads, DC.title),
        reason=text_of(quads, DC.description),
        source=text_of(quads, DC.source),
    )
