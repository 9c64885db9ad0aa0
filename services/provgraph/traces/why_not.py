"""Why an edge is not behind an answer: was it in the graph, was it retrieved, how did it rank, what would it need.

The edge that a client means is found by labels, by terms, or by the IRI that it has in a trace. What the session
recorded comes first. For an edge that it did not retrieve, the question is put to retrieval again with wider limits,
one after the other, so that what was missing is measured and not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.lineage import FactLineage, Lineages, lineages
from provgraph.catalogue.naming import NamedFact, facts_around, named_facts, read_name
from provgraph.errors import InvalidInput, NotFound
from provgraph.language.terms import terms
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.ports.retriever import CandidateEdge, RetrievalLimits, RetrievalRequest, Retriever
from provgraph.rdf.graphs import CollectionGraphs, collection_graphs, retrieval_graph
from provgraph.rdf.iris import session_uuid
from provgraph.rdf.json_terms import term_from_text, triple_to_json
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import TG
from provgraph.traces.reader import OpenedTrace
from provgraph.wire.flow_requests import PostedAskRequest
from provgraph.wire.trace import WhyNot, WhyNotAnswer

MOST_EDGES: Final = 20
WIDEST: Final = RetrievalLimits(entities=1_000, triples_per_entity=1_000, subgraph=5_000, path_length=5)


@dataclass(frozen=True)
class Inquiry:
    """One question about one session."""

    finder: FactFinder
    opened: OpenedTrace

    async def answer(self, asked: str) -> WhyNotAnswer:
        """`asked` is an edge, as `FactFinder.edge` reads it, or a name, for all edges around what it names.

        Raises `NotFound` where nothing is called so.
        """
        facts = await self._facts(asked)
        shown = facts[:MOST_EDGES]
        found = await lineages(self._store, self._graphs, shown)
        present = await self._store.contains(
            [Quad(fact.subject, fact.predicate, fact.object, self._graphs.knowledge) for fact in shown]
        )
        return WhyNotAnswer(
            session=self.opened.names.session.value,
            asked=asked,
            edges=[await self._edge(found, fact, now=now) for fact, now in zip(shown, present, strict=True)],
            more=len(facts) - len(shown),
        )

    @property
    def _store(self) -> QuadStore:
        return self.finder.collections.store

    @property
    def _graphs(self) -> CollectionGraphs:
        return collection_graphs(
            self.opened.trace.session.collection, self.finder.collections.explain_collection
        )

    async def _facts(self, asked: str) -> list[Triple]:
        collection = self.opened.trace.session.collection
        edge = await self.finder.edge(asked, collection, self._graphs)
        if edge:
            return [edge]
        triples = await facts_around(self._store, self._graphs, asked)
        if not triples:
            raise NotFound(
                f"Nothing in the collection {collection} is called {asked[:200]!r}. Name an edge as "
                "SUBJECT | RELATION | OBJECT, or a thing as the graph calls it."
            )
        return triples

    async def _edge(self, found: Lineages, fact: Triple, *, now: bool) -> WhyNot:
        trace = self.opened.trace
        ranked = sorted((*trace.selected, *trace.passed_over), key=lambda edge: -edge.score)
        rank = next((place for place, edge in enumerate(ranked, 1) if edge.edge == fact), None)
        why_not = WhyNot(
            subject=found.labels[fact.subject],
            relation=found.labels[fact.predicate],
            object=found.labels[fact.object],
            triple=triple_to_json(fact),
            status="not retrieved",
            now=now,
            then=self._was_there(found, found.of[fact], retrieved=rank is not None),
            rank=rank,
            retrieved=trace.edge_count,
            reason="",
        )
        if rank is not None:
            edge = ranked[rank - 1]
            status = "selected" if edge in trace.selected else "passed over"
            return why_not.model_copy(
                update={"status": status, "score": edge.score, "reason": edge.reasoning}
            )
        if self._is_left_out(found.of[fact]):
            return why_not.model_copy(
                update={"status": "left out", "reason": "The question was asked without it."}
            )
        if not now:
            reason = "No document in the collection says it now."
            return why_not.model_copy(update={"status": "not in the graph", "reason": reason})
        return await self._not_retrieved(why_not, found, fact)

    def _was_there(self, found: Lineages, lineage: FactLineage, *, retrieved: bool) -> bool | None:
        """Whether the edge was in the graph when the session began, as far as anything still tells."""
        read = [found.extractions[s.subgraph].at for s in lineage.sources if s.subgraph in found.extractions]
        if retrieved or any(_moment(at) <= _moment(self.opened.trace.session.started) for at in read):
            return True
        return False if read else None

    def _is_left_out(self, lineage: FactLineage) -> bool:
        without = self.opened.circumstances.without
        documents = {source.place.document for source in lineage.sources}
        return lineage.fact in without.edges or (bool(documents) and documents <= set(without.documents))

    async def _not_retrieved(self, why_not: WhyNot, found: Lineages, fact: Triple) -> WhyNot:
        if why_not.then is False:
            reason = "It was read after the session had begun."
            return why_not.model_copy(update={"reason": reason})
        request = self._request()
        result = await self.finder.retriever().retrieve(request)
        asked = [term.text for term in result.terms]
        met = _met(asked, found, found.of[fact])
        needed = await self._needed(request, fact)
        words = f"It meets {len(met)} of the {len(asked)} words of the question"
        reached = (
            f"{words}, and the limits kept it out."
            if needed
            else f"{words}, and even the widest search comes to no place from which it is reached."
        )
        if any(edge.triple == fact for edge in result.edges):
            reached = f"{words}. The same search finds it now: the collection has changed since."
        return why_not.model_copy(
            update={"reason": reached, "terms": asked, "terms_met": met, "needed": needed}
        )

    def _request(self) -> RetrievalRequest:
        """The retrieval of the session, as it would be made now."""
        session, circumstances = self.opened.trace.session, self.opened.circumstances
        fields = {**circumstances.fields, "query": session.query, "collection": session.collection}
        known = {name: value for name, value in fields.items() if name in PostedAskRequest.model_fields}
        asked = PostedAskRequest.model_validate(known)
        return RetrievalRequest(
            session.query,
            self.opened.trace.concepts,
            session.collection,
            asked.method,
            chunks=0,
            limits=asked.limits,
            parameters=asked.parameters,
            without=circumstances.without,
        )

    async def _needed(self, request: RetrievalRequest, fact: Triple) -> list[str]:
        """Each limit that alone lets the edge in, with what it would have to be; all of them where none alone does."""
        limits = request.limits
        needed: list[str] = []
        for length in range(limits.path_length + 1, WIDEST.path_length + 1):
            if await self._place(replace(request, limits=replace(limits, path_length=length)), fact):
                needed.append(f"max_path_length of at least {length}, not {limits.path_length}")
                break
        wide = replace(limits, subgraph=WIDEST.subgraph)
        if place := await self._place(replace(request, limits=wide), fact):
            needed.append(
                f"max_subgraph_size of at least {place[0]}, not {limits.subgraph}; its score is {place[1]}"
            )
        for name, field in (("triple_limit", "triples_per_entity"), ("entity_limit", "entities")):
            most = getattr(WIDEST, field)
            if await self._place(replace(request, limits=replace(limits, **{field: most})), fact):
                needed.append(f"a larger {name} than {getattr(limits, field)}")
        if not needed and (place := await self._place(replace(request, limits=WIDEST), fact)):
            needed.append(
                f"all limits at their widest; it is number {place[0]} then, with a score of {place[1]}"
            )
        return needed

    async def _place(self, request: RetrievalRequest, fact: Triple) -> tuple[int, float] | None:
        """The rank, from 1, and the score of an edge in a retrieval."""
        edges: Sequence[CandidateEdge] = (await self.finder.retriever().retrieve(request)).edges
        return next(((rank, e.score) for rank, e in enumerate(edges, 1) if e.triple == fact), None)


def _met(asked: Sequence[str], found: Lineages, lineage: FactLineage) -> list[str]:
    """The question's words that stand in the labels of an edge, its sentences or their titles."""
    said = {
        term
        for text in (
            *(
                found.labels[part]
                for part in (lineage.fact.subject, lineage.fact.predicate, lineage.fact.object)
            ),
            *(source.text for source in lineage.sources),
            *(source.place.title for source in lineage.sources),
        )
        for term in terms(text)
    }
    return [word for word in asked if said.issuperset(terms(word))]


