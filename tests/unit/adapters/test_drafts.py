"""Drafts of writers that were killed go, and those of writers at work stay, whoever sweeps."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from provgraph.adapters.folder_contents import DRAFTS, Drafts, FolderContentStore

IN_THE_MIDDLE = """
import sys
from pathlib import Path
from provgraph.adapters.folder_contents import Drafts
with Drafts(Path(sys.argv[1])).begun() as draft:
    draft.write(b"half of it")
    draft.flush()
    print("begun", flush=True)
    sys.stdin.read()
"""
AGAIN_AND_AGAIN = """
import sys
from pathlib import Path
from provgraph.adapters.folder_contents import Drafts
folder = Path(sys.argv[1])
for number in range(1_000_000):
    Drafts(folder / ".drafts").put_in_place(folder / str(number % 7), str(number).encode() * 100_000)
    print(number, flush=True)
"""


@contextmanager
def writer(program: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that writes, and has begun; it is killed in the end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", program, folder], stdin=pipe, stdout=pipe, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def test_a_draft_stays_while_its_writer_lives_and_goes_when_that_was_killed(tmp_path: Path) -> None:
    with writer(IN_THE_MIDDLE, tmp_path):
        Drafts(tmp_path).sweep()
        (draft,) = tmp_path.iterdir()
        assert draft.read_bytes() == b"half of it"
    Drafts(tmp_path).sweep()
    assert list(tmp_path.iterdir()) == []


def test_whenever_a_writer_is_killed_every_file_is_whole_and_a_sweep_leaves_nothing_else(
    tmp_path: Path,
) -> None:
    chance = Random(7)
    with writer(AGAIN_AND_AGAIN, tmp_path) as process:
        assert process.stdout is not None
        for _ in range(chance.randrange(20, 60)):
            process.stdout.readline()
    FolderContentStore(tmp_path).sweep()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 7
    for file in files:
        content = file.read_bytes()
        assert content == content[: len(content) // 100_000] * 100_000


def test_sweeping_again_and_again_hinders_no_writer(tmp_path: Path) -> None:
    contents = {f"{number}/{number}": str(number).encode() * 50 for number in range(300)}
    written = threading.Event()

    def sweep() -> None:
        while not written.is_set():
            FolderContentStore(tmp_path).sweep()

    sweepers = [threading.Thread(target=sweep) for _ in range(3)]
    for sweeper in sweepers:
        sweeper.start()
    try:
        for key, content in contents.items():
            Drafts(tmp_path / DRAFTS).put_in_place(tmp_path / key, content)
    finally:
        written.set()
        for sweeper in sweepers:
            sweeper.join()
    assert {key: (tmp_path / key).read_bytes() for key in contents} == contents
    assert list((tmp_path / DRAFTS).iterdir()) == []


async def test_a_snapshot_has_no_drafts(tmp_path: Path) -> None:
    kept, copy = tmp_path / "kept", tmp_path / "copy"
    contents = FolderContentStore(kept)
    await contents.put({"a": b"content"})
    with Drafts(kept / DRAFTS).begun():
        await contents.snapshot(copy)
    assert [path.name for path in copy.iterdir()] == ["a"]
