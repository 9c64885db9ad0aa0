"""HTTP face of lineage: `GET /api/v1/lineage`, for a fact by its terms or by its labels."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query

from provgraph.catalogue.lineage import lineages
from provgraph.catalogue.naming import NamedFact
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.traces.fact_finder import FactFinder
from provgraph.traces.views import lineage_view
from provgraph.wire.lineage import Lineage

_PART: Final = 2_000

Part = Annotated[str, Query(min_length=1, max_length=_PART)]


def lineage_router(finder: FactFinder) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["catalogue"])

    @router.get("/lineage")
    async def lineage(s: Part, p: Part, o: Part, collection: str = DEFAULT_COLLECTION) -> Lineage:
        """Every source of one fact, and what contradicts it. A part is an IRI or a label; `o` may be a literal, as in
        N-Triples or plain."""
        graphs = await finder.collections.require(collection)
        fact = await finder.fact(NamedFact(s, p, o), collection, graphs)
        return lineage_view(await lineages(finder.collections.store, graphs, [fact]), fact)

    return router
