"""`provgraph ask` with several questions, quietly, and with an exit status for what has no answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2e.commands import run, run_here

TEXT = "Marie Curie discovered polonium in 1898. She was born in Warsaw.\n"
ASKED = b'Who discovered polonium?\n\n{"query": "Where was Marie Curie born?"}\nWhat is the capital of Australia?\n'


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions")
    (folder / "curie.txt").write_text(TEXT, "utf-8")
    assert run_here("ingest", folder / "curie.txt", "--data", folder / "data", "--quiet").err == ""
    return folder / "data"


@pytest.mark.parametrize("asked", [(), ("-",), ("--questions", "-")], ids=["a pipe", "a dash", "an option"])
def test_each_line_is_answered(data: Path, asked: tuple[str, ...]) -> None:
    ask = run if not asked else run_here  # a pipe is one in a process of its own
    done = ask("ask", "--data", data, *asked, stdin=ASKED)
    assert done.status == 0
    assert [line for line in done.out.splitlines() if line.startswith("?")] == [
        "? Who discovered polonium?",
        "? Where was Marie Curie born?",
        "? What is the capital of Australia?",
    ]
    assert "Warsaw" in done.out


def test_answers_are_lines_of_json_in_the_order_of_the_file(data: Path, tmp_path: Path) -> None:
    (tmp_path / "questions.txt").write_bytes(ASKED)
    done = run_here("ask", "--data", data, "--questions", tmp_path / "questions.txt", "--format", "json")
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [each["outcome"] for each in answers] == ["answered", "answered", "refused"]
    assert answers[1]["query"] == "Where was Marie Curie born?"
    assert all(each["citations"] for each in answers[:2])


def test_no_answer_is_a_status_where_that_is_wanted_and_says_what_was_nearest(data: Path) -> None:
    question = "What is the capital of Australia?"
    usual = run_here("ask", "--data", data, question)
    assert (usual.status, usual.out.strip()) == (0, "No answer found.")
    assert "Ask in other words" in usual.err
    quiet = run_here("ask", "--data", data, "--quiet", "--fail-on-no-answer", question)
    assert (quiet.status, quiet.err) == (3, "")
    assert run_here("ask", "--data", data, "--fail-on-no-answer", "Who discovered polonium?").status == 0


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "told"),
    [
        ((), b"", 2, "There is no question"),
        (("-",), b"\n\n", 1, "stdin has no question"),
        (("-",), b'{"a": 1}\n', 1, "stdin, line 1 is not a question"),
        (("-",), b"\xff\n", 1, "not UTF-8"),
        (("--questions", "nowhere.txt"), b"", 1, "cannot be read"),
        (("Who?", "--questions", "-"), b"Who?", 2, "Leave out one"),
        (("--questions", "-", "--flow", "nothing"), b"Who?", 2, "nothing"),
    ],
)
def test_what_cannot_be_asked_is_told(
    data: Path, arguments: tuple[str, ...], stdin: bytes, status: int, told: str
) -> None:
    done = run_here("ask", "--data", data, *arguments, stdin=stdin)
    assert done.status == status
    assert told in done.err


def test_settings_are_shown_with_their_sources_and_without_secrets(tmp_path: Path) -> None:
    (tmp_path / "provgraph.toml").write_text("port = 9000\n")
    secret = {"PROVGRAPH_TOKEN": "a-secret-of-many-letters"}
    done = run("config", "--changed", "--format", "json", cwd=tmp_path, env=secret)
    rows = {row["name"]: row for row in json.loads(done.out)}
    assert rows["port"]["source"] == "provgraph.toml"
    assert rows["token"]["source"] == "PROVGRAPH_TOKEN"
    assert "a-secret" not in done.out
    assert run("config", "nothing", cwd=tmp_path).status == 2
    (tmp_path / "provgraph.toml").unlink()
    unchanged = run("config", "port", "--changed", cwd=tmp_path)
    assert (unchanged.status, unchanged.out) == (0, "")
