"""`provgraph watch`: which sentence of an answer loses its evidence, and why."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from e2e.commands import PROGRAMS, environment, invoke, serving

TEXT = "Marie Curie discovered polonium in 1898. She was born in Warsaw.\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "curie.txt").write_text(TEXT, "utf-8")
    assert (
        invoke("ingest", tmp_path / "curie.txt", "--id", "curie", "--data", tmp_path / "data").exit_code == 0
    )
    return tmp_path / "data"


@pytest.fixture
def session(data: Path) -> str:
    told = invoke("ask", "Who discovered polonium?", "--data", data, "--format", "json").stdout
    return str(json.loads(told)["session"])


def seen(data: Path, *arguments: str) -> list[dict[str, Any]]:
    done = invoke("watch", *arguments, "--once", "--data", data, "--format", "json")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_sentence_falls_when_its_document_is_changed_or_deleted(data: Path, session: str) -> None:
    assert invoke("watch", session, "--once", "--data", data).exit_code == 0
    assert seen(data, "--saved", "stale-answers") == []
    (data.parent / "curie.txt").write_text("Marie Curie was born in Warsaw.\n")
    invoke("ingest", data.parent / "curie.txt", "--id", "curie", "--data", data)
    changed = seen(data, session)
    assert {(each["event"], each["sentence"]) for each in changed} == {("fell", 1)}
    assert "was changed" in changed[0]["reason"]
    assert changed[0]["text"] == "Marie Curie discovered polonium in 1898."
    (stale,) = seen(data, "--saved", "stale-answers")
    assert stale["session"] == session
    invoke("delete", "curie", "--yes", "--data", data)
    fell = invoke("watch", session, "--once", "--data", data)
    assert (fell.exit_code, "sentence 1 fell" in fell.stdout) == (1, True)


def test_rows_come_while_they_are_watched(data: Path) -> None:
    saved = ["--saved", "sessions-without-answer", "--every", "0.2", "--format", "json"]
    with (
        serving(data) as made,
        subprocess.Popen(
            [str(PROGRAMS / "provgraph"), "watch", *saved, "--url", made.url],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as watching,
    ):
        try:
            assert watching.stderr
            assert watching.stderr.readline().startswith("Watching.")
            invoke("ask", "What is the capital of Australia?", "--url", made.url)
            assert watching.stdout
            assert json.loads(watching.stdout.readline())["event"] == "new"
            watching.send_signal(signal.SIGINT)
            _, said = watching.communicate(timeout=30)
        finally:
            watching.kill()
    assert (said.split(), watching.returncode) == (["Stopped."], 130)


def test_what_cannot_be_watched_is_told(data: Path, session: str) -> None:
    for arguments, status, told in (
        ((), 2, "Name one session"),
        ((session, "--saved", "x"), 2, "Name one session"),
        (("--saved", "nothing"), 1, "nothing"),
        (("--saved", "stale-answers", "--param", "x"), 1, "--param NAME=VALUE"),
        ((session, "--webhook", "https://example.org"), 1, "PROVGRAPH_WEBHOOK_SECRET"),
        (("nosession",), 1, "no trace"),
    ):
        done = invoke("watch", *arguments, "--once", "--data", data)
        assert done.exit_code == status, arguments
        assert told in done.stderr


def test_a_subscription_is_made_listed_and_ended(data: Path, session: str) -> None:
    hook = ("--webhook", "http://127.0.0.1:9/hook")
    refused = invoke("watch", session, *hook, "--subscribe", "--data", data, PROVGRAPH_WEBHOOK_SECRET="s")
    assert (refused.exit_code, "PROVGRAPH_WEBHOOK_ALLOW_PRIVATE" in refused.stderr) == (1, True)
    assert invoke("watch", session, "--subscribe", "--data", data).exit_code == 2
    allowed = {"PROVGRAPH_WEBHOOK_SECRET": "s", "PROVGRAPH_WEBHOOK_ALLOW_PRIVATE": "true"}
    made = invoke("watch", session, *hook, "--subscribe", "--data", data, **allowed)
    assert made.stdout.splitlines()[0].endswith("  http://127.0.0.1:9/hook")
    (shown,) = json.loads(invoke("watch", "--subscriptions", "--data", data, "--format", "json").stdout)
    assert shown["session"] == session
    assert invoke("watch", "--unsubscribe", shown["id"], "--data", data).exit_code == 0
    assert "no subscriptions" in invoke("watch", "--subscriptions", "--data", data).stderr
