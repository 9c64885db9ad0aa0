"""Papers as quads: how alike two of them are, what building a collection of them missed, and what was asked of them.

That two papers are alike is a fact about documents, so it stands in the source graph, where they are described. Every
example in a docstring is parsed by a test and conforms to the shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from provgraph.provenance.nodes import entity_quads
from provgraph.provenance.trace import TraceScope
from provgraph.rdf import literals
from provgraph.rdf.iris import activity_iri, agent_iri
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import DC, PROV, RDF, RDFS, TG

COMPARER: Final = "paper-comparer"
BUILDER: Final = "paper-builder"


@dataclass(frozen=True)
class SimilarityRecord:
    """Two papers, each in one version, and how alike these are: `weight` is a cosine in 0…1.

    `vectors` names the model that the vectors are of, `method` what was made of them.
    """

    iri: NamedNode
    papers: tuple[NamedNode, NamedNode]
    versions: tuple[NamedNode, NamedNode]
    weight: float
    method: str
    vectors: str

    @property
    def fact(self) -> Triple:
        return Triple(self.papers[0], TG.similar_to, self.papers[1])


@dataclass(frozen=True)
class GapRecord:
    """A paper that a build could not take in: its title or file name, where it should have come from, and why not."""

    iri: NamedNode
    title: str
    reason: str
    source: str = ""


@dataclass(frozen=True)
class BuildRecord:
    """`topic` is what was searched for, or empty; `ended` is None while it runs."""

    iri: NamedNode
    collection: NamedNode
    topic: str
    started: datetime
    ended: datetime


def similarity_quads(record: SimilarityRecord, at: datetime, graph: NamedNode) -> list[Quad]:
    """That two papers are alike, by how much, and how that was found.

    <doc> tg:similarTo <other> .
    <urn:trustgraph:similarity:1> a prov:Entity, tg:PaperSimilarity ; tg:similarity <<( <doc> tg:similarTo <other> )>> ;
        tg:weight 0.61 ; prov:wasDerivedFrom <doc/version/9f86d0> , <other/version/2c26b4> ;
        prov:wasGeneratedBy <urn:trustgraph:similarity:1/comparison> .
    <urn:trustgraph:similarity:1/comparison> a prov:Activity, tg:PaperComparison ; rdfs:label "Compare papers" ;
        prov:used <doc/version/9f86d0> , <other/version/2c26b4> ;
        prov:wasAssociatedWith <urn:trustgraph:agent:paper-comparer> ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ;
        tg:method "cosine of mean chunk vectors" ; tg:embeddingModel "lexical" .
    <urn:trustgraph:agent:paper-comparer> a prov:Agent ; rdfs:label "ProvGraph paper-comparer" .
    """
    node, fact = record.iri, record.fact
    activity = activity_iri(node, "comparison")
    return [
        Quad(fact.subject, fact.predicate, fact.object, graph),
        *entity_quads(node, TG.PaperSimilarity, graph),
        Quad(node, TG.similarity, fact, graph),
        Quad(node, TG.weight, literals.decimal(record.weight), graph),
        *(Quad(node, PROV.was_derived_from, version, graph) for version in record.versions),
        Quad(node, PROV.was_generated_by, activity, graph),
        Quad(activity, RDF.type, PROV.Activity, graph),
        Quad(activity, RDF.type, TG.PaperComparison, graph),
        Quad(activity, RDFS.label, literals.text("Compare papers"), graph),
        *(Quad(activity, PROV.used, version, graph) for version in record.versions),
        Quad(activity, PROV.started_at_time, literals.date_time(at), graph),
        Quad(activity, TG.method, literals.text(record.method), graph),
        Quad(activity, TG.embedding_model, literals.text(record.vectors), graph),
        *_association(activity, COMPARER, graph),
    ]


def build_quads(record: BuildRecord, graph: NamedNode) -> list[Quad]:
    """That a collection of papers was built, and from what.

    <urn:trustgraph:build:1> a prov:Activity, tg:PaperBuild ; rdfs:label "Build paper graph" ;
        tg:query "document layout analysis" ; prov:used <urn:trustgraph:collection:papers> ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ;
        prov:endedAtTime "2026-01-02T03:04:06Z"^^xsd:dateTime ; tg:outcome "done" ;
        prov:wasAssociatedWith <urn:trustgraph:agent:paper-builder> .
    <urn:trustgraph:agent:paper-builder> a prov:Agent ; rdfs:label "ProvGraph paper-builder" .
    """
    node = record.iri
    topic = [Quad(node, TG.query, literals.text(record.topic), graph)] if record.topic else []
    return [
        Quad(node, RDF.type, PROV.Activity, graph),
        Quad(node, RDF.type, TG.PaperBuild, graph),
        Quad(node, RDFS.label, literals.text("Build paper graph"), graph),
        *topic,
        Quad(node, PROV.used, record.collection, graph),
        Quad(node, PROV.started_at_time, literals.date_time(record.started), graph),
        Quad(node, PROV.ended_at_time, literals.date_time(record.ended), graph),
        Quad(node, TG.outcome, literals.text("done"), graph),
        *_association(node, BUILDER, graph),
    ]


def gap_quads(record: GapRecord, build: NamedNode, graph: NamedNode) -> list[Quad]:
    """A paper that a build missed.

    <urn:trustgraph:gap:1> a prov:Entity, tg:PaperGap ; tg:gapOf <urn:trustgraph:build:1> ;
        dc:title "Radioactive substances" ; dc:source "https://arxiv.org/pdf/1903.00001v1" ;
        dc:description "The paper was withdrawn. Ask its authors for it." .
    """
    node = record.iri
    source = [Quad(node, DC.source, literals.text(record.source), graph)] if record.source else []
    return [
        *entity_quads(node, TG.PaperGap, graph),
        Quad(node, TG.gap_of, build, graph),
        Quad(node, DC.title, literals.text(record.title), graph),
        *source,
        Quad(node, DC.description, literals.text(record.reason), graph),
    ]


def conversation_quads(
    conversation: NamedNode, collection: NamedNode, at: datetime, graph: NamedNode
) -> list[Quad]:
    """A row of questions to a collection, from when it can be asked.

    <urn:trustgraph:conversation:1> a prov:Entity, tg:Conversation ;
        tg:conversationWith <urn:trustgraph:collection:papers> ;
        prov:generatedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime .
    """
    return [
        *entity_quads(conversation, TG.Conversation, graph),
        Quad(conversation, TG.conversation_with, collection, graph),
        Quad(conversation, PROV.generated_at_time, literals.date_time(at), graph),
    ]


def asked_papers_quads(
    scope: TraceScope, papers: Sequence[NamedNode], conversation: NamedNode | None
) -> list[Quad]:
    """Which papers a question was asked of, where they were chosen, and in which conversation.

    <urn:trustgraph:session:1> tg:chosenPaper <doc> ; tg:conversation <urn:trustgraph:conversation:1> .
    """
    session, graph = scope.names.session, scope.graph
    quads = [Quad(session, TG.chosen_paper, paper, graph) for paper in papers]
    if conversation:
        quads.append(Quad(session, TG.conversation, conversation, graph))
    return quads


def _association(activity: NamedNode, name: str, graph: NamedNode) -> list[Quad]:
    agent = agent_iri(name)
    return [
        Quad(activity, PROV.was_associated_with, agent, graph),
        Quad(agent, RDF.type, PROV.Agent, graph),
        Quad(agent, RDFS.label, literals.text(f"ProvGraph {name}"), graph),
    ]
