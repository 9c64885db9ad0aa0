"""Store and library as they were at one moment, in a folder of their own, while the service goes on.

The store's copy is consistent by itself. The library's contents are written before the store names them and
removed after it has forgotten them, so what is linked before the store is copied, together with what is linked
after, holds everything the copy names. What was removed in between may be there too, named by nothing.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import uuid4

from anyio import to_thread

from provgraph.documents.library import Library
from provgraph.errors import Conflict, Unavailable
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
class Live:
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
async def snapshot(live: Live) -> AsyncIterator[Snapshot]:
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


async def _taken(live: Live, folder: Path) -> Snapshot:
    folder.mkdir(parents=True)
    contents = folder / "library"
    await live.contents.snapshot(contents)
    await live.store.backup(folder / "store")
    await live.contents.snapshot(contents)
    return Snapshot(
        folder, live.store.open_backup(folder / "store"), Library(live.contents.open_snapshot(contents))
    )


async def _lost(live: Live, taken: Snapshot) -> bool:
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
