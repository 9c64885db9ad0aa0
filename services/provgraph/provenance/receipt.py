"""What came from outside as RDF or in an archive: a receipt for each document and session that came, and a mark on
what it says.

Whoever wrote such a file could write anything into it, so its own words on who extracted a fact, and when, are a claim.
The mark stays as long as what it marks, also when that is handed on. Examples as in `trace`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from provgraph.provenance.source import Component, described_activity
from provgraph.rdf import literals
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import SessionNames, activity_iri, document_of, document_of_page, session_uuid
from provgraph.rdf.terms import NamedNode, Quad, Term, named
from provgraph.rdf.vocabulary import DC, PROV, RDF, TG


@dataclass(frozen=True)
class ReceivedFile:
    """`content_hash` is the SHA-256 of the file, or of its list of parts, in hexadecimal digits."""

    name: str
    content_hash: str
    by: Component
    at: datetime

    @property
    def of_traces(self) -> ReceivedFile:
        """With an agent of its own: no triple stands in two graphs."""
        return replace(self, by=replace(self.by, name=f"{self.by.name}-of-traces"))

    def receipt_of(self, unit: NamedNode) -> NamedNode:
        """The activity by which this file brought a document."""
        return activity_iri(unit, f"receipt/{self.content_hash[:32]}")


def receipt_quads(receipt: NamedNode, unit: NamedNode, file: ReceivedFile, graph: NamedNode) -> list[Quad]:
    """That a document came in a file; of a session, its question.

    <doc/receipt/2c26b4> a prov:Activity, tg:Receipt ; rdfs:label "Received from outside" ; prov:used <doc> ;
        prov:wasAssociatedWith <urn:trustgraph:agent:rdf-import> ; tg:componentVersion "1" ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ;
        dc:source "papers.nq" ; tg:contentHash "2c26b4" .
    <urn:trustgraph:agent:rdf-import> a prov:Agent ; rdfs:label "ProvGraph RDF import" .
    """
    return [
        *described_activity(receipt, "Received from outside", unit, file.by, file.at, graph),
        Quad(receipt, RDF.type, TG.Receipt, graph),
        Quad(receipt, DC.source, literals.text(file.name), graph),
        Quad(receipt, TG.content_hash, literals.text(file.content_hash), graph),
    ]


def received_quads(unit: NamedNode, receipt: NamedNode, graph: NamedNode) -> list[Quad]:
    """The mark on a version, a subgraph or a session.

    <subgraph> tg:receivedIn <doc/receipt/2c26b4> .
    """
    return [Quad(unit, TG.received_in, receipt, graph)]


class ReceivedUnits:
    """Sees the quads of a file that are new to the store, in any order and in batches, and marks what they bring."""

    def __init__(self, file: ReceivedFile, graphs: CollectionGraphs) -> None:
        self._file = file
        self._graphs = graphs
        self._documents: dict[NamedNode, NamedNode] = {}
        self._subgraphs: set[NamedNode] = set()
        self._origins: dict[NamedNode, NamedNode] = {}
        self._questions: dict[NamedNode, NamedNode] = {}

    def note(self, quads: Iterable[Quad]) -> None:
        for quad in quads:
            if isinstance(quad.subject, NamedNode):
                if quad.graph_name == self._graphs.source:
                    self._note_source(quad.subject, quad)
                elif quad.graph_name == self._graphs.retrieval and quad.predicate == PROV.used:
                    self._questions[quad.subject] = named(quad.object)

    def quads(self) -> list[Quad]:
        """The marks, and the receipts that they name."""
        found: list[Quad] = []
        source, traces = self._graphs.source, self._graphs.retrieval
        for unit, document in self._units():
            receipt = self._file.receipt_of(document)
            found += received_quads(unit, receipt, source)
            found += receipt_quads(receipt, document, self._file, source)
        for session, question in self._questions.items():
            if session == (names := SessionNames(session_uuid(session))).session:
                receipt = names.step("receipt")
                found += received_quads(session, receipt, traces)
                found += receipt_quads(receipt, question, self._file.of_traces, traces)
        return list(dict.fromkeys(found))

    def _note_source(self, subject: NamedNode, quad: Quad) -> None:
        if quad.predicate == RDF.type and quad.object == TG.Subgraph:
            self._subgraphs.add(subject)
        elif quad.predicate == PROV.was_derived_from:
            self._origins[subject] = named(quad.object)
        elif quad.predicate == PROV.specialization_of:
            self._documents[subject] = named(quad.object)

    def _units(self) -> Iterator[tuple[NamedNode, NamedNode]]:
        """Versions and subgraphs, each with its document."""
        yield from self._documents.items()
        for subgraph in self._subgraphs & self._origins.keys():
            origin = self._origins[subgraph]
            yield subgraph, NamedNode(document_of(origin) or document_of_page(origin) or origin.value)


@dataclass(frozen=True)
class Receipt:
    """How something came from outside, as told: `by` is the name of the agent; `at` is ISO 8601 in UTC."""

    file: str
    content_hash: str
    by: str
    at: str


def read_receipt(described: Mapping[NamedNode, Term]) -> Receipt:
    """From the properties of the activity."""

    def text(predicate: NamedNode) -> str:
        term = described.get(predicate)
        return getattr(term, "value", "")

    return Receipt(
        file=text(DC.source),
        content_hash=text(TG.content_hash),
        by=text(PROV.was_associated_with).rpartition(":")[2],
        at=text(PROV.started_at_time),
    )
