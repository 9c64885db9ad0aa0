"""What people bring and write, as quads: documents in the library, their processing, collections and notes on
them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from provgraph.provenance.nodes import entity_quads
from provgraph.rdf import literals
from provgraph.rdf.iris import agent_iri, collection_iri, deposit_iri, processing_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import DC, PROV, RDF, RDFS, TG

AGENT_LABEL = "ProvGraph librarian"


class ProcessingOutcome(StrEnum):
    """How a processing ended. One without an outcome is still running, or was cut off with its service."""

    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class DepositRecord:
    document: NamedNode
    content_hash: str
    title: str
    media_type: str
    description: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProcessingRecord:
    """`name` is what the client calls it; `collection` is where the facts go."""

    name: str
    document: NamedNode
    collection: str
    tags: tuple[str, ...] = ()


def deposit_quads(record: DepositRecord, at: datetime, graph: NamedNode) -> list[Quad]:
    """A document as it was handed in.

    <urn:trustgraph:deposit:11d745bf0c3619cc07be2ce09f893222> a prov:Entity, tg:Deposit ;
        tg:document <doc> ; dc:title "Radioactive substances" ;
        dc:description "A thesis" ; tg:mimeType "application/pdf" ; tg:contentHash "9f86d0" ; tg:tag "physics" ;
        prov:generatedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime .
    """
    node = deposit_iri(record.document)
    quads = [
        *entity_quads(node, TG.Deposit, graph),
        Quad(node, TG.document, record.document, graph),
        Quad(node, DC.title, literals.text(record.title), graph),
        Quad(node, TG.mime_type, literals.text(record.media_type), graph),
        Quad(node, TG.content_hash, literals.text(record.content_hash), graph),
        *(Quad(node, TG.tag, literals.text(tag), graph) for tag in record.tags),
        Quad(node, PROV.generated_at_time, literals.date_time(at), graph),
    ]
    if record.description:
        quads.append(Quad(node, DC.description, literals.text(record.description), graph))
    return quads


def processing_quads(record: ProcessingRecord, at: datetime, graph: NamedNode) -> list[Quad]:
    """That a deposit is being read into a collection.

    <urn:trustgraph:processing:p1> a prov:Activity, tg:Processing ; rdfs:label "p1" ;
        prov:used <urn:trustgraph:deposit:11d745bf0c3619cc07be2ce09f893222> ;
        tg:collection <urn:trustgraph:collection:default> ; tg:tag "physics" ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ;
        prov:wasAssociatedWith <urn:trustgraph:agent:librarian> .
    <urn:trustgraph:agent:librarian> a prov:Agent ; rdfs:label "ProvGraph librarian" .
    """
    node, agent = processing_iri(record.name), agent_iri("librarian")
    return [
        Quad(node, RDF.type, PROV.Activity, graph),
        Quad(node, RDF.type, TG.Processing, graph),
        Quad(node, RDFS.label, literals.text(record.name), graph),
        Quad(node, PROV.used, deposit_iri(record.document), graph),
        Quad(node, TG.collection, collection_iri(record.collection), graph),
        *(Quad(node, TG.tag, literals.text(tag), graph) for tag in record.tags),
        Quad(node, PROV.started_at_time, literals.date_time(at), graph),
        Quad(node, PROV.was_associated_with, agent, graph),
        Quad(agent, RDF.type, PROV.Agent, graph),
        Quad(agent, RDFS.label, literals.text(AGENT_LABEL), graph),
    ]


def processed_quads(
    name: str, outcome: ProcessingOutcome, failure: str, at: datetime, graph: NamedNode
) -> list[Quad]:
    """How it ended.

    <urn:trustgraph:processing:p1> prov:endedAtTime "2026-01-02T03:04:06Z"^^xsd:dateTime ; tg:outcome "failed" ;
        tg:failure "The document holds no text. Give a document with text in it." .
    """
    node = processing_iri(name)
    quads = [
        Quad(node, PROV.ended_at_time, literals.date_time(at), graph),
        Quad(node, TG.outcome, literals.text(outcome.value), graph),
    ]
    if failure:
        quads.append(Quad(node, TG.failure, literals.text(failure), graph))
    return quads


def collection_note_quads(
    collection: NamedNode, title: str, description: str, tags: Iterable[str], graph: NamedNode
) -> list[Quad]:
    """What people write on a collection; nothing of what is empty.

    <urn:trustgraph:collection:papers> dc:title "Papers" ; dc:description "What we read" ; tg:tag "physics" .
    """
    said = [(DC.title, title), (DC.description, description), *((TG.tag, tag) for tag in tags)]
    return [Quad(collection, term, literals.text(text), graph) for term, text in said if text]


def collection_quads(collection: NamedNode, name: str, at: datetime, graph: NamedNode) -> list[Quad]:
    """A collection, in its own source graph.

    <urn:trustgraph:collection:papers> a prov:Entity, tg:Collection ; rdfs:label "papers" ;
        prov:generatedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime .
    """
    return [
        *entity_quads(collection, TG.Collection, graph),
        Quad(collection, RDFS.label, literals.text(name), graph),
        Quad(collection, PROV.generated_at_time, literals.date_time(at), graph),
    ]


def settings_quads(collection: NamedNode, settings: str, graph: NamedNode) -> list[Quad]:
    """How a collection is read and asked where a request does not say it, as JSON.

    <urn:trustgraph:collection:papers> tg:settings "{\\"engine\\":\\"model-free\\"}" .
    """
    return [Quad(collection, TG.settings, literals.text(settings), graph)]
