"""HTTP face of the pictures of traces: `/api/v1/traces/{session}/picture` and `…/graph`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import APIRouter, Query, Response

from provgraph.graph_rag.trace_graph import TraceGraph, trace_graph
from provgraph.graph_rag.traces import Traces
from provgraph.pictures import png, svg
from provgraph.pictures.curves import Box
from provgraph.pictures.layout import Placement, layout
from provgraph.rdf.terms import term_to_json, triple_to_json
from provgraph.wire.picture import STANDS_ALONE, PlacedGraph, PlacedRelation, PlacedThing

Around = Annotated[int, Query(ge=0, le=300, description="How many facts to show around the selected edges.")]


def picture_router(traces: Traces) -> APIRouter:
    router = APIRouter()

    @router.get("/traces/{session}/picture", response_class=Response)
    async def picture(session: str, format: Literal["svg", "png"] = "svg", around: Around = 40) -> Response:
        """The selected edges of a session and the facts around them, drawn; red is what a sentence rests on."""
        found = await trace_graph(traces.store, await traces.open(session), around)
        drawn = await to_thread.run_sync(svg.svg, found.graph)
        if format == "svg":
            return Response(drawn, media_type=svg.MEDIA_TYPE, headers=STANDS_ALONE)
        return Response(
            await to_thread.run_sync(png.png, drawn), media_type=png.MEDIA_TYPE, headers=STANDS_ALONE
        )

    @router.get("/traces/{session}/graph")
    async def graph(session: str, around: Around = 40) -> PlacedGraph:
        """The same picture as places, for a program that draws it itself."""
        opened = await traces.open(session)
        found = await trace_graph(traces.store, opened, around)
        placement = await to_thread.run_sync(layout, found.graph)
        return _placed(found, placement, opened.trace.session.collection)

    return router


def _placed(found: TraceGraph, placement: Placement, collection: str) -> PlacedGraph:
    return PlacedGraph(
        title=placement.graph.title,
        collection=collection,
        width=round(placement.width, 1),
        height=round(placement.height, 1),
        nodes=[
            PlacedThing(
                **_box(placed.box, placed.lines),
                **asdict(placed.node),
                term=term_to_json(found.terms[placed.node.id]) if placed.node.id in found.terms else None,
            )
            for placed in placement.nodes
        ],
        edges=[
            PlacedRelation(
                **_box(placed.box, placed.lines),
                **asdict(placed.edge),
                sentences=found.sentences.get(placed.edge.id, []),
                triple=triple_to_json(found.triples[placed.edge.id])
                if placed.edge.id in found.triples
                else None,
            )
            for placed in placement.edges
        ],
    )


def _box(box: Box, lines: tuple[str, ...]) -> dict[str, Any]:
    return {**{name: round(value, 1) for name, value in asdict(box).items()}, "lines": list(lines)}