def _moment(at: str) -> str:
    """A time without its Z, which would put 05.75Z after 05.751Z: fractions have no fixed length."""
    return at.removesuffix("Z")


MOST_NEAR: Final = 5


@dataclass(frozen=True)
class FactFinder:
    """Finds the one fact that a client names; `retriever` is asked for what comes near where there is none."""

    collections: Collections
    retriever: Callable[[], Retriever]

    async def fact(self, name: NamedFact, collection: str, graphs: CollectionGraphs) -> Triple:
        """Raises `NotFound` with near facts where labels name none, `InvalidInput` where they name several."""
        triples = await named_facts(self.collections.store, graphs, name)
        exact = name.as_terms()
        if exact is not None and (exact in triples or not triples):
            return exact
        if not triples:
            near = await self._near(name, collection)
            triples = [edge.triple for edge in near if name.is_called(*_labels(edge))]
        if not triples:
            for part in (name.subject, name.relation, name.object):
                if part.startswith(('"', "<")):
                    term_from_text(part)  # what begins as a term and is none is told as that
            raise NotFound(
                f"No fact is named {str(name)[:200]} in the collection {collection}. {_advice(near)}"
            )
        if len(triples) > 1:
            listed = "; ".join(" ".join(str(term) for term in fact) for fact in triples[:MOST_NEAR])
            raise InvalidInput(
                f"{len(triples)} facts are named {str(name)[:200]}. Name one by its IRIs: {listed}."
            )
        return triples[0]

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
