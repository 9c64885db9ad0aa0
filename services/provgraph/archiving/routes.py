"""HTTP face of archives, backups and nanopublications: `/api/v1/archive`, `/api/v1/backup`,
`/api/v1/nanopubs`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final
from uuid import uuid4

from anyio import open_file
from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from provgraph.archiving.collection_export import Copies
from provgraph.archiving.collection_import import ArchiveImporter, ImportEvent
from provgraph.archiving.import_journal import ImportJournal, new_journal
from provgraph.archiving.nanopublications import Nanopublications
from provgraph.catalogue.collections import Collections
from provgraph.errors import InvalidInput, Unavailable, UnreadableArchive
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.iris import iri
from provgraph.rdf.json_terms import term_from_text
from provgraph.rdf.serialization import FORMATS
from provgraph.rdf.terms import Triple
from provgraph.sparql.formats import JSON_LD, N_QUADS, TRIG, accept_of_name, negotiated
from provgraph.wire.event_stream import EventNames, progress_reply
from provgraph.wire.service import ArchiveProgress, ImportedArchive

ZIP: Final = "application/zip"
_ZIP_BODY: Final = {"requestBody": {"content": {ZIP: {"schema": {"type": "string", "format": "binary"}}}}}
_NAMES: Final[EventNames] = {ArchiveProgress: "progress", ImportedArchive: "imported"}


def archiving_router(copies: Copies, importer: ArchiveImporter, workspace: Path) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["archives"])

    @router.get("/archive", response_class=Response)
    async def archive(collection: str = DEFAULT_COLLECTION) -> Response:
        """A whole collection as one ZIP file: its graphs, everything in its library, and the traces of its sessions."""
        await importer.collections.require(collection)
        return await _download(copies.archive(collection), f"{collection}.provgraph.zip")

    @router.get("/backup", response_class=Response)
    async def backup() -> Response:
        """Everything that is stored, as it is at this moment, as one ZIP file for `provgraph restore`."""
        return await _download(copies.backup(), "provgraph-backup.zip")

    @router.post("/archive", response_model=ImportedArchive, openapi_extra=_ZIP_BODY)
    async def take_in(
        request: Request, collection: str = "", accept: Annotated[str, Header()] = "*/*"
    ) -> Response:
        """Take in the archive that is the body, into the collection of its own name or of another: all or nothing.

        `Accept: text/event-stream` streams progress, and the outcome or what was wrong.
        """
        journal = await _received(request, workspace)
        return await progress_reply(_taken_in(importer, journal, collection), _NAMES, accept)

    return router


async def _download(pieces: AsyncGenerator[bytes], name: str) -> Response:
    """The first piece is awaited, so that what fails before it is told as a problem."""
    first = await anext(pieces)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingResponse(_rest(first, pieces), media_type=ZIP, headers=headers)


async def _rest(first: bytes, pieces: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    async with aclosing(pieces):
        yield first
        async for piece in pieces:
            yield piece


async def _received(request: Request, workspace: Path) -> ImportJournal:
    """The body in a file. Raises `UnreadableArchive` for one that is cut off, `Unavailable` for a full disk."""
    journal = new_journal(workspace, uuid4().hex)
    try:
        async with await open_file(journal.upload, "wb") as file:
            async for piece in request.stream():
                await file.write(piece)
    except BaseException as error:
        await journal.remove()
        if isinstance(error, ClientDisconnect):
            raise UnreadableArchive("The upload was cut off. Send the archive again.") from error
        if isinstance(error, OSError):
            raise Unavailable(
                f"The archive cannot be stored in {workspace} ({error.strerror}). Free some space on its disk."
            ) from error
        raise
    return journal


async def _taken_in(
    importer: ArchiveImporter, journal: ImportJournal, collection: str
) -> AsyncGenerator[ImportEvent]:
    """The events of an import, at whose end what arrived is removed."""
    try:
        async with aclosing(importer.take_in(journal, collection)) as events:
            async for event in events:
                yield event
    finally:
        await journal.remove()


def nanopublication_router(collections: Collections, now: Callable[[], datetime]) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["archives"])

    @router.get("/nanopubs", response_class=Response)
    async def nanopubs(
        s: str = "",
        p: str = "",
        o: str = "",
        collection: str = DEFAULT_COLLECTION,
        format: str = "",
        accept: Annotated[str, Header()] = "*/*",
    ) -> Response:
        """A fact as a nanopublication, or without `s`, `p` and `o` all facts of a collection.

        As TriG, N-Quads or JSON-LD, by `format` or Accept. Each part is an IRI; `o` may be a literal as in N-Triples.
        """
        chosen = negotiated(accept_of_name(format) if format else accept, (TRIG, N_QUADS, JSON_LD))
        graphs = await collections.require(collection)
        nanopublications = Nanopublications(collections.store, graphs, now, FORMATS[chosen.names[0]])
        headers = {"Content-Type": chosen.content_type, "Vary": "Accept"}
        if not (s or p or o):
            return StreamingResponse(nanopublications.all(), headers=headers)
        if not (s and p and o):
            raise InvalidInput("A fact has three parts: give s, p and o, or none of them for all facts.")
        fact = Triple(iri(s), iri(p), term_from_text(o))
        return Response(await nanopublications.one(fact), headers=headers)

    return router
