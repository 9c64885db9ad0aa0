"""The embedded store on a disk that takes no more: what it says and keeps, and that it goes on when there is room."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.errors import NoRoom
from provgraph.ports.quad_store import QuadPattern, StoreChange, StoreReader
from servers.full_disk import full_disk_here, largest_file

ROOM = 10_000


def quads(name: str, count: int = 1_000) -> list[Quad]:
    said = NamedNode("urn:said")
    return [Quad(NamedNode(f"urn:{name}:{each}"), said, Literal("word " * 40), said) for each in range(count)]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[OxigraphQuadStore]:
    opened = OxigraphQuadStore(tmp_path / "store")
    await opened.add(quads("kept", 2_000))
    yield opened
    await opened.close()


async def names(store: OxigraphQuadStore) -> set[str]:
    (found,) = await store.match([QuadPattern()])
    return {str(quad.subject).split(":")[1] for quad in found}


async def test_a_store_without_room_says_so_reads_on_and_goes_on_when_there_is_some(
    store: OxigraphQuadStore, tmp_path: Path
) -> None:
    with full_disk_here(largest_file(tmp_path) + ROOM):
        for _ in range(2):
            with pytest.raises(NoRoom, match="Free some space"):
                await store.add(quads("large"))
            assert await names(store) == {"kept"}
        with pytest.raises(NoRoom):
            await store.backup(tmp_path / "copy")
    await store.add(quads("small", 1))
    await store.add(quads("large"))
    assert await names(store) == {"kept", "small", "large"}


async def test_a_store_that_is_being_read_goes_on_as_soon_as_the_reader_is_through(
    store: OxigraphQuadStore, tmp_path: Path
) -> None:
    reading = store.scan(QuadPattern(), 500)
    seen = len(await anext(reading))
    with full_disk_here(largest_file(tmp_path) + ROOM), pytest.raises(NoRoom):
        await store.add(quads("large"))
    with pytest.raises(NoRoom):
        await store.add(quads("large"))
    assert await names(store) == {"kept"}
    async for batch in reading:
        seen += len(batch)
    assert seen == 2_000
    async with asyncio.timeout(60):  # the thread that read lets go of the store when it gets to it
        while await names(store) == {"kept"}:
            with suppress(NoRoom):
                await store.add(quads("large"))
    assert await names(store) == {"kept", "large"}


async def test_a_decision_that_found_no_room_is_made_again_on_what_is_there(
    store: OxigraphQuadStore, tmp_path: Path
) -> None:
    (first, *_) = quads("kept", 1)

    def replace(reader: StoreReader) -> StoreChange[int]:
        (found,) = reader.match([QuadPattern(predicate=first.predicate)])
        return StoreChange(len(found), [first], quads("large"))

    with full_disk_here(largest_file(tmp_path) + ROOM), pytest.raises(NoRoom):
        await store.transact(replace)
    assert await store.contains([first]) == [True]
    assert await store.transact(replace) == 2_000
    assert await store.contains([first]) == [False]
