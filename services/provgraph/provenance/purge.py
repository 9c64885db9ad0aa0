"""What remains of traces that were purged: how many, before which time, when, and by what. Examples as in `trace`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf import literals
from provgraph.rdf.iris import agent_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG


@dataclass(frozen=True)
class PurgeRecord:
    """All sessions that had begun before `before`, as counted when the purge began."""

    iri: NamedNode
    before: datetime
    sessions: int


def purge_quads(record: PurgeRecord, at: datetime, graph: NamedNode) -> list[Quad]:
    """A purge as it begins.

    <urn:trustgraph:purge:1> a prov:Activity, tg:Purge ; rdfs:label "Purge of traces" ;
        prov:startedAtTime "2026-02-01T00:00:00Z"^^xsd:dateTime ;
        prov:wasAssociatedWith <urn:trustgraph:agent:trace-keeper> ; tg:purgedSessions 3 ;
        tg:purgedBefore "2026-01-02T03:04:05Z"^^xsd:dateTime .
    <urn:trustgraph:agent:trace-keeper> a prov:Agent ; rdfs:label "ProvGraph trace keeper" .
    """
    agent = agent_iri("trace-keeper")
    return [
        Quad(record.iri, RDF.type, PROV.Activity, graph),
        Quad(record.iri, RDF.type, TG.Purge, graph),
        Quad(record.iri, RDFS.label, literals.text("Purge of traces"), graph),
        Quad(record.iri, PROV.started_at_time, literals.date_time(at), graph),
        Quad(record.iri, PROV.was_associated_with, agent, graph),
        Quad(record.iri, TG.purged_sessions, literals.integer(record.sessions), graph),
        Quad(record.iri, TG.purged_before, literals.date_time(record.before), graph),
        Quad(agent, RDF.type, PROV.Agent, graph),
        Quad(agent, RDFS.label, literals.text("ProvGraph trace keeper"), graph),
    ]


def purging_quads(purge: NamedNode, sessions: Sequence[NamedNode], graph: NamedNode) -> list[Quad]:
    """The sessions that are still to be purged; each goes when nothing of it is left.

    <urn:trustgraph:purge:1> tg:purging <urn:trustgraph:session:1> .
    """
    return [Quad(purge, TG.purging, session, graph) for session in sessions]


async def is_purging(store: QuadStore, graph: NamedNode) -> bool:
    """Whether sessions are still to be purged."""
    (left,) = await store.match([QuadPattern(None, TG.purging, None, graph)], limit=1)
    return bool(left)
