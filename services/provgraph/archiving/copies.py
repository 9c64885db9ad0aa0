"""Copies of what is stored, as bytes that come: the archive of a collection, and the backup of everything."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from anyio import open_file

from provgraph import __version__
from provgraph.archiving.collection_parts import CollectionParts
from provgraph.archiving.manifest import ArchiveKind, Manifest
from provgraph.archiving.packing import Part, packed
from provgraph.archiving.snapshot import Live, Snapshot, snapshot

_READ_BYTES: Final = 1 << 20


@dataclass(frozen=True)
class Copies:
    """Each copy shows one moment; questions and ingests go on meanwhile. Raises what `snapshot` raises.

    `layout` is the file that says how a data folder is laid out.
    """

    live: Live
    layout: Path
    explain_collection: str
    now: Callable[[], datetime]

    async def archive(self, collection: str) -> AsyncGenerator[bytes]:
        """The archive of a collection."""
        beside = self.live.store.of(collection)
        async with snapshot(replace(self.live, store=beside, copied_store=beside)) as taken:
            parts = CollectionParts(taken, collection, self.explain_collection)
            manifest = self._manifest(ArchiveKind.COLLECTION, collection)
            pieces = packed(parts.parts(), lambda: manifest.model_copy(update={"counts": dict(parts.counts)}))
            async with aclosing(pieces):
                async for piece in pieces:
                    yield piece

    async def backup(self) -> AsyncGenerator[bytes]:
        """A backup of everything but the indexes, which are built again from it."""
        async with snapshot(self.live) as taken:
            manifest = self._manifest(ArchiveKind.BACKUP)
            async with aclosing(packed(_files(taken, self.layout), lambda: manifest)) as pieces:
                async for piece in pieces:
                    yield piece

    def _manifest(self, kind: ArchiveKind, collection: str = "") -> Manifest:
        made = self.now().isoformat(timespec="seconds")
        return Manifest(kind=kind, provgraph=__version__, made=made, collection=collection)


async def _files(taken: Snapshot, layout: Path) -> AsyncIterator[Part]:
    """The files of a snapshot. Oxigraph's tables are compressed already."""
    yield Part(layout.name, _pieces(layout))
    for path in sorted(taken.folder.rglob("*")):
        if path.is_file() and path.name != "LOCK":
            name = path.relative_to(taken.folder).as_posix()
            yield Part(name, _pieces(path), packed=path.suffix != ".sst")


async def _pieces(path: Path) -> AsyncGenerator[bytes]:
    async with await open_file(path, "rb") as file:
        while piece := await file.read(_READ_BYTES):
            yield piece
