"""HTTP face of identities: `GET /api/v1/entities`, `POST /api/v1/entities/decisions`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated
from urllib.parse import unquote

from fastapi import APIRouter, Query

from provgraph.catalogue.decisions import Deciding, IdentityDecision, read_decisions
from provgraph.catalogue.sources import Source, SourceReader
from provgraph.errors import InvalidInput
from provgraph.late_routes import LateRouter
from provgraph.ports.retriever import TakenAsOne
from provgraph.provenance.resolution import ResolutionVerdict
from provgraph.rdf.graphs import DEFAULT_COLLECTION, CollectionGraphs
from provgraph.rdf.json_terms import triple_to_json
from provgraph.rdf.terms import Triple
from provgraph.retrieval.identity.description import EntityIdentity
from provgraph.retrieval.pipeline import GraphRetriever
from provgraph.traces.views import cited_source
from provgraph.wire.entities import (
    DecisionRequest,
    EntityApart,
    EntityDecision,
    EntityOther,
    EntityTie,
    EntityView,
)

Sources = Mapping[Triple, Sequence[Source]]


def entity_router(retriever: GraphRetriever, deciding: Deciding) -> APIRouter:
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
            found = await retriever.ambiguous_entities(collection, limit)
        else:
            found = (await retriever.entities(collection, name.strip()))[:limit]
        return await _views(found, graphs, deciding)

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
    found: Sequence[EntityIdentity], graphs: CollectionGraphs, deciding: Deciding
) -> list[EntityView]:
    store = deciding.collections.store
    facts = {tie.fact for each in found for other in each.one_with for tie in other.ties if tie.fact}
    sources = await SourceReader(store, graphs.source).sources(sorted(facts, key=str))
    decisions = await read_decisions(store, graphs.source)
    return [_view(each, sources, [d for d in decisions if each.entity in d.entities]) for each in found]


def _view(each: EntityIdentity, sources: Sources, decisions: Sequence[IdentityDecision]) -> EntityView:
    return EntityView(
        id=each.entity,
        labels=list(each.labels),
        types=list(each.types),
        ambiguous=each.is_ambiguous,
        doubt=each.doubt or None,
        one_with=[
            EntityOther(id=o.entity, label=o.label, ties=[_tie(tie, sources) for tie in o.ties])
            for o in each.one_with
        ],
        apart=[EntityApart(id=id_, label=label, reason=reason) for id_, label, reason in each.apart],
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
