"""Store and library as they were at one moment, in a folder of their own, while the service goes on; and a backup made
into such a folder again: nothing stands under its name before all of it is proved and written.

The store's copy is consistent by itself. The library's contents are written before the store names them and
removed after it has forgotten them, so what is linked before the store is copied, together with what is linked
after, holds everything the copy names. What was removed in between may be there too, named by nothing.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import uuid4

from anyio import to_thread

from provgraph.archiving.archive_file import ArchiveKind, Manifest, Package, opened_package
from provgraph.documents.library import Library
from provgraph.errors import Conflict, NotFound, Unavailable, UnreadableArchive
from provgraph.ports.content_store import ContentStore
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import collection_of_source_graph
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import RDF, TG

_TRIES: Final = 3
_BATCH: Final = 2_000
ALWAYS_HELD: Final = (TG.DocumentVersion, TG.Page)
"""What the library holds something of, from before the store names it."""

WITH_CONTENT: Final = (*ALWAYS_HELD, TG.Document)
"""What it may hold something of: folders of an older time keep bytes under the document."""


@dataclass(frozen=True)
class SnapshotSource:
    """What a snapshot is taken of, and where; `store` may be one shard of the whole store."""

    store: QuadStore
    contents: ContentStore
    library: Library
    workspace: Path


@dataclass(frozen=True)
class Snapshot:
    """Laid out like a data folder: `store` and `library`."""

    folder: Path
    store: QuadStore
    library: Library


@asynccontextmanager
async def snapshot(live: SnapshotSource) -> AsyncIterator[Snapshot]:
    """A snapshot for the length of a copy. Raises `Unavailable` when the disk has no room for it.

    Raises `Conflict` when content goes away faster than it can be copied.
    """
    folder = live.workspace / f"snapshot-{uuid4().hex}"
    try:
        for _ in range(_TRIES):
            taken = await _taken(live, folder)
            if not await _lost(live, taken):
                break
            await taken.store.close()
            await to_thread.run_sync(shutil.rmtree, folder)
        else:
            raise Conflict("Documents are being deleted while they are copied. Try again later.")
        try:
            yield taken
        finally:
            await taken.store.close()
    except OSError as error:
        raise Unavailable(
            f"Cannot create a copy in {live.workspace} ({error.strerror or error}). Free some space on its disk."
        ) from error
    finally:
        await to_thread.run_sync(shutil.rmtree, folder, True)


async def _taken(live: SnapshotSource, folder: Path) -> Snapshot:
    folder.mkdir(parents=True)
    contents = folder / "library"
    await live.contents.snapshot(contents)
    await live.store.backup(folder / "store")
    await live.contents.snapshot(contents)
    return Snapshot(
        folder, live.store.open_backup(folder / "store"), Library(live.contents.open_snapshot(contents))
    )


async def _lost(live: SnapshotSource, taken: Snapshot) -> bool:
    """Whether something that the copy names went away while it was made; what was never there is no loss."""
    for kind in ALWAYS_HELD:
        async for batch in taken.store.scan(QuadPattern(None, RDF.type, kind), _BATCH):
            missing = await _without_content(taken.library, batch)
            found = await live.store.match([QuadPattern(node, RDF.type, kind) for node in missing], limit=1)
            if [] in found:
                return True
    return False


async def _without_content(library: Library, typed: Sequence[Quad]) -> list[NamedNode]:
    of_collection: dict[str, list[NamedNode]] = defaultdict(list)
    for quad in typed:
        name = collection_of_source_graph(getattr(quad.graph_name, "value", ""))
        if name and isinstance(quad.subject, NamedNode):
            of_collection[name].append(quad.subject)
    return [
        node
        for name, nodes in of_collection.items()
        for node, is_held in zip(nodes, await library.holds(name, nodes), strict=True)
        if not is_held
    ]


@dataclass(frozen=True)
class RestoreProgress:
    doing: str
    done: int
    total: int


def restored(backup: Path, into: Path, limit_bytes: int) -> Iterator[RestoreProgress | Manifest]:
    """Make the folder `into`; the manifest of the backup comes last.

    Raises `Conflict` when there is something at `into`, `UnreadableArchive` for a backup that is damaged, and
    `Unavailable` when the disk cannot take it. Then there is no such folder.
    """
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise Conflict(f"{into} already exists. Restore into a new folder, named with --data.")
    draft = into.parent / f".{into.name}-{uuid4().hex}"
    try:
        with opened_package(backup, ArchiveKind.BACKUP, limit_bytes) as package:
            for done, total in package.verified():
                yield RestoreProgress("verifying", done, total)
            yield from _unpacked(package, draft)
            if not (draft / "provgraph.json").is_file() or not (draft / "store" / "CURRENT").is_file():
                raise UnreadableArchive("It has no store in it. Create the backup again.")
            draft.replace(into)
            yield package.manifest
    except FileNotFoundError as error:
        raise NotFound(f"There is no backup {backup}. Check the path.") from error
    except OSError as error:
        raise Unavailable(
            f"The backup cannot be restored to {into} ({error.strerror or error}). Check the disk and its permissions."
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _unpacked(package: Package, folder: Path) -> Iterator[RestoreProgress]:
    names = package.part_names()
    for done, name in enumerate(names, 1):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            for piece in package.blocks(name):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        yield RestoreProgress("writing", done, len(names))
