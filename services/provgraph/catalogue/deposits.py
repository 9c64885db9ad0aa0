"""The library's deposits, documents that were handed in, and their processings: which one is read into which
collection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from provgraph.documents.library import Library
from provgraph.errors import Conflict, NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore, WriteUnit
from provgraph.provenance.library import (
    DepositRecord,
    ProcessingOutcome,
    ProcessingRecord,
    deposit_quads,
    processed_quads,
    processing_quads,
)
from provgraph.rdf.graphs import DEFAULT_COLLECTION, source_graph
from provgraph.rdf.iris import deposit_iri, digest, processing_iri
from provgraph.rdf.serialization import RdfFormat, parse, serialize
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple, nodes_of, text_of, texts_of
from provgraph.rdf.vocabulary import DC, PROV, RDF, RDFS, TG

GRAPH: Final = source_graph(DEFAULT_COLLECTION)


@dataclass(frozen=True)
class Deposit:
    """`at` is ISO 8601 in UTC; `metadata` are the depositor's own statements, kept as they came."""

    record: DepositRecord
    at: str
    metadata: tuple[Triple, ...] = ()


@dataclass(frozen=True)
class Deposits:
    store: QuadStore
    library: Library

    async def add(
        self, record: DepositRecord, content: bytes, metadata: Iterable[Triple], at: datetime
    ) -> None:
        """Take a document in. Raises `Conflict` where its id stands for other content."""
        await self._require_free(record)
        node = deposit_iri(record.document)
        said = serialize(sorted(metadata, key=str), format=RdfFormat.N_TRIPLES) or b""
        await self.library.keep_all(DEFAULT_COLLECTION, {node: content, _metadata_iri(node): said})
        quads = deposit_quads(record, at, GRAPH)
        await self.store.add_absent([WriteUnit(Quad(node, RDF.type, TG.Deposit, GRAPH), tuple(quads))])

    async def all(self) -> list[Deposit]:
        """All deposits, the oldest first."""
        (found,) = await self.store.match([QuadPattern(None, RDF.type, TG.Deposit, GRAPH)])
        nodes = [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]
        described = await self.store.match([QuadPattern(node, graph=GRAPH) for node in nodes])
        deposits = [await self._deposit(quads) for quads in described]
        return sorted(deposits, key=lambda deposit: (deposit.at.removesuffix("Z"), deposit.record.title))

    async def one(self, document: NamedNode) -> Deposit:
        """Raises `NotFound` for a document that was not handed in."""
        (quads,) = await self.store.match([QuadPattern(deposit_iri(document), graph=GRAPH)])
        if not quads:
            raise NotFound(f"The library has no document {document.value}. Look up the ids in its list.")
        return await self._deposit(quads)

    async def content(self, document: NamedNode) -> bytes:
        """The bytes as they were handed in, whatever is read of them. Raises `NotFound`."""
        return await self.library.content(DEFAULT_COLLECTION, deposit_iri(document))

    async def remove(self, document: NamedNode) -> bool:
        """Remove the record of a deposit, its processings and its bytes; tells whether there was one."""
        node = deposit_iri(document)
        quads, used = await self.store.match(
            [QuadPattern(node, graph=GRAPH), QuadPattern(None, PROV.used, node, GRAPH)]
        )
        users = [quad.subject for quad in used if isinstance(quad.subject, NamedNode)]
        found = await self.store.match([QuadPattern(user, graph=GRAPH) for user in users])
        if quads:
            await self.store.remove([*quads, *(quad for processing in found for quad in processing)])
            await self.library.drop(DEFAULT_COLLECTION, node)
            await self.library.drop(DEFAULT_COLLECTION, _metadata_iri(node))
        return bool(quads)

    async def _require_free(self, record: DepositRecord) -> None:
        deposited = QuadPattern(deposit_iri(record.document), TG.content_hash, None, GRAPH)
        ingested = QuadPattern(None, PROV.specialization_of, record.document, GRAPH)
        deposits, versions = await self.store.match([deposited, ingested])
        hashes = [quad.object.value for quad in deposits if isinstance(quad.object, Literal)]
        hashes += [str(quad.subject).strip("<>").rpartition("/")[2] for quad in versions]
        if any(content_hash != record.content_hash for content_hash in hashes):
            raise Conflict(
                f"The id {record.document.value} already stands for a document with other content. "
                "Give this one an id of its own, or remove the other first."
            )

    async def _deposit(self, quads: list[Quad]) -> Deposit:
        document = next(quad.object for quad in quads if quad.predicate == TG.document)
        assert isinstance(document, NamedNode)
        record = DepositRecord(
            document=document,
            content_hash=text_of(quads, TG.content_hash),
            title=text_of(quads, DC.title),
            media_type=text_of(quads, TG.mime_type),
            description=text_of(quads, DC.description),
            tags=tuple(sorted(texts_of(quads, TG.tag))),
        )
        return Deposit(record, text_of(quads, PROV.generated_at_time), await self._metadata(document))

    async def _metadata(self, document: NamedNode) -> tuple[Triple, ...]:
        try:
            said = await self.library.content(DEFAULT_COLLECTION, _metadata_iri(deposit_iri(document)))
        except NotFound:
            return ()
        return tuple(quad.triple for quad in parse(said, format=RdfFormat.N_TRIPLES))


def _metadata_iri(deposit: NamedNode) -> NamedNode:
    """Under which the library keeps the depositor's own statements."""
    return NamedNode(f"{deposit.value}/metadata")


def content_hash(content: bytes) -> str:
    """The hash by which a deposit and a document version know their bytes."""
    return digest(content)


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
        return sorted(
            processings, key=lambda processing: (processing.at.removesuffix("Z"), processing.record.name)
        )

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
