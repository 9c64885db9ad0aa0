"""Processings: which deposit is being read, or was, into which collection, and how that ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from provgraph.catalogue.deposits import GRAPH
from provgraph.errors import Conflict
from provgraph.ports.quad_store import QuadPattern, QuadStore, WriteUnit
from provgraph.provenance.library import (
    ProcessingOutcome,
    ProcessingRecord,
    processed_quads,
    processing_quads,
)
from provgraph.rdf.iris import deposit_iri, processing_iri
from provgraph.rdf.terms import NamedNode, Quad, Term, nodes_of, text_of, texts_of
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG


@dataclass(frozen=True)
class Processing:
    """`at` is ISO 8601 in UTC; `outcome` is empty while it runs."""

    record: ProcessingRecord
    at: str
    outcome: str = ""
    failure: str = ""


@dataclass(frozen=True)
class Processings:
    store: QuadStore

    async def begin(self, record: ProcessingRecord, at: datetime) -> None:
        """Record that it begins; one of this name that has ended begins anew.

        Raises `Conflict` where the name is that of a processing of another document, or into another collection.
        """
        node = processing_iri(record.name)
        (stored,) = await self.store.match([QuadPattern(node, graph=GRAPH)])
        quads = processing_quads(record, at, GRAPH)
        same = {
            Quad(node, PROV.used, deposit_iri(record.document), GRAPH),
            *(quad for quad in quads if quad.predicate == TG.collection),
        }
        if stored and not same <= set(stored):
            raise Conflict(f"The processing {record.name[:80]!r} is of another document. Use another id.")
        if stored:
            await self.store.remove(stored)
        await self.store.add_absent([WriteUnit(quads[0], tuple(quads))])

    async def all(self) -> list[Processing]:
        """All processings, the oldest first."""
        (found,) = await self.store.match([QuadPattern(None, RDF.type, TG.Processing, GRAPH)])
        nodes = [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]
        described = await self.store.match([QuadPattern(node, graph=GRAPH) for node in nodes])
        deposits = [nodes_of(quads, PROV.used)[0] for quads in described]
        documents = await self.store.match([QuadPattern(node, TG.document, None, GRAPH) for node in deposits])
        processings = [
            _processing(quads, pointing[0].object)
            for quads, pointing in zip(described, documents, strict=True)
            if pointing
        ]
        return sorted(processings, key=lambda each: (each.at.removesuffix("Z"), each.record.name))

    async def end(self, name: str, outcome: ProcessingOutcome, failure: str, at: datetime) -> None:
        """Record how it ended, unless it was removed meanwhile."""
        marker = Quad(processing_iri(name), RDF.type, TG.Processing, GRAPH)
        if (await self.store.contains([marker]))[0]:
            await self.store.add(processed_quads(name, outcome, failure, at, GRAPH))

    async def remove(self, name: str) -> bool:
        """Forget a processing; what it read stays. Tells whether there was one."""
        (quads,) = await self.store.match([QuadPattern(processing_iri(name), graph=GRAPH)])
        if quads:
            await self.store.remove(quads)
        return bool(quads)


def _processing(quads: Sequence[Quad], document: Term) -> Processing:
    assert isinstance(document, NamedNode)
    tags = tuple(sorted(texts_of(quads, TG.tag)))
    collection = nodes_of(quads, TG.collection)[0].value.rpartition(":")[2]
    record = ProcessingRecord(text_of(quads, RDFS.label), document, collection, tags)
    return Processing(
        record, text_of(quads, PROV.started_at_time), text_of(quads, TG.outcome), text_of(quads, TG.failure)
    )
