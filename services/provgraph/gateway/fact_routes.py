"""HTTP face of facts and entities: `/api/v1/lineage`, `/api/v1/knowledge`, `/api/v1/compare` and
`/api/v1/entities`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import unquote

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.decisions import DecisionWriter, IdentityDecision, read_decisions
from provgraph.catalogue.document_names import named_document
from provgraph.catalogue.documents import DocumentCatalogue
from provgraph.catalogue.lineage import DocumentComparison, ExtractorComparison, lineages
from provgraph.catalogue.naming import NamedFact, called
from provgraph.catalogue.sources import Source, SourceReader
from provgraph.errors import InvalidInput
from provgraph.late_routes import LateRouter
from provgraph.ports.retriever import TakenAsOne
from provgraph.provenance.resolution import ResolutionVerdict
from provgraph.rdf.graphs import DEFAULT_COLLECTION, CollectionGraphs
from provgraph.rdf.json_terms import triple_to_json
from provgraph.rdf.terms import Triple
from provgraph.traces.drawings import Drawing, Form
from provgraph.traces.neighbourhood import FactFilter, neighbourhood, whole_graph
from provgraph.traces.views import cited_source, lineage_view, source_view
from provgraph.traces.why_not import FactFinder
from provgraph.wire.entities import (
    DecisionRequest,
    EntityApart,
    EntityDecision,
    EntityOther,
    EntityTie,
    EntityView,
)
from provgraph.wire.lineage import FactReader, FoundFact, Lineage, ReadingComparison
from provgraph.wire.picture import PlacedGraph

if TYPE_CHECKING:  # slow to import, and lineages are told without
    from provgraph.retrieval.identity.description import EntityIdentity
    from provgraph.retrieval.pipeline import GraphRetriever

_PART: Final = 2_000

Part = Annotated[str, Query(min_length=1, max_length=_PART)]


class FactQuery(BaseModel):
    """Which facts to show."""

    entity: list[str] = Field(
        [], max_length=50, description="Things, by IRI or label; without any, the whole collection."
    )
    relation: list[str] = Field([], max_length=50, description="Only facts of these relations, by IRI.")
    since: int | None = Field(
        None,
        ge=0,
        le=9999,
        description="Only facts of this year or later, by a date or the year that a sentence names.",
    )
    until: int | None = Field(None, ge=0, le=9999, description="Only facts of this year or earlier.")
    most: int = Field(60, ge=1, le=5_000, description="How many facts to show.")
    collection: str = DEFAULT_COLLECTION

    @property
    def filter(self) -> FactFilter:
        return FactFilter(self.most, self.relation, self.since, self.until)


class PictureQuery(FactQuery):
    format: Form = "svg"


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


def neighbourhood_router(collections: Collections) -> APIRouter:
    router = LateRouter(prefix="/api/v1/knowledge", tags=["catalogue"])

    async def drawn(wanted: FactQuery) -> Drawing:
        graphs = await collections.require(wanted.collection)
        if not wanted.entity:
            return await whole_graph(collections.store, graphs, wanted.filter)
        nodes = [await called(collections.store, graphs.knowledge, entity) for entity in wanted.entity]
        centres = list(dict.fromkeys(node for named in nodes for node in named))
        return await neighbourhood(collections.store, graphs, centres, wanted.filter)

    @router.get("/picture", response_class=Response)
    async def picture(wanted: Annotated[PictureQuery, Query()]) -> Response:
        """The facts around some things of a collection, or all of them, drawn."""
        return await (await drawn(wanted)).picture(wanted.format)

    @router.get("/graph")
    async def graph(wanted: Annotated[FactQuery, Query()]) -> PlacedGraph:
        """The same as places, for a program that draws it itself."""
        return await (await drawn(wanted)).places(wanted.collection)

    return router


def reading_comparison_router(collections: Collections) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["catalogue"])

    @router.get("/compare")
    async def compare(
        id: str,
        by: str = "extractor",
        between: Annotated[list[str] | None, Query(max_length=20)] = None,
        collection: str = DEFAULT_COLLECTION,
    ) -> ReadingComparison:
        """The facts of a document by who found them: extractor, model or version; all of them, or those that
        `between` names."""
        catalogue = DocumentCatalogue(collections.store, await collections.require(collection))
        document = await named_document(catalogue, id)
        comparison = await ExtractorComparison(catalogue).compared(document, by, between or ())
        return ReadingComparison(
            document=document.value,
            by=by,
            readers=[
                FactReader(name=name, facts=comparison.found(name), only=comparison.only(name))
                for name in comparison.readers
            ],
            shared=comparison.shared,
            facts=_facts(comparison),
        )

    return router


def _facts(comparison: DocumentComparison) -> list[FoundFact]:
    return [
        FoundFact(
            subject=comparison.labels[compared.fact.subject],
            relation=comparison.labels[compared.fact.predicate],
            object=comparison.labels[compared.fact.object],
            triple=triple_to_json(compared.fact),
            found_by=list(compared.found_by),
            sources=[
                source_view(source, comparison.extractions.get(source.subgraph))
                for source in compared.sources
            ],
        )
        for compared in comparison.facts
    ]


Sources = Mapping[Triple, Sequence[Source]]


def entity_router(retriever: GraphRetriever, deciding: DecisionWriter) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["entities"])
    collections = deciding.collections

    @router.get("/entities")
    async def entities(
        name: Annotated[str, Query(max_length=2_000, description="A name or an IRI.")] = "",
        ambiguous: bool = False,
        collection: str = DEFAULT_COLLECTION,
        limit: Annotated[int, Query(ge=1, le=10_000)] = 100,
    ) -> list[EntityView]:
        """The entities of a name, what they are one with and why; with `ambiguous`, all of doubtful identity."""
        graphs = await collections.require(collection)
        if ambiguous == bool(name.strip()):
            raise InvalidInput("Give a name to look up, or ask for the ambiguous ones.")
        if ambiguous:
            identities = await retriever.ambiguous_entities(collection, limit)
        else:
            identities = (await retriever.entities(collection, name.strip()))[:limit]
        return await _views(identities, graphs, deciding)

    @router.post("/entities/decisions")
    async def decide(body: DecisionRequest) -> EntityDecision:
        """Record that two entities are one, or are not, or take such a decision back. No fact is changed."""
        by = body.by.strip() or "a client"
        if body.verdict == "undo":
            return _decision(await deciding.undo(body.entities, body.collection, by))
        return _decision(
            await deciding.decide(ResolutionVerdict(body.verdict), body.entities, body.collection, by)
        )

    return router


async def _views(
    identities: Sequence[EntityIdentity], graphs: CollectionGraphs, deciding: DecisionWriter
) -> list[EntityView]:
    store = deciding.collections.store
    facts = {
        tie.fact for identity in identities for other in identity.one_with for tie in other.ties if tie.fact
    }
    sources = await SourceReader(store, graphs.source).sources(sorted(facts, key=str))
    decisions = await read_decisions(store, graphs.source)
    return [
        _view(identity, sources, [d for d in decisions if identity.entity in d.entities])
        for identity in identities
    ]


def _view(identity: EntityIdentity, sources: Sources, decisions: Sequence[IdentityDecision]) -> EntityView:
    return EntityView(
        id=identity.entity,
        labels=list(identity.labels),
        types=list(identity.types),
        ambiguous=identity.is_ambiguous,
        doubt=identity.doubt or None,
        one_with=[
            EntityOther(id=o.entity, label=o.label, ties=[_tie(tie, sources) for tie in o.ties])
            for o in identity.one_with
        ],
        apart=[EntityApart(id=id_, label=label, reason=reason) for id_, label, reason in identity.apart],
        decisions=[_decision(decision) for decision in decisions],
    )


def _tie(tie: TakenAsOne, sources: Sources) -> EntityTie:
    return EntityTie(
        entities=[entity.value for entity in tie.entities],
        rule=tie.rule,
        told=tie.told,
        fact=triple_to_json(tie.fact) if tie.fact else None,
        decision=tie.decision.value if tie.decision else None,
        within=sorted(tie.within),
        sources=[cited_source(source) for source in sources[tie.fact]] if tie.fact else [],
    )


def _decision(decision: IdentityDecision) -> EntityDecision:
    return EntityDecision(
        id=decision.iri.value,
        verdict=decision.verdict.value,
        entities=list(decision.entities),
        by=unquote(decision.by.rpartition(":")[2]),
        at=decision.at,
        undone=decision.undone or None,
    )
