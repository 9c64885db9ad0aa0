"""A process that is killed outright in the middle of a deletion or a revision, as by a power cut."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from provgraph.errors import NotFound
from unit.ingestion.removal.mortal import held, opened
from unit.ingestion.removal.test_survivors import CHANGED, TEXT, assert_equal, made_alone

pytestmark = pytest.mark.slow

TESTS: Final = Path(__file__).parents[3]
DYING: Final = """
import asyncio, sys
from pathlib import Path
from unit.ingestion.removal.mortal import Life, opened

async def main(folder, writes, text):
    async with opened(Path(folder), Life(int(writes), kills=True)) as collected:
        if text:
            await collected.ingest("one", text)
        else:
            await collected.delete("one")

asyncio.run(main(*sys.argv[1:]))
"""


def killed_after(folder: Path, writes: int, text: str) -> bool:
    command = [sys.executable, "-c", DYING, str(folder), str(writes), text]
    ended = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(TESTS), *sys.path))},
        capture_output=True,
        check=False,
    )
    assert ended.returncode in (0, -signal.SIGKILL), ended.stderr.decode()
    return ended.returncode != 0


@pytest.mark.parametrize("writes", [1, 2, 4])
async def test_a_deletion_whose_process_is_killed_is_complete_after_the_next_start(
    tmp_path: Path, writes: int
) -> None:
    async with opened(tmp_path / "killed") as collected:
        await collected.ingest("one", CHANGED)
        await collected.ingest("two", TEXT)
    assert killed_after(tmp_path / "killed", writes, "")
    async with opened(tmp_path / "killed") as collected:
        with pytest.raises(NotFound):  # the first write decides, and nothing of it is lost
            await collected.delete("one")
        found = await held(collected)
    assert_equal(found, await made_alone(tmp_path / "alone", {"two": TEXT}))


@pytest.mark.parametrize("writes", [3, 6])
async def test_a_revision_whose_process_is_killed_is_mended_by_running_it_again(
    tmp_path: Path, writes: int
) -> None:
    async with opened(tmp_path / "killed") as collected:
        await collected.ingest("one", TEXT)
    assert killed_after(tmp_path / "killed", writes, CHANGED)
    async with opened(tmp_path / "killed") as collected:
        await collected.ingest("one", CHANGED)
        found = await held(collected)
    assert_equal(found, await made_alone(tmp_path / "alone", {"one": CHANGED}))
