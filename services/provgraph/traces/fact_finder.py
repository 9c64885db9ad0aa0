"""The edge that a client means: by labels, by terms, or by the IRI that it has in a trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.naming import NamedFact, named_facts, read_name
from provgraph.errors import InvalidInput, NotFound
from provgraph.ports.quad_store import QuadPattern
from provgraph.ports.retriever import CandidateEdge, RetrievalLimits, RetrievalRequest, Retriever
from provgraph.rdf.graphs import CollectionGraphs, retrieval_graph
from provgraph.rdf.iris import session_uuid
from provgraph.rdf.json_terms import term_from_text
from provgraph.rdf.terms import NamedNode, Triple
from provgraph.rdf.vocabulary import TG

MOST_NEAR: Final = 5


@dataclass(frozen=True)
class FactFinder:
    """Finds the one fact that a client names; `retriever` is asked for what comes near where there is none."""

    collections: Collections
    retriever: Callable[[], Retriever]

    async def fact(self, name: NamedFact, collection: str, graphs: CollectionGraphs) -> Triple:
        """Raises `NotFound` with near facts where labels name none, `InvalidInput` where they name several."""
        found = await named_facts(self.collections.store, graphs, name)
        exact = name.as_terms()
        if exact is not None and (exact in found or not found):
            return exact
        if not found:
            near = await self._near(name, collection)
            found = [edge.triple for edge in near if name.is_called(*_labels(edge))]
        if not found:
            for part in (name.subject, name.relation, name.object):
                if part.startswith(('"', "<")):
                    term_from_text(part)  # what begins as a term and is none is told as that
            raise NotFound(
                f"No fact is named {str(name)[:200]} in the collection {collection}. {_advice(near)}"
            )
        if len(found) > 1:
            listed = "; ".join(" ".join(str(term) for term in fact) for fact in found[:MOST_NEAR])
            raise InvalidInput(
                f"{len(found)} facts are named {str(name)[:200]}. Name one by its IRIs: {listed}."
            )
        return found[0]

    async def edge(self, text: str, collection: str, graphs: CollectionGraphs) -> Triple | None:
        """The edge of this text: the IRI of one in a trace, or as `naming.read_name` reads it; None for neither.

        Raises as `fact` does, and `NotFound` for the IRI of an edge that no trace has.
        """
        if text.startswith("urn:trustgraph:prov:"):
            return await self._traced(text)
        name = read_name(text)
        return await self.fact(name, collection, graphs) if name else None

    async def _traced(self, text: str) -> Triple:
        node, graph = NamedNode(text), retrieval_graph(self.collections.explain_collection)
        patterns = [QuadPattern(node, term, None, graph) for term in (TG.edge, TG.candidate_edge)]
        found = await self.collections.store.match(patterns if session_uuid(node) else [])
        for quad in (quad for quads in found for quad in quads):
            if isinstance(quad.object, Triple):
                return quad.object
        raise NotFound(f"No trace has the edge {text[:200]}. Take the id of an edge from 'provgraph trace'.")

    async def _near(self, name: NamedFact, collection: str) -> Sequence[CandidateEdge]:
        """Edges that the words of the name lead to; they are shown by names that no label gives, too."""
        words = " ".join((name.subject, name.relation, name.object))
        limits = RetrievalLimits(subgraph=MOST_NEAR)
        near = await self.retriever().retrieve(
            RetrievalRequest(words, (name.subject, name.object), collection, chunks=0, limits=limits)
        )
        return near.edges


def _labels(edge: CandidateEdge) -> tuple[str, str, str]:
    return edge.labels.subject, edge.labels.relation, edge.labels.object


def _advice(near: Sequence[CandidateEdge]) -> str:
    if not near:
        return "Nothing comes near it. Look the facts up with 'provgraph documents' and 'provgraph document'."
    return f"Near it: {'; '.join(str(NamedFact(*_labels(edge))) for edge in near)}."
