"""HTTP face of RDF in and out: `/api/v1/import` and `/api/v1/export`."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import Annotated, Final, Literal

from anyio import to_thread
from fastapi import APIRouter, Header, Request, Response

from provgraph.errors import InvalidInput, UnreadableDocument
from provgraph.ingestion.importing import IMPORTER, document_of_facts, read_rdf, restored
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.rdf_admission import AdmittedRdf, RdfAdmission
from provgraph.ingestion.uploads import read_upload
from provgraph.late_routes import LateRouter
from provgraph.ports.quad_store import QuadPattern, StoreChange, StoreReader
from provgraph.provenance.receipt import ReceivedFile
from provgraph.rdf.graphs import DEFAULT_COLLECTION, collection_graphs, kind_of_graph
from provgraph.rdf.iris import collection_iri, session_uuid
from provgraph.rdf.serialization import FORMATS, serialized
from provgraph.rdf.terms import Quad
from provgraph.rdf.vocabulary import TG
from provgraph.sparql.formats import (
    JSON_LD,
    N_QUADS,
    N_TRIPLES,
    TRIG,
    TURTLE,
    accept_of_name,
    accepted_version,
    negotiated,
    with_version,
)
from provgraph.wire.documents import Imported

UNITS_AT_ONCE: Final = 100
EXPORTED: Final = (N_QUADS, TRIG, JSON_LD, TURTLE, N_TRIPLES)
"""The formats of an export, the preferred one first."""


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

    @router.get("/export", response_class=Response)
    async def export(
        collection: str = DEFAULT_COLLECTION,
        format: str = "",
        rdf: str = "",
        graph: Literal["", "knowledge", "source", "retrieval"] = "",
        accept: Annotated[str, Header()] = "*/*",
    ) -> Response:
        """A collection as RDF: its facts, their sources, and the traces of its questions; or one of these, by `graph`.

        As N-Quads, TriG, JSON-LD, Turtle or N-Triples, by `format` or Accept; the last two have no named graphs, and
        hold the triples of all. `rdf=1.1`, or `version=1.1` in Accept, is for readers that know no triple terms.
        """
        wanted = accept_of_name(format) if format else accept
        wanted = with_version(wanted, rdf) if rdf else wanted
        chosen = negotiated(wanted, EXPORTED)
        version = accepted_version(wanted, chosen)
        quads = await _exported(ingestion, collection, graph)
        write = partial(serialized, quads, FORMATS[chosen.names[0]], version, with_graphs=True)
        headers = {"Content-Type": chosen.told_in(version).content_type, "Vary": "Accept"}
        return Response(await to_thread.run_sync(write), headers=headers)

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


async def _exported(ingestion: Ingestion, collection: str, only: str) -> list[Quad]:
    """The quads of all graphs of a collection, or of the one of a kind."""
    graphs = await ingestion.collections.require(collection)
    asked = QuadPattern(None, TG.collection, None, graphs.retrieval)
    beside = ingestion.store.of(collection)
    chosen = [graph for graph in graphs if kind_of_graph(graph) == only or not only]
    sessions, *found = await beside.match([asked, *(QuadPattern(graph=graph) for graph in chosen)])
    return await to_thread.run_sync(_of_its_own, collection, sessions, found)


def _of_its_own(collection: str, sessions: Sequence[Quad], found: Sequence[Sequence[Quad]]) -> list[Quad]:
    """Without the sessions of other collections."""
    own = collection_iri(collection)
    of_others = {session_uuid(quad.subject) for quad in sessions if quad.object != own}
    return [quad for quads in found for quad in quads if session_uuid(quad.subject) not in of_others]
