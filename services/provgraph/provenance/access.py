"""Who may see what, and who did: principals, the readers of a document, who asked over which view, and a request of the
audit log. Examples as in `trace`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from provgraph.provenance.trace import TraceScope
from provgraph.rdf import literals
from provgraph.rdf.iris import agent_iri, principal_iri, view_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG

ACCESS: Final = NamedNode("urn:graph:access")
"""Beside the graphs of the collections: not queried by users, not exported."""


def principal_quads(name: str, grant: str) -> list[Quad]:
    """Who has a token, and what for: `grant` is JSON.

    <urn:trustgraph:principal:ada> a tg:Principal ; rdfs:label "ada" ; tg:grant "{}" .
    """
    node = principal_iri(name)
    return [
        Quad(node, RDF.type, TG.Principal, ACCESS),
        Quad(node, RDFS.label, literals.text(name), ACCESS),
        Quad(node, TG.grant, literals.text(grant), ACCESS),
    ]


def reader_quads(document: NamedNode, readers: Iterable[str], graph: NamedNode) -> list[Quad]:
    """The groups and principals that may read a document; nobody named is everybody who may read its collection.

    <doc> tg:readableBy "cardiology" .
    """
    return [Quad(document, TG.readable_by, literals.text(name), graph) for name in dict.fromkeys(readers)]


def view_of(documents: Iterable[NamedNode]) -> NamedNode:
    """The view that holds these documents: the same documents are the same view."""
    names = "\n".join(sorted(document.value for document in documents))
    return view_iri(hashlib.sha256(names.encode()).hexdigest())


def view_quads(documents: Collection[NamedNode], graph: NamedNode) -> list[Quad]:
    """Some documents of a collection, over which questions are asked.

    <urn:trustgraph:view:11d745bf0c3619cc07be2ce09f89322289b648ebf30910c9ba38b84049787f0b> a prov:Entity, tg:View ;
        tg:viewDocument <doc> .
    """
    view = view_of(documents)
    return [
        Quad(view, RDF.type, TG.View, graph),
        Quad(view, RDF.type, PROV.Entity, graph),
        *(Quad(view, TG.view_document, document, graph) for document in sorted(documents, key=str)),
    ]


@dataclass(frozen=True)
class Asker:
    """The name of the principal that asks, and over which view, where it does not see all of a collection."""

    principal: str
    view: NamedNode | None = None


def asker_quads(scope: TraceScope, asker: Asker) -> list[Quad]:
    """Who asked the question of a session, and over which documents.

    <urn:trustgraph:session:1> tg:askedBy <urn:trustgraph:principal:ada> ; tg:askedOver <urn:trustgraph:view:1> .
    """
    session, graph = scope.names.session, scope.graph
    quads = [Quad(session, TG.asked_by, principal_iri(asker.principal), graph)]
    return [*quads, Quad(session, TG.asked_over, asker.view, graph)] if asker.view else quads


AUDIT: Final = NamedNode("urn:graph:audit")
"""The graph of an exported log."""


@dataclass(frozen=True)
class AccessRecord:
    """`hash` is that of the line of the log; `by` is a principal, or empty for the service's own token."""

    hash: str
    at: datetime
    by: str
    right: str
    request: str
    status: int
    concerns: Sequence[str] = ()


def access_quads(record: AccessRecord) -> list[Quad]:
    """Who asked for what, and how it was answered.

    <urn:trustgraph:access:9f86d0> a prov:Activity, tg:Access ; rdfs:label "Request" ; tg:right "ask" ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ; tg:request "POST /api/v1/graph-rag" ; tg:status 200 ;
        tg:concerns "default" ; prov:wasAssociatedWith <urn:trustgraph:principal:ada> .
    <urn:trustgraph:principal:ada> a prov:Agent ; rdfs:label "ada" .
    """
    node = NamedNode(f"urn:trustgraph:access:{record.hash}")
    agent = principal_iri(record.by) if record.by else agent_iri("service")
    return [
        Quad(node, RDF.type, PROV.Activity, AUDIT),
        Quad(node, RDF.type, TG.Access, AUDIT),
        Quad(node, RDFS.label, literals.text("Request"), AUDIT),
        Quad(node, PROV.started_at_time, literals.date_time(record.at), AUDIT),
        Quad(node, PROV.was_associated_with, agent, AUDIT),
        Quad(node, TG.right, literals.text(record.right), AUDIT),
        Quad(node, TG.request, literals.text(record.request), AUDIT),
        Quad(node, TG.status, literals.integer(record.status), AUDIT),
        *(Quad(node, TG.concerns, literals.text(name), AUDIT) for name in record.concerns),
        Quad(agent, RDF.type, PROV.Agent, AUDIT),
        Quad(agent, RDFS.label, literals.text(record.by or "the token of the service"), AUDIT),
    ]
