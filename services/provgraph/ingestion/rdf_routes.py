"""HTTP face of RDF in and out, `/api/v1/import` and `/api/v1/export`; and which statements of a file may join what is
stored: whole new documents and sessions, and nothing else.

Whoever can write a file of RDF can write anything into it. So a file never adds to a document that was read here, nor
to a session that was answered here. That is looked up in the store and not only in the file; what it does bring gets a
receipt.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Annotated, Final, Literal

from anyio import to_thread
from fastapi import APIRouter, Header, Request, Response

from provgraph.errors import Conflict, InvalidInput, UnreadableDocument
from provgraph.ingestion.importing import IMPORTER, document_of_facts, read_rdf, restored
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.uploads import read_upload
from provgraph.late_routes import LateRouter
from provgraph.ports.quad_store import QuadPattern, StoreChange, StoreReader
from provgraph.provenance.receipt import ReceivedFile, ReceivedUnits
from provgraph.rdf.graphs import DEFAULT_COLLECTION, CollectionGraphs, collection_graphs, kind_of_graph
from provgraph.rdf.iris import SessionNames, collection_iri, is_collection, session_uuid
from provgraph.rdf.serialization import FORMATS, serialized
from provgraph.rdf.terms import NamedNode, Quad, Term, Triple, named
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG
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
        headers = {"Content-Type": chosen.in_version(version).content_type, "Vary": "Accept"}
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
    nodes = [graph for graph in graphs if kind_of_graph(graph) == only or not only]
    sessions, *found = await beside.match([asked, *(QuadPattern(graph=graph) for graph in nodes)])
    return await to_thread.run_sync(_of_its_own, collection, sessions, found)


def _of_its_own(collection: str, sessions: Sequence[Quad], found: Sequence[Sequence[Quad]]) -> list[Quad]:
    """Without the sessions of other collections."""
    own = collection_iri(collection)
    of_others = {session_uuid(quad.subject) for quad in sessions if quad.object != own}
    return [quad for quads in found for quad in quads if session_uuid(quad.subject) not in of_others]


_SHARED: Final = frozenset({PROV.Agent, TG.Collection})
"""What many things are tied to, and of which the store's own description stands."""

_Node = tuple[NamedNode, NamedNode]
"""What is described, and the graph in which it is."""


@dataclass(frozen=True)
class AdmittedRdf:
    """`quads` may be written, `restored` of them from the file, the rest its receipts; `facts` were asserted in it
    without a source of their own.

    `left_out` counts statements on sessions, agents and the collection that the store knows: those stand as they are.
    """

    quads: tuple[Quad, ...] = ()
    restored: int = 0
    facts: tuple[Triple, ...] = ()
    left_out: int = 0

    @property
    def documents(self) -> list[NamedNode]:
        return [named(quad.subject) for quad in self.quads if _says(quad, TG.Document)]


@dataclass(frozen=True)
class RdfAdmission:
    """Decides on the quads of one file, placed in the graphs of their collection."""

    reader: StoreReader
    graphs: CollectionGraphs

    def admitted(self, coming: Sequence[Quad], file: ReceivedFile) -> AdmittedRdf:
        """Raises `Conflict` for a file that would add to a document which the store has, and names it."""
        stored = self.reader.contains(coming)
        fresh = [quad for quad, is_stored in zip(coming, stored, strict=True) if not is_stored]
        quads = [quad for quad in fresh if quad.graph_name != self.graphs.knowledge]
        kept = self._without_known_sessions(quads)
        new = self._only_of_new_nodes(kept)
        self._refuse_additions(new)
        contained = {quad.object for quad in new if quad.predicate == TG.contains}
        knowledge = [quad for quad in fresh if quad.graph_name == self.graphs.knowledge]
        with_source = [quad for quad in knowledge if quad.triple in contained]
        without = tuple(quad.triple for quad in knowledge if quad.triple not in contained)
        units = ReceivedUnits(file, self.graphs)
        units.note(new)
        own = (*new, *with_source)
        left_out = len(fresh) - len(knowledge) - len(new)
        return AdmittedRdf((*own, *units.quads()), len(own), without, left_out)

    def _without_known_sessions(self, quads: Sequence[Quad]) -> list[Quad]:
        """What says something of a session that the store has is left out, whatever the file calls it."""
        uuids = {session_uuid(term) for quad in quads for term in (quad.subject, quad.object)} - {""}
        graph = self.graphs.retrieval
        names = sorted(uuids)
        found = self.reader.match(
            [QuadPattern(SessionNames(uuid).session, None, None, graph) for uuid in names], limit=1
        )
        known = {uuid for uuid, described in zip(names, found, strict=True) if described}
        return [quad for quad in quads if not {session_uuid(quad.subject), session_uuid(quad.object)} & known]

    def _only_of_new_nodes(self, quads: Sequence[Quad]) -> list[Quad]:
        types = self._stored_types((named(quad.subject), named(quad.graph_name)) for quad in quads)
        kept = []
        for quad in quads:
            stored = types[named(quad.subject), named(quad.graph_name)]
            if not stored:
                kept.append(quad)
            elif not stored & _SHARED and not is_collection(quad.subject):
                raise _addition(quad.subject)
        return kept

    def _refuse_additions(self, new: Sequence[Quad]) -> None:
        """A new node that is tied to one of another document, read here, would become part of that document."""
        links = [
            quad
            for quad in new
            if isinstance(quad.object, NamedNode) and quad.predicate not in (RDF.type, RDFS.label)
        ]
        types = self._stored_types((named(quad.object), named(quad.graph_name)) for quad in links)
        for quad in links:
            stored = types[named(quad.object), named(quad.graph_name)]
            if stored and not stored & _SHARED:
                raise _addition(quad.object)

    def _stored_types(self, nodes: Iterable[_Node]) -> dict[_Node, set[Term]]:
        """What the store says each is; nothing for one that it does not describe."""
        keys = list(dict.fromkeys(nodes))
        found = self.reader.match([QuadPattern(node, RDF.type, None, graph) for node, graph in keys])
        return {key: {quad.object for quad in quads} for key, quads in zip(keys, found, strict=True)}


def _says(quad: Quad, kind: NamedNode) -> bool:
    return quad.predicate == RDF.type and quad.object == kind


def _addition(node: Term) -> Conflict:
    iri = named(node).value
    document = iri.partition("/version/")[0].partition("/chunk/")[0]
    return Conflict(
        f"The file says something of {document[:200]}, which is stored here, that is not stored here. "
        "Nothing was imported. A file of RDF adds no fact to a document and no step to an answer: "
        "import it into another collection, or delete the document first."
    )
