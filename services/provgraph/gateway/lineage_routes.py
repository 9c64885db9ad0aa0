"""HTTP face of lineage: `GET /api/v1/lineage`, for a fact by its terms or by its labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Query
from pyoxigraph import Triple

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.lineage import lineages
from provgraph.catalogue.naming import NamedFact, named_facts
from provgraph.errors import InvalidInput, NotFound
from provgraph.graph_rag.lineage_views import lineage_view
from provgraph.ports.retriever import RetrievalLimits, RetrievalRequest, Retriever
from provgraph.rdf.graphs import DEFAULT_COLLECTION, CollectionGraphs
from provgraph.wire.lineage import Lineage

MOST_NEAR: Final = 5
_PART: Final = 2_000

Part = Annotated[str, Query(min_length=1, max_length=_PART)]


@dataclass(frozen=True)
class FactFinder:
    """Finds the one fact that a client names; `retriever` knows what comes near where there is none."""

    collections: Collections
    retriever: Retriever

    async def fact(self, name: NamedFact, collection: str, graphs: CollectionGraphs) -> Triple:
        """Raises `NotFound` with near facts where labels name none, `InvalidInput` where they name several."""
        found = await named_facts(self.collections.store, graphs, name)
        exact = name.as_terms()
        if exact is not None and (exact in found or not found):
            return exact
        if not found:
            raise NotFound(
                f"No fact is called {str(name)[:200]} in the collection {collection}. "
                f"{await self._near(name, collection)}"
            )
        if len(found) > 1:
            listed = "; ".join(" ".join(str(term) for term in fact) for fact in found[:MOST_NEAR])
            raise InvalidInput(
                f"{len(found)} facts are called {str(name)[:200]}. Name one by its IRIs: {listed}."
            )
        return found[0]

    async def _near(self, name: NamedFact, collection: str) -> str:
        words = " ".join((name.subject, name.relation, name.object))
        limits = RetrievalLimits(subgraph=MOST_NEAR)
        near = await self.retriever.retrieve(
            RetrievalRequest(words, (name.subject, name.object), collection, chunks=0, limits=limits)
        )
        said = [f"({e.labels.subject}, {e.labels.relation}, {e.labels.object})" for e in near.edges]
        if not said:
            return "Nothing comes near it. Look the facts up with 'provgraph documents' and 'provgraph document'."
        return f"Near it: {'; '.join(said)}."


def lineage_router(finder: FactFinder) -> APIRouter:
    router = APIRouter(prefix="/api/v1", tags=["catalogue"])

    @router.get("/lineage")
    async def lineage(s: Part, p: Part, o: Part, collection: str = DEFAULT_COLLECTION) -> Lineage:
        """Every source of one fact, and what contradicts it. A part is an IRI or a label; `o` may be a literal, as in
        N-Triples or plain."""
        graphs = await finder.collections.require(collection)
        fact = await finder.fact(NamedFact(s, p, o), collection, graphs)
        return lineage_view(await lineages(finder.collections.store, graphs, [fact]), fact)

    return router
