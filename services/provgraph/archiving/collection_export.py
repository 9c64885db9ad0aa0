"""Copies of what is stored, as bytes that come: the parts and the archive of a collection, and the backup of
everything."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from anyio import open_file
from pydantic import BaseModel, ConfigDict, Field

from provgraph import __version__
from provgraph.archiving.archive_file import ArchiveKind, ArchivePart, Manifest, packed
from provgraph.archiving.snapshot import WITH_CONTENT, Snapshot, SnapshotSource, snapshot
from provgraph.documents.library import companion_iri
from provgraph.errors import NotFound
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import CollectionGraphs, collection_graphs
from provgraph.rdf.iris import SessionNames, collection_iri, session_uuid
from provgraph.rdf.serialization import RdfFormat, serialize
from provgraph.rdf.terms import NamedNode, Quad, named
from provgraph.rdf.vocabulary import PROV, RDF, TG

GRAPHS: Final = "graphs.nq"
LIBRARY: Final = "library.jsonl"
PLAIN: Final = collection_graphs()
AGENT_LINKS: Final = (PROV.was_associated_with, PROV.was_attributed_to)
WORDS: Final = (TG.document, TG.prompt, TG.reply)
"""What leads from a step of a session to words in the library."""

_BATCH: Final = 5_000


class KeptContent(BaseModel):
    """One line of `library.jsonl`: `of` says whether the content is a document's or page's, or a trace's."""

    model_config = ConfigDict(extra="forbid")

    iri: str
    of: Literal["collection", "traces"]
    file: str = Field(pattern="^library/[0-9a-f]{2}/[0-9a-f]{64}$")


class CollectionParts:
    """Reads one collection of a snapshot; `counts` is complete when all parts were read."""

    def __init__(self, snapshot: Snapshot, collection: str, explain_collection: str) -> None:
        self._snapshot = snapshot
        self._names = {"collection": collection, "traces": explain_collection}
        self._own = collection_iri(collection)
        self._graphs: CollectionGraphs = collection_graphs(collection, explain_collection)
        self._sessions: set[str] = set()
        self._nodes: dict[tuple[Literal["collection", "traces"], str], None] = {}
        self._kept: list[KeptContent] = []
        self.counts: Counter[str] = Counter(documents=0, facts=0, sessions=0, statements=0, contents=0)

    async def parts(self) -> AsyncIterator[ArchivePart]:
        yield ArchivePart(GRAPHS, self._serialized())
        files: set[str] = set()
        nodes = [(of, each) for of, iri in self._nodes for each in (iri, companion_iri(NamedNode(iri)).value)]
        for of, iri in nodes:
            try:
                content = await self._snapshot.library.content(self._names[of], NamedNode(iri))
            except NotFound:
                continue
            name = _file_name(content)
            self._kept.append(KeptContent(iri=iri, of=of, file=name))
            if name not in files:
                files.add(name)
                yield ArchivePart(name, _one_block(content))
        self.counts["contents"] = len(self._kept)
        yield ArchivePart(LIBRARY, self._library_lines())

    async def _library_lines(self) -> AsyncGenerator[bytes]:
        for kept in self._kept:
            yield kept.model_dump_json().encode() + b"\n"

    async def _serialized(self) -> AsyncGenerator[bytes]:
        async for batch in self._quads():
            self.counts["statements"] += len(batch)
            yield serialize(batch, format=RdfFormat.N_QUADS) or b""

    async def _quads(self) -> AsyncGenerator[list[Quad]]:
        graphs, store = self._graphs, self._snapshot.store
        async for batch in store.scan(QuadPattern(graph=graphs.knowledge), _BATCH):
            self.counts["facts"] += len(batch)
            yield _moved(batch, PLAIN.knowledge)
        async for batch in store.scan(QuadPattern(graph=graphs.source), _BATCH):
            self._note_sources(batch)
            yield _moved(batch, PLAIN.source)
        await self._find_sessions()
        agents: set[NamedNode] = set()
        async for batch in store.scan(QuadPattern(graph=graphs.retrieval), _BATCH):
            own = [quad for quad in batch if session_uuid(quad.subject) in self._sessions]
            agents |= {named(quad.object) for quad in own if quad.predicate in AGENT_LINKS}
            self._note_words(own)
            yield _moved(own, PLAIN.retrieval)
        described = await store.match(
            [QuadPattern(agent, graph=graphs.retrieval) for agent in sorted(agents, key=str)]
        )
        yield _moved((quad for quads in described for quad in quads), PLAIN.retrieval)

    def _note_sources(self, quads: Iterable[Quad]) -> None:
        for quad in quads:
            if quad.predicate == RDF.type and quad.object in WITH_CONTENT:
                self._nodes["collection", named(quad.subject).value] = None
                self.counts["documents"] += quad.object == TG.Document

    def _note_words(self, quads: Iterable[Quad]) -> None:
        """Answers, prompts and replies; and the pages that a trace quotes itself, which no document may have now."""
        for quad in quads:
            if quad.predicate in WORDS:
                self._nodes["traces", named(quad.object).value] = None
            elif quad.predicate == PROV.was_quoted_from:
                self._nodes["collection", named(quad.object).value] = None

    async def _find_sessions(self) -> None:
        """The sessions that asked this collection and have ended."""
        graph = self._graphs.retrieval
        (asked,) = await self._snapshot.store.match([QuadPattern(None, TG.collection, self._own, graph)])
        nodes = [named(quad.subject) for quad in asked]
        ended = await self._snapshot.store.match(
            [QuadPattern(node, PROV.ended_at_time, None, graph) for node in nodes], limit=1
        )
        self._sessions = {session_uuid(node) for node, found in zip(nodes, ended, strict=True) if found}
        self._sessions.discard("")
        self.counts["sessions"] = len(self._sessions)


