"""A store written anew takes the place of the old one, wherever the swap was cut off."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat

from provgraph.adapters import oxigraph_store
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.store_folder import draft_folder
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
