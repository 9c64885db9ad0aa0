"""A snapshot holds every content that its store names, whatever is written and removed meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from pyoxigraph import NamedNode, Quad

from api.running import Running
from provgraph.archiving.snapshot import Snapshot, SnapshotSource, snapshot
from provgraph.assembly.archives import copies_of
from provgraph.ports.content_store import ContentStore
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.terms import named as term_named
from provgraph.rdf.vocabulary import PROV, RDF, TG

CURIE = NamedNode("https://example.org/curie")


@dataclass
class Interfering:
    """Copies the store, and once removes the document at that moment."""

    service: Running
    done: bool = False

    async def backup(self, folder: Path) -> int:
        revision = await self.service.assembly.store.backup(folder)
        if not self.done:
            self.done = True
            await remove_all_documents(self.service)
        return revision

    def __getattr__(self, name: str) -> Any:
        return getattr(self.service.assembly.store, name)


@dataclass
class LateContents:
    """Sees nothing at first: as where a document is ingested and deleted between two looks at the library."""

    service: Running
    looks: int = 0

    async def snapshot(self, folder: Path) -> None:
        self.looks += 1
        folder.mkdir(exist_ok=True)
        if self.looks > 1:
            await self.service.assembly.storage.contents.snapshot(folder)

    def open_snapshot(self, folder: Path) -> ContentStore:
        return self.service.assembly.storage.contents.open_snapshot(folder)


async def remove_all_documents(service: Running) -> None:
    (found,) = await service.assembly.store.match([QuadPattern(graph=source_graph())])
    await service.assembly.store.remove(found)
    await service.assembly.library.forget("default")


async def names_and_holds(taken: Snapshot) -> tuple[bool, bool]:
    """Whether the snapshot's store names the document, and whether its library holds it."""
    (named,) = await taken.store.contains([Quad(CURIE, RDF.type, TG.Document, source_graph())])
    (versions,) = await taken.store.match([QuadPattern(None, PROV.specialization_of, CURIE)])
    held = await taken.library.holds("default", [term_named(quad.subject) for quad in versions])
    return named, held == [True]


def live(service: Running) -> SnapshotSource:
    return copies_of(service.assembly).live


async def test_what_is_deleted_while_the_store_is_copied_is_whole_in_the_copy(informed: Running) -> None:
    async with snapshot(replace(live(informed), store=cast(QuadStore, Interfering(informed)))) as taken:
        assert await names_and_holds(taken) == (True, True)


async def test_a_copy_that_lost_content_to_a_deletion_is_made_again(informed: Running) -> None:
    interfering, late = Interfering(informed), LateContents(informed)
    changed = replace(live(informed), store=cast(QuadStore, interfering), contents=cast(ContentStore, late))
    async with snapshot(changed) as taken:
        assert await names_and_holds(taken) == (False, False)
    assert late.looks == 4


async def test_content_that_was_never_there_does_not_hinder_a_copy(informed: Running) -> None:
    await informed.assembly.library.forget("default")
    async with snapshot(live(informed)) as taken:
        assert await names_and_holds(taken) == (True, False)


async def test_a_snapshot_is_gone_with_its_use(informed: Running) -> None:
    async with snapshot(live(informed)) as taken:
        folder = taken.folder
        assert folder.is_dir()
    assert list(folder.parent.iterdir()) == []
