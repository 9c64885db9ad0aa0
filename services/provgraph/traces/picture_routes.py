"""HTTP face of the pictures of traces: `/api/v1/traces/{session}/picture` and `…/graph`."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from provgraph.late_routes import LateRouter
from provgraph.traces.drawings import Form
from provgraph.traces.graph import trace_graph
from provgraph.traces.reader import Traces
from provgraph.wire.picture import PlacedGraph

Around = Annotated[int, Query(ge=0, le=300, description="How many facts to show around the selected edges.")]


def picture_router(traces: Traces) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["traces"])

    @router.get("/traces/{session}/picture", response_class=Response)
    async def picture(session: str, format: Form = "svg", around: Around = 40) -> Response:
        """The selected edges of a session and the facts around them, drawn; red is what a sentence rests on."""
        found = await trace_graph(traces.store, await traces.open(session), around)
        return await found.picture(format)

    @router.get("/traces/{session}/graph")
    async def graph(session: str, around: Around = 40) -> PlacedGraph:
        """The same picture as places, for a program that draws it itself."""
        opened = await traces.open(session)
        found = await trace_graph(traces.store, opened, around)
        return await found.places(opened.trace.session.collection)

    return router
