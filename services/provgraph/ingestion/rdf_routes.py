"""HTTP face of RDF in and out: `/api/v1/import` and `/api/v1/export`."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from itertools import islice
from typing import Final

from anyio import to_thread
from fastapi import APIRouter, Request, Response

from provgraph.errors import InvalidInput, UnreadableDocument
from provgraph.ingestion.importing import IMPORTER, document_of_facts, read_rdf, restored
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.rdf_admission import AdmittedRdf, RdfAdmission
from provgraph.ingestion.uploads import read_upload
from provgraph.late_routes import LateRouter
from provgraph.ports.quad_store import QuadPattern, StoreChange, StoreReader
from provgraph.provenance.receipt import ReceivedFile
from provgraph.rdf.graphs import DEFAULT_COLLECTION, collection_graphs
from provgraph.rdf.iris import collection_iri, session_uuid
from provgraph.rdf.serialization import RdfFormat, format_of_name, serialized
from provgraph.rdf.terms import Quad
from provgraph.rdf.vocabulary import TG
from provgraph.wire.documents import Imported

UNITS_AT_ONCE: Final = 100


def rdf_router(ingestion: Ingestion, removals: asyncio.Lock) -> APIRouter:
    """`removals` is held while a file is taken in, so that nothing of it is deleted half-written."""
    router = LateRouter(prefix="/api/v1", tags=["rdf"])

    @router.post("/import", status_code=201)
    async def import_(request: Request) -> Imported:
        """Take in one RDF file (multipart): an export as it was, any other file as facts with a source."""
        upload = await read_upload(request)
        if len(upload.files) > 1:
            raise InvalidInput("More than one file was sent. Import them one by one.")
        async with removals:
            return await import_file(ingestion, upload.files[0], upload.collection)

    @router.get("/export")
    async def export(collection: str = DEFAULT_COLLECTION, format: str = "nquads") -> Response:
        """A collection as N-Quads or TriG: its facts, their sources, and the traces of questions to it."""
        rdf_format = format_of_name(format)
        if rdf_format not in (RdfFormat.N_QUADS, RdfFormat.TRIG):
            raise InvalidInput(f"{format} has no named graphs, and an export has three. Use nquads or trig.")
        quads = await _exported(ingestion, collection)
        body = await to_thread.run_sync(serialized, quads, rdf_format)
        return Response(body, media_type=rdf_format.media_type)

    return router


async def import_file(ingestion: Ingestion, file: SourceFile, collection: str) -> Imported:
    """Take in one RDF file; its facts become a document of the id that it may have.

    Raises what `read_rdf` raises, `UnreadableDocument` for a file without a statement, and `Conflict` for one that adds
    to what is stored.
    """
    held = await to_thread.run_sync(read_rdf, file.content, file.name)
    if not held.own and not held.facts:
        raise UnreadableDocument(f"{file.name} holds no statement. Give a file with some.")
    at = ingestion.now()
    graphs = collection_graphs(collection, ingestion.collections.explain_collection)
    received = ReceivedFile(file.name, hashlib.sha256(file.content).hexdigest(), IMPORTER, at)
    coming = await to_thread.run_sync(lambda: list(restored(held.own, graphs, collection)))

    def decide(reader: StoreReader) -> StoreChange[AdmittedRdf]:
        admitted = RdfAdmission(reader, graphs).admitted(coming, received)
        return StoreChange(admitted, [], admitted.quads)

    own = await ingestion.store.of(collection).transact(decide) if coming else AdmittedRdf()
    await ingestion.collections.make(collection, at)
    documents = own.documents
    if facts := (*held.facts, *own.facts):
        document = await to_thread.run_sync(document_of_facts, facts, file, graphs, at)
        await ingestion.library.keep(collection, document.iri, file.content)
        await ingestion.library.keep(collection, document.page, document.text.encode())
        while units := await to_thread.run_sync(lambda: list(islice(document.units, UNITS_AT_ONCE))):
            await ingestion.store.add_absent(units)
        documents.append(document.iri)
    await ingestion.retriever.follow(collection, documents)
    return Imported(restored=own.restored, facts=len(facts), left_out=own.left_out)


async def _exported(ingestion: Ingestion, collection: str) -> list[Quad]:
    graphs = await ingestion.collections.require(collection)
    asked = QuadPattern(None, TG.collection, None, graphs.retrieval)
    beside = ingestion.store.of(collection)
    sessions, *found = await beside.match([asked, *(QuadPattern(graph=graph) for graph in graphs)])
    return await to_thread.run_sync(_of_its_own, collection, sessions, found)


def _of_its_own(collection: str, sessions: Sequence[Quad], found: Sequence[Sequence[Quad]]) -> list[Quad]:
    """Without the sessions of other collections."""
    own = collection_iri(collection)
    of_others = {session_uuid(quad.subject) for quad in sessions if quad.object != own}
    return [quad for quads in found for quad in quads if session_uuid(quad.subject) not in of_others]
