"""A store written anew takes the place of the old one, wherever the swap was cut off."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat

from provgraph.adapters import oxigraph_store, store_folder
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.store_folder import draft_folder, table_bytes
from provgraph.ports.quad_store import QuadPattern, StoreChange
from provgraph.rdf.serialization import serialized

NODE = NamedNode("urn:node")


async def written(folder: Path, value: str) -> None:
    store = OxigraphQuadStore(folder)
    await store.add([Quad(NODE, NODE, Literal(value), NODE)])
    await store.close()


@pytest.mark.parametrize("done", ["nothing", "marked", "moved away", "moved in"])
async def test_a_swap_that_was_cut_off_leaves_one_whole_store(tmp_path: Path, done: str) -> None:
    folder, draft = tmp_path / "store", tmp_path / "store.new"
    await written(folder, "old")
    await written(draft_folder(folder), "new")
    if done != "nothing":
        (tmp_path / "store.swap").touch()
    if done in ("moved away", "moved in"):
        folder.rename(tmp_path / "store.old")
    if done == "moved in":
        draft.rename(folder)
    store = OxigraphQuadStore(folder)
    ((quad,),) = await store.match([QuadPattern()])
    await store.close()
    assert quad.object == Literal("old" if done == "nothing" else "new")
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["store"]
    assert not (tmp_path / "store.swap").exists()


async def test_what_is_written_does_not_gather_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oxigraph_store, "HELD_IN_MEMORY", 100)
    store = OxigraphQuadStore(tmp_path / "store")
    await store.add([Quad(NODE, NODE, Literal(str(number)), NODE) for number in range(100)])
    held = len(list((tmp_path / "store").glob("*.sst")))
    await store.transact(lambda _: StoreChange(None, added=[Quad(NODE, NODE, NODE, NODE)]))
    assert len(list((tmp_path / "store").glob("*.sst"))) > held
    await store.close()


@pytest.mark.slow
async def test_others_get_the_interpreter_while_much_is_read_and_written_anew(tmp_path: Path) -> None:
    store = OxigraphQuadStore(tmp_path / "store")
    count = 60_000
    await store.add([Quad(NODE, NODE, Literal(f"{number} " * 9), NODE) for number in range(count)])
    with waiting() as waited:
        await store.rewrite()
        (quads,) = await store.match([QuadPattern()])
        serialized(quads, RdfFormat.N_QUADS)
    assert len(quads) == count
    assert max(waited) < 0.25
    await store.close()


@contextmanager
def waiting() -> Iterator[list[float]]:
    """Seconds for which another thread was kept from the interpreter while the process computed: what the machine
    takes for others is not counted."""
    waited, ended = [0.0], threading.Event()

    def look() -> None:
        before = time.process_time()
        while not ended.wait(0.002):
            now = time.process_time()
            waited.append(now - before)
            before = now

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield waited
    finally:
        ended.set()
        looking.join()


async def test_a_store_that_is_closed_leaves_no_log_of_what_its_tables_have(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    store = OxigraphQuadStore(folder)
    quads = [Quad(NODE, NODE, Literal(str(number)), NODE) for number in range(20_000)]
    await store.add(quads)
    logged = sum(log.stat().st_size for log in folder.glob("*.log"))
    await store.close()
    assert sum(log.stat().st_size for log in folder.glob("*.log")) < logged / 100
    again = OxigraphQuadStore(folder)
    assert await again.contains(quads) == [True] * len(quads)
    await again.close()


async def test_a_store_that_is_closed_is_packed_when_it_has_doubled_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_folder, "PACKED_FROM", 500_000)
    folder = tmp_path / "store"
    first, second = numbered(range(5_000)), numbered(range(5_000, 5_100))
    loose = await closed_size(folder, first, packed_to=0)
    packed = await closed_size(folder, numbered([-1]), packed_to=100_000_000)
    assert packed < 0.6 * loose
    noted = (folder / "PACKED").read_text()
    assert await closed_size(folder, second, packed_to=100_000_000) < 2 * packed
    assert (folder / "PACKED").read_text() == noted
    store = OxigraphQuadStore(folder)
    assert all(await store.contains([*first, *second]))
    await store.close()
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["store"]


async def test_a_note_of_its_size_that_was_cut_off_hinders_no_closing(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    await written(folder, "first")
    (folder / "PACKED").write_text("")
    await written(folder, "second")
    store = OxigraphQuadStore.reading(folder)
    (quads,) = await store.match([QuadPattern()])
    await store.close()
    assert {quad.object for quad in quads} == {Literal("first"), Literal("second")}


def numbered(numbers: Iterable[int]) -> list[Quad]:
    return [
        Quad(NamedNode(f"urn:node:{number}"), NamedNode(f"urn:link:{link}"), Literal(str(number)), NODE)
        for number in numbers
        for link in range(5)
    ]


async def closed_size(folder: Path, quads: list[Quad], packed_to: int) -> int:
    """Of the tables, once the quads are added."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store_folder, "PACKED_TO", packed_to)
        store = OxigraphQuadStore(folder)
        await store.add(quads)
        await store.close()
    return table_bytes(folder)
