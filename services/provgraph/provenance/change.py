"""What was taken back, by deletion, revision, replacement or purge; the marks it leaves on old answers, and the words
that they keep of old versions. Examples as in `trace`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.nodes import entity_quads
from provgraph.rdf import literals
from provgraph.rdf.iris import SessionNames, agent_iri, person_iri
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term
from provgraph.rdf.vocabulary import DC, PROV, RDF, RDFS, TG


@dataclass(frozen=True)
class ChangeRecord:
    """Who took back something of which document, and when."""

    iri: NamedNode
    document: NamedNode
    collection: NamedNode
    by: str
    at: datetime


@dataclass(frozen=True)
class PastQuotation:
    """Words of an old version, which said a fact, with their place as it was; `quotation` is what they were called."""

    quotation: NamedNode
    page: NamedNode
    page_number: int
    document: NamedNode
    title: str
    offset: int
    text: str
    confidence: str


def deletion_quads(record: ChangeRecord, counts: Mapping[NamedNode, int], graph: NamedNode) -> list[Quad]:
    """What remains of a document: that it was deleted, in the source graph of the collection that it was in.

    <urn:trustgraph:change:1> a prov:Activity, tg:Deletion ; rdfs:label "Delete document" ;
        prov:used <urn:trustgraph:collection:papers> ; tg:changedDocument <doc> ;
        prov:wasAssociatedWith <urn:trustgraph:person:ada> ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ;
        tg:removedPages 1 ; tg:removedChunks 2 ; tg:removedSubgraphs 2 ; tg:removedFacts 12 ; tg:keptFacts 3 ;
        tg:removedEntities 4 ; tg:staleAnswers 1 ; tg:redactedAnswers 0 .
    <urn:trustgraph:person:ada> a prov:Agent ; rdfs:label "ada" .
    """
    return _change_quads(record, TG.Deletion, "Delete document", counts, graph)


def revision_quads(
    record: ChangeRecord,
    counts: Mapping[NamedNode, int],
    versions: tuple[NamedNode, NamedNode],
    graph: NamedNode,
) -> list[Quad]:
    """A version and the one whose place it took, and what that changed; `versions` is the new one and the old.

    <urn:trustgraph:change:1> a prov:Activity, tg:Revision ; rdfs:label "Revise document" ;
        prov:used <urn:trustgraph:collection:papers> ; tg:changedDocument <doc> ;
        prov:wasAssociatedWith <urn:trustgraph:person:ada> ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ;
        tg:keptChunks 7 ; tg:changedChunks 1 ; tg:addedChunks 0 ; tg:removedChunks 1 .
    <urn:trustgraph:person:ada> a prov:Agent ; rdfs:label "ada" .
    <doc/version/2c26b4> prov:wasRevisionOf <doc/version/9f86d0> .
    """
    new, old = versions
    changed = _change_quads(record, TG.Revision, "Revise document", counts, graph)
    return [*changed, Quad(new, PROV.was_revision_of, old, graph)]


def replacement_quads(record: ChangeRecord, counts: Mapping[NamedNode, int], graph: NamedNode) -> list[Quad]:
    """What extractors had read with another version, prompt or model, and what took its place.

    <urn:trustgraph:change:1> a prov:Activity, tg:Replacement ; rdfs:label "Replace readings" ;
        prov:used <urn:trustgraph:collection:papers> ; tg:changedDocument <doc> ;
        prov:wasAssociatedWith <urn:trustgraph:person:ada> ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ; tg:removedSubgraphs 2 .
    <urn:trustgraph:person:ada> a prov:Agent ; rdfs:label "ada" .
    """
    return _change_quads(record, TG.Replacement, "Replace readings", counts, graph)


def loss_quads(edge: NamedNode, change: NamedNode, graph: NamedNode) -> list[Quad]:
    """A selected edge that has lost a source it had when it was selected.

    <urn:trustgraph:prov:edge:1:0> tg:evidenceLostIn <urn:trustgraph:change:1> .
    """
    return [Quad(edge, TG.evidence_lost_in, change, graph)]


def stale_reason_quads(names: SessionNames, reason: str, graph: NamedNode) -> list[Quad]:
    """Why an answer no longer stands on what it stood on: one reason for each change that took some of it.

    <urn:trustgraph:prov:answer:1> tg:staleBecause "1 of 2 edges lost a source, as <doc> was deleted." .
    """
    return [Quad(names.step("answer"), TG.stale_because, literals.text(reason), graph)]


def invalidation_quads(names: SessionNames, change: NamedNode, at: datetime, graph: NamedNode) -> list[Quad]:
    """Since when an answer is stale, and by what: once, by the first change that took evidence from it.

    <urn:trustgraph:prov:answer:1> prov:wasInvalidatedBy <urn:trustgraph:change:1> ;
        prov:invalidatedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime .
    """
    answer = names.step("answer")
    return [
        Quad(answer, PROV.was_invalidated_by, change, graph),
        Quad(answer, PROV.invalidated_at_time, literals.date_time(at), graph),
    ]


def redacted_reformulation_quads(names: SessionNames, graph: NamedNode) -> list[Quad]:
    """A question that a model put in other words, without them.

    <urn:trustgraph:prov:reformulation:1> tg:query "(taken back)" .
    """
    return [Quad(names.step("reformulation"), TG.query, literals.text("(taken back)"), graph)]


def redaction_quads(names: SessionNames, deletion: NamedNode, graph: NamedNode) -> list[Quad]:
    """An answer whose text, edges, candidates, prompts and replies went with a document.

    <urn:trustgraph:prov:answer:1> tg:redactedIn <urn:trustgraph:change:1> .
    """
    return [Quad(names.step("answer"), TG.redacted_in, deletion, graph)]


def past_quotation_quads(
    names: SessionNames, edge: NamedNode, past: PastQuotation, graph: NamedNode
) -> list[Quad]:
    """Words that a selected edge stood on and that their document no longer says, kept with the trace.

    <urn:trustgraph:prov:past:1:17834400996617> a prov:Entity, tg:PastQuotation ;
        tg:quotedFor <urn:trustgraph:prov:edge:1:0> ; tg:quotation <subgraph/quotation/0> ;
        tg:sourceDocument <doc> ; dc:title "Radioactive substances" ;
        prov:wasQuotedFrom <doc/version/9f86d0/page/1> ; tg:pageNumber 1 ; tg:confidence 0.8 ;
        tg:sourceText "Curie discovered polonium." ; tg:sourceCharOffset 0 ; tg:sourceCharLength 26 .
    """
    node = names.past(edge, past.quotation, past.page)
    return [
        *entity_quads(node, TG.PastQuotation, graph),
        Quad(node, TG.quoted_for, edge, graph),
        Quad(node, TG.quotation, past.quotation, graph),
        Quad(node, TG.source_document, past.document, graph),
        Quad(node, DC.title, literals.text(past.title), graph),
        Quad(node, PROV.was_quoted_from, past.page, graph),
        Quad(node, TG.page_number, literals.integer(past.page_number), graph),
        Quad(node, TG.confidence, literals.decimal(float(past.confidence)), graph),
        Quad(node, TG.source_text, literals.text(past.text), graph),
        Quad(node, TG.source_char_offset, literals.integer(past.offset), graph),
        Quad(node, TG.source_char_length, literals.integer(len(past.text)), graph),
    ]


def _change_quads(
    record: ChangeRecord, kind: NamedNode, label: str, counts: Mapping[NamedNode, int], graph: NamedNode
) -> list[Quad]:
    change, agent = record.iri, person_iri(record.by)
    return [
        Quad(change, RDF.type, PROV.Activity, graph),
        Quad(change, RDF.type, kind, graph),
        Quad(change, RDFS.label, literals.text(label), graph),
        Quad(change, PROV.used, record.collection, graph),
        Quad(change, TG.changed_document, record.document, graph),
        Quad(change, PROV.was_associated_with, agent, graph),
        Quad(change, PROV.started_at_time, literals.date_time(record.at), graph),
        *(Quad(change, term, literals.integer(count), graph) for term, count in counts.items()),
        Quad(agent, RDF.type, PROV.Agent, graph),
        Quad(agent, RDFS.label, literals.text(record.by), graph),
    ]


def read_past(quads: Iterable[Quad]) -> dict[NamedNode, list[PastQuotation]]:
    """From quads of a trace, what each selected edge stood on that its document no longer says, by place."""
    said: dict[Term, dict[NamedNode, Term]] = defaultdict(dict)
    for quad in quads:
        said[quad.subject][quad.predicate] = quad.object
    by_edge: dict[NamedNode, list[PastQuotation]] = defaultdict(list)
    for values in said.values():
        if edge := values.get(TG.quoted_for):
            by_edge[_node(edge)].append(_past(values))
    return {edge: sorted(past, key=_place) for edge, past in by_edge.items()}


def _place(past: PastQuotation) -> tuple[str, int, int]:
    return past.document.value, past.page_number, past.offset


def _past(said: dict[NamedNode, Term]) -> PastQuotation:
    return PastQuotation(
        quotation=_node(said[TG.quotation]),
        page=_node(said[PROV.was_quoted_from]),
        page_number=int(_text(said[TG.page_number])),
        document=_node(said[TG.source_document]),
        title=_text(said[DC.title]),
        offset=int(_text(said[TG.source_char_offset])),
        text=_text(said[TG.source_text]),
        confidence=_text(said[TG.confidence]),
    )


def _node(term: Term) -> NamedNode:
    assert isinstance(term, NamedNode)
    return term


def _text(term: Term) -> str:
    assert isinstance(term, Literal)
    return term.value


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
