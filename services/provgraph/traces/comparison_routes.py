"""HTTP face of comparison: what changed between two sessions, and why an edge is not in one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from provgraph.errors import InvalidInput
from provgraph.late_routes import LateRouter
from provgraph.traces.difference import difference
from provgraph.traces.fact_finder import FactFinder
from provgraph.traces.reader import Traces
from provgraph.traces.why_not import Inquiry
from provgraph.wire.trace import Difference, WhyNotAnswer


def comparison_router(traces: Traces, finder: FactFinder) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["traces"])

    @router.get("/traces/{session}/difference")
    async def compared(session: str, before: str = "") -> Difference:
        """What changed from the session `before`, or from the one that this session asked again, to this one."""
        after = await traces.open(session)
        earlier = before or (again.value if (again := after.circumstances.again_of) else "")
        if not earlier:
            raise InvalidInput(
                "This session asked no other again. Name the one to compare it with as 'before'."
            )
        return difference(await traces.open(earlier), after)

    @router.get("/traces/{session}/why-not")
    async def why_not(
        session: str, edge: Annotated[str, Query(min_length=1, max_length=6_000)]
    ) -> WhyNotAnswer:
        """Why an edge is not behind an answer. `edge` is SUBJECT | RELATION | OBJECT in labels or IRIs, the IRI of an
        edge in a trace, or the name of a thing, for all edges around it."""
        return await Inquiry(finder, await traces.open(session)).answer(edge.strip())

    return router
