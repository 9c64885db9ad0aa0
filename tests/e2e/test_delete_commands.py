"""Documents taken back and revised, and the folder compacted, as a user types it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from e2e.commands import PATIENCE_S, PROGRAMS, environment, invoke, run_here

pytestmark = pytest.mark.slow

DOC = "https://example.org/minerals"
TEXT = "Zorbulon discovered plimsolite in 1898. Marie Curie was born in Warsaw."


@pytest.fixture
def data(folder: Path, tmp_path: Path) -> Path:
    """Two documents, one fact of which both say."""
    texts = {DOC: TEXT, "https://example.org/curie": "Marie Curie was born in Warsaw. Otters eat fish."}
    for number, (name, text) in enumerate(texts.items()):
        ingest(folder, name, text, tmp_path / f"{number}.txt")
    return folder


def ingest(folder: Path, name: str, text: str, file: Path) -> str:
    file.write_text(text)
    done = invoke("ingest", file, "--id", name, "--title", "Minerals", "--data", folder)
    assert done.exit_code == 0, done.output
    return done.output


def documents(folder: Path) -> list[str]:
    shown = invoke("documents", "--format", "json", "--data", folder)
    assert shown.exit_code == 0, shown.output
    return [each["id"] for each in json.loads(shown.stdout)]


def at_a_terminal(answer: str, *arguments: str | Path) -> tuple[int, str]:
    """The status of a command, and what it wrote, where a person sits at the keyboard."""
    screen, keyboard = pty.openpty()
    process = subprocess.Popen(
        [PROGRAMS / "provgraph", *arguments],
        stdin=keyboard,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(),
    )
    os.close(keyboard)
    os.write(screen, answer.encode())
    out, _ = process.communicate(timeout=PATIENCE_S)
    os.close(screen)
    return process.returncode, out.decode()


def test_a_dry_run_shows_what_would_go_and_nothing_goes(data: Path) -> None:
    shown = run_here("delete", DOC, "--dry-run", "--data", data)
    assert shown.status == 0
    assert shown.out.startswith(f"Minerals ({DOC}) would be deleted:\n  1 page, 1 chunk, 1 subgraph\n")
    assert DOC in documents(data)


def test_where_nobody_can_be_asked_nothing_is_deleted_without_yes(data: Path) -> None:
    refused = run_here("delete", DOC, "--data", data)
    assert (refused.status, refused.out) == (1, "")
    assert refused.err == (
        "Error: Without a terminal there is no confirmation. Add --yes to delete, or --dry-run to look first.\n"
    )
    assert DOC in documents(data)
    done = run_here("delete", DOC, "--yes", "--data", data)
    assert done.out.startswith(f"Minerals ({DOC}) was deleted:")
    assert documents(data) == ["https://example.org/curie"]


@pytest.mark.parametrize(("answer", "status", "stays"), [("n\n", 1, True), ("y\n", 0, False)])
def test_a_person_is_shown_what_would_go_and_asked(
    data: Path, answer: str, status: int, *, stays: bool
) -> None:
    ended, shown = at_a_terminal(answer, "delete", DOC, "--data", data)
    assert ended == status, shown
    assert "would be deleted:" in shown
    assert "Delete it? [y/N]" in shown
    assert (DOC in documents(data)) is stays


def test_past_deletions_are_listed_by_a_saved_query(data: Path) -> None:
    run_here("delete", DOC, "--yes", "--data", data)
    listed = invoke("sparql", "--saved", "changes", "--data", data)
    assert listed.exit_code == 0, listed.output
    assert DOC in listed.output


def test_an_unknown_document_is_told_in_a_line(data: Path) -> None:
    told = run_here("delete", "https://example.org/nothing", "--yes", "--data", data)
    assert told.status == 1
    assert told.err.startswith("Error: There is no document https://example.org/nothing in this collection.")


def test_what_is_deleted_can_be_made_to_leave_every_file(data: Path) -> None:
    asked = invoke("ask", "What did Zorbulon discover?", "--data", data)
    assert asked.exit_code == 0, asked.output
    run_here("delete", DOC, "--yes", "--redact", "--data", data)
    compacted = run_here("compact", "--data", data)
    assert compacted.status == 0
    assert compacted.out.startswith("Compacted: ")
    for path in data.rglob("*"):
        assert not path.is_file() or b"plimsolite" not in path.read_bytes().lower(), path
    checked = run_here("check", "--all", "--data", data)
    assert (checked.status, checked.out[:5]) == (0, "Sound")


def test_a_revision_tells_what_changed_and_its_old_answer_is_stale(data: Path, tmp_path: Path) -> None:
    session = invoke("ask", "What did Zorbulon discover?", "--format", "json", "--data", data)
    number = json.loads(session.stdout)["session"]
    told = ingest(data, DOC, "Marie Curie was born in Warsaw.", tmp_path / "0.txt")
    assert "1 changed" in told
    stale = run_here("traces", "--stale", "--data", data)
    assert number in stale.out
    again = run_here("ask", "--again", number, "--data", data)
    assert again.status == 0


def test_an_archive_made_after_a_deletion_holds_nothing_of_the_document(data: Path, tmp_path: Path) -> None:
    invoke("ask", "Where was Marie Curie born?", "--data", data)
    run_here("delete", DOC, "--yes", "--redact", "--data", data)
    archive, other = tmp_path / "all.zip", tmp_path / "other"
    assert run_here("export", "--archive", "--data", data, "--output", archive).status == 0
    assert run_here("import", "--data", other, archive).status == 0
    assert documents(other) == ["https://example.org/curie"]
    checked = run_here("check", "--all", "--data", other)
    assert (checked.status, checked.out[:5]) == (0, "Sound")
    assert not any(b"limsolite" in path.read_bytes() for path in other.rglob("*") if path.is_file())
