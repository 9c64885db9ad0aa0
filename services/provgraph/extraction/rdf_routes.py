"""HTTP face of RDF in and out: `/api/v1/import` and `/api/v1/export`."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pyoxigraph import NamedNode, Quad

from provgraph.errors import UnreadableDocument
from provgraph.extraction.importing import document_of_facts, read_rdf, restored
from provgraph.extraction.pipeline import Ingestion
from provgraph.extraction.planning import SourceFile
from provgraph.extraction.uploads import read_upload
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.serialization import format_of_name, serialized
from provgraph.rdf.vocabulary import RDF, TG
from provgraph.wire.documents import Imported


def rdf_router(ingestion: Ingestion) -> APIRouter:
    router = APIRouter(prefix="/api/v1", tags=["rdf"])

    @router.post("/import", status_code=201)
    async def import_(request: Request) -> Imported:
        """Take in one RDF file (multipart): an export as it was, any other file as facts with a source."""
        upload = await read_upload(request)
        return await _imported(ingestion, upload.files[0], upload.collection)

    @router.get("/export")
    async def export(collection: str = DEFAULT_COLLECTION, format: str = "nquads") -> Response:
        """All three graphs of a collection, as N-Quads or TriG."""
        rdf_format = format_of_name(format)
        graphs = await ingestion.collections.require(collection)
        found = await ingestion.store.match([QuadPattern(graph=graph) for graph in graphs])
        quads = [quad for quads in found for quad in quads]
        return Response(serialized(quads, rdf_format), media_type=rdf_format.media_type)

    return router


async def _imported(ingestion: Ingestion, file: SourceFile, collection: str) -> Imported:
    held = read_rdf(file.content, file.name)
    if not held.own and not held.facts:
        raise UnreadableDocument(f"{file.name} holds no statement. Give a file with some.")
    at = ingestion.now()
    await ingestion.collections.make(collection, at)
    graphs = await ingestion.collections.require(collection)
    own = list(restored(held.own, graphs, collection))
    if own:
        await ingestion.store.add(own)
    documents = _documents(own)
    if held.facts:
        document = document_of_facts(held.facts, file.content, file.name, graphs, at)
        await ingestion.library.keep(collection, document.iri, file.content)
        await ingestion.library.keep(collection, document.page, document.text.encode())
        await ingestion.store.add_absent(document.units)
        documents.append(document.iri)
    await ingestion.retriever.follow(collection, documents)
    return Imported(restored=len(own), facts=len(held.facts))


def _documents(quads: list[Quad]) -> list[NamedNode]:
    subjects = (quad.subject for quad in quads if quad.object == TG.Document and quad.predicate == RDF.type)
    return [subject for subject in subjects if isinstance(subject, NamedNode)]
