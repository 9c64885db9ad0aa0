"""`provgraph sync`: a collection follows a folder, and nothing that came from elsewhere is touched."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from e2e.commands import PROGRAMS, environment, granted, invoke
from provgraph.client.folder_sync import PendingFiles

CURIE = "Marie Curie discovered polonium in 1898.\n"
RUTHERFORD = "Ernest Rutherford discovered the proton in 1917.\n"
RECORDS = [
    '{"id": "r1", "text": "Ada Lovelace wrote the first program in 1843."}',
    '{"id": "r2", "text": "Alan Turing was born in London."}',
]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with granted({"XDG_STATE_HOME": str(tmp_path / "state")}):
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "notes"
    (made / "deep").mkdir(parents=True)
    (made / "curie.txt").write_text(CURIE)
    (made / "deep" / "rutherford.txt").write_text(RUTHERFORD)
    (made / "records.jsonl").write_text("\n".join(RECORDS))
    return made


def sync(folder: Path, *more: str | Path) -> Result:
    return invoke("sync", folder, "--data", folder.parent / "data", *more)


def synced(folder: Path, *more: str | Path) -> dict[str, Any]:
    done = sync(folder, "--format", "json", *more)
    assert done.exit_code == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def documents(folder: Path) -> dict[str, str]:
    """The names of files by the ids of documents."""
    listed = json.loads(invoke("documents", "--data", folder.parent / "data", "--format", "json").stdout)
    return {each["id"]: each["source"] for each in listed}


def test_a_collection_follows_its_folder(folder: Path) -> None:
    planned = synced(folder, "--dry-run")
    assert (planned["dry_run"], planned["new"]) == (
        True,
        ["curie.txt", "deep/rutherford.txt", "records.jsonl"],
    )
    assert synced(folder)["new"] == planned["new"]
    before = documents(folder)
    assert len(before) == 4
    assert synced(folder)["unchanged"] == 3

    (folder / "curie.txt").rename(folder / "marie.txt")
    (folder / "deep" / "rutherford.txt").write_text(RUTHERFORD + "He was born in Nelson.\n")
    (folder / "records.jsonl").write_text(RECORDS[0])
    done = synced(folder)
    assert done["renamed"] == [{"from": "curie.txt", "to": "marie.txt"}]
    assert done["changed"] == ["deep/rutherford.txt", "records.jsonl"]
    after = documents(folder)
    assert after.keys() < before.keys(), "ids stay, and the record that is gone is deleted"
    assert sorted(after.values()) == ["marie.txt", "records.jsonl", "rutherford.txt"]
    assert (
        "Nelson"
        in invoke("ask", "--data", folder.parent / "data", "Where was Ernest Rutherford born?").stdout
    )

    (folder / "marie.txt").unlink()
    assert synced(folder, "--no-delete")["kept"] == ["marie.txt"]
    assert synced(folder, "--dry-run")["deleted"] == ["marie.txt"]
    assert synced(folder)["deleted"] == ["marie.txt"]
    assert len(documents(folder)) == 2


def test_files_of_the_same_bytes_are_documents_of_their_own(folder: Path) -> None:
    (folder / "copy.txt").write_text(CURIE)
    synced(folder)
    assert len(documents(folder)) == 5
    (folder / "copy.txt").write_text(RUTHERFORD)
    assert synced(folder)["changed"] == ["copy.txt"]
    (folder / "again.txt").write_text(CURIE)
    (folder / "curie.txt").write_text("Pierre Curie was born in Paris.\n")
    done = synced(folder)
    assert (done["new"], done["changed"]) == (["again.txt"], ["curie.txt"])
    assert len(documents(folder)) == 6


@pytest.mark.slow
def test_what_came_from_elsewhere_stays(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("Otto Hahn was born in Frankfurt.\n")
    invoke("ingest", tmp_path / "own.txt", "--data", tmp_path / "data")
    synced(folder)
    other = tmp_path / "other"
    other.mkdir()
    assert synced(other)["deleted"] == []
    for file in folder.rglob("*.*"):
        file.unlink()
    refused = sync(folder)
    assert (refused.exit_code, "--yes" in refused.stderr) == (1, True)
    assert len(documents(folder)) == 5
    assert len(synced(folder, "--yes")["deleted"]) == 3
    assert list(documents(folder).values()) == ["own.txt"]


def test_what_cannot_be_read_is_told_and_the_rest_is_done(folder: Path) -> None:
    (folder / "empty.docx").write_bytes(b"")
    done = sync(folder)
    assert done.exit_code == 1
    assert "3 new" in done.stdout
    assert "Error: empty.docx" in done.stderr
    missing = invoke("sync", folder / "nowhere", "--data", folder.parent / "data")
    assert (missing.exit_code, "There is no folder" in missing.stderr) == (1, True)
    assert sync(folder, "--dry-run", "--watch").exit_code == 2


def test_a_file_that_was_cut_off_is_sent_again(folder: Path) -> None:
    synced(folder)
    of = f"{(folder.parent / 'data').resolve()}\0default\0{folder.resolve()}"
    with pytest.raises(KeyboardInterrupt), PendingFiles(of).noted(["curie.txt"]):
        raise KeyboardInterrupt
    assert synced(folder)["changed"] == ["curie.txt"]
    assert synced(folder)["changed"] == []


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_changes_are_followed_until_ctrl_c(folder: Path) -> None:
    command = [str(PROGRAMS / "provgraph"), "sync", str(folder), "--watch", "--format", "json"]
    with subprocess.Popen(
        [*command, "--data", str(folder.parent / "data")],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as watching:
        try:
            lines = iter(watching.stdout or ())
            assert len(json.loads(next(lines))["new"]) == 3
            (folder / "new.txt").write_text("Lise Meitner was born in Vienna.\n")
            assert json.loads(next(lines))["new"] == ["new.txt"]
            (folder / "new.txt").unlink()
            assert json.loads(next(lines))["deleted"] == ["new.txt"]
            watching.send_signal(signal.SIGINT)
            _, said = watching.communicate(timeout=30)
        finally:
            watching.kill()
    assert (said.split(), watching.returncode) == (["Stopped."], 130)
