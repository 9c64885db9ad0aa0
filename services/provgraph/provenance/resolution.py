"""Entities that are one or are not: decided by people, or read by a rule and used by a question.

Neither ever changes a fact. Every example in a docstring is parsed by a test and conforms to the shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from provgraph.provenance.nodes import entity_quads
from provgraph.provenance.trace import TraceScope
from provgraph.rdf import literals
from provgraph.rdf.iris import person_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG


class ResolutionVerdict(StrEnum):
    SAME = "same"
    APART = "apart"


@dataclass(frozen=True)
class DecisionRecord:
    """What somebody decided of two entities, or of one: that it is one thing, whatever speaks against it."""

    iri: NamedNode
    verdict: ResolutionVerdict
    entities: tuple[NamedNode, ...]
    by: str
    at: datetime


@dataclass(frozen=True)
class ResolutionUse:
    """Two entities that a question took as one: `reasoning` in words, by which `rule`.

    `quotations` are the sentences that say so; `decision` is what a person decided, where that is why.
    """

    entities: tuple[NamedNode, NamedNode]
    rule: str
    reasoning: str
    quotations: tuple[NamedNode, ...] = ()
    decision: NamedNode | None = None


def decision_quads(record: DecisionRecord, graph: NamedNode) -> list[Quad]:
    """What somebody decided, in the source graph of the collection.

    <urn:trustgraph:resolution:1> a prov:Entity, tg:Resolution ; tg:verdict "same" ; tg:rule "decision" ;
        tg:resolvedEntity e:who, e:world-health-organization ;
        prov:wasAttributedTo <urn:trustgraph:person:ada> ;
        prov:generatedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime .
    <urn:trustgraph:person:ada> a prov:Agent ; rdfs:label "ada" .
    """
    node, agent = record.iri, person_iri(record.by)
    return [
        *entity_quads(node, TG.Resolution, graph),
        Quad(node, TG.verdict, literals.text(record.verdict.value), graph),
        Quad(node, TG.rule, literals.text("decision"), graph),
        *(Quad(node, TG.resolved_entity, entity, graph) for entity in record.entities),
        Quad(node, PROV.was_attributed_to, agent, graph),
        Quad(node, PROV.generated_at_time, literals.date_time(record.at), graph),
        Quad(agent, RDF.type, PROV.Agent, graph),
        Quad(agent, RDFS.label, literals.text(record.by), graph),
    ]


def undoing_quads(decision: NamedNode, by: str, at: datetime, graph: NamedNode) -> list[Quad]:
    """A decision that was taken back; it stays on record.

    <urn:trustgraph:resolution:1> prov:invalidatedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ;
        tg:undoneBy <urn:trustgraph:person:ada> .
    <urn:trustgraph:person:ada> a prov:Agent ; rdfs:label "ada" .
    """
    agent = person_iri(by)
    return [
        Quad(decision, PROV.invalidated_at_time, literals.date_time(at), graph),
        Quad(decision, TG.undone_by, agent, graph),
        Quad(agent, RDF.type, PROV.Agent, graph),
        Quad(agent, RDFS.label, literals.text(by), graph),
    ]


def resolution_quads(scope: TraceScope, uses: Sequence[ResolutionUse], number: str = "") -> list[Quad]:
    """The entities that a retrieval took as one, each pair by its rule; `number` is ":1" for a second retrieval.

    <urn:trustgraph:prov:resolution:1:0> a prov:Entity, tg:ResolutionUse ;
        tg:resolutionOf <urn:trustgraph:prov:retrieval:1> ;
        tg:resolvedEntity e:who, e:world-health-organization ; tg:rule "abbreviation" ;
        tg:reasoning "World Health Organization = WHO (abbreviation, read in “Health”)." ;
        tg:quotation <subgraph/quotation/0> ; tg:decision <urn:trustgraph:resolution:1> .
    """
    retrieval, graph = scope.names.step(f"retrieval{number}"), scope.graph
    quads: list[Quad] = []
    for index, use in enumerate(uses):
        node = scope.names.resolution(index, number)
        quads += [
            *entity_quads(node, TG.ResolutionUse, graph),
            Quad(node, TG.resolution_of, retrieval, graph),
            *(Quad(node, TG.resolved_entity, entity, graph) for entity in use.entities),
            Quad(node, TG.rule, literals.text(use.rule), graph),
            Quad(node, TG.reasoning, literals.text(use.reasoning), graph),
            *(Quad(node, TG.quotation, quotation, graph) for quotation in use.quotations),
        ]
        if use.decision:
            quads.append(Quad(node, TG.decision, use.decision, graph))
    return quads