def words_of(uuid: str) -> Iterator[str]:
    """The beginnings of the IRIs under which a session may keep words."""
    names = SessionNames(uuid)
    yield from (names.answer_text.value, names.prompt("").value, names.reply("").value)


def _moved(quads: Iterable[Quad], graph: NamedNode) -> list[Quad]:
    return [Quad(quad.subject, quad.predicate, quad.object, graph) for quad in quads]


def _file_name(content: bytes) -> str:
    name = hashlib.sha256(content).hexdigest()
    return f"library/{name[:2]}/{name}"


async def _one_block(content: bytes) -> AsyncGenerator[bytes]:
    yield content


_READ_BYTES: Final = 1 << 20


@dataclass(frozen=True)
class Copies:
    """Each copy shows one moment; questions and ingests go on meanwhile. Raises what `snapshot` raises.

    `layout` is the file that says how a data folder is laid out; `note` is told of each copy, of which kind and
    collection, before anything of it is handed out.
    """

    live: SnapshotSource
    layout: Path
    explain_collection: str
    now: Callable[[], datetime]
    note: Callable[[str, str], Awaitable[None]]

    async def archive(self, collection: str) -> AsyncGenerator[bytes]:
        """The archive of a collection."""
        await self.note("archive", collection)
        beside = self.live.store.of(collection)
        async with snapshot(replace(self.live, store=beside)) as taken:
            parts = CollectionParts(taken, collection, self.explain_collection)
            manifest = self._manifest(ArchiveKind.COLLECTION, collection)
            pieces = packed(parts.parts(), lambda: manifest.model_copy(update={"counts": dict(parts.counts)}))
            async with aclosing(pieces):
                async for piece in pieces:
                    yield piece

    async def backup(self) -> AsyncGenerator[bytes]:
        """A backup of everything but the indexes, which are built again from it."""
        await self.note("backup", "")
        async with snapshot(self.live) as taken:
            manifest = self._manifest(ArchiveKind.BACKUP)
            async with aclosing(packed(_files(taken, self.layout), lambda: manifest)) as pieces:
                async for piece in pieces:
                    yield piece

    def _manifest(self, kind: ArchiveKind, collection: str = "") -> Manifest:
        made = self.now().isoformat(timespec="seconds")
        return Manifest(kind=kind, provgraph=__version__, made=made, collection=collection)


async def _files(taken: Snapshot, layout: Path) -> AsyncIterator[ArchivePart]:
    """The files of a snapshot. Oxigraph's tables are compressed already."""
    yield ArchivePart(layout.name, _file_blocks(layout))
    for path in sorted(taken.folder.rglob("*")):
        if path.is_file() and path.name != "LOCK":
            name = path.relative_to(taken.folder).as_posix()
            yield ArchivePart(name, _file_blocks(path), packed=path.suffix != ".sst")


async def _file_blocks(path: Path) -> AsyncGenerator[bytes]:
    async with await open_file(path, "rb") as file:
        while piece := await file.read(_READ_BYTES):
            yield piece
