"""A folder of an older version is brought up to date when it is opened, whatever stopped that before."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from provgraph.adapters.data_folder import Migration, open_data_folder
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.errors import Unavailable


class Killed(BaseException):
    """The process ends here."""


def never() -> None:
    pass


def kill() -> None:
    raise Killed


def steps(before: Callable[[], None] = never, after: Callable[[], None] = never) -> list[Migration]:
    """Each step renames the one file of the folder; the second may end the process before or after it did."""

    def rename(old: str, new: str) -> Callable[[Path], None]:
        def run(folder: Path) -> None:
            if (folder / old).exists():
                (folder / old).replace(folder / new)

        return run

    def second(folder: Path) -> None:
        before()
        rename("b", "c")(folder)
        after()

    return [
        Migration("a becomes b", rename("a", "b")),
        Migration("b becomes c", second),
        Migration("c becomes d", rename("c", "d")),
    ]


def old_folder(path: Path, version: int = 1) -> Path:
    (path / "abcd"[version - 1]).write_text("content")
    (path / "provgraph.json").write_text(json.dumps({"layout": version}))
    return path


def version_of(path: Path) -> int:
    return int(json.loads((path / "provgraph.json").read_text())["layout"])


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_the_steps_that_a_folder_lacks_are_run_in_order_and_told(tmp_path: Path, version: int) -> None:
    told: list[str] = []
    open_data_folder(old_folder(tmp_path, version), steps(), told.append)
    assert (tmp_path / "d").read_text() == "content"
    assert version_of(tmp_path) == 4
    words = ["a becomes b", "b becomes c", "c becomes d"][version - 1 :]
    assert [line.rpartition(": ")[2] for line in told] == [f"{word}." for word in words]


@pytest.mark.parametrize(("before", "after"), [(kill, never), (never, kill)])
def test_a_step_that_was_cut_off_is_run_again_and_those_before_it_are_not(
    tmp_path: Path, before: Callable[[], None], after: Callable[[], None]
) -> None:
    with pytest.raises(Killed):
        open_data_folder(old_folder(tmp_path), steps(before, after), lambda _: None)
    assert version_of(tmp_path) == 2
    told: list[str] = []
    open_data_folder(tmp_path, steps(), told.append)
    assert (tmp_path / "d").read_text() == "content"
    assert len(told) == 2


def test_a_step_that_fails_is_told_and_what_was_done_stands(tmp_path: Path) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(Unavailable, match="No space left"):
        open_data_folder(old_folder(tmp_path), steps(before=full), lambda _: None)
    assert version_of(tmp_path) == 2
    assert (tmp_path / "b").read_text() == "content"


def test_a_new_folder_is_of_the_newest_version_and_nothing_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    open_data_folder(tmp_path / "new", steps(), told.append)
    assert version_of(tmp_path / "new") == 4
    assert told == []


@pytest.mark.parametrize("version", [0, -1, 5, 99])
def test_a_folder_of_no_version_that_is_known_is_refused(tmp_path: Path, version: int) -> None:
    (tmp_path / "provgraph.json").write_text(json.dumps({"layout": version}))
    with pytest.raises(Unavailable, match=str(version)):
        open_data_folder(tmp_path, steps(), lambda _: None)
    assert version_of(tmp_path) == version


async def test_a_folder_that_another_process_has_open_is_not_touched(tmp_path: Path) -> None:
    store = OxigraphQuadStore(tmp_path / "store")
    old_folder(tmp_path)
    code = f"""
from pathlib import Path
from provgraph.adapters.data_folder import open_data_folder
from provgraph.adapters.data_folder import Migration
from provgraph.errors import Unavailable
try:
    open_data_folder(Path({str(tmp_path)!r}), [Migration("none", lambda folder: None)], print)
except Unavailable as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "in use by another process" in done.stdout
    assert version_of(tmp_path) == 1
    await store.close()


def test_versions_and_steps_agree_from_every_start(tmp_path: Path) -> None:
    """From each version, killed at each moment of the second step, the end is the same."""
    for number, (version, moment) in enumerate(product((1, 2), ((kill, never), (never, kill)))):
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(Killed):
            open_data_folder(old_folder(folder, version), steps(*moment), lambda _: None)
        open_data_folder(folder, steps(), lambda _: None)
        assert sorted(path.name for path in folder.iterdir() if path.is_file()) == ["d", "provgraph.json"]
