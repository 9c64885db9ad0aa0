"""A request in the audit log as PROV. Example as in `trace`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from provgraph.rdf import literals
from provgraph.rdf.iris import agent_iri, principal_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG

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
