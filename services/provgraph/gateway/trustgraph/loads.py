"""Bulk transfer: WebSockets that take triples in, or give all facts of a collection out.

A load of triples becomes a document whose bytes are its statements in order.

So the same load again changes nothing, in whatever order a client sends it, and its facts can be proved, found and
taken back as all others. A load is whole when its client has closed the connection; nobody is there any more to be
told of an error, and whoever asks next waits until what was loaded can be seen. What these clients load beside triples
is not needed (contexts of entities, which are read from the triples) or not provided (vectors, rows), and then the
socket is closed with the reason.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import re
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from provgraph.errors import InvalidInput, ProvGraphError, TooLarge
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body, json_object, wire_quad
from provgraph.gateway.trustgraph.routes import POLICY_VIOLATION
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.planning import SourceFile
from provgraph.ingestion.rdf_routes import import_file
from provgraph.late_routes import LateRouter
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import DEFAULT_COLLECTION, collection_name, source_graph
from provgraph.rdf.iris import digest, document_iri, iri
from provgraph.rdf.json_terms import JsonTerm, triple_from_json
from provgraph.rdf.terms import BlankNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import PROV

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_BLANK_NAME: Final = re.compile(r"[A-Za-z0-9]+")
ROUNDS: Final = 8
"""How far apart two nodes may be told by their surroundings."""


def triple_with_blank_nodes(told: JsonTerm) -> Triple:
    """Raises `InvalidInput` for what is no triple."""
    return triple_from_json({place: _term(told.get(place)) for place in ("s", "p", "o")})


def steady_names(quads: Sequence[Quad]) -> list[Quad]:
    """The quads with blank nodes named by a hash of what is said of them, and of their neighbours, a few steps far.

    Nodes that even so look alike keep different names, in the order in which they came.
    """
    names: dict[Term, str] = {
        term: "" for quad in quads for term in (quad.subject, quad.object) if isinstance(term, BlankNode)
    }
    for _ in range(ROUNDS if names else 0):
        said: dict[Term, list[str]] = defaultdict(list)
        for quad in quads:
            subject, object_ = (_shown(term, names) for term in (quad.subject, quad.object))
            said[quad.subject].append(f"> {quad.predicate} {object_} {quad.graph_name}")
            said[quad.object].append(f"< {quad.predicate} {subject} {quad.graph_name}")
        names = {node: _hash(sorted(said[node])) for node in names}
    steady = _distinct_nodes(names)
    return [
        Quad(
            steady.get(quad.subject, quad.subject),
            quad.predicate,
            steady.get(quad.object, quad.object),
            quad.graph_name,
        )
        for quad in quads
    ]


def _distinct_nodes(names: dict[Term, str]) -> dict[Term, Any]:
    counts: dict[str, int] = defaultdict(int)
    steady: dict[Term, Any] = {}
    for node, name in names.items():
        steady[node] = BlankNode(f"b{name}n{counts[name]}")
        counts[name] += 1
    return steady


def _shown(term: Term, names: dict[Term, str]) -> str:
    return f"_:{names[term]}" if term in names else str(term)


def _hash(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:24]


def _term(told: Any) -> Any:
    """An IRI without a scheme is the name of a blank node."""
    match told:
        case {"t": "i", "i": str(name)} if not _SCHEME.match(name) and _BLANK_NAME.fullmatch(name):
            return {"t": "b", "d": name}
        case None:
            return {}
        case _:
            return told


logger = logging.getLogger(__name__)


@dataclass
class Load:
    """What one connection brings: quads by collection, each with the id that the client gives its document."""

    limit: int
    quads: dict[tuple[str, str], list[Quad]] = field(default_factory=dict)
    count: int = 0

    def take(self, frame: Body) -> None:
        """A frame of triples, or one that is a triple. Raises `InvalidInput`, and `TooLarge` beyond the limit."""
        metadata = fields.part(frame, "metadata") if frame.get("metadata") else {}
        collection = collection_name(fields.text(metadata, "collection", "") or DEFAULT_COLLECTION)
        given_id = fields.text(metadata, "id", "")
        if given_id:
            document_iri(b"", given_id)
        triples = fields.parts(frame, "triples") if "triples" in frame else [frame]
        self.count += len(triples)
        if self.count > self.limit:
            raise TooLarge(f"A load has at most {self.limit:,} triples. Split it into several.")
        self.quads.setdefault((collection, given_id), []).extend(map(_quad, triples))


@dataclass
class Loads:
    """`limit` is how many triples one load may have; `removals` is held while one is taken in."""

    ingestion: Ingestion
    removals: asyncio.Lock
    limit: int = 2_000_000
    _importing: set[asyncio.Task[None]] = field(default_factory=set)

    def begin(self) -> Load:
        return Load(self.limit)

    async def finish(self, load: Load) -> None:
        """Import what was brought."""
        task = asyncio.create_task(self._import(load))
        self._importing.add(task)
        task.add_done_callback(self._importing.discard)
        await asyncio.shield(task)

    async def settled(self) -> None:
        """Wait until all loads that have ended can be seen."""
        if self._importing:
            await asyncio.wait(set(self._importing))

    async def facts(self, collection: str) -> list[Quad]:
        """All facts of a collection, with those of the loads that have ended. Raises `NotFound`."""
        await self.settled()
        graphs = await self.ingestion.collections.require(collection)
        (quads,) = await self.ingestion.store.match([QuadPattern(graph=graphs.knowledge)])
        return quads

    async def _import(self, load: Load) -> None:
        for (collection, given_id), quads in load.quads.items():
            try:
                async with self.removals:
                    file = await self._file(collection, given_id, quads)
                    await import_file(self.ingestion, file, collection)
            except ProvGraphError:
                logger.exception("a load into the collection %s was refused", collection)

    async def _file(self, collection: str, given_id: str, quads: Iterable[Quad]) -> SourceFile:
        lines = sorted({str(quad) for quad in steady_names(list(dict.fromkeys(quads)))})
        content = "".join(f"{line} .\n" for line in lines).encode()
        title = given_id or "Loaded triples"
        file = SourceFile(f"{title}.nq", content, title=title, id=given_id)
        return file if await self._is_free(collection, file) else replace(file, id="")

    async def _is_free(self, collection: str, file: SourceFile) -> bool:
        """Whether the id is of no other document; a second load under one id is named by its content."""
        document = document_iri(file.content, file.id)
        versions = QuadPattern(None, PROV.specialization_of, document, source_graph(collection))
        (quads,) = await self.ingestion.store.match([versions])
        return all(digest(file.content) in str(quad.subject) for quad in quads)


def _quad(told: Body) -> Quad:
    triple = triple_with_blank_nodes(dict(told))
    graph = fields.text(told, "g", "")
    named = iri(graph) if graph else None
    return Quad(triple.subject, triple.predicate, triple.object, named)


CLOSED_PROPERLY: Final = (1000, 1001)
MOST_OF_REASON: Final = 120
"""Bytes that a close frame has for its reason, less a little (RFC 6455, section 5.5)."""


def bulk_router(loads: Loads) -> APIRouter:
    router = LateRouter(prefix="/api/v1/flow/{flow}", tags=["trustgraph"])

    @router.websocket("/import/triples")
    async def import_triples(socket: WebSocket) -> None:
        await _import_triples(socket, loads)

    @router.websocket("/import/entity-contexts")
    async def import_contexts(socket: WebSocket) -> None:
        await socket.accept()
        with suppress(WebSocketDisconnect, InvalidInput):
            async for _ in _frames(socket):
                continue

    @router.websocket("/export/triples")
    async def export_triples(socket: WebSocket, collection: str = DEFAULT_COLLECTION) -> None:
        await _export_triples(socket, loads, collection)

    @router.websocket("/import/{kind}")
    @router.websocket("/export/{kind}")
    async def not_provided(socket: WebSocket, kind: str) -> None:
        await socket.accept()
        await _close(socket, f"{kind[:40]} are not provided here. See docs/trustgraph.md.")

    return router


async def _import_triples(socket: WebSocket, loads: Loads) -> None:
    await socket.accept()
    load = loads.begin()
    try:
        async for frame in _frames(socket):
            load.take(frame)
    except WebSocketDisconnect:
        logger.warning("a load broke off after %d triples; nothing of it is kept", load.count)
    except ProvGraphError as error:
        await _close(socket, str(error))
    else:
        await loads.finish(load)


async def _export_triples(socket: WebSocket, loads: Loads, collection: str) -> None:
    await socket.accept()
    try:
        for quad in await loads.facts(collection):
            await socket.send_text(json.dumps(wire_quad(quad)))
        await socket.close()
    except WebSocketDisconnect:
        return
    except ProvGraphError as error:
        await _close(socket, str(error))


async def _frames(socket: WebSocket) -> AsyncGenerator[Body]:
    """The frames up to the proper end. Raises `WebSocketDisconnect` where the connection ended without the client
    closing it, and `InvalidInput` for a frame that is no JSON object."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            code = message.get("code", 1006)
            if code not in CLOSED_PROPERLY:
                raise WebSocketDisconnect(code)
            return
        yield json_object(message.get("text") or message.get("bytes") or "", "frame")


async def _close(socket: WebSocket, reason: str) -> None:
    shortened = reason.encode()[:MOST_OF_REASON].decode(errors="ignore")
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(POLICY_VIOLATION, shortened)
